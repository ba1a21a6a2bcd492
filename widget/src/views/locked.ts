/** Countdown after too many attempts. */
import type { Card, View } from '../card.js';
import { button, h } from '../dom.js';

const SECOND = 1000;

/** Formats seconds as `mm:ss` or, from an hour, as `hh:mm:ss`. A lock lasts a day at most, and starts at 23:59:59. */
const clockTime = (seconds: number): string =>
  new Date(Math.min(seconds, 86_399) * SECOND).toISOString().slice(seconds < 3600 ? 14 : 11, 19);

/** `recovery` opens the form for recovery codes, which are not affected by a lock of the app's codes. */
export function locked(
  card: Card,
  { seconds, onExpire, recovery }: { seconds: number; onExpire(): void; recovery?: (() => void) | undefined },
): View {
  const { texts } = card;
  const end = Date.now() + seconds * SECOND;
  const left = () => Math.max(0, Math.ceil((end - Date.now()) / SECOND));
  // Screen readers do not announce changes of role="timer", which would be every second.
  const timer = h('p', { class: 'timer', role: 'timer', dir: 'ltr' }, clockTime(left()));
  const ticking = setInterval(() => {
    timer.textContent = clockTime(left());
    if (left() > 0) return;
    card.announce(texts.retry);
    onExpire();
  }, SECOND);
  return {
    title: texts.lockedTitle,
    tone: 'bad',
    body: [
      h('p', {}, texts.lockedLead),
      timer,
      recovery && h('div', { class: 'row' }, button('plain', texts.useRecovery, recovery)),
    ],
    cleanUp: () => clearInterval(ticking),
  };
}
