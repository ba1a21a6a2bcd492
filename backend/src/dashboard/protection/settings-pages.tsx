/** An application's page `/protection/settings`: the fraud guard's settings. */
import { EditConflictError } from '../../modules/access/actor.js';
import type { Application } from '../../modules/applications/application.js';
import { FRAUD_SETTINGS, FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import { isLooser, isOff, SettingError, type SettingTable } from '../../modules/settings/bounded-setting.js';
import { Conflict } from '../components/conflict.js';
import { Crumbs } from '../components/crumbs.js';
import { PageHead } from '../components/page-head.js';
import { readersOf } from '../components/setting-fields.js';
import { CONFIRMED, filledForm, isCurrent, readForm, statusOf, textOf, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit, Change, PageReply, PageRoute } from '../page.js';
import { actOnApplicationAfterCheck, page, redirect, showForApplication } from '../page.js';
import { protectionPath } from './protection-pages.js';
import { FraudSettingsForm, fraudTexts } from './settings-form.js';

const RULES: SettingTable = FRAUD_THRESHOLDS;

function conflictPage({ body }: ApplicationVisit, application: Application, form: FormState): PageReply {
  const at = `${protectionPath(application)}/settings`;
  const stored = fraudTexts(application);
  const fields = FRAUD_SETTINGS.map((name) => {
    return { name, label: FRAUD_THRESHOLDS[name].label, stored: stored[name]!, typed: form.typed[name] ?? '' };
  });
  const what = `the fraud guard settings of ${application.name}`;
  return page(
    'Someone else changed this first',
    <Conflict action={at} back={at} what={what} fields={fields} body={body} stored={stored} />,
    409,
  );
}

export function fraudSettingsPages({ applications, fraud }: Modules<'applications' | 'fraud'>): readonly PageRoute[] {
  function settingsPage({ application, may }: ApplicationVisit, form = filledForm(fraudTexts(application))): PageReply {
    const lead = may('own')
      ? 'Normal protection fits most shops. Changes apply to new requests.'
      : 'You can view these settings. Only owners can change them.';
    return page(
      'Protection settings',
      <>
        <Crumbs application={application} pages={[{ href: protectionPath(application), label: 'Protection' }]} />
        <PageHead title="Protection settings" lead={lead} />
        <FraudSettingsForm action={`${protectionPath(application)}/settings`} application={application} form={form} />
      </>,
      statusOf(form),
    );
  }

  function check(visit: ApplicationVisit): PageReply | Change {
    const { application, actor, body } = visit;
    const readers = Object.entries(readersOf(FRAUD_THRESHOLDS));
    // The form on the Protection page only has the level.
    const isLevel = !('exemptDays' in body);
    const read = readForm(Object.fromEntries(readers.filter(([name]) => !isLevel || name === 'strictness')), body);
    if (!read.ok) return settingsPage(visit, read.state);
    // Unchanged fields are not stored: for values beyond the account's bounds, the form shows the bound instead.
    const shown = fraudTexts(application);
    const changed = Object.entries(read.values).filter(([name, value]) => String(value) !== shown[name]);
    const change = Object.fromEntries(changed) as Record<string, number>;
    const bounds = application.ceilings.fraud;
    const off = changed.filter(
      ([name, value]) =>
        name !== 'pauseHome' && isOff(RULES[name]!, value) && !isLooser(RULES[name]!, value, bounds[name] ?? 0),
    );
    if (off.length > 0 && textOf(body, CONFIRMED) !== 'yes') {
      const subject = off.length === 1 ? 'this rule no longer stops' : 'these rules no longer stop';
      const effect = `If you save, ${subject} messages: ${off.map(([name]) => RULES[name]!.label).join(', ')}.`;
      return settingsPage(visit, { ...read.state, errors: { [CONFIRMED]: effect } });
    }
    return async () => {
      try {
        await fraud.settings.change(actor, application, change, (stored) =>
          isCurrent(body, fraudTexts({ ...application, ...stored })),
        );
      } catch (error) {
        if (error instanceof SettingError) return settingsPage(visit, { ...read.state, errors: error.advices });
        if (!(error instanceof EditConflictError)) throw error;
        return conflictPage(visit, await applications.service.load(application.appKey), read.state);
      }
      const at = protectionPath(application);
      return redirect(isLevel ? at : `${at}/settings`, { notice: 'Protection settings saved.' });
    };
  }

  return [
    showForApplication('/protection/settings', 'read', (visit) => settingsPage(visit)),
    // A looser value can cost money, so an owner must confirm every change.
    actOnApplicationAfterCheck('/protection/settings', 'updateFraudSettings', check),
  ];
}
