/** Lists the facts that need attention, and those that are over. */
import type { ComponentChildren } from 'preact';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Notice } from '../components/notice.js';
import { LocalTime } from '../components/time.js';
import { PauseButton } from '../protection/place-button.js';
import { UsedBar } from '../protection/spend-card.js';
import { countText } from '../usage/figures.js';
import { fullTitle, separatorOf, type Concern } from './concern.js';
import type { HomeState } from './home-state.js';

type ConcernsProps = Pick<HomeState, 'concerns' | 'timeZone'>;

function Severity({ isOver, isUrgent }: Concern) {
  if (isOver) return <Badge kind="neutral">Resolved</Badge>;
  return isUrgent ? <Badge kind="bad">Urgent</Badge> : <Badge kind="warning">Warning</Badge>;
}

/** `Since 23:22 yesterday · latest refused message: 02:48` */
const ConcernTimes = ({ times = [], zone }: { readonly times: Concern['times'] | undefined; readonly zone: string }) =>
  times.length === 0 ? null : (
    <p class="reason">
      {times.map(([name, at], n) => {
        const [next, end] = times[n + 1] ?? [];
        return (
          <>
            {n > 0 && separatorOf(name)}
            {name} <LocalTime ms={at} zone={zone} until={next === 'to' ? end : undefined} />
          </>
        );
      })}
    </p>
  );

/** `isMain`: whether the first action is the most important one of the page. */
function ConcernActions({ concern, isMain }: { readonly concern: Concern; readonly isMain: boolean }) {
  const { may } = useVisit();
  const { link } = concern;
  const pause = may('own') ? concern.pause : undefined;
  const classOf = (isFirst: boolean) => (isMain && isFirst ? 'button small' : 'button subtle small');
  const isFirst = pause?.isFirst ?? false;
  const buttons = pause?.countries.map((country, n) => (
    <PauseButton
      key={country}
      at={pause.at}
      country={country}
      class={classOf(isFirst && n === 0 && !pause.isDoubtful)}
    />
  ));
  return (
    <div class="concern-actions">
      {isFirst && buttons}
      <a class={classOf(!isFirst)} href={link.href} aria-label={`${link.label}: ${fullTitle(concern)}`}>
        {link.label}
      </a>
      {!isFirst && buttons}
    </div>
  );
}

interface ListProps extends ConcernsProps {
  /** Whether the concerns are not over, so that their severity is shown. */
  readonly isOpen: boolean;
  /** Whether the list starts with the most important action of the page. */
  readonly isMain?: boolean;
}

export const ConcernList = ({ concerns, timeZone, isOpen, isMain = isOpen }: ListProps) => (
  <ul class="plain-list">
    {concerns.map((concern, n) => {
      const { title, application, text, times, isQuiet, usedShare } = concern;
      return (
        <li key={fullTitle(concern)}>
          {isOpen && <Severity {...concern} />}
          <div>
            <p>
              <span class="strong">{title}</span>
              {application && <span class="quiet small"> {application}</span>}
            </p>
            {text && <p>{text}</p>}
            {usedShare !== undefined && <UsedBar share={usedShare} />}
            <ConcernTimes times={times} zone={timeZone} />
          </div>
          <ConcernActions concern={concern} isMain={isMain && n === 0 && !isQuiet} />
        </li>
      );
    })}
  </ul>
);

const Pauses = ({ pauses }: { readonly pauses: HomeState['manualPauses'] }) =>
  pauses.map(({ text, href }) => (
    <span key={href}>
      {text} <a href={href}>Open Protection</a>{' '}
    </span>
  ));

const RESOLVED = 'Resolved in the last 24 hours';

/** `4 things need attention, 2 urgent`, `1 urgent thing needs attention`; `Nothing needs attention now` */
export function attentionTitle(concerns: readonly Pick<Concern, 'isUrgent' | 'isOver'>[]): string {
  const ongoing = concerns.filter(({ isOver = false }) => !isOver);
  const count = ongoing.length;
  if (count === 0) return 'Nothing needs attention now';
  const urgent = ongoing.filter(({ isUrgent = false }) => isUrgent).length;
  const things = `${count === urgent ? 'urgent ' : ''}${count === 1 ? 'thing needs' : 'things need'} attention`;
  const part = urgent > 0 && urgent < count ? `, ${countText(urgent)} urgent` : '';
  return `${countText(count)} ${things}${part}`;
}

/** With their facts instead of texts. The texts are on Protection and in the weekly email. */
const compact = (concerns: ConcernsProps['concerns']) =>
  concerns.map(({ text, times = [], fact, ...concern }) => ({
    ...concern,
    text: fact ?? text,
    times: fact === undefined ? times : [],
    usedShare: undefined,
  }));

interface GroupsProps extends ConcernsProps {
  readonly class?: string;
  /** Shown after the concerns that are not resolved. */
  readonly children?: ComponentChildren;
}

/** Lists concerns, the resolved ones apart; nothing without any. */
export function ConcernGroups({ concerns, timeZone, class: className = '', children }: GroupsProps) {
  const resolved = concerns.filter(({ isOver = false }) => isOver);
  const ongoing = concerns.filter((concern) => !resolved.includes(concern));
  if (concerns.length === 0) return null;
  return (
    <Card
      id="attention"
      title={ongoing.length > 0 ? attentionTitle(concerns) : RESOLVED}
      class={`card attention ${className}`.trim()}
    >
      {ongoing.length > 0 && <ConcernList concerns={ongoing} timeZone={timeZone} isOpen />}
      {ongoing.length > 0 && children}
      {ongoing.length > 0 && resolved.length > 0 && <h3 class="quiet">{RESOLVED}</h3>}
      {resolved.length > 0 && <ConcernList concerns={resolved} timeZone={timeZone} isOpen={false} />}
    </Card>
  );
}

/** Lists only titles, facts and actions. */
export const CompactConcerns = ({ concerns, ...props }: GroupsProps) => (
  <ConcernGroups {...props} concerns={compact(concerns)} class="compact-list" />
);

const CALM = 'No provider is failing, and nothing is paused right now.';

/** Lists concerns; if all of them are over, says first that nothing needs attention. */
export function Attention({ concerns, manualPauses, timeZone }: ConcernsProps & Pick<HomeState, 'manualPauses'>) {
  const isCalm = concerns.every(({ isOver = false }) => isOver);
  const pauses = manualPauses.length > 0 && <Pauses pauses={manualPauses} />;
  return (
    <>
      {isCalm && (
        <Notice kind="good">
          <strong>Nothing needs your attention.</strong> {pauses || CALM}
        </Notice>
      )}
      <CompactConcerns concerns={concerns} timeZone={timeZone}>
        {pauses && <p class="quiet small">{pauses}</p>}
      </CompactConcerns>
    </>
  );
}
