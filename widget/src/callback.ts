/** Calls the page's `window.serviceResponse`. */
import { logError, logWarning } from './developer.js';

export interface Result {
  readonly success: boolean;
  readonly message: string;
  /** Error code; on failure only. */
  readonly code?: string;
  /** On success only. */
  readonly data?: Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    serviceResponse?: unknown;
  }
}

/** Passes a result to the page. Looks up the function each time, because the page may define it after the widget loads. */
export function notifyPage(result: Result): void {
  const { serviceResponse } = window;
  if (typeof serviceResponse !== 'function')
    return logWarning(`window.serviceResponse is not a function, so the page was not notified: ${result.message}`);
  try {
    serviceResponse.call(window, result);
  } catch (error) {
    logError('window.serviceResponse threw an error', error);
  }
}
