/** Lists the facts that need attention, and those that are over. */
import type { ComponentChildren } from 'preact';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Notice } from '../components/notice.js';
import { LocalTime } from '../components/time.js';
import { PauseButton } from '../protection/place-button.js';
import { countText } from '../usage/figures.js';
import { fullTitle, separatorOf, type Concern } from './concern.js';
import type { HomeState } from './home-state.js';

type ConcernsProps = Pick<HomeState, 'concerns' | 'timeZone'>;

const DISC = 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20z';
const CHECK = 'M10.5 16.8 5.9 12.2l1.8-1.8 2.8 2.8 5.8-5.8 1.8 1.8z';

/** Icons that differ in color and shape, on a grid of 24 × 24, and their names for screen readers. */
const MARKS = {
  bad: { name: 'Urgent: ', shape: `${DISC}M10.7 6h2.6v7.5h-2.6zM10.7 15.4h2.6V18h-2.6z` },
  warning: {
    name: 'Warning: ',
    shape:
      'M10.3 3.2 1.4 18.5a2 2 0 0 0 1.7 3h17.8a2 2 0 0 0 1.7-3L13.7 3.2a2 2 0 0 0-3.4 0zM10.8 8.5h2.4v6h-2.4zM10.8 16.2h2.4v2.4h-2.4z',
  },
  // The headings of the groups name the others.
  quiet: { name: '', shape: `${DISC}M8.2 8h2.6v8H8.2zM13.2 8h2.6v8h-2.6z` },
  ended: { name: '', shape: `${DISC}M6.5 10.7h11v2.6h-11z` },
  allowed: { name: '', shape: `${DISC}${CHECK}` },
  good: { name: '', shape: `${DISC}${CHECK}` },
} as const;

type MarkKind = keyof typeof MARKS;

