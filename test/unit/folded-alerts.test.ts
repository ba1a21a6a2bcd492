/** The alerts on Home that are not urgent: the resolved ones are folded. */
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { VisitProvider } from '../../backend/src/dashboard/components/context.js';
import type { Concern } from '../../backend/src/dashboard/home/concern.js';
import { Attention } from '../../backend/src/dashboard/home/concerns-view.js';
import type { Visit } from '../../backend/src/dashboard/page.js';

const visit = { may: () => true, now: 0, timeZone: 'UTC' } as unknown as Visit;
const concern = (title: string, changes: Partial<Concern> = {}): Concern => ({
  title,
  text: '',
  link: { href: '/', label: 'Open' },
  ...changes,
});

/** Returns the visible text, the summary, and the folded text. */
function shown(concerns: readonly Concern[], manualPauses: readonly Concern[]) {
  const attention = h(Attention, { concerns, manualPauses, timeZone: 'UTC' });
  const html = renderToString(h(VisitProvider, { value: visit }, attention));
  const at = html.indexOf('<details><summary>');
  const [summary, ...folded] = html.slice(at).split('</summary>');
  const textOf = (part: string) => part.replace(/(<[^>]+>|\s)+/g, ' ').trim();
  return [html.slice(0, at), summary!, folded.join('')].map(textOf);
}

const resolved = concern('Twilio outage', { isOver: true });
const paused = concern('Cuba is paused');

it.each([
  ['1 resolved alert, 1 paused or allowed manually', [resolved], [paused]],
  ['2 resolved alerts', [resolved, resolved], []],
  ['2 paused or allowed manually', [], [paused, paused]],
])('names what is folded: %s', (text, concerns, manualPauses) => {
  expect(shown(concerns, manualPauses)[1]).toBe(text);
});

it('keeps an alert outside, and lists manual pauses before resolved alerts', () => {
  const [above, , folded] = shown([concern('Unverified domain'), resolved], [paused]);
  expect(above).toMatch(/^1 alert .*Unverified domain/);
  expect(above).not.toMatch(/Twilio|Cuba/);
  expect(folded).toMatch(/Cuba is paused.*Resolved alerts.*Twilio outage/);
});
