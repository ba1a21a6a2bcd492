/** Shows applications to the management API and the operator command, without secrets or secret hashes. */
import { isoTime } from '../../platform/clock.js';
import type { ManageSchemas } from '../../platform/contract/schemas.js';
import { versionOf } from '../../platform/crypto.js';
import { maskRecipient } from '../recipients/recipient.js';
import { phoneChannels, type Application } from './application.js';
import type { EditableApplication } from './application-change.js';

/** Returns a hash of what callers can change, to detect edit conflicts. */
export const applicationVersion = ({ name, status, settings }: EditableApplication): string =>
  versionOf([name, status, settings]);

const maskedRecipients = (codes: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.keys(codes).map((address) => [maskRecipient(address), '']));

/** `mayOwn`: whether the caller may see the codes of test recipients. */
export function applicationView(application: Application, mayOwn: boolean): ManageSchemas['Application'] {
  const { appKey, externalId, name, status, accountEmail, accountStatus, settings, lastUsedAt, deleteAt } = application;
  const { authorizedEndpoints, countries, servedCountries, testRecipients, language, limits, challenge } = settings;
  const { twoFactorWidget, strictTwoFactor, verifiedElsewhere, silentSeconds, quietHours } = settings;
  return {
    appKey,
    ...(externalId === null ? {} : { id: externalId }),
    name,
    status,
    accountEmail,
    accountStatus,
    authorizedEndpoints: [...authorizedEndpoints],
    channels: [...phoneChannels(settings)],
    countries: [...countries],
    servedCountries: [...servedCountries],
    language,
    limits: { ...limits },
    testRecipients: mayOwn ? { ...testRecipients } : maskedRecipients(testRecipients),
    twoFactorWidget,
    strictTwoFactor,
    verifiedElsewhere,
    challenge: challenge.kind,
    challengeSiteKey: challenge.siteKey,
    silentSeconds,
    quietHours,
    webOtpHost: settings.webOtpHost,
    androidAppHash: settings.androidAppHash,
    design: settings.design,
    createdAt: isoTime(application.createdAt),
    lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
    ...(deleteAt === null ? {} : { deleteAt: isoTime(deleteAt) }),
    version: applicationVersion(application),
  };
}
