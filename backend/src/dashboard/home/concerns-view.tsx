/** Lists the facts that need attention, and those that are over. */
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

const Severity = ({ isUrgent }: Concern) => (
  <> {isUrgent ? <Badge kind="bad">Urgent</Badge> : <Badge kind="warning">Warning</Badge>}</>
);

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

/** More countries are paused with the form on Protection: the buttons would leave too little space for the text. */
const MAX_PAUSE_BUTTONS = 2;

interface RowProps {
  readonly concern: Concern;
  readonly timeZone: string;
  /** Whether the concern is not over, so that its severity is shown. */
  readonly isOpen: boolean;
  /** Whether the first action is the most important one of the page. */
  readonly isMain: boolean;
  /** Whether it shows no figures. */
  readonly isCompact: boolean;
}

function ConcernRow({ concern, timeZone, isOpen, isMain, isCompact }: RowProps) {
  const { may } = useVisit();
  const { title, application, text, figures, times, usedShare, link, pause } = concern;
  const countries = (may('own') && pause?.countries) || [];
  const paused = countries.length > MAX_PAUSE_BUTTONS ? [] : countries;
  const classOf = (isFirst: boolean) => (isMain && isFirst ? 'button small' : 'button subtle small');
  const isPauseFirst = paused.length > 0 && pause!.isFirst;
  const linkTo = (className?: string) => (
    <a class={className} href={link.href} aria-label={`${link.label}: ${fullTitle(concern)}`}>
      {link.label}
    </a>
  );
  const buttons = paused.map((country, n) => (
    <PauseButton
      key={country}
      at={pause!.at}
      country={country}
      class={classOf(isPauseFirst && n === 0 && !pause!.isDoubtful)}
    />
  ));
  const isLinkInText = paused.length === MAX_PAUSE_BUTTONS;
  return (
    <li>
      <div>
        <p>
          <span class="strong">{title}</span>
          {isOpen && <Severity {...concern} />}
          {application && <span class="quiet small"> {application}</span>}
        </p>
        {text && (
          <p>
            {text}
            {isLinkInText && <> {linkTo()}</>}
          </p>
        )}
        {usedShare !== undefined && <UsedBar share={usedShare} />}
        {figures && !isCompact ? <p class="reason">{figures}</p> : <ConcernTimes times={times} zone={timeZone} />}
      </div>
      <div class="concern-actions">
        {isPauseFirst && buttons}
        {!isLinkInText && linkTo(classOf(!isPauseFirst))}
        {!isPauseFirst && buttons}
      </div>
    </li>
  );
}

interface ListProps extends ConcernsProps, Pick<RowProps, 'isOpen' | 'isCompact'> {}

/** The list of open concerns starts with the most important action of the page. */
const ConcernList = ({ concerns, ...props }: ListProps) => (
  <ul class="plain-list">
    {concerns.map((concern, n) => (
      <ConcernRow
        key={fullTitle(concern)}
        concern={concern}
        isMain={props.isOpen && n === 0 && !concern.isQuiet}
        {...props}
      />
    ))}
  </ul>
);

const RESOLVED = 'Resolved in the last 24 hours';
const MANUAL = 'Paused or allowed manually';

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
  readonly lead?: string | undefined;
  /** Shown after the concerns that are not resolved. */
  readonly manualPauses?: readonly Concern[];
  readonly isCompact?: boolean;
}

/** Lists concerns, the resolved ones apart; nothing without any. */
export function ConcernGroups({ concerns, timeZone, lead, manualPauses = [], isCompact = false }: GroupsProps) {
  const resolved = concerns.filter(({ isOver = false }) => isOver);
  const ongoing = concerns.filter((concern) => !resolved.includes(concern));
  const groups = [
    { title: attentionTitle(concerns), listed: ongoing },
    { title: MANUAL, listed: manualPauses },
    { title: RESOLVED, listed: resolved },
  ].filter(({ listed }) => listed.length > 0);
  if (groups.length === 0) return null;
  return (
    <Card
      id="attention"
      title={groups[0]!.title}
      lead={lead}
      class={`card attention${isCompact ? ' compact-list' : ''}`}
    >
      {groups.map(({ title, listed }, n) => (
        <>
          {n > 0 && <h3 class="quiet">{title}</h3>}
          <ConcernList concerns={listed} timeZone={timeZone} isOpen={listed === ongoing} isCompact={isCompact} />
        </>
      ))}
    </Card>
  );
}

/** Lists only titles, facts and actions. */
export const CompactConcerns = ({ concerns, ...props }: GroupsProps) => (
  <ConcernGroups {...props} concerns={compact(concerns)} isCompact />
);

/** Lists concerns; if all of them are over, says first that nothing needs attention. */
export function Attention({ concerns, manualPauses, timeZone }: ConcernsProps & Pick<HomeState, 'manualPauses'>) {
  const isCalm = concerns.every(({ isOver = false }) => isOver);
  return (
    <>
      {isCalm && (
        <Notice kind="good">
          <strong>Nothing needs your attention.</strong> No provider is failing
          {manualPauses.length === 0 && ', and nothing is paused right now'}.
        </Notice>
      )}
      <CompactConcerns concerns={concerns} manualPauses={manualPauses} timeZone={timeZone} />
    </>
  );
}
