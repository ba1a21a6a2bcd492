/** The rules of the fraud guard (docs/fraud-rules.md). They are pure functions. */
import { DAY, HOUR, MINUTE } from '../../platform/clock.js';
import {
  NO_RECORD,
  type Charge,
  type Decision,
  type Evidence,
  type ExcessChange,
  type RecipientRecord,
  type Refusal,
  type RuleName,
  type ScopeRef,
  type ScopeState,
} from './fraud.js';
import {
  currentExcess,
  excessAt,
  gaugesOf,
  isChallenging,
  ONE_RECIPIENT,
  perHourOf,
  placeOf,
  solvedGauge,
  PREFIX_PAUSES_PER_HOUR,
  type Gauge,
  type Place,
  type RuleInput,
} from './gauges.js';
import { challengeByRule, isAllowed, isPaused, pausableScopes, pauseByRule } from './pause-state.js';

/** A recipient who asks again after this time counts again. */
const COUNTED_MS = 15 * MINUTE;
/** A recipient's codes in a row are suspicious if chance would explain them less often than this. */
const CHANCE_OF_STREAK = 0.001;
/** After a pause, a scope's excess starts at this share of its limit. */
const RESTART_SHARE = 0.7;
/** Owners are alerted when the home country's excess reaches this fraction of its limit, or more if conversions vary more. */
export const ALERT_SHARE = 1 / 5;
const NOTIFIED_PER_HOUR = 2;

type Refused = Extract<Decision, { outcome: 'refused' | 'challenged' }>;

const allow = (changes: Partial<Extract<Decision, { outcome: 'allowed' }>> = {}): Decision => ({
  outcome: 'allowed',
  charges: [],
  isCounted: false,
  record: undefined,
  alert: undefined,
  ...changes,
});

const refuse = (refusal: Refusal, changes: Partial<Refused> = {}): Decision => ({
  outcome: 'refused',
  refusal,
  charges: [],
  record: undefined,
  trip: undefined,
  ...changes,
});

const refusalOf = (rule: RuleName, { scope, key }: ScopeRef, until?: number, evidence?: Evidence): Refusal => ({
  rule,
  scope,
  key,
  until,
  evidence,
});

const chargeOf = ({ scope, key }: ScopeRef, change: ExcessChange, perHour: number, at: number): Charge => ({
  scope,
  key,
  change,
  perHour,
  at,
});

const pauseRefusal = (state: ScopeState): Refusal => refusalOf(state.rule, state, state.pausedUntil, state.evidence);

/** Returns the states of the scopes that people can pause and allow, from small to large. */
const statesOf = ({ send, known }: RuleInput): ScopeState[] =>
  pausableScopes(send.number, send.country).flatMap((ref) => known.stateOf(ref) ?? []);

const isVerified = ({ verifiedAt }: RecipientRecord, { settings, now }: RuleInput): boolean =>
  verifiedAt !== undefined && verifiedAt > now - settings.exemptDays * DAY;

/** Recipients who are not exempt get voice calls only in countries that the owner serves, or that have many users. */
const voiceRefusal = ({ send }: RuleInput, { isTrusted }: Place): Refusal | undefined =>
  send.voice && !isTrusted ? refusalOf('voice', { scope: 'country', key: send.country }) : undefined;

/**
 * Notifications, and codes that are checked elsewhere, are judged by their number: few of them may go to people who never
 * entered a code, in countries that the owner does not serve.
 */
function decideByNumber(input: RuleInput, place: Place): Decision {
  const { send, known, settings, now } = input;
  const { newCountryNotifications: limit } = settings;
  if (place.isTrusted) return allow();
  const voice = voiceRefusal(input, place);
  if (voice) return refuse(voice);
  if (limit === 0) return allow();
  const gauges = [
    { scope: 'notified', key: send.country, limit },
    { scope: 'notified', key: '', limit: 2 * limit },
  ] as const;
  for (const gauge of gauges) {
    const { excess } = excessAt(known.excessOf(gauge), NOTIFIED_PER_HOUR, now);
    const until = now + ((excess + 1 - gauge.limit) / NOTIFIED_PER_HOUR) * HOUR;
    if (excess + 1 > gauge.limit) return refuse(refusalOf('notifications', gauge, until));
  }
  return allow({
    charges: gauges.map((gauge) => chargeOf(gauge, ONE_RECIPIENT, NOTIFIED_PER_HOUR, now)),
  });
}

