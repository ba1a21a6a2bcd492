/** An application's page `/protection`: what needs attention, the countries, and pauses with forms to change them. */
import type { Application } from '../../modules/applications/application.js';
import type { BudgetsView } from '../../modules/budgets/budgets.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { COUNTRY_RULE, parsePlace } from '../../modules/fraud/fraud-place.js';
import type { FraudOverview } from '../../modules/fraud/fraud-overview.js';
import type { PauseAction } from '../../modules/fraud/fraud-pauses.js';
import { isProtected } from '../../modules/fraud/fraud-settings.js';
import { allowedText, phaseText, placeName, stateText } from '../../modules/fraud/fraud-texts.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
import { MAX_ALLOWED_DAYS } from '../../modules/fraud/pause-state.js';
import { REFUSALS_SHOWN_DAYS, refusalsStart } from '../../modules/fraud/refusal-counts.js';
import { countryInSentence, countryNamed } from '../../modules/recipients/country.js';
import { capitalized } from '../../platform/capitalized.js';
import { dayBefore, startOfLocalDay } from '../../platform/local-day.js';
import { protectionPath } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { dayAndTime } from '../components/time.js';
import { filledForm, statusOf, textOf, type FormState } from '../form.js';
import type { ApplicationTraffic, Concern } from '../home/concern.js';
import { sortConcerns } from '../home/attention.js';
import { ConcernGroups, Mark } from '../home/concerns-view.js';
import { situationsIn, unusualConcerns } from '../home/fraud-concerns.js';
import { createReadTraffic, type HomeModules, type HomeState } from '../home/home-state.js';
import { budgetConcern } from '../home/traffic.js';
import type { ApplicationVisit, PageReply, PageRoute } from '../page.js';
import { actOnApplication, page, redirect, showForApplication } from '../page.js';
import type { MessageQuery } from '../messages/filter.js';
import { moneyText, total } from '../usage/figures.js';
import { CountriesCard } from './countries-card.js';
import { FiguresCard, type ShownDay } from './figures-card.js';
import { PausesCard } from './pauses-card.js';
import { ALLOW_FIELDS, FOREVER } from './place-forms.js';
import { createRefusedCost } from './refused-cost.js';
import { LimitsOff } from './setting-groups.js';
import { levelLabel } from './levels.js';
import { SpendCard } from './spend-card.js';
import { messagesPath, type Unusual } from './unusual.js';

interface PageState {
  readonly overview: FraudOverview;
  /** The concerns of Home about the budget and the countries of the application. */
  readonly concerns: readonly Concern[];
  readonly budgets: BudgetsView;
  /** The cost of a typical day; undefined if it is unknown. */
  readonly usualCost: number | undefined;
  readonly situations: readonly Unusual[];
  readonly days: readonly ShownDay[];
  readonly pauseForm: FormState;
  readonly allowForm: FormState;
}

const EMPTY_PAUSE_FORM = filledForm({ scope: 'country', key: '' });
const EMPTY_ALLOW_FORM = filledForm({ [ALLOW_FIELDS.scope]: 'country', [ALLOW_FIELDS.days]: '1' });

const DONE_TEXTS: Readonly<Record<PauseAction, string>> = {
  pause: 'Paused',
  resume: 'Resumed',
  allow: allowedText(1),
  allowForEver: allowedText(),
};

/** Replaces the link to this page in a concern about countries. */
function withMessages(concern: Concern, { appKey, timeZone }: Application, now: number): Concern {
  const { countries = [] } = concern;
  if (countries.length === 0) return concern;
  const [only] = countries.length === 1 ? countries : [];
  return {
    ...concern,
    link: { href: messagesPath(appKey, only || undefined, now, timeZone), label: 'Show messages' },
  };
}

const OFF = 'Protection is off: no rule pauses messages. Turn the rules on under “Settings”.';

type StatusProps = Pick<ViewProps, 'application' | 'overview'>;

/** The rules that are not active, and whether an owner may not know of a pause. */
function statusIn({ application, overview: { phase, scopes } }: StatusProps) {
  const isOff = !isProtected(appliedSettings(application));
  const limitedText = phase === 'acting' ? undefined : phaseText(phase);
  // Owners know of the other ones.
  const isNotable = scopes.some(
    ({ state, scope, rule }) => state !== 'allowed' && (rule !== 'person' || scope === 'application'),
  );
  return { isOff, problem: isOff ? OFF : limitedText, isNotable };
}

