/** What the developer of the page reads in the console. */

const PREFIX = '[two-factor]';

export const warn = (text: string): void => console.warn(PREFIX, text);

export const complain = (text: string, cause?: unknown): void =>
  cause === undefined ? console.error(PREFIX, text) : console.error(PREFIX, text, cause);
