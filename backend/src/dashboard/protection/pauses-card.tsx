/** Lists pauses and exceptions with the messages that each pause refused, then messages that were refused for other reasons. */
import { messagesOf, type FraudOverview } from '../../modules/fraud/fraud-overview.js';
import type { PauseAction } from '../../modules/fraud/fraud-pauses.js';
import type { CountedRefusal, ScopeRef } from '../../modules/fraud/fraud.js';
import {
  isPartlyAllowed,
  isSentWhenServed,
  placeName,
  ruleText,
  serveQuestion,
} from '../../modules/fraud/fraud-texts.js';
import { MAX_STORED_PER_HOUR } from '../../modules/messages/record-refusal.js';
import { countryName } from '../../modules/recipients/country.js';
import { countryOfPrefix } from '../../modules/recipients/number-prefixes.js';
import { Badge, type BadgeKind } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { dayAndTime } from '../components/time.js';
import type { FormState } from '../form.js';
import { urlOf, type MessageQuery } from '../messages/filter.js';
import { messagesText } from '../usage/figures.js';
import { STATES } from './countries-card.js';
import { ActionButton, PlaceButton } from './place-button.js';
import { AllowForm, PauseForm } from './place-forms.js';

type Scope = FraudOverview['scopes'][number];
type Ended = FraudOverview['ended'][number];

interface Entry {
  readonly key: string;
  readonly badge: readonly [kind: BadgeKind, label: string];
  readonly place: ScopeRef;
  /** Sentences. */
  readonly text: string;
  readonly refused: number;
  /** The filter for the refused messages; undefined if it would match others. */
  readonly query: MessageQuery | undefined;
  readonly actions: readonly PauseAction[];
  readonly isAllowed?: boolean;
  readonly isServable?: boolean;
}

/** The filter for the messages that a pause refused. */
function queryOf({ scope, key, refusals }: Scope | Ended, query: MessageQuery): MessageQuery {
  const country = scope === 'prefix' ? countryOfPrefix(key) : scope === 'country' && key;
  const rules = new Set(refusals.map(({ rule }) => rule));
  const [rule] = rules.size === 1 ? rules : [];
  return { ...query, country: country || undefined, rule };
}

/** Only these scopes can be allowed; a pause of another one can be resumed. */
const ALLOWING: Readonly<Partial<Record<Scope['scope'], readonly PauseAction[]>>> = {
  prefix: ['allow', 'allowForEver'],
  country: ['allow'],
  application: ['allow'],
};

function actionsOf({ scope, state, rule }: Scope): readonly PauseAction[] {
  if (state === 'allowed') return ['resume'];
  const allow: readonly PauseAction[] = ALLOWING[scope] ?? [];
  return rule === 'person' ? ['resume', ...allow] : [...allow, 'resume'];
}

/** `Paused automatically since 23:00 yesterday, until 03:00 today.` */
function scopeText(view: Scope, timeOf: (ms: number) => string): string {
  const { state, rule, from, until } = view;
  if (state === 'allowed')
    return `${until === undefined ? 'Always allowed' : `Allowed until ${timeOf(until)}`}.${isPartlyAllowed([view]) ? ' Bursts of codes, similar numbers and single IP addresses can still be paused.' : ''}`;
  const start = timeOf(from!);
  if (state === 'challenged')
    return `Since ${start}, people must solve a challenge before they get a code, until the attack stops.`;
  const cause = rule === 'person' ? 'manually' : 'automatically';
  return `Paused ${cause} since ${start}, until ${until === undefined ? 'an owner chooses “Resume”' : timeOf(until)}.`;
}

const scopeEntry = (view: Scope, query: MessageQuery, timeOf: (ms: number) => string): Entry => ({
  key: `${view.scope} ${view.key}`,
  badge: STATES[view.state],
  place: view,
  text: `${scopeText(view, timeOf)} ${view.rule === 'person' ? '' : view.reason}`.trim(),
  refused: messagesOf(view.refusals),
  query: queryOf(view, { ...query, from: view.from }),
  actions: actionsOf(view),
  isAllowed: view.state === 'allowed',
});

/** `from 23:00 yesterday to 00:00 today`; `from 02:00 to 03:00 today` on the same day. */
function periodText({ from, until }: Ended, timeOf: (ms: number) => string): string {
  const start = timeOf(from);
  const end = timeOf(until);
  const [day = ''] = / (?:today|yesterday)$/.exec(end) ?? [];
  return `from ${start.endsWith(day) ? start.slice(0, start.length - day.length) : start} to ${end}`;
}

const ENDED = 'Ended';

const endedEntry = (pause: Ended, query: MessageQuery, timeOf: (ms: number) => string): Entry => ({
  key: `${pause.scope} ${pause.key}`,
  badge: ['neutral', ENDED],
  place: pause,
  text: `Paused ${periodText(pause, timeOf)}. ${pause.isResumed ? 'The pause was ended manually.' : 'The pause ended automatically.'}`,
  refused: messagesOf(pause.refusals),
  query: queryOf(pause, { ...query, from: pause.from, until: pause.until }),
  actions: [],
});

/** Whether such messages are sent once their country is added to the served countries. */
const canBeServed = ({ country, rule, isServed }: CountedRefusal): boolean =>
  country !== '' && !isServed && isSentWhenServed(rule);

const refusalEntry = (
  { country, rule, messages }: CountedRefusal,
  query: MessageQuery | undefined,
  isServable: boolean,
): Entry => ({
  key: `${rule} ${country}`,
  badge: ['neutral', 'Refused'],
  place: { scope: 'country', key: country },
  text: `${ruleText(rule)}.`,
  refused: messages,
  query: query && { ...query, country: country || undefined, rule },
  actions: [],
  isServable,
});

