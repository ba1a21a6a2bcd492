/** A button that copies what an element shows. */
import type { Card } from './card.js';
import { button } from './dom.js';

export function copyButton(card: Card, label: string, text: string, shown: HTMLElement): HTMLButtonElement {
  const { texts } = card;
  const copy = button('', label, async () => {
    try {
      await navigator.clipboard.writeText(text);
      copy.textContent = texts.copied;
    } catch {
      // The person can do what the script may not.
      getSelection()?.selectAllChildren(shown);
      copy.textContent = texts.notCopied;
    }
    card.say(copy.textContent);
  });
  return copy;
}