/** The icon of a concern, with its meaning for screen readers. */
export const Mark = ({ kind }: { readonly kind: MarkKind }) => (
  <>
    <svg
      class={`mark ${kind === 'allowed' || kind === 'ended' ? 'quiet' : kind}`}
      viewBox="0 0 24 24"
      aria-hidden="true"
      focusable="false"
    >
      <path d={MARKS[kind].shape} fill-rule="evenodd" />
    </svg>
    {MARKS[kind].name && <span class="unseen">{MARKS[kind].name}</span>}
  </>
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

/** Links without a label are to messages or to Protection. */
const MESSAGES_PATH = '/dashboard/messages';

/** More countries are paused with the form on Protection: the buttons would leave too little space for the text. */
const MAX_PAUSE_BUTTONS = 2;

interface RowProps {
  readonly concern: Concern;
  readonly timeZone: string;
  readonly mark: MarkKind;
  /** Whether the application is named. */
  readonly isNamed: boolean;
  /** Whether the first action is the most important one of the page. */
  readonly isMain: boolean;
  /** Whether the advice and all figures can be shown. */
  readonly hasDetails: boolean;
}

/** The advice, unless it is shown before, with all figures, closed. */
const Details = ({ text, figures }: Readonly<Record<'text' | 'figures', string | undefined>>) => (
  <details>
    <summary>Details</summary>
    {text && <p>{text}</p>}
    {figures && <p>{figures}</p>}
  </details>
);

function ConcernRow({ concern, timeZone, mark, isNamed, isMain, hasDetails }: RowProps) {
  const { may } = useVisit();
  const { title, application, text, fact, times, link, messages, isOver, isUnsettled } = concern;
  // Fraud that Passbell has stopped needs no pause, except for owners who look at the details.
  const pause = isOver && !isUnsettled && !hasDetails ? undefined : concern.pause;
  const countries = (may('own') && pause?.countries) || [];
  const paused = countries.length > MAX_PAUSE_BUTTONS ? [] : countries;
  const classOf = (isFirst: boolean) => (isMain && isFirst ? 'button small' : 'button subtle small');
  const isPauseFirst = paused.length > 0 && pause!.isFirst;
  const hasFoldedDetails = hasDetails && fact !== undefined;
  // Resolved alerts show their advice.
  const isAdviceShown = hasFoldedDetails && isOver === true;
  const { href, label = href.startsWith(MESSAGES_PATH) ? 'Show messages' : 'Open Protection' } = link;
  // The title also has the link. Resolved alerts without details need no button.
  const isInline = isOver === true && link.label !== undefined && !hasFoldedDetails;
  const isOpen = mark === 'bad' || mark === 'warning';
  const isLinked = link.label !== undefined && !(isOver === true && paused.length > 0);
  const hasLink = !isInline && (isLinked || (isOpen && paused.length === 0));
  // The title of a row with details also links to the messages.
  const hasMessages = messages !== undefined && !hasFoldedDetails && !(hasLink && href === messages);
  const shownMessages = hasMessages ? { href: messages, label: 'Show messages' } : undefined;
  const inline = isInline ? { href, label } : shownMessages;
  const buttons = paused.map((country, n) => (
    <PauseButton
      key={country}
      at={pause!.at}
      country={country}
      sender={application}
      class={classOf(isPauseFirst && n === 0 && !pause!.isDoubtful)}
    />
  ));
  const linkButton = hasLink && (
    <a class={classOf(!isPauseFirst)} href={href} aria-label={`${label}: ${fullTitle(concern)}`}>
      {label}
    </a>
  );
  const hasButtons = hasLink || buttons.length > 0;
  return (
    <li>
      <div>
        <p>
          <Mark kind={mark} />
          <span class="strong">
            <a href={href}>{title}</a>
          </span>
          {isNamed && application && <span class="quiet small"> {application}</span>}
        </p>
        {(fact ?? text) && (
          <p>
            {fact ?? text}
            {isAdviceShown && ` ${text}`}
            {inline && (
              <>
                {' '}
                <a class="nowrap" href={inline.href} aria-label={`${inline.label}: ${fullTitle(concern)}`}>
                  {inline.label}
                </a>
              </>
            )}
          </p>
        )}
        {fact === undefined && <ConcernTimes times={times} zone={timeZone} />}
        {hasFoldedDetails && <Details text={isAdviceShown ? undefined : text} figures={concern.figures} />}
      </div>
      {hasButtons && (
        <div class="concern-actions">
          {isPauseFirst && buttons}
          {linkButton}
          {!isPauseFirst && buttons}
        </div>
      )}
    </li>
  );
}

interface ListProps extends ConcernsProps, Pick<RowProps, 'isNamed' | 'hasDetails'> {
  /** The mark of concerns that have none of their own; undefined if it depends on their severity. */
  readonly mark: MarkKind | undefined;
}

function markOf({ isUnsettled, isAllowed, isUrgent }: Concern, markOfList: ListProps['mark']): MarkKind {
  if (isUnsettled) return 'ended';
  if (isAllowed) return 'allowed';
  return markOfList ?? (isUrgent ? 'bad' : 'warning');
}

/** The list of open concerns starts with the most important action of the page. */
const ConcernList = ({ concerns, mark, ...props }: ListProps) => (
  <ul class="plain-list">
    {concerns.map((concern, n) => (
      <ConcernRow
        key={`${fullTitle(concern)} ${concern.link.href}`}
        concern={concern}
        mark={markOf(concern, mark)}
        isMain={mark === undefined && n === 0 && !concern.isQuiet}
        {...props}
      />
    ))}
  </ul>
);

const OVER = 'Resolved alerts';
const MANUAL = 'Paused or allowed manually';

interface GroupsProps extends ConcernsProps {
  /** The noun for the counted alerts: `protection alert`. */
  readonly noun?: string;
  /** Shown after the concerns that are not resolved. */
  readonly manualPauses?: readonly Concern[];
  readonly hasDetails?: boolean;
  /** Whether only the ongoing concerns are listed, and one line opens the others. */
  readonly isBrief?: boolean;
  /** The title if no concern is ongoing; if undefined, `No alerts` once the others are folded. */
  readonly calmTitle?: ComponentChildren;
}

/** `1 resolved alert, 2 paused or allowed manually` */
function foldedText(manual: number, resolved: number): string {
  const counts = [
    resolved > 0 && `${countText(resolved)} resolved alert${resolved === 1 ? '' : 's'}`,
    manual > 0 && `${countText(manual)} paused or allowed manually`,
  ];
  return counts.filter(Boolean).join(', ');
}

/** Lists concerns with titles, facts and actions, the resolved ones apart; nothing without any. */
export function ConcernGroups(props: GroupsProps) {
  const { concerns, timeZone, noun = 'alert', manualPauses = [], hasDetails = false, isBrief = false } = props;
  const resolved = concerns.filter(({ isOver = false }) => isOver);
  const ongoing = concerns.filter((concern) => !resolved.includes(concern));
  const groups = [
    {
      title: `${countText(ongoing.length)} ${noun}${ongoing.length === 1 ? '' : 's'}`,
      listed: ongoing,
      mark: undefined,
    },
    { title: MANUAL, listed: manualPauses, mark: 'quiet' as const },
    { title: OVER, listed: resolved, mark: 'good' as const },
  ].filter(({ listed }) => listed.length > 0);
  if (groups.length === 0 && !props.calmTitle) return null;
  const names = new Set([...concerns, ...manualPauses].flatMap(({ application }) => application ?? []));
  const [name] = names.size === 1 ? names : [];
  const shown = ongoing.length > 0 ? 1 : 0;
  const isFolded = isBrief && groups.length > shown;
  const lists = groups.map(({ title, listed, mark }, n) => (
    <>
      {(n > 0 || (isFolded && mark !== undefined)) && <h3 class="quiet">{title}</h3>}
      <ConcernList concerns={listed} timeZone={timeZone} mark={mark} isNamed={names.size > 1} hasDetails={hasDetails} />
    </>
  ));
  const calmTitle = shown === 0 ? (props.calmTitle ?? (isFolded && `No ${noun}s`)) : undefined;
  return (
    <Card
      id="attention"
      title={
        <>
          {calmTitle || groups[0]!.title}
          {name && <span class="quiet small"> Application: {name}</span>}
        </>
      }
      class="card alerts"
    >
      {isFolded ? lists.slice(0, shown) : lists}
      {isFolded && (
        <details>
          <summary>{foldedText(manualPauses.length, resolved.length)}</summary>
          {lists.slice(shown)}
        </details>
      )}
    </Card>
  );
}

/** Lists concerns, folded apart from the ongoing ones if none is urgent; says first if nothing needs attention. */
export function Attention({ concerns, manualPauses, timeZone }: ConcernsProps & Pick<HomeState, 'manualPauses'>) {
  if (concerns.length + manualPauses.length === 0)
    return (
      <Notice kind="good">
        <strong>Nothing needs your attention.</strong> No channel is failing, and nothing is paused right now.
      </Notice>
    );
  return (
    <ConcernGroups
      concerns={concerns}
      manualPauses={manualPauses}
      timeZone={timeZone}
      isBrief={!concerns.some(({ isUrgent = false, isOver = false }) => isUrgent && !isOver)}
      calmTitle={
        <span>
          <Mark kind="good" /> Nothing needs your attention
        </span>
      }
    />
  );
}