function entriesOf(
  { scopes, ended, refusals, otherRefusals }: FraudOverview,
  query: MessageQuery,
  timeOf: (ms: number) => string,
) {
  const active = scopes.map((view) => scopeEntry(view, query, timeOf));
  // A country that was refused for several reasons has one button.
  const isFirst = (refusal: CountedRefusal) =>
    otherRefusals.find((one) => one.country === refusal.country && canBeServed(one)) === refusal;
  return [
    ...active.filter(({ isAllowed }) => !isAllowed),
    ...active.filter(({ isAllowed }) => isAllowed),
    ...ended.map((pause) => endedEntry(pause, query, timeOf)),
    ...otherRefusals.map((refusal) =>
      refusalEntry(refusal, refusals.includes(refusal) ? query : undefined, isFirst(refusal)),
    ),
  ];
}

function EntryActions({ entry, at, name }: { readonly entry: Entry; readonly at: string; readonly name: string }) {
  const { place, actions, isAllowed = false, isServable = false } = entry;
  if (!useVisit().may('own') || (actions.length === 0 && !isServable)) return null;
  return (
    <div class="concern-actions">
      {actions.map((action) => (
        <ActionButton key={action} at={at} action={action} place={place} isAllowed={isAllowed} />
      ))}
      {isServable && (
        <PlaceButton
          at={at}
          action="serve"
          place={place}
          label="Add to served countries"
          name={`Add to served countries: ${name}`}
          question={serveQuestion(place.key)}
          class="button subtle small"
        />
      )}
    </div>
  );
}

function EntryItem({ entry, at }: { readonly entry: Entry; readonly at: string }) {
  const { place, text, refused, query } = entry;
  const [kind, label] = entry.badge;
  const name = placeName(place);
  const country = place.scope === 'prefix' ? countryOfPrefix(place.key) : undefined;
  const refusedText = `${messagesText(refused)} refused`;
  return (
    <li>
      <Badge kind={kind}>{label}</Badge>
      <div>
        <p class="strong">{country ? `${name} (${countryName(country)})` : name}</p>
        <p>
          {text}
          {refused > 0 && (
            <>
              {' '}
              {query ? (
                <a href={urlOf('/messages', query)} aria-label={`${refusedText}: ${name}. ${text}`}>
                  {refusedText}
                </a>
              ) : (
                refusedText
              )}
              .
              {refused > MAX_STORED_PER_HOUR &&
                query &&
                ` The list may be incomplete: Passbell stores at most ${MAX_STORED_PER_HOUR} refused messages an hour.`}
            </>
          )}
        </p>
      </div>
      <EntryActions entry={entry} at={at} name={name} />
    </li>
  );
}

const EntryList = ({ entries, at }: { readonly entries: readonly Entry[]; readonly at: string }) =>
  entries.length === 0 ? null : (
    <ul class="plain-list">
      {entries.map((entry) => (
        <EntryItem key={entry.key} entry={entry} at={at} />
      ))}
    </ul>
  );

interface PausesProps {
  readonly overview: FraudOverview;
  /** The path of the page, to which the forms post. */
  readonly at: string;
  readonly zone: string;
  /** The list of the refused messages. */
  readonly query: MessageQuery;
  readonly pauseForm: FormState;
  readonly allowForm: FormState;
}

function adviceText({ scopes, otherRefusals }: FraudOverview): string {
  const pauses = scopes.filter(({ state, rule }) => state === 'paused' && rule !== 'person');
  if (pauses.length > 0)
    return `If this is an attack, you do not need to do anything. If the recipients are your customers, choose “${pauses.some(({ scope }) => ALLOWING[scope]) ? 'Allow for 24 hours' : 'Resume'}”.`;
  return otherRefusals.some(canBeServed)
    ? 'If you have customers in one of these countries, choose “Add to served countries”.'
    : '';
}

/** Up to this many ended pauses are shown if the card has nothing else. */
const MAX_ENDED = 3;

/** Renders nothing if it would have neither entries nor forms. */
export function PausesCard({ overview, at, zone, query, pauseForm, allowForm }: PausesProps) {
  const { may, now } = useVisit();
  const isOwner = may('own');
  const entries = entriesOf(overview, query, (ms) => dayAndTime(ms, now, zone));
  // Alerts describe attacks of the last day, so ended pauses are folded beside others.
  const ended = entries.filter(({ badge: [, label] }) => label === ENDED);
  const folded = ended.length < entries.length || ended.length > MAX_ENDED ? ended : [];
  const calm = overview.scopes.length === 0 ? 'There are no pauses or exceptions now.' : '';
  const lead = `${calm} ${isOwner ? adviceText(overview) : ''}`.trim();
  if (entries.length === 0 && !isOwner) return null;
  return (
    <Card
      id="pauses"
      title={overview.otherRefusals.length > 0 ? 'Pauses and refused messages' : 'Paused and allowed'}
      lead={lead || undefined}
      class="card ruled pauses"
    >
      {ended.length > folded.length && <h3 class="quiet small">Ended in the last 24 hours</h3>}
      <EntryList entries={entries.filter((entry) => !folded.includes(entry))} at={at} />
      {folded.length > 0 && (
        <details>
          <summary>{folded.length === 1 ? 'Show 1 ended pause' : `Show ${folded.length} ended pauses`}</summary>
          <EntryList entries={folded} at={at} />
        </details>
      )}
      {isOwner && (
        <div class="disclosures">
          <PauseForm at={at} form={pauseForm} />
          <AllowForm at={at} form={allowForm} />
        </div>
      )}
    </Card>
  );
}