/** The record after a code that does not count its recipient again. */
const sentCode = (record: RecipientRecord, now: number): RecipientRecord => ({
  ...record,
  version: record.version + 1,
  sentAt: now,
  streak: record.streak + 1,
  openCodes: record.openCodes > 0 ? record.openCodes + 1 : 0,
});

/** Returns how many codes in a row a recipient may leave unused: more if many people do so. */
function streakLimit({ usual }: Place, { codesInARow }: RuleInput['settings']): number {
  if (codesInARow === 0) return Infinity;
  return Math.max(codesInARow, Math.ceil(Math.log(CHANCE_OF_STREAK) / Math.log(1 - Math.min(usual, 0.95))));
}

/**
 * A request without a solved challenge counts as a code that is not entered, so that it raises the streak only. It costs
 * nothing, so it must not lock out the owner of the number, who can still solve a challenge.
 */
const asked = (record: RecipientRecord, limit: number): RecipientRecord => ({
  ...record,
  version: record.version + 1,
  streak: Math.max(record.streak, Math.min(record.streak + 1, 2 * limit - 1)),
});

/**
 * A recipient who left many codes in a row unentered needs a challenge for each code. After twice as many, or if the
 * application has no challenge, the recipient gets one code a day.
 */
function streakRefusal({ send, known, now }: RuleInput, record: RecipientRecord, limit: number): Decision | undefined {
  if (record.streak < limit) return undefined;
  const refusal = refusalOf('recipient', { scope: 'application', key: '' }, record.sentAt + DAY);
  const { hasChallenge } = known.application;
  if (hasChallenge && !send.isChallengeSolved)
    return refuse({ ...refusal, until: undefined }, { outcome: 'challenged', record: asked(record, limit) });
  const isOneADay = !hasChallenge || record.streak >= 2 * limit;
  return isOneADay && record.sentAt + DAY > now ? refuse(refusal) : undefined;
}

const chargesOf = (gauges: readonly Gauge[], { known, now }: RuleInput, change: ExcessChange): Charge[] =>
  gauges.map((gauge) => chargeOf(gauge, change, perHourOf(gauge, known, now), now));

/** Takes a paused scope's excess out of the larger scopes, which are not to be paused for it as well. */
function subtracted(gauge: Gauge, { send, now }: RuleInput, { together, isHome }: Place, excess: number): Charge[] {
  const change = { excess: -excess, sent: 0, verified: 0 };
  // Abroad, an attacker could go through addresses and prefixes, and leave nothing for the country.
  const isSmall = isHome && (gauge.scope === 'prefix' || gauge.scope === 'address');
  const from: ScopeRef[] = isSmall ? [{ scope: 'country', key: send.country }] : [];
  if (together !== undefined && (isSmall || gauge.scope === 'country'))
    from.push({ scope: 'newCountries', key: together });
  return from.map((ref) => chargeOf(ref, change, 1, now));
}

