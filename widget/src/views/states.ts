/** The views without a form: on, turning off, off, and failures. */
import type { Card, View } from '../card.js';
import { button, h } from '../dom.js';

export interface EnabledOptions {
  /** Number of unused recovery codes. */
  readonly left: number | undefined;
  turnOff(): void;
}

export const enabled = ({ texts }: Card, { left, turnOff }: EnabledOptions): View => ({
  title: texts.onTitle,
  tone: 'good',
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

export type FailureKind = 'unreachable' | 'broken' | 'misplaced' | 'signIn';

/** Explains a failure; with a retry button if retrying can help. */
export function failure({ texts }: Card, kind: FailureKind, retry: (() => void) | undefined): View {
  return {
    title: kind === 'misplaced' ? texts.misplacedTitle : texts.brokenTitle,
    tone: 'bad',
    body: [h('p', {}, texts[`${kind}Lead`]), retry && button('main', texts.retry, retry)],
  };
}
