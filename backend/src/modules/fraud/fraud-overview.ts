/** Reads the fraud guard's state: of an application for the Protection page and the command, and in sentences for Home. */
import { DAY, HOUR, startOfDay, type Clock } from '../../platform/clock.js';
import type { Application } from '../applications/application.js';
import { appliedSettings, guardedApplication, type SenderCountries } from './fraud-application.js';
import { conversionOf, countryGauge, isJudged, placeOf, USUAL_DAYS } from './gauges.js';
import type { ExcessesStore } from './excesses-store.js';
import { countriesWithCode } from '../recipients/country.js';
import { countryOfPrefix } from '../recipients/number-prefixes.js';
import type { CountedRefusal, DayCount, ScopeRef } from './fraud.js';
import { refusedText, stateText, unusualText } from './fraud-texts.js';
import type { EndedPause, FraudPauses, ScopeView } from './fraud-pauses.js';
import type { Period, RefusalCounts } from './refusal-counts.js';

/**
 * - `waiting`: no code has been counted yet.
 * - `unknown`: hardly any code of the last 14 days was entered or reported, so codes are only judged by their number.
 * - `acting`: all rules are active.
 */
export type GuardPhase = 'waiting' | 'unknown' | 'acting';

/**
 * The reaction to codes above the limit of the home country, in an application without a challenge.
 * - `none`: no reaction, because too few codes were entered or reported to judge.
 * - `pause`: the codes are paused until a week after the first entered code, whatever the owner chose.
 * - `chosen`: the reaction that the owner chose.
 */
export type HomeReaction = 'none' | 'pause' | 'chosen';

/** The numbers of recipients and verified recipients in a country or prefix. */
export interface ConversionView {
  readonly key: string;
  readonly sent: number;
  readonly verified: number;
  /** Whether it is paused, needs a challenge, or is allowed. Recipients in allowed prefixes are not counted. */
  readonly state?: ScopeView['state'];
}

/** A country with codes of today or yesterday (UTC). */
export interface LatelyView extends ConversionView {
  /** Whether it is the country of the first sender number. */
  readonly isHome: boolean;
  /** Whether the owner serves the country: it is the home country, or listed. */
  readonly isServed: boolean;
  /** Whether it is neither served nor established, so that nothing shows that the application has customers there. */
  readonly isNew: boolean;
  /** The usual share of entered codes, from 0 to 1; undefined in a country without earlier ones. */
  readonly usual: number | undefined;
  /** The lowest share of entered codes that is normal, from 0 to 1. */
  readonly normal: number;
  /** How many unused codes above the usual number pause or challenge it; undefined if the guard never does. */
  readonly unusedLimit: number | undefined;
  /** Whether clearly fewer codes are entered than normal. */
  readonly isUnusual: boolean;
}

type Refusing<Pause> = Pause & { readonly refusals: readonly CountedRefusal[] };

export interface FraudOverview {
  /** The guard's state as a sentence. */
  readonly state: string;
  /** A sentence about today's refusals; "" without any. */
  readonly refused: string;
  readonly phase: GuardPhase;
  readonly scopes: readonly Refusing<ScopeView>[];
  /** Pauses that have ended in the last 24 hours, of scopes without a current state, and that no larger pause contains. */
  readonly ended: readonly Refusing<EndedPause>[];
  /** Refusals of the last seven days, most messages first. */
  readonly refusals: readonly CountedRefusal[];
  /** The parts of {@link refusals} that no pause explains; the same objects if no pause explains any of their messages. */
  readonly otherRefusals: readonly CountedRefusal[];
  /**
   * Countries in the last 14 days, with the most unverified recipients first, and the prefixes with the highest excess.
   * Allowed prefixes that are not counted come last.
   */
  readonly conversion: { readonly countries: readonly ConversionView[]; readonly prefixes: readonly ConversionView[] };
  /** Up to twelve countries since yesterday, with the most unverified recipients first. */
  readonly lately: readonly LatelyView[];
}

