import { changesBetween } from '../audit/audit.js';
import { maskRecipient } from '../recipients/recipient.js';
import type { Right } from '../access/rights.js';
import type { Application, ApplicationSettings, WidgetDesign } from './application.js';

export type EditableApplication = Pick<Application, 'name' | 'status' | 'settings'>;

export interface ApplicationChange extends Partial<Pick<Application, 'name' | 'status'>> {
  readonly settings?: Partial<Omit<ApplicationSettings, 'limits' | 'design'>>;
  readonly design?: Partial<WidgetDesign>;
  readonly limits?: Partial<ApplicationSettings['limits']>;
}

/** Settings that only owners can change, because these settings can grant access or disable a protection. */
const OWNER_SETTINGS = ['testRecipients', 'twoFactorWidget', 'strictTwoFactor'] as const;

export function requiredRight({ settings = {}, limits = {} }: ApplicationChange): Right {
  return Object.keys(limits).length > 0 || OWNER_SETTINGS.some((name) => name in settings) ? 'own' : 'change';
}

export function applyChange(stored: EditableApplication, change: ApplicationChange): EditableApplication {
  const { name = stored.name, status = stored.status, settings, design, limits } = change;
  const old = stored.settings;
  return {
    name,
    status,
    settings: { ...old, ...settings, design: { ...old.design, ...design }, limits: { ...old.limits, ...limits } },
  };
}

/** Returns the values for the audit log. Test recipients are masked, and their codes are omitted. */
function auditValues({ name, status, settings }: EditableApplication): Record<string, unknown> {
  const { authorizedEndpoints, channels, countries, language, testRecipients, limits, design } = settings;
  return {
    ...{ name, status, language, 'allow-list': authorizedEndpoints.join(', ') },
    ...{ channels: channels.join(', '), countries: countries.join(', ') },
    twoFactorWidget: settings.twoFactorWidget ? 'on' : 'off',
    strictTwoFactor: settings.strictTwoFactor ? 'on' : 'off',
    testRecipients: Object.keys(testRecipients).map(maskRecipient).join(', '),
    ...limits,
    ...Object.fromEntries(Object.entries(design).map(([field, value]) => [`widget ${field}`, value])),
  };
}

/** Returns the audit log entry for a change; undefined if nothing changed. */
export function auditEntryOf(before: EditableApplication, after: EditableApplication) {
  if (JSON.stringify(applyChange(before, {})) === JSON.stringify(after)) return undefined;
  const changes = changesBetween(auditValues(before), auditValues(after));
  const allNames = (test: (name: string) => boolean) => changes.length > 0 && changes.every(({ name }) => test(name));
  if (allNames((name) => name === 'allow-list')) return { action: 'application.allow-list', changes };
  if (allNames((name) => name.startsWith('widget '))) return { action: 'application.widget', changes };
  return { action: 'application.update', changes };
}
