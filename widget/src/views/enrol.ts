/** The picture to scan, and the key to type where it cannot be. */
import type { EnrolReply } from '../api.js';
import type { Card, View } from '../card.js';
import { copyButton } from '../copy.js';
import { complain } from '../developer.js';
import { button, h } from '../dom.js';

/** A few that most people have heard of. */
const APPS = 'Google Authenticator, Microsoft Authenticator, 2FAS, Aegis, 1Password, Bitwarden';

/** Drawn rather than linked: a strict page policy allows no `data:` pictures, and drawing loads nothing. */
function picture(dataUrl: string, label: string): HTMLCanvasElement {
  const canvas = h('canvas', { class: 'qr', role: 'img', 'aria-label': label, hidden: true });
  const draw = async () => {
    const bytes = Uint8Array.from(atob(dataUrl.slice(dataUrl.indexOf(',') + 1)), (byte) => byte.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    canvas.width = image.width;
    canvas.height = image.height;
    canvas.getContext('2d')!.drawImage(image, 0, 0);
    canvas.hidden = false;
  };
  draw().catch((error: unknown) => {
    // The key as text is still there.
    complain('the QR code cannot be drawn', error);
  });
  return canvas;
}

/** Text that reads in its own direction, whatever is around it. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

export interface EnrolOptions {
  readonly reply: EnrolReply;
  readonly identity: string;
  /** A word on why this picture is a new one. */
  readonly notice: string | undefined;
  next(): void;
}

export function enrol(card: Card, { reply, identity, notice, next }: EnrolOptions): View {
  const { texts } = card;
  const { QRCoder = '', accountUri, manualKey = '' } = reply;
  const key = h('code', { class: 'secret', dir: 'ltr', translate: 'no' }, manualKey.replace(/(.{4})(?=.)/g, '$1 '));
  return {
    title: texts.enrolTitle,
    body: [
      notice ? h('p', { role: 'status' }, notice) : undefined,
      h('p', {}, texts.enrolLead),
      picture(QRCoder, texts.qrLabel),
      h(
        'details',
        {},
        h('summary', {}, texts.manualSummary),
        h(
          'div',
          { class: 'stack' },
          h(
            'p',
            { class: 'quiet' },
            texts.manualLead.replace('{identity}', () => isolated(identity)),
          ),
          key,
          copyButton(card, texts.copy, manualKey, key),
          // For a person on a phone, who cannot scan the phone's own screen.
          h('a', { class: 'link', href: accountUri }, texts.openApp),
        ),
      ),
      h('p', { class: 'quiet' }, texts.enrolApps.replace('{apps}', APPS)),
      button('main', texts.next, next),
    ],
  };
}
