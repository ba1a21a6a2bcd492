/** What one page leaves for the next to say, sealed in a cookie: no process has to remember it. */
import type { Request, Response } from 'express';
import type { Keyring } from '../../platform/crypto.js';
import type { PersonSession } from '../../modules/people/person-sessions-store.js';
import type { Flash } from '../page.js';
import type { Browser } from './browser.js';

/** How long it waits for the next page. */
const FLASH_SECONDS = 60;

const contextOf = ({ tokenHash }: PersonSession): string => `dashboard-flash:${tokenHash}`;

export function createFlashes(keyring: Keyring, browser: Browser) {
  return {
    leave(request: Request, response: Response, session: PersonSession, flash: Flash): void {
      if (Object.keys(flash).length === 0) return;
      const value = keyring.seal(contextOf(session), JSON.stringify(flash));
      browser.keep(request, response, { name: 'flash', value, maxAgeSeconds: FLASH_SECONDS });
    },

    take(request: Request, response: Response, session: PersonSession): Flash {
      const sealed = browser.read(request, 'flash');
      if (sealed === undefined) return {};
      browser.keep(request, response, { name: 'flash' });
      try {
        return JSON.parse(keyring.open(contextOf(session), sealed)) as Flash;
      } catch {
        // Of another session, or not ours at all.
        return {};
      }
    },
  };
}
