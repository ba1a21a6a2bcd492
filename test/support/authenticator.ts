/** An authenticator app that implements RFC 6238 independently of the service, and a page with the widget. */
import { createHmac } from 'node:crypto';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import type { Body, CallOptions, TestService } from './service.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const SITE = 'https://shop.example';
export const STEP = 30_000;

export function fromBase32(text: string): Buffer {
  const bits = [...text].map((character) => ALPHABET.indexOf(character).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the code that an authenticator app shows at the time `ms`. */
export function codeAt(manualKey: string, ms: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / STEP)));
  const digest = createHmac('sha1', fromBase32(manualKey)).update(counter).digest();
  const number = digest.readUInt32BE(digest.at(-1)! & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

let wrongCodes = 0;
/**
 * Returns a value that is neither an authenticator code nor a recovery code. Differs each time, because a repeated wrong
 * code is not counted.
 */
export const newWrongCode = (): string => `x${++wrongCodes}`;
/** Returns a recovery code that no user has. Differs each time. */
export const newWrongRecoveryCode = (): string =>
  `AAAAA-${[...(++wrongCodes).toString(8).padStart(5, '0')].map((digit) => 'ABCDEFGH'[Number(digit)]).join('')}`;

function tokenSignature(appSecret: string, text: string): string {
  const key = createHmac('sha256', appSecret).update('passbell user token').digest('hex');
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Creates a `userToken` that replaces a code, as described in docs/two-factor.md. */
export const userToken = (appSecret: string, identity: string, expires: number): string =>
  `${expires}.${tokenSignature(appSecret, `${identity}\n${expires}`)}`;

/** Creates a `userToken` that only identifies the user. */
export const signInToken = (appSecret: string, identity: string, expires: number): string =>
  `${expires}.sign-in.${tokenSignature(appSecret, `${identity}\n${expires}\nsign-in`)}`;

/** Nonces that the service uses to distinguish browsers. */
export const BROWSER = 'nonce-of-the-users-browser';
export const OTHER_BROWSER = 'nonce-of-another-browser';

/** Headers that are the same for all test browsers, so they do not identify a browser. */
export const HEADERS = { 'User-Agent': 'Browser/1.0', Origin: SITE };

export interface PageOptions {
  readonly keys?: KeyPair;
  /** Nonce of the browser; null for a caller without a nonce. */
  readonly browser?: string | null;
  /** IP address of the browser, for a service with `TRUST_PROXY`. */
  readonly address?: string;
  readonly headers?: Record<string, string | undefined>;
  readonly more?: object;
}

/** Creates a page that embeds the widget for one user. */
export function createPage(
  passbell: TestService,
  identity: string,
  { keys = passbell.keys, browser = BROWSER, address, headers = HEADERS, more = {} }: PageOptions = {},
) {
  const secretless = { clientId: undefined, clientSecret: undefined, 'X-Forwarded-For': address };
  const common = {
    domainUrl: SITE,
    appKey: keys.appKey,
    identity,
    ...(browser === null ? {} : { browserNonce: browser }),
  };
  const call = (name: string, body: object = {}): Promise<Body> =>
    passbell.post(`/authserviceclient/${name}`, { ...common, ...more, ...body }, {
      headers: { ...secretless, ...headers },
    } satisfies CallOptions);
  return {
    call,
    state: async (): Promise<boolean> => (await call('authstate')).IsTOtpVerified,
    enable: (body: object = {}) => call('enable2fa', body),
    verify: (otp: unknown, body: object = {}) => call('verifyotp', { otp, ...body }),
    disable: (body: object = {}) => call('disable2fa', body),
  };
}

export type Page = ReturnType<typeof createPage>;

export interface EnrolledUser {
  readonly page: Page;
  readonly identity: string;
  readonly manualKey: string;
  readonly recoveryCodes: string[];
  /** Advances the clock by one step, and returns the unused code of that step. */
  nextCode(): string;
}

/** Enrolls a user in two-factor authentication. */
export async function enrollUser(
  passbell: TestService,
  identity: string,
  options: PageOptions = {},
): Promise<EnrolledUser> {
  const page = createPage(passbell, identity, options);
  const { manualKey } = await page.enable();
  const { data } = await page.verify(codeAt(manualKey, passbell.clock.now()));
  return {
    page,
    identity,
    manualKey,
    recoveryCodes: data.recoveryCodes,
    nextCode() {
      passbell.clock.advance(STEP);
      return codeAt(manualKey, passbell.clock.now());
    },
  };
}
