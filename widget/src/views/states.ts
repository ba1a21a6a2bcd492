/** The views without a form: on, turning off, off, and what keeps the widget from going on. */
import type { Card, View } from '../card.js';
import { button, h } from '../dom.js';

export interface EnabledOptions {
  /** Recovery codes that are not used yet. */
  readonly left: number | undefined;
  turnOff(): void;
}

export const enabled = ({ texts }: Card, { left, turnOff }: EnabledOptions): View => ({
  title: texts.onTitle,
  mood: 'good',
  body: [
    h('p', {}, texts.onLead),
    left === undefined ? undefined : h('p', { class: 'quiet' }, texts.codesLeft.replace('{count}', String(left))),
    button('', texts.turnOff, turnOff),
  ],
});

export const turningOff = ({ texts }: Card, { turnOff, keep }: { turnOff(): void; keep(): void }): View => ({
  title: texts.offTitle,
  body: [
    h('p', {}, texts.offLead),
    h('div', { class: 'row' }, button('main', texts.keepOn, keep), button('', texts.turnOff, turnOff)),
  ],
});

export const turnedOff = ({ texts }: Card, { turnOn }: { turnOn(): void }): View => ({
  title: texts.doneTitle,
  body: [button('', texts.enrolTitle, turnOn)],
});

export type Trouble = 'unreachable' | 'broken' | 'misplaced' | 'signIn';

/** What went wrong in words for a person; with a way to try again where that can help. */
export function trouble({ texts }: Card, kind: Trouble, retry: (() => void) | undefined): View {
  return {
    title: kind === 'misplaced' ? texts.misplacedTitle : texts.brokenTitle,
    mood: 'bad',
    body: [h('p', {}, texts[`${kind}Lead`]), retry && button('main', texts.retry, retry)],
  };
}