/** Pauses the scope, or lets its messages need a challenge. */
function trip(gauge: Gauge, input: RuleInput, place: Place, record: RecipientRecord): Decision {
  const { send, known, now } = input;
  const before = known.stateOf(gauge);
  const { excess, since, sent, verified } = currentExcess(gauge, known, now);
  const from = Math.max(since, Math.min(before?.pausedUntil ?? 0, now));
  const rule = gauge.scope as RuleName;
  const isInUse = gauge.scope === 'country' && place.isMature && place.verifiedYesterday > 0;
  const finding = {
    ...gauge,
    rule,
    evidence: { from, sent, verified, expected: place.normal, limit: gauge.limit },
    isInUse,
  };
  const charges = subtracted(gauge, input, place, excess);
  if (gauge.scope === 'prefix') {
    const pauses = { scope: 'prefixPauses', key: send.country } as const;
    charges.push(chargeOf(pauses, ONE_RECIPIENT, PREFIX_PAUSES_PER_HOUR, now));
  }
  if (gauge.reaction === 'challenge') {
    const state = challengeByRule(before, finding, now);
    const refusal = { ...pauseRefusal(state), until: undefined };
    return refuse(refusal, {
      outcome: 'challenged',
      trip: { state, charges },
      record: asked(record, streakLimit(place, input.settings)),
    });
  }
  const state = pauseByRule(before, finding, now);
  // Starts again, with an excess that does not drop before the pause ends.
  const restart = (gauge.scope === 'burst' ? 0 : gauge.limit * RESTART_SHARE) - excess;
  const own = chargeOf(gauge, { excess: restart, sent: -sent, verified: -verified }, 0, state.pausedUntil!);
  return refuse(pauseRefusal(state), { trip: { state, charges: [own, ...charges] } });
}

function challengeRefusal(gauges: readonly Gauge[], input: RuleInput, place: Place, record: RecipientRecord): Decision {
  const { known, now } = input;
  const charges = gauges.flatMap((gauge): Charge[] => {
    const excess = Math.min(1, gauge.limit - currentExcess(gauge, known, now).excess);
    if (excess <= 0) return [];
    return chargesOf([gauge], input, { excess, sent: 0, verified: 0 });
  });
  const refusal = pauseRefusal(known.stateOf(gauges[0]!)!);
  return refuse(
    { ...refusal, until: undefined },
    { outcome: 'challenged', charges, record: asked(record, streakLimit(place, input.settings)) },
  );
}

/** Returns whether the next recipient exceeds the limit. A range must cause at least half of its country's excess. */
function isExceeded(gauge: Gauge, gauges: readonly Gauge[], { known, now }: RuleInput): boolean {
  const { excess } = currentExcess(gauge, known, now);
  if (excess + 1 <= gauge.limit) return false;
  const isRange = gauge.scope === 'prefix' && gauges.indexOf(gauge) > 0;
  const country = gauges.find(({ scope }) => scope === 'country');
  return !isRange || !country || 2 * excess >= currentExcess(country, known, now).excess;
}

/** Judges a code to a recipient who is not exempt. */
function decideByConversion(input: RuleInput, place: Place, record: RecipientRecord): Decision {
  const { send, known, now } = input;
  const isCountryAllowed = isAllowed(known.stateOf({ scope: 'country', key: send.country }), now);
  const gauges = gaugesOf(input, place).filter(
    ({ scope }) => !isCountryAllowed || (scope !== 'country' && scope !== 'newCountries'),
  );
  const challenging = gauges.filter(
    (gauge) => gauge.reaction === 'challenge' && isChallenging(gauge, known.stateOf(gauge), known.excessOf(gauge), now),
  );
  if (challenging.length > 0 || send.isChallengeSolved) gauges.push(solvedGauge(input, place));
  const paused = gauges.map((gauge) => known.stateOf(gauge)).find((state) => isPaused(state, now));
  if (paused) return refuse(pauseRefusal(paused));
  if (challenging.length > 0 && !send.isChallengeSolved) return challengeRefusal(challenging, input, place, record);

  const isCounted = now - record.countedAt >= COUNTED_MS;
  const others = gauges.filter((gauge) => !challenging.includes(gauge));
  const active = others.filter(({ reaction }) => reaction !== 'alert');
  // A solved challenge answers only the scopes that would ask for one.
  const isAnswered = ({ reaction }: Gauge) => reaction === 'challenge' && send.isChallengeSolved;
  const exceeded = active.find((gauge) => isExceeded(gauge, gauges, input) && !isAnswered(gauge));
  if (isCounted && exceeded) return trip(exceeded, input, place, record);
  const sent = { ...sentCode(record, now), streak: record.streak + (challenging.length > 0 ? 0 : 1) };
  if (!isCounted) return allow({ record: sent });
  return allow({
    charges: [
      ...chargesOf(others, input, ONE_RECIPIENT),
      // The request for the challenge was counted already.
      ...chargesOf(challenging, input, { ...ONE_RECIPIENT, excess: 0 }),
    ],
    isCounted,
    record: { ...counted(sent, input, place), isSolved: gauges.some(({ scope }) => scope === 'solved') },
    alert: alertOf(gauges, input, place),
  });
}