/** Names pauses that an owner may not know of, and rules that are not active. */
function Status({ application, overview }: StatusProps) {
  const { now } = useVisit();
  const { isOff, problem, isNotable } = statusIn({ application, overview });
  return (
    <>
      {problem && <Notice kind={isOff ? 'warning' : 'info'}>{problem}</Notice>}
      {isNotable && (
        <Notice kind="info">
          <strong>{stateText(overview.scopes, (ms) => dayAndTime(ms, now, application.timeZone))}</strong>
        </Notice>
      )}
    </>
  );
}

type ViewProps = PageState & { readonly application: Application; readonly currency: string; readonly saved: number };

function ProtectionView({
  application,
  currency,
  saved,
  overview,
  concerns,
  budgets,
  usualCost,
  situations,
  days,
  ...forms
}: ViewProps) {
  const { appKey, timeZone: zone } = application;
  const { now } = useVisit();
  const at = protectionPath(application);
  const isCalm = concerns.every(({ isOver = false }) => isOver);
  const { problem, isNotable } = statusIn({ application, overview });
  const isQuiet = isCalm && !problem && !isNotable;
  const attention = (
    <ConcernGroups
      concerns={concerns.map((one) => withMessages(one, application, now))}
      timeZone={zone}
      noun="protection alert"
      hasDetails
      isBrief={isQuiet}
      calmTitle={
        isQuiet && (
          <span>
            <Mark kind="good" /> No attack in progress
          </span>
        )
      }
    />
  );
  const refused: MessageQuery = { state: 'refused', application: appKey, from: refusalsStart(now, zone), zone };
  const pauses = <PausesCard {...forms} at={at} overview={overview} zone={zone} query={refused} />;
  return (
    <>
      <PageHead
        title={
          <>
            Protection <Badge kind="neutral">{`${levelLabel(application)} level`}</Badge>{' '}
            <LimitsOff application={application} />
          </>
        }
        lead={
          <>
            Pauses suspicious messages.{' '}
            <a class="nowrap" href="/docs/fraud">
              How it works
            </a>
          </>
        }
      >
        <a class="button subtle" href={`${at}/settings`}>
          Settings
        </a>
      </PageHead>
      {!isCalm && attention}
      <Status application={application} overview={overview} />
      {isCalm && attention}
      {isNotable && pauses}
      <FiguresCard
        application={application}
        overview={overview}
        query={refused}
        saved={saved > 0 ? moneyText(saved, currency) : undefined}
        days={days}
      />
      <SpendCard zone={zone} budgets={budgets} currency={currency} usualCost={usualCost} application={application} />
      <CountriesCard {...overview} application={application} situations={situations} />
      {!isNotable && pauses}
      <p class="hint">Times are in {zone}.</p>
    </>
  );
}

/**
 * Parses the scope that was entered in a form. Returns an error message for the field `key` if the scope is invalid.
 */
function parseScope(scope: string, key: string, action: string): ScopeRef | string {
  if (scope === 'newCountries') return { scope, key: key === 'served' ? key : '' };
  if (scope === 'application' || scope === 'burst') return { scope, key: '' };
  if (scope === 'address' && /^[\w.-]{1,64}$/.test(key) && action !== 'pause') return { scope, key };
  if (scope === 'solved' && action !== 'pause') return { scope, key: countryNamed(key) ?? '' };
  // Passbell also pauses numbers without a country. People can resume or allow them.
  if (scope === 'country' && key === '' && action !== 'pause') return { scope, key };
  return parsePlace(key);
}

const isAction = (text: string): text is PauseAction => Object.hasOwn(DONE_TEXTS, text);

