/** Stores the notice for the next page in an encrypted cookie, so that the server does not have to store it. */
import type { Request, Response } from 'express';
import type { Keyring } from '../../platform/crypto.js';
import type { PersonSession } from '../../modules/people/person.js';
import type { Flash } from '../page.js';
import type { Browser } from './browser.js';

const FLASH_SECONDS = 60;

const contextOf = ({ tokenHash }: PersonSession): string => `dashboard-flash:${tokenHash}`;

export function createFlashes(keyring: Keyring, browser: Browser) {
  function store(request: Request, response: Response, session: PersonSession, flash: Flash): void {
    if (Object.keys(flash).length === 0) return;
    const value = keyring.seal(contextOf(session), JSON.stringify(flash));
    browser.setCookie(request, response, 'flash', value, FLASH_SECONDS);
  }

  function take(request: Request, response: Response, session: PersonSession): Flash {
    const sealed = browser.cookie(request, 'flash');
    if (sealed === undefined) return {};
    browser.clearCookie(request, response, 'flash');
    try {
      return JSON.parse(keyring.open(contextOf(session), sealed)) as Flash;
    } catch {
      // The cookie belongs to another session, or was forged.
      return {};
    }
  }

  return { store, take };
}
