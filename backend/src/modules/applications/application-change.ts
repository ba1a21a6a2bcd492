import { changesBetween, type AuditEntry } from '../audit/audit.js';
import { maskRecipient } from '../recipients/recipient.js';
import type { Right } from '../access/rights.js';
import { changeValues, type Values, type ValuesChange } from '../settings/bounded-setting.js';
import type { Application, ApplicationSettings, WidgetDesign } from './application.js';
import { challengeAuditValues, type ChallengeChange } from './challenge-settings.js';

export type EditableApplication = Pick<Application, 'name' | 'status' | 'settings'>;

export interface ApplicationChange extends Partial<Pick<Application, 'name' | 'status'>> {
  readonly settings?: Partial<Omit<ApplicationSettings, 'limits' | 'design' | 'challenge' | 'fraud'>>;
  readonly design?: Partial<WidgetDesign>;
  readonly limits?: Partial<ApplicationSettings['limits']>;
  readonly challenge?: ChallengeChange;
  /** Changed settings of the fraud guard; undefined restores the default. */
  readonly fraud?: ValuesChange;
}

/** Settings that only owners can change, because these settings can grant access, disable a protection or cost money. */
const OWNER_SETTINGS = [
  'testRecipients',
  'twoFactorWidget',
  'strictTwoFactor',
  'verifiedElsewhere',
  'silentSeconds',
] as const;

export function requiredRight({ settings = {}, limits = {}, challenge, fraud = {} }: ApplicationChange): Right {
  const isOwners =
    challenge !== undefined ||
    Object.keys({ ...limits, ...fraud }).length > 0 ||
    OWNER_SETTINGS.some((name) => name in settings);
  return isOwners ? 'own' : 'change';
}

/** Returns the changed application. `challenge`: the changed challenge, with its secret key sealed. */
export function applyChange(
  stored: EditableApplication,
  change: ApplicationChange,
  challenge = stored.settings.challenge,
): EditableApplication {
  const { name = stored.name, status = stored.status, settings, design, limits, fraud } = change;
  const old = stored.settings;
  return {
    name,
    status,
    settings: {
      ...old,
      ...settings,
      design: { ...old.design, ...design },
      limits: { ...old.limits, ...limits },
      challenge,
      fraud: changeValues(old.fraud, fraud),
    },
  };
}

/** Returns the fraud guard's values for the audit log. Values that only `other` contains are `absent`. */
export function fraudAuditValues(values: Values, other: Values, absent: string): Record<string, unknown> {
  const names = Object.keys({ ...other, ...values });
  return Object.fromEntries(names.map((name) => [`fraud ${name}`, values[name] ?? absent]));
}

/** Returns the values for the audit log. Test recipients are masked, and their codes are omitted. */
function auditValues(
  { name, status, settings }: EditableApplication,
  before: EditableApplication,
): Record<string, unknown> {
  const { authorizedEndpoints, channels, countries, language, testRecipients, limits, design } = settings;
  return {
    name,
    status,
    language,
    'allow-list': authorizedEndpoints.join(', '),
    channels: channels.join(', '),
    countries: countries.join(', '),
    servedCountries: settings.servedCountries.join(', '),
    twoFactorWidget: settings.twoFactorWidget ? 'on' : 'off',
    strictTwoFactor: settings.strictTwoFactor ? 'on' : 'off',
    verifiedElsewhere: settings.verifiedElsewhere ? 'on' : 'off',
    silentSeconds: settings.silentSeconds,
    quietHours: settings.quietHours,
    webOtpHost: settings.webOtpHost,
    androidAppHash: settings.androidAppHash,
    testRecipients: Object.keys(testRecipients).map(maskRecipient).join(', '),
    ...challengeAuditValues(settings.challenge, before.settings.challenge),
    ...limits,
    ...Object.fromEntries(Object.entries(design).map(([field, value]) => [`widget ${field}`, value])),
  };
}

/** Returns the audit log entry for a change; undefined if nothing changed. */
export function auditEntryOf(
  before: EditableApplication,
  after: EditableApplication,
): Pick<AuditEntry, 'action' | 'changes'> | undefined {
  if (JSON.stringify(applyChange(before, {})) === JSON.stringify(after)) return undefined;
  const old = before.settings.fraud;
  const now = after.settings.fraud;
  const changes = changesBetween(
    { ...auditValues(before, before), ...fraudAuditValues(old, now, 'default') },
    { ...auditValues(after, before), ...fraudAuditValues(now, old, 'default') },
  );
  const allNames = (test: (name: string) => boolean) => changes.length > 0 && changes.every(({ name }) => test(name));
  if (allNames((name) => name === 'allow-list')) return { action: 'application.allow-list', changes };
  if (allNames((name) => name.startsWith('widget '))) return { action: 'application.widget', changes };
  if (allNames((name) => name.startsWith('fraud '))) return { action: 'fraud.settings', changes };
  return { action: 'application.update', changes };
}