export function protectionPages(core: HomeModules): readonly PageRoute[] {
  const { applications, fraud, clock } = core;
  const refusedCost = createRefusedCost(core.providers.routing);
  const readTraffic = createReadTraffic(core);

  /** Adds the refused messages to the last days. */
  async function withRefused({ id, timeZone }: Application, days: HomeState['days']): Promise<ShownDay[]> {
    const periods = await fraud.refusedByPeriod(id, refusalsStart(clock.now(), timeZone));
    return days.slice(-REFUSALS_SHOWN_DAYS).map((one) => {
      const from = startOfLocalDay(one.day, timeZone);
      const until = startOfLocalDay(dayBefore(one.day, -1), timeZone);
      const ofDay = periods.filter(({ start }) => start >= from && start < until);
      return { ...one, refused: total(ofDay.map(({ messages }) => messages)) };
    });
  }

  async function protectionPage(
    { application }: ApplicationVisit,
    forms?: Partial<Pick<PageState, 'pauseForm' | 'allowForm'>>,
  ): Promise<PageReply> {
    const overview = await fraud.overview(application);
    const { traffic, days, usualCost } = await readTraffic(application.accountId, [application], overview);
    const [state] = traffic.applications as [ApplicationTraffic];
    const shown: PageState = {
      overview,
      concerns: sortConcerns([...unusualConcerns(state, traffic), budgetConcern(state, traffic)], traffic.now),
      budgets: state.budgets,
      usualCost,
      situations: situationsIn(state, traffic.now),
      days: await withRefused(application, days),
      pauseForm: EMPTY_PAUSE_FORM,
      allowForm: EMPTY_ALLOW_FORM,
      ...forms,
    };
    const saved = total(overview.refusals.map((refusal) => refusedCost(application.id, refusal)));
    const view = <ProtectionView application={application} currency={traffic.currency} saved={saved} {...shown} />;
    return page('Protection', view, Math.max(statusOf(shown.pauseForm), statusOf(shown.allowForm)));
  }

  async function change(visit: ApplicationVisit): Promise<PageReply> {
    const { application, actor, body } = visit;
    const action = textOf(body, 'action');
    const typed = { scope: textOf(body, 'scope'), key: textOf(body, 'key').trim() };
    if (action === 'serve') return serve(visit, typed.key);
    const place = parseScope(typed.scope, typed.key, action);
    if (!isAction(action) || typeof place === 'string') {
      const key = typeof place === 'string' ? place : 'Choose an action.';
      return protectionPage(visit, { pauseForm: filledForm(typed, { key }) });
    }
    const isChanged = await fraud.pauses.act(actor, application, place, action);
    const name = placeName(place);
    const notice = isChanged ? `${DONE_TEXTS[action]}: ${name}.` : `No longer paused or allowed: ${name}.`;
    const advice = action === 'pause' ? ' To send messages again, choose “Resume” below.' : '';
    return redirect(protectionPath(application), { notice: notice + advice });
  }

  /** Adds a country that the owner serves. */
  async function serve({ application, actor }: ApplicationVisit, typed: string): Promise<PageReply> {
    const country = countryNamed(typed);
    const { servedCountries } = application.settings;
    if (country !== undefined && !servedCountries.includes(country))
      await applications.service.update(actor, application.appKey, {
        settings: { servedCountries: [...servedCountries, country] },
      });
    const flash =
      country === undefined
        ? { problem: COUNTRY_RULE }
        : {
            notice: `${capitalized(countryInSentence(country))} was added to the countries that you serve. Its limits are higher now.`,
          };
    return redirect(protectionPath(application), flash);
  }

  /** Allows a scope that need not be paused. */
  async function allow(visit: ApplicationVisit): Promise<PageReply> {
    const { application, actor, body } = visit;
    const [scope, key, length] = [ALLOW_FIELDS.scope, ALLOW_FIELDS.key, ALLOW_FIELDS.days].map((name) =>
      textOf(body, name).trim(),
    ) as [string, string, string];
    const fail = (field: keyof typeof ALLOW_FIELDS, problem: string): Promise<PageReply> => {
      const typed = { [ALLOW_FIELDS.scope]: scope, [ALLOW_FIELDS.key]: key, [ALLOW_FIELDS.days]: length };
      return protectionPage(visit, { allowForm: filledForm(typed, { [ALLOW_FIELDS[field]]: problem }) });
    };
    const place = parseScope(scope, key, 'pause');
    if (typeof place === 'string') return fail('key', place);
    const isForever = length === FOREVER;
    if (isForever && place.scope !== 'prefix') return fail('days', 'Only similar numbers can be allowed forever.');
    const days = /^\d{1,2}$/.test(length) ? Number(length) : 0;
    if (!isForever && (days < 1 || days > MAX_ALLOWED_DAYS))
      return fail('days', `Enter a whole number of days from 1 to ${MAX_ALLOWED_DAYS}.`);
    await fraud.pauses.act(actor, application, place, isForever ? 'allowForEver' : 'allow', days);
    const done = allowedText(isForever ? undefined : days);
    return redirect(protectionPath(application), { notice: `${done}: ${placeName(place)}.` });
  }

  return [
    showForApplication('/protection', 'read', (visit) => protectionPage(visit)),
    actOnApplication('/protection', 'changeFraudScope', change),
    actOnApplication('/protection/allow', 'changeFraudScope', allow),
  ];
}