/** With the lowest normal conversion, the entered codes take away exactly what the recipients add. */
const counted = (record: RecipientRecord, { send, now }: RuleInput, { together, normal }: Place): RecipientRecord => ({
  ...record,
  countedAt: now,
  openCodes: 1,
  address: send.address,
  together,
  isSolved: false,
  payback: 1 / normal,
});

function alertOf(gauges: readonly Gauge[], { known, now }: RuleInput, { normal }: Place): Refusal | undefined {
  const home = gauges.find(({ reaction }) => reaction === 'alert');
  if (!home) return undefined;
  const { excess, since: from, sent, verified } = currentExcess(home, known, now);
  // The standard deviation of what a recipient adds or takes away.
  const deviation = Math.sqrt((1 - normal) / normal);
  if (excess < home.limit * ALERT_SHARE * Math.max(1, deviation)) return undefined;
  return refusalOf('country', home, undefined, { from, sent, verified, expected: normal });
}

/** Counts a code to an exempt recipient: it is charged only when it is the last one of a suspicious streak. */
function allowExempt(input: RuleInput, place: Place, record: RecipientRecord, limit: number): Decision {
  const sent = sentCode(record, input.now);
  if (sent.streak < limit) return allow({ record: sent });
  return allow({
    record: counted(sent, input, place),
    charges: chargesOf(gaugesOf(input, place), input, ONE_RECIPIENT),
  });
}

/**
 * Decides in this order: pauses and exceptions by people, codes in a row, the exemption of verified recipients, voice
 * calls, pauses by rules, and then whether this recipient is one too many.
 */
export function decide(input: RuleInput): Decision {
  const { send, known, now } = input;
  const record = known.recipient ?? NO_RECORD;
  const place = placeOf(input);
  const states = statesOf(input);
  const byPerson = states.find((state) => state.rule === 'person' && isPaused(state, now));
  if (byPerson) return refuse(pauseRefusal(byPerson));
  const allowed = states.filter((state) => isAllowed(state, now)).map(({ scope }) => scope);
  if (allowed.includes('application') || allowed.includes('prefix')) return allow();
  const isExempt = isVerified(record, input);
  const isByNumber = send.kind === 'notification' || !place.isJudged;
  const limit = streakLimit(place, input.settings);
  const streak = isByNumber ? undefined : streakRefusal(input, record, limit);
  if (streak) return streak;
  if (isByNumber)
    return isExempt || allowed.length > 0 ? allow() : withRecord(decideByNumber(input, place), input, place);
  if (isExempt && record.streak < limit) return allowExempt(input, place, record, limit);
  const voice = allowed.includes('country') ? undefined : voiceRefusal(input, place);
  return voice ? refuse(voice) : decideByConversion(input, place, record);
}

/** Counts a code for the conversion of the day, so that the conversion becomes known as soon as people enter codes. */
function withRecord(decision: Decision, input: RuleInput, place: Place): Decision {
  const { send, known, now } = input;
  if (decision.outcome !== 'allowed' || send.kind === 'notification') return decision;
  const record = known.recipient ?? NO_RECORD;
  const sent = sentCode(record, now);
  if (now - record.countedAt < COUNTED_MS) return { ...decision, record: sent };
  // Without charges, there is nothing to pay back.
  return { ...decision, isCounted: true, record: { ...counted(sent, input, place), payback: 0 } };
}
