/** An application's page `/protection/settings`: the fraud guard's settings. */
import { EditConflictError } from '../../modules/access/actor.js';
import type { Application } from '../../modules/applications/application.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { FRAUD_SETTINGS, FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import { isOff, SettingError } from '../../modules/settings/bounded-setting.js';
import { protectionPath } from '../applications/parts.js';
import { Conflict } from '../components/conflict.js';
import { Crumbs } from '../components/crumbs.js';
import { PageHead } from '../components/page-head.js';
import { looserText, readersOf } from '../components/setting-fields.js';
import { CONFIRMED, filledForm, isCurrent, readForm, statusOf, textOf, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit, Change, PageReply, PageRoute } from '../page.js';
import { actOnApplicationAfterCheck, page, redirect, showForApplication } from '../page.js';
import { FraudSettingsForm, fraudTexts, looserNumbers, ownNumbers, RESET, withoutOwnNumbers } from './settings-form.js';

/** Returns the effects of a change, one on each line, and the label that confirms them; undefined if it loosens no number. */
function confirmationOf(application: Application, change: Readonly<Record<string, number>>) {
  const before = appliedSettings(application);
  const looser = looserNumbers(application, change);
  if (looser.length === 0) return undefined;
  const off = looser.filter((name) => isOff(FRAUD_THRESHOLDS[name], change[name]!));
  const raised = looser.filter((name) => !off.includes(name));
  const [rules, stop] = off.length === 1 ? ['this rule', 'stops'] : ['these rules', 'stop'];
  const offText = `If you save, ${rules} no longer ${stop} messages: ${off.map((name) => FRAUD_THRESHOLDS[name].label).join(', ')}.`;
  const texts = raised.map((name) => looserText(FRAUD_THRESHOLDS[name], change[name]!, before[name]));
  return {
    effects: [
      ...(off.length > 0 ? [offText] : []),
      ...(raised.length > 0 ? [`${texts.join('; ')}. An attack can then cost more before it is stopped.`] : []),
    ].join('\n'),
    label: raised.length > 0 ? 'Save these looser numbers' : `Turn ${rules} off`,
  };
}

function conflictPage({ body }: ApplicationVisit, application: Application, form: FormState): PageReply {
  const at = `${protectionPath(application)}/settings`;
  const stored = fraudTexts(application);
  const fields = FRAUD_SETTINGS.map((name) => {
    return { name, label: FRAUD_THRESHOLDS[name].label, stored: stored[name]!, typed: form.typed[name] ?? '' };
  });
  const what = `the protection settings of ${application.name}`;
  return page(
    'These settings have changed',
    <Conflict action={at} back={at} what={what} fields={fields} body={body} stored={stored} />,
    409,
  );
}

export function fraudSettingsPages(core: Modules<'applications' | 'fraud' | 'providers'>): readonly PageRoute[] {
  const { applications, fraud, providers } = core;

  function settingsPage(
    { application, actor }: ApplicationVisit,
    form = filledForm(fraudTexts(application)),
    confirmation?: string,
  ): PageReply {
    const lead = actor.may('own')
      ? 'Normal protection fits most shops. Changes apply to new messages.'
      : 'You can view these settings. Only owners can change them.';
    return page(
      'Protection settings',
      <>
        <Crumbs application={application} pages={[{ href: protectionPath(application), label: 'Protection' }]} />
        <PageHead title="Protection settings" lead={lead} />
        <FraudSettingsForm
          action={`${protectionPath(application)}/settings`}
          application={application}
          form={form}
          home={providers.routing.senderCountries(application.accountId)[0]}
          confirmation={confirmation}
        />
      </>,
      statusOf(form),
    );
  }

  function check(visit: ApplicationVisit): PageReply | Change {
    const { application, actor, body } = visit;
    const isReset = textOf(body, RESET) === 'yes';
    const level = withoutOwnNumbers(application);
    const read = isReset
      ? { ok: true as const, values: appliedSettings(level), state: filledForm(fraudTexts(level)) }
      : readForm(readersOf(FRAUD_THRESHOLDS), body);
    if (!read.ok) return settingsPage(visit, read.state);
    // Unchanged fields are not stored: for values beyond the account's bounds, the form shows the bound instead.
    const shown = fraudTexts(application);
    const changed = Object.entries(read.values).filter(([name, value]) => String(value) !== shown[name]);
    const change = Object.fromEntries(changed) as Record<string, number>;
    const confirmation = confirmationOf(application, change);
    if (confirmation && textOf(body, CONFIRMED) !== 'yes')
      return settingsPage(visit, { ...read.state, errors: { [CONFIRMED]: confirmation.effects } }, confirmation.label);
    const changes = isReset ? Object.fromEntries(ownNumbers(application).map((name) => [name, undefined])) : change;
    return async () => {
      try {
        const isExpected = (stored: object) => isReset || isCurrent(body, fraudTexts({ ...application, ...stored }));
        await fraud.settings.change(actor, application, changes, isExpected);
      } catch (error) {
        if (error instanceof SettingError) return settingsPage(visit, { ...read.state, errors: error.advices });
        if (!(error instanceof EditConflictError)) throw error;
        return conflictPage(visit, await applications.service.load(application.appKey), read.state);
      }
      return redirect(`${protectionPath(application)}/settings`, { notice: 'Protection settings saved.' });
    };
  }

  return [
    showForApplication('/protection/settings', 'read', (visit) => settingsPage(visit)),
    // A looser value can cost money, so an owner must confirm every change.
    actOnApplicationAfterCheck('/protection/settings', 'updateFraudSettings', check),
  ];
}
