/** A button that copies a text. If copying is not allowed, it selects the element that shows the text. */
import type { Card } from './card.js';
import { button } from './dom.js';

export function copyButton(card: Card, label: string, text: string, shown: HTMLElement): HTMLButtonElement {
  const { texts } = card;
  const copy = button('', label, async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = texts.copied;
    } catch {
      // The user can copy the selection manually.
      getSelection()?.selectAllChildren(shown);
      copy.textContent = texts.notCopied;
    }
    card.announce(copy.textContent);
  });
  return copy;
}
