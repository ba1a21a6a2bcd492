/** What the page hears: `window.serviceResponse`. */
import { complain, warn } from './developer.js';

export interface Result {
  readonly success: boolean;
  readonly message: string;
  /** Why not, for programs; on failure only. */
  readonly code?: string;
  /** On success only. */
  readonly data?: Readonly<Record<string, unknown>>;
}

declare global {
  interface Window {
    serviceResponse?: unknown;
  }
}

/** Tells the page of an outcome. Its function is looked up every time: it may be defined after the widget. */
export function tellPage(result: Result): void {
  const { serviceResponse } = window;
  if (typeof serviceResponse !== 'function')
    return warn(`window.serviceResponse is not a function, so the page does not hear: ${result.message}`);
  try {
    serviceResponse.call(window, result);
  } catch (error) {
    complain('window.serviceResponse threw', error);
  }
}
