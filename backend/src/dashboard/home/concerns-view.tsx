/** Lists the facts that need attention, and those that are over. */
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Notice } from '../components/notice.js';
import { LocalTime } from '../components/time.js';
import { countText } from '../usage/figures.js';
import { separatorOf, type Concern } from './concern.js';
import type { HomeState } from './home-state.js';

type ConcernsProps = Pick<HomeState, 'concerns' | 'timeZone'>;

/** `Since yesterday at 23:22 · latest refused message: 02:48` */
const ConcernTimes = ({ times = [], zone }: { readonly times: Concern['times'] | undefined; readonly zone: string }) =>
  times.length === 0 ? null : (
    <p class="reason">
      {times.map(([name, at], n) => (
        <>
          {n > 0 && separatorOf(name)}
          {name} <LocalTime ms={at} zone={zone} />
        </>
      ))}
    </p>
  );

/** `isOpen`: whether the list starts with the most important action of the page. */
const ConcernList = ({ concerns, timeZone, isOpen }: ConcernsProps & { readonly isOpen: boolean }) => (
  <ul class="plain-list">
    {concerns.map(({ title, text, times, link, isQuiet }, n) => (
      <li key={title}>
        <div>
          <p class="strong">{title}</p>
          <p class="small">{text}</p>
          <ConcernTimes times={times} zone={timeZone} />
        </div>
        <a
          class={isOpen && n === 0 && !isQuiet ? 'button small' : 'button subtle small'}
          href={link.href}
          aria-label={`${link.label}: ${title}`}
        >
          {link.label}
        </a>
      </li>
    ))}
  </ul>
);

const Pauses = ({ pauses }: { readonly pauses: HomeState['manualPauses'] }) =>
  pauses.map(({ text, href }) => (
    <span key={href}>
      {text} <a href={href}>Open Protection</a>{' '}
    </span>
  ));

type OpenConcernsProps = ConcernsProps & Partial<Pick<HomeState, 'manualPauses'>>;

/** Lists the concerns that are not over; nothing without any. */
export function OpenConcerns({ concerns, manualPauses = [], timeZone }: OpenConcernsProps) {
  const ongoing = concerns.filter(({ isOver = false }) => !isOver);
  if (ongoing.length === 0) return null;
  const title = (
    <>
      Needs attention <Badge kind="warning">{countText(ongoing.length)}</Badge>
    </>
  );
  return (
    <Card id="attention" title={title} class="card attention">
      <ConcernList concerns={ongoing} timeZone={timeZone} isOpen />
      {manualPauses.length > 0 && (
        <p class="quiet small">
          <Pauses pauses={manualPauses} />
        </p>
      )}
    </Card>
  );
}

const CALM = 'No provider is failing, and nothing is paused right now.';

/** Lists the concerns that are over; nothing without any. */
export function ResolvedConcerns({ concerns, timeZone }: ConcernsProps) {
  const resolved = concerns.filter(({ isOver = false }) => isOver);
  return resolved.length === 0 ? null : (
    <Card id="resolved" title="Resolved in the last 24 hours" class="card attention resolved">
      <ConcernList concerns={resolved} timeZone={timeZone} isOpen={false} />
    </Card>
  );
}

export function Attention({ concerns, manualPauses, timeZone }: ConcernsProps & Pick<HomeState, 'manualPauses'>) {
  return (
    <>
      {concerns.every(({ isOver }) => isOver) ? (
        <Notice kind="good">
          Nothing needs your attention.{' '}
          {manualPauses.length > 0 ? <Pauses pauses={manualPauses} /> : concerns.length > 0 && CALM}
        </Notice>
      ) : (
        <OpenConcerns concerns={concerns} manualPauses={manualPauses} timeZone={timeZone} />
      )}
      <ResolvedConcerns concerns={concerns} timeZone={timeZone} />
    </>
  );
}