/** After this time without another message, unusual traffic is described as past. */
export const QUIET_MS = HOUR;
const MAX_COUNTRIES = 12;
const MAX_PREFIXES = 12;
/** A country is unusual if this many recipients more than normal did not enter their code. */
const UNUSUAL_RECIPIENTS = 5;
/** The lengths of calling codes with their `+`. */
const CODE_LENGTHS = [2, 3, 4];
const NO_COUNTS = { sent: 0, verified: 0 };

interface Dependencies {
  readonly excesses: Pick<ExcessesStore, 'days' | 'highest'>;
  readonly pauses: Pick<FraudPauses, 'ended' | 'list'>;
  readonly refusals: Pick<RefusalCounts, 'between' | 'during' | 'shown' | 'today'>;
  readonly senderCountries: SenderCountries;
  readonly clock: Clock;
}

export type ReadFraudOverview = (application: Application) => Promise<FraudOverview>;

/** Pauses, challenges and refusals that the guard or a person caused. */
export interface FraudPart {
  readonly isManual: boolean;
  /** Sentences about pauses and challenges; "" without any. */
  readonly pauses: string;
  readonly reason: string;
  /** The number of messages that were refused since the start of the day. */
  readonly messages: number;
  /** A sentence about these refusals; "" without any. */
  readonly refused: string;
  readonly refusals: readonly CountedRefusal[];
  /** When the first of these pauses and challenges started, in epoch milliseconds; undefined without any. */
  readonly since: number | undefined;
}

export interface FraudNewsOf {
  readonly application: Application;
  /** Only parts with pauses or refusals. */
  readonly parts: readonly FraudPart[];
  /** The countries in which unusually few codes are entered. */
  readonly unusual: readonly LatelyView[];
  readonly allowed: readonly ScopeView[];
}

/**
 * Leaves out applications without pauses, refusals, unusual countries and exceptions. `from`: when the account's day started. `overview`: of
 * the only application, if the caller has read it.
 */
export type FraudNews = (
  applications: readonly Application[],
  from: number,
  overview?: Pick<FraudOverview, 'scopes' | 'lately'>,
) => Promise<FraudNewsOf[]>;

function byCountry(days: readonly DayCount[]): ConversionView[] {
  const sums = new Map<string, ConversionView>();
  for (const { country: key, sent, verified } of days) {
    const sum = sums.get(key) ?? NO_COUNTS;
    sums.set(key, { key, sent: sum.sent + sent, verified: sum.verified + verified });
  }
  return [...sums.values()]
    .filter(({ sent }) => sent > 0)
    .sort((a, b) => b.sent - b.verified - (a.sent - a.verified) || b.sent - a.sent)
    .slice(0, MAX_COUNTRIES);
}

const withStates = <View extends ConversionView>(
  rows: readonly View[],
  scope: ScopeView['scope'],
  scopes: readonly ScopeView[],
): View[] =>
  rows.map((row) => {
    const found = scopes.find((view) => view.scope === scope && view.key === row.key);
    return found ? { ...row, state: found.state } : row;
  });

const totalOf = (days: readonly DayCount[]): Pick<ConversionView, 'sent' | 'verified'> => {
  const sumOf = (name: 'sent' | 'verified') => days.reduce((sum, day) => sum + day[name], 0);
  return { sent: sumOf('sent'), verified: sumOf('verified') };
};

function phaseOf(days: readonly DayCount[], verifiedElsewhere: boolean): GuardPhase {
  const { sent, verified } = totalOf(days);
  if (days.length === 0) return 'waiting';
  return isJudged(verified / Math.max(1, sent), verifiedElsewhere) ? 'acting' : 'unknown';
}

/** Whether messages to countries that are not paused themselves may be stopped, too. */
const isStoppedWidely = (scopes: readonly ScopeView[]): boolean =>
  scopes.some(({ scope, state }) => state !== 'allowed' && scope !== 'country' && scope !== 'prefix');

/** The unusual countries to which messages are sent. */
export const unusualOf = (lately: readonly LatelyView[], scopes: readonly ScopeView[]): LatelyView[] =>
  isStoppedWidely(scopes) ? [] : lately.filter(({ isUnusual, state }) => isUnusual && state === undefined);

