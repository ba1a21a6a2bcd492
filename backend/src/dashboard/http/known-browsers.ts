/**
 * Stores, in an encrypted cookie, the people who have signed in with a browser. Their sign-in attempts from this
 * browser have a separate limit, so that attackers cannot lock them out.
 */
import type { Request, Response } from 'express';
import { DAY, type Clock } from '../../platform/clock.js';
import { random, type Keyring } from '../../platform/crypto.js';
import type { Browser } from './browser.js';

/** How long a person stays in the cookie after their last sign-in. */
const KNOWN_DAYS = 90;
/** Maximum number of people in a browser's cookie. A further sign-in removes the person whose sign-in is the oldest. */
const MAX_PEOPLE = 5;
const DAY_SECONDS = 86_400;

const SEAL_CONTEXT = 'dashboard-known-browser';

interface KnownBrowser {
  readonly id: string;
  /** Sorted by last sign-in, newest first. */
  readonly people: readonly { readonly email: string; readonly until: number }[];
}

export function createKnownBrowsers(keyring: Keyring, browser: Browser, clock: Clock) {
  function read(request: Request): KnownBrowser | undefined {
    try {
      return JSON.parse(keyring.open(SEAL_CONTEXT, browser.cookie(request, 'known') ?? '')) as KnownBrowser;
    } catch {
      // There is no cookie, or it was forged.
      return undefined;
    }
  }

  const validPeople = (known: KnownBrowser | undefined) =>
    (known?.people ?? []).filter(({ until }) => until > clock.now());

  /** Returns the browser's id if the person has signed in with it, otherwise undefined. */
  function idFor(request: Request, email: string): string | undefined {
    const known = read(request);
    return validPeople(known).some((person) => person.email === email) ? known!.id : undefined;
  }

  const hasPeople = (request: Request): boolean => validPeople(read(request)).length > 0;

  function remember(request: Request, response: Response, email: string): void {
    const known = read(request);
    const others = validPeople(known).filter((person) => person.email !== email);
    const people = [{ email, until: clock.now() + KNOWN_DAYS * DAY }, ...others].slice(0, MAX_PEOPLE);
    const value = keyring.seal(SEAL_CONTEXT, JSON.stringify({ id: known?.id ?? random.base64url(16), people }));
    browser.setCookie(request, response, 'known', value, KNOWN_DAYS * DAY_SECONDS);
  }

  return { idFor, hasPeople, remember };
}
