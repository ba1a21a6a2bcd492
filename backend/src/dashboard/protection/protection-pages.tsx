/** An application's page `/protection`: the fraud guard's state, and forms to pause, resume and allow scopes. */
import type { Application } from '../../modules/applications/application.js';
import type { ScopeRef } from '../../modules/fraud/fraud.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import type { FraudOverview } from '../../modules/fraud/fraud-overview.js';
import { countryName, placeName } from '../../modules/fraud/fraud-overview-texts.js';
import type { PauseAction } from '../../modules/fraud/fraud-pauses.js';
import { COUNTRY_RULE, parseCountry, parsePrefix, PREFIX_RULE } from '../../modules/fraud/fraud-place.js';
import { WHAT_IF_SETTINGS, type WhatIf } from '../../modules/fraud/fraud-what-if.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { filledForm, readForm, statusOf, textOf, type FormBody, type FormState } from '../form.js';
import {
  actOnApplication,
  page,
  redirect,
  showForApplication,
  type ApplicationVisit,
  type PageReply,
  type PageRoute,
} from '../page.js';
import type { DashboardServices } from '../services.js';
import { ConversionChart } from './conversion-chart.js';
import { ObservationCard } from './observation-card.js';
import { PauseCard, ScopeCards } from './scope-cards.js';
import { SpendCard } from './spend-card.js';
import { WhatIfCard, WHAT_IF_READERS } from './what-if-card.js';

export const protectionPath = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/protection`;

interface PageState {
  readonly overview: FraudOverview;
  readonly pauseForm: FormState;
  readonly whatIfForm: FormState;
  readonly whatIf: WhatIf | undefined;
}

const EMPTY_PAUSE_FORM = filledForm({ scope: 'prefix', key: '' });

const DONE_TEXTS: Readonly<Record<PauseAction, string>> = {
  pause: 'Paused',
  resume: 'Resumed',
  allow: 'Allowed for 24 hours',
  allowForEver: 'Allowed forever',
};

function settingsForm(application: Application): FormState {
  const settings = appliedSettings(application);
  return filledForm(Object.fromEntries(WHAT_IF_SETTINGS.map((name) => [name, String(settings[name])])));
}

function StateNotice({ state, scopes, spend }: FraudOverview) {
  const isPaused = spend.stopped !== '' || scopes.some((scope) => scope.state === 'paused');
  return (
    <Notice kind={isPaused ? 'warning' : 'good'}>
      <strong>{state}</strong>
    </Notice>
  );
}

function ProtectionView({ at, currency, ...shown }: PageState & { at: string; currency: string }) {
  const { overview, pauseForm, whatIfForm, whatIf } = shown;
  return (
    <>
      <PageHead
        title="Protection"
        lead="The fraud guard refuses messages that cost money and look like SMS pumping or toll fraud."
      >
        <a class="button subtle" href="/docs/fraud">
          How the guard works
        </a>
        <a class="button subtle" href={`${at}/settings`}>
          Protection settings
        </a>
      </PageHead>
      <StateNotice {...overview} />
      <ScopeCards at={at} scopes={overview.scopes} />
      <ObservationCard observation={overview.observation} />
      <SpendCard spend={overview.spend} currency={currency} />
      <div class="charts">
        <ConversionChart
          id="countries"
          title="Countries"
          about="The last 14 days, most recipients without a verified code first"
          first="Country"
          rows={overview.conversion.countries}
          nameOf={countryName}
        />
        <ConversionChart
          id="prefixes"
          title="Prefixes"
          about="The last 24 hours or 25,000 messages, most recipients without a verified code first"
          first="Prefix"
          rows={overview.conversion.prefixes}
          nameOf={(prefix) => prefix}
        />
      </div>
      <WhatIfCard at={at} form={whatIfForm} result={whatIf} currency={currency} />
      <PauseCard at={at} form={pauseForm} />
    </>
  );
}

/**
 * Parses the scope that was entered in a form. Returns an error message for the field `key` if the scope is invalid.
 */
function parseScope(body: FormBody): ScopeRef | string {
  const [scope, key] = [textOf(body, 'scope'), textOf(body, 'key').trim()];
  if (scope === 'application') return { scope, key: '' };
  // The guard also pauses numbers without a country. People can resume or allow them.
  if (scope === 'country') {
    const code = key === '' && textOf(body, 'action') !== 'pause' ? '' : parseCountry(key);
    return code === undefined ? COUNTRY_RULE : { scope, key: code };
  }
  const prefix = parsePrefix(key);
  return prefix === undefined ? PREFIX_RULE : { scope: 'prefix', key: prefix };
}

const isAction = (text: string): text is PauseAction => Object.hasOwn(DONE_TEXTS, text);

export function protectionPages(services: DashboardServices): readonly PageRoute[] {
  async function protectionPage({ application }: ApplicationVisit, forms: Partial<PageState> = {}): Promise<PageReply> {
    const shown: PageState = {
      overview: await services.fraudOverview(application),
      ...{ pauseForm: EMPTY_PAUSE_FORM, whatIfForm: settingsForm(application), whatIf: undefined },
      ...forms,
    };
    const view = <ProtectionView at={protectionPath(application)} currency={services.currency()} {...shown} />;
    return page('Protection', view, Math.max(statusOf(shown.pauseForm), statusOf(shown.whatIfForm)));
  }

  async function change(visit: ApplicationVisit): Promise<PageReply> {
    const { application, actor, body } = visit;
    const action = textOf(body, 'action');
    const place = parseScope(body);
    if (!isAction(action) || typeof place === 'string') {
      const typed = { scope: textOf(body, 'scope'), key: textOf(body, 'key') };
      const key = typeof place === 'string' ? place : 'Choose an action.';
      return protectionPage(visit, { pauseForm: filledForm(typed, { key }) });
    }
    const isChanged = await services.fraudPauses.act(actor, application, place, action);
    const name = placeName({ ...place, rule: 'person' });
    const notice = isChanged ? `${DONE_TEXTS[action]}: ${name}.` : `${name}: no longer paused or allowed.`;
    return redirect(protectionPath(application), { notice });
  }

  async function whatIf(visit: ApplicationVisit): Promise<PageReply> {
    const { application, body } = visit;
    const form = settingsForm(application);
    const names = WHAT_IF_SETTINGS.filter((name) => body[name] !== undefined);
    const readers = Object.fromEntries(names.map((name) => [name, WHAT_IF_READERS[name]]));
    const read = readForm(readers, body);
    const whatIfForm = filledForm({ ...form.typed, ...read.state.typed }, read.state.errors);
    if (!read.ok) return protectionPage(visit, { whatIfForm });
    const result = await services.fraudWhatIf(application, { ...appliedSettings(application), ...read.values });
    return protectionPage(visit, { whatIfForm, whatIf: result });
  }

  return [
    showForApplication('/protection', 'read', (visit) => protectionPage(visit)),
    actOnApplication('/protection', 'own', change, { needsConfirmation: true }),
    actOnApplication('/protection/what-if', 'read', whatIf),
  ];
}
