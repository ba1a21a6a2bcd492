/** Id of the dev inbox, which shows messages to developers instead of sending them. */
export const DEV_INBOX_ID = 'dev-inbox';

/** Whether the id belongs to a provider configured by environment variables. */
export const isEnvironmentId = (id: string): boolean => id.startsWith('environment-');
