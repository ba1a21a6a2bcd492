/** Console messages for the developer of the page. */

const PREFIX = '[two-factor]';

export const logWarning = (text: string): void => console.warn(PREFIX, text);

export const logError = (text: string, cause?: unknown): void =>
  cause === undefined ? console.error(PREFIX, text) : console.error(PREFIX, text, cause);
