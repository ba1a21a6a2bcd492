import { sha256 } from '../platform/crypto.js';

/** Id of the dev inbox, which shows messages to developers instead of sending them. */
export const DEV_INBOX_ID = 'dev-inbox';

/** Whether the id belongs to a provider configured by environment variables. */
export const isEnvironmentId = (id: string): boolean => id.startsWith('environment-');

/** Returns the provider ID for the ID that a caller chose. Keeps the ID of an existing provider as it is. */
export const providerIdFor = (accountId: number, reference: string): string =>
  reference.startsWith('PRV-') || isEnvironmentId(reference)
    ? reference
    : `PRV-${sha256(`${accountId} ${reference}`).slice(0, 32)}`;
