/** Waiting after too many tries. */
import type { Card, View } from '../card.js';
import { h } from '../dom.js';

const SECOND = 1000;

/** Minutes and seconds of a number of seconds, as `m:ss`. */
const clockTime = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

export function locked(card: Card, { seconds, over }: { seconds: number; over(): void }): View {
  const { texts } = card;
  const end = Date.now() + seconds * SECOND;
  const left = () => Math.max(0, Math.ceil((end - Date.now()) / SECOND));
  // A timer is read when a person goes to it; said every second it would drown everything else.
  const timer = h('p', { class: 'timer', role: 'timer', dir: 'ltr' }, clockTime(left()));
  const ticking = setInterval(() => {
    timer.textContent = clockTime(left());
    if (left() > 0) return;
    card.say(texts.retry);
    over();
  }, SECOND);
  return {
    title: texts.lockedTitle,
    mood: 'bad',
    body: [h('p', {}, texts.lockedLead), timer],
    leave: () => clearInterval(ticking),
  };
}
