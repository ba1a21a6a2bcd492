/** The recovery codes, shown once. */
import type { Card, View } from '../card.js';
import { copyButton } from '../copy.js';
import { button, h } from '../dom.js';

function downloadButton(label: string, text: string, name: string): HTMLButtonElement {
  return button('', label, () => {
    const href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    h('a', { href, download: name }).click();
    URL.revokeObjectURL(href);
  });
}

export interface RecoveryCodesOptions {
  readonly codes: readonly string[];
  readonly identity: string;
  done(): void;
}

export function recoveryCodes(card: Card, { codes, identity, done }: RecoveryCodesOptions): View {
  const { texts } = card;
  const list = h('ul', { class: 'codes', dir: 'ltr', translate: 'no' }, ...codes.map((code) => h('li', {}, code)));
  const file = [[card.title, location.host, identity].filter(Boolean).join(' · '), '', ...codes, ''].join('\n');
  return {
    title: texts.savedTitle,
    tone: 'good',
    body: [
      h('p', {}, texts.savedLead),
      list,
      h(
        'div',
        { class: 'row' },
        copyButton(card, texts.copy, codes.join('\n'), list),
        downloadButton(texts.download, file, `recovery-codes-${location.hostname}.txt`),
      ),
      button('main', texts.saved, done),
    ],
  };
}
