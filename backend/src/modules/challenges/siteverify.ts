/** Asks a vendor whether a token of its widget is valid. Both vendors have the same interface, from reCAPTCHA. */
import { createExchange } from '../../platform/http/exchange.js';
import { parseJsonObject } from '../../platform/json.js';
import { describeError, type Log } from '../../platform/log.js';

export const SITEVERIFY_URLS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const;

export type Vendor = keyof typeof SITEVERIFY_URLS;

/** Short, because a person waits for the code. */
const TIMEOUT_MS = 3000;

export interface SiteverifyOptions {
  /** URLs of the vendors, for tests. */
  readonly urls?: Readonly<Record<Vendor, string>>;
  readonly timeoutMs?: number;
}

interface Token {
  readonly secret: string;
  readonly siteKey: string;
  readonly token: string;
  readonly clientIp?: string | undefined;
}

/** A secret key of hCaptcha is valid for all sites of an account, so a token must be for this site key. */
const parametersOf = (vendor: Vendor, { secret, siteKey, token, clientIp }: Token): Record<string, string> => ({
  secret,
  response: token,
  ...(vendor === 'hcaptcha' ? { sitekey: siteKey } : {}),
  ...(clientIp === undefined ? {} : { remoteip: clientIp }),
});

const hasSecretProblem = (codes: unknown): boolean =>
  Array.isArray(codes) && codes.some((code) => typeof code === 'string' && code.includes('secret'));

export function createSiteverify(log: Log, { urls = SITEVERIFY_URLS, timeoutMs = TIMEOUT_MS }: SiteverifyOptions) {
  const exchange = createExchange({ allowPrivate: true }, { reuseConnections: false });

  /** A vendor that does not respond correctly in time has not confirmed the token, so the challenge is not solved. */
  return async function isValid(vendor: Vendor, token: Token): Promise<boolean> {
    const body = new URLSearchParams(parametersOf(vendor, token)).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' };
    try {
      const { status, text } = await exchange.send({ method: 'POST', url: urls[vendor], headers, body }, timeoutMs);
      const reply = parseJsonObject(text);
      if (hasSecretProblem(reply?.['error-codes']))
        log.warn({ vendor }, 'the vendor rejects the secret key of a challenge');
      return status === 200 && reply?.success === true;
    } catch (error) {
      log.warn({ vendor, err: describeError(error) }, 'the vendor of a challenge cannot be reached');
      return false;
    }
  };
}
