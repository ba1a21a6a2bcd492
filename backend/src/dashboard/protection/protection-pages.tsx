/** An application's page `/protection`: the fraud guard's state, and forms to pause, resume and allow scopes. */
import { countryName, countryNamed } from '../../modules/recipients/country.js';
import { isBudgetUrgent, type BudgetsView } from '../../modules/budgets/budgets.js';
import type { Application } from '../../modules/applications/application.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
import { messagesOf, type FraudOverview } from '../../modules/fraud/fraud-overview.js';
import type { LatestTo } from '../../modules/messages/message-filter.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { refusalsStart } from '../../modules/fraud/refusal-counts.js';
import { MAX_ALLOWED_DAYS } from '../../modules/fraud/pause-state.js';
import { allowedText, placeName } from '../../modules/fraud/fraud-texts.js';
import type { PauseAction } from '../../modules/fraud/fraud-pauses.js';
import { COUNTRY_RULE, parsePlace } from '../../modules/fraud/fraud-place.js';
import { settingsPath } from '../applications/parts.js';
import { useNow } from '../components/context.js';
import { PageHead } from '../components/page-head.js';
import { filledForm, statusOf, textOf, type FormState } from '../form.js';
import { urlOf } from '../messages/filter.js';
import { moneyText } from '../usage/figures.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit, PageReply, PageRoute } from '../page.js';
import { actOnApplication, page, redirect, showForApplication } from '../page.js';
import { SpendCard } from './spend-card.js';
import { RefusalsCard } from './refusals-card.js';
import { createRefusedCost } from './refused-cost.js';
import { LevelCard } from './settings-form.js';
import { ALLOW_FIELDS, FOREVER } from './place-forms.js';
import { ScopesCards } from './scope-cards.js';
import { countedSince } from './unusual.js';

export const protectionPath = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/protection`;

interface PageState {
  readonly overview: FraudOverview;
  /** The number of messages that were refused since yesterday. */
  readonly refusedLately: number;
  readonly budgets: BudgetsView;
  readonly latest: ReadonlyMap<string, LatestTo | undefined>;
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

function ProtectionView({
  application,
  currency,
  saved,
  ...shown
}: PageState & { application: Application; currency: string; saved: number }) {
  const { overview, refusedLately, budgets, latest, pauseForm, allowForm } = shown;
  const zone = application.timeZone;
  const at = protectionPath(application);
  const refused = { state: 'refused', application: application.appKey } as const;
  const now = useNow();
  const isSpendUrgent = isBudgetUrgent(budgets, now);
  const spend = (
    <SpendCard zone={zone} budgets={budgets} currency={currency} at={settingsPath(application, 'limits')} />
  );
  return (
    <>
      <PageHead
        title="Protection"
        lead={
          <>
            Stops messages that look like fraud, such as codes that cost you money and are never entered.{' '}
            <a href="/docs/fraud">How it works</a>. Times are in {zone}.
          </>
        }
      >
        <a class="button subtle" href={urlOf('/messages', refused)}>
          Refused messages
        </a>
        <a class="button subtle" href={`${at}/settings`}>
          Settings
        </a>
      </PageHead>
      {isSpendUrgent && spend}
      <ScopesCards
        isMain={!isSpendUrgent}
        appKey={application.appKey}
        at={at}
        overview={overview}
        refused={refusedLately}
        settings={appliedSettings(application)}
        latest={latest}
        zone={zone}
        pauseForm={pauseForm}
        allowForm={allowForm}
      />
      {!isSpendUrgent && spend}
      <RefusalsCard
        at={at}
        refusals={overview.refusals}
        messages={refused}
        from={refusalsStart(now)}
        saved={saved > 0 ? moneyText(saved, currency) : undefined}
      />
      <LevelCard action={`${at}/settings`} application={application} />
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
  // The guard also pauses numbers without a country. People can resume or allow them.
  if (scope === 'country' && key === '' && action !== 'pause') return { scope, key };
  return parsePlace(key);
}

const isAction = (text: string): text is PauseAction => Object.hasOwn(DONE_TEXTS, text);

type ProtectionModules = Modules<'applications' | 'budgets' | 'clock' | 'fraud' | 'messages' | 'providers'>;

export function protectionPages({
  applications,
  budgets,
  clock,
  fraud,
  messages,
  providers,
}: ProtectionModules): readonly PageRoute[] {
  const refusedCost = createRefusedCost(providers.routing);

  async function protectionPage({ application }: ApplicationVisit, forms: Partial<PageState> = {}): Promise<PageReply> {
    const overview = await fraud.overview(application);
    const now = clock.now();
    const from = countedSince(now);
    const latest = overview.lately.map(async ({ key }) => {
      return [key, await messages.lookup.latestTo(application.id, key, from)] as const;
    });
    const shown: PageState = {
      overview,
      refusedLately: messagesOf(await fraud.refusedBetween(application.id, from, now)),
      latest: new Map(await Promise.all(latest)),
      budgets: await budgets.overview(application),
      pauseForm: EMPTY_PAUSE_FORM,
      allowForm: EMPTY_ALLOW_FORM,
      ...forms,
    };
    const saved = shown.overview.refusals.reduce((sum, refusal) => sum + refusedCost(application.id, refusal), 0);
    const currency = providers.routing.currency();
    const view = <ProtectionView application={application} currency={currency} saved={saved} {...shown} />;
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
    const notice = isChanged ? `${DONE_TEXTS[action]}: ${name}.` : `${name} is no longer paused or allowed.`;
    return redirect(protectionPath(application), { notice });
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
        : { notice: `${countryName(country)} was added to the countries that you serve. Its limits are higher now.` };
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
    if (isForever && place.scope !== 'prefix')
      return fail('days', 'Only numbers with the same first digits can be allowed forever.');
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
