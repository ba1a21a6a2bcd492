/** An application's page `/protection/settings`: the fraud guard's settings. */
import { EditConflictError } from '../../modules/access/actor.js';
import type { Application } from '../../modules/applications/application.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import {
  FRAUD_SETTINGS,
  FRAUD_THRESHOLDS,
  fraudSettingsOf,
  type FraudSetting,
} from '../../modules/fraud/fraud-settings.js';
import { changeValues, isLooser, SettingError, type ValuesChange } from '../../modules/settings/bounded-setting.js';
import { protectionPath } from '../applications/parts.js';
import { Conflict } from '../components/conflict.js';
import { Crumbs } from '../components/crumbs.js';
import { PageHead } from '../components/page-head.js';
import { looserText, readersOf } from '../components/setting-fields.js';
import { CONFIRMED, filledForm, isCurrent, readForm, statusOf, textOf, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit, Change, PageReply, PageRoute } from '../page.js';
import { actOnApplicationAfterCheck, page, redirect, showForApplication } from '../page.js';
import { fraudTexts, NUMBERS } from './setting-groups.js';
import { FraudSettingsForm } from './settings-form.js';

const numberReaders = readersOf(FRAUD_THRESHOLDS);
/** Empty numbers are not stored. */
const readerOf = (name: FraudSetting) => (text: string) =>
  NUMBERS.includes(name) && text.trim() === '' ? undefined : numberReaders[name]!(text);
const readers = Object.fromEntries(FRAUD_SETTINGS.map((name) => [name, readerOf(name)]));

/** Returns the effects of a change, one on each line; "" if it loosens no number. */
function looserTexts(application: Application, change: ValuesChange): string {
  const before = appliedSettings(application);
  const after = fraudSettingsOf(changeValues(application.settings.fraud, change), application.ceilings.fraud);
  const looser = NUMBERS.filter((name) => {
    const isWithinBounds = [undefined, after[name]].includes(change[name]);
    return name in change && isWithinBounds && isLooser(FRAUD_THRESHOLDS[name], after[name], before[name]);
  });
  return looser.map((name) => looserText(FRAUD_THRESHOLDS[name], after[name], before[name])).join('\n');
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

  async function settingsPage(
    { application, actor }: ApplicationVisit,
    form = filledForm(fraudTexts(application)),
  ): Promise<PageReply> {
    const lead = actor.may('own')
      ? 'Saved changes apply to new messages.'
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
          homeReaction={await fraud.homeReaction(application)}
        />
      </>,
      statusOf(form),
    );
  }

  async function check(visit: ApplicationVisit): Promise<PageReply | Change> {
    const { application, actor, body } = visit;
    const read = readForm(readers, body);
    if (!read.ok) return settingsPage(visit, read.state);
    // Unchanged fields are not stored: for values beyond the account's bounds, the form shows the bound instead.
    const shown = fraudTexts(application);
    const changed = Object.entries(read.values).filter(([name, value]) => String(value ?? '') !== shown[name]);
    const change: ValuesChange = Object.fromEntries(changed);
    const looser = looserTexts(application, change);
    if (looser && textOf(body, CONFIRMED) !== 'yes')
      return settingsPage(visit, { ...read.state, errors: { [CONFIRMED]: looser } });
    return async () => {
      try {
        const isExpected = (stored: object) => isCurrent(body, fraudTexts({ ...application, ...stored }));
        await fraud.settings.change(actor, application, change, isExpected);
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