export const messagesOf = (refusals: readonly CountedRefusal[]): number =>
  refusals.reduce((sum, { messages }) => sum + messages, 0);

/**
 * Whether a pause can be the reason for a refusal. Refusals for similar numbers are counted by country. Those in new countries
 * are listed by country, because owners can serve each of them.
 */
function isRefusedBy({ rule, country }: CountedRefusal, { scope, key }: ScopeRef): boolean {
  if (scope === 'newCountries' || (rule !== scope && rule !== 'person')) return false;
  if (scope === 'prefix')
    return CODE_LENGTHS.some((length) => countriesWithCode(key.slice(0, length)).includes(country));
  return scope !== 'country' || country === key;
}

/** Whether a pause also stops all messages of another scope. */
function contains({ scope, key, state }: ScopeView, other: ScopeRef): boolean {
  if (state !== 'paused') return false;
  if (scope === 'prefix') return other.scope === 'prefix' && other.key.startsWith(key);
  if (scope === 'country') return other.scope === 'prefix' && countryOfPrefix(other.key) === key;
  return scope === 'application';
}

const sentences = (...texts: readonly string[]): string => texts.filter(Boolean).join(' ');

export function createFraudOverview({ excesses, pauses, refusals, senderCountries, clock }: Dependencies) {
  const daysOf = ({ id }: Application) => excesses.days([id], clock.now() - USUAL_DAYS * DAY);
  const sinceYesterday = (days: readonly DayCount[]) => days.filter(({ day }) => day >= startOfDay(clock.now()) - DAY);

  /** Returns the countries since yesterday. While no code is known to be entered, none of them is unusual. */
  function latelyOf(application: Application, days: readonly DayCount[], scopes: readonly ScopeView[]) {
    const now = clock.now();
    const settings = appliedSettings(application);
    const known = { application: guardedApplication(application, senderCountries), days };
    const rows = byCountry(sinceYesterday(days));
    const views = rows.map((row): LatelyView => {
      const input = { send: { country: row.key }, known, settings, now };
      const place = placeOf(input);
      const { limit, reaction } = countryGauge(input, place);
      return {
        ...row,
        isHome: place.isHome,
        isServed: place.isListed,
        isNew: place.isNew,
        usual: place.verifiedBefore > 0 ? place.usual : undefined,
        normal: place.normal,
        unusedLimit: reaction === 'alert' || limit === Infinity ? undefined : limit,
        isUnusual: place.share > 0 && place.normal * row.sent - row.verified >= UNUSUAL_RECIPIENTS,
      };
    });
    return withStates(views, 'country', scopes);
  }

  async function withRefusals<Pause extends ScopeRef & Period>(id: number, pause: Pause): Promise<Refusing<Pause>> {
    const all = await refusals.during(id, [pause]);
    return { ...pause, refusals: all.filter((refusal) => isRefusedBy(refusal, pause)) };
  }

  async function endedOf(application: Application, scopes: readonly ScopeView[]): Promise<Refusing<EndedPause>[]> {
    const recent = await pauses.ended(application, clock.now() - DAY);
    const ended = recent.filter(
      (pause) =>
        !scopes.some((view) => (view.scope === pause.scope && view.key === pause.key) || contains(view, pause)),
    );
    return Promise.all(ended.map((pause) => withRefusals(application.id, pause)));
  }

  /** Leaves out the refusals that pauses explain. A refusal that several pauses explain is subtracted once. */
  async function unexplained(
    id: number,
    all: readonly CountedRefusal[],
    pauses: readonly (Refusing<ScopeRef> & Period)[],
  ) {
    /** The refusals during several pauses, by these pauses: one pause may explain refusals in many countries. */
    const during = new Map<string, Promise<readonly CountedRefusal[]>>();
    const left = all.map(async (one) => {
      const isSame = ({ rule, country }: CountedRefusal) => rule === one.rule && country === one.country;
      const own = pauses.filter((pause) => pause.refusals.some(isSame));
      const [only] = own;
      if (!only) return one;
      const key = own.map((pause) => pauses.indexOf(pause)).join();
      if (own.length > 1 && !during.has(key)) during.set(key, refusals.during(id, own));
      const explained = (await during.get(key)) ?? only.refusals;
      return { ...one, messages: one.messages - messagesOf(explained.filter(isSame)) };
    });
    return (await Promise.all(left)).filter(({ messages }) => messages > 0);
  }

  const overview: ReadFraudOverview = async (application) => {
    const { id, settings } = application;
    const listed = [...settings.countries, ...settings.servedCountries];
    const scopes = await pauses.list(application);
    const today = await refusals.today(id);
    const days = await daysOf(application);
    const lately = latelyOf(application, days, scopes);
    const ended = await endedOf(application, scopes);
    const refusing = await Promise.all(scopes.map((view) => withRefusals(id, view)));
    // The country may be listed since the refusal.
    const shownRefusals = (await refusals.shown(id, application.timeZone)).map((one) => {
      return { ...one, isServed: one.isServed || listed.includes(one.country) };
    });
    const shown = await excesses.highest(id, 'prefix', MAX_PREFIXES);
    const uncounted = scopes.filter(
      ({ scope, key, state }) => scope === 'prefix' && state === 'allowed' && !shown.some((row) => row.key === key),
    );
    const prefixes: readonly ConversionView[] = [...shown, ...uncounted.map(({ key }) => ({ key, ...NO_COUNTS }))];
    return {
      state: sentences(stateText(scopes), unusualText(unusualOf(lately, scopes)), refusedText(today)),
      refused: refusedText(today),
      phase: phaseOf(days, settings.verifiedElsewhere),
      scopes: refusing,
      ended,
      lately,
      refusals: shownRefusals,
      otherRefusals: await unexplained(id, shownRefusals, [...refusing, ...ended]),
      conversion: {
        countries: withStates(byCountry(days), 'country', scopes),
        // A single recipient has no similar numbers.
        prefixes: withStates(prefixes, 'prefix', scopes).filter(({ sent, state }) => sent > 1 || state),
      },
    };
  };

  async function newsOf(
    application: Application,
    from: number,
    overview: Parameters<FraudNews>[2],
  ): Promise<FraudNewsOf> {
    const scopes = overview?.scopes ?? (await pauses.list(application));
    const lately = overview?.lately ?? latelyOf(application, await daysOf(application), scopes);
    const today = await refusals.between(application.id, from);
    const partOf = (isManual: boolean): FraudPart => {
      const active = scopes.filter(({ state, rule }) => state !== 'allowed' && (rule === 'person') === isManual);
      const refused = today.filter(({ rule }) => (rule === 'person') === isManual);
      const starts = active.flatMap((view) => view.from ?? []);
      return {
        isManual,
        pauses: active.length > 0 ? stateText(active) : '',
        reason: active.length === 1 && !isManual ? active[0]!.reason : '',
        messages: messagesOf(refused),
        refused: refusedText(refused),
        refusals: refused,
        since: starts.length > 0 ? Math.min(...starts) : undefined,
      };
    };
    return {
      application,
      parts: [partOf(false), partOf(true)].filter((part) => part.pauses !== '' || part.refused !== ''),
      unusual: unusualOf(lately, scopes),
      allowed: scopes.filter(({ state }) => state === 'allowed'),
    };
  }

  const news: FraudNews = async (applications, from, overview) =>
    (await Promise.all(applications.map((application) => newsOf(application, from, overview)))).filter(
      ({ parts, unusual, allowed }) => [parts, unusual, allowed].some(({ length }) => length > 0),
    );

  async function homeReaction(application: Application): Promise<HomeReaction> {
    const { share, isMature } = conversionOf(await daysOf(application), '', false, clock.now());
    if (!isJudged(share, application.settings.verifiedElsewhere)) return 'none';
    return isMature ? 'chosen' : 'pause';
  }

  return { overview, news, homeReaction };
}
