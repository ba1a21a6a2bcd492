/** `/js/v1/challenge.js`, a module that solves the challenge of a reply with the code `CHALLENGE_REQUIRED`. */

interface AltchaParameters {
  readonly nonce: string;
  readonly salt: string;
  readonly cost: number;
  readonly keyLength: number;
  readonly keyPrefix: string;
}

type Vendor = 'turnstile' | 'hcaptcha';

export interface Challenge {
  readonly kind: 'altcha' | Vendor;
  /** A signed {@link AltchaParameters}. */
  readonly altcha?: { readonly parameters: object; readonly signature: string };
  readonly siteKey?: string;
}

/** The interface that the widgets of both vendors share. */
interface VendorWidget {
  render(container: HTMLElement, options: Readonly<Record<string, unknown>>): unknown;
}

const SCRIPTS: Readonly<Record<Vendor, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/api.js',
  hcaptcha: 'https://js.hcaptcha.com/1/api.js',
};

const bytesOf = (hex: string): number[] => (hex.match(/../g) ?? []).map((byte) => parseInt(byte, 16));
const hexOf = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns the key for a counter: PBKDF2 of the nonce and the counter, which has 32 bits. */
async function keyFor({ nonce, salt, cost, keyLength }: AltchaParameters, counter: number): Promise<string> {
  const bytes = new Uint8Array([...bytesOf(nonce), 0, 0, 0, 0]);
  new DataView(bytes.buffer).setUint32(bytes.length - 4, counter);
  const password = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveBits']);
  const options = { name: 'PBKDF2', hash: 'SHA-256', salt: new Uint8Array(bytesOf(salt)), iterations: cost };
  return hexOf(await crypto.subtle.deriveBits(options, password, keyLength * 8));
}

/** Tries counters until a key has the required start. WebCrypto calculates in threads, so the page stays responsive. */
async function solveAltcha(challenge: NonNullable<Challenge['altcha']>): Promise<string> {
  const parameters = challenge.parameters as AltchaParameters;
  const batch = Array.from({ length: globalThis.navigator?.hardwareConcurrency || 4 }, (_, index) => index);
  for (let first = 0; ; first += batch.length) {
    const keys = await Promise.all(batch.map((index) => keyFor(parameters, first + index)));
    const found = keys.findIndex((key) => key.startsWith(parameters.keyPrefix));
    if (found >= 0)
      return btoa(JSON.stringify({ challenge, solution: { counter: first + found, derivedKey: keys[found] } }));
  }
}

const loaded: Partial<Record<Vendor, Promise<VendorWidget>>> = {};

function loadVendor(vendor: Vendor): Promise<VendorWidget> {
  const globals = globalThis as unknown as Record<string, unknown>;
  if (globals[vendor]) return Promise.resolve(globals[vendor] as VendorWidget);
  return new Promise((resolve, reject) => {
    const onload = `passbellLoaded_${vendor}`;
    globals[onload] = () => resolve(globals[vendor] as VendorWidget);
    const script = document.createElement('script');
    script.src = `${SCRIPTS[vendor]}?render=explicit&onload=${onload}`;
    script.onerror = () => {
      delete loaded[vendor];
      script.remove();
      reject(new Error(`the script of ${vendor} could not be loaded`));
    };
    document.head.append(script);
  });
}

/** Shows the vendor's widget in the container until the person has solved it. */
async function solveWithVendor(vendor: Vendor, siteKey: string, container: HTMLElement): Promise<string> {
  const widget = await (loaded[vendor] ??= loadVendor(vendor));
  const place = container.appendChild(document.createElement('div'));
  const answer = new Promise<string>((resolve, reject) => {
    widget.render(place, {
      sitekey: siteKey,
      callback: resolve,
      'error-callback': () => reject(new Error(`the challenge of ${vendor} failed`)),
    });
  });
  return answer.finally(() => place.remove());
}

/**
 * Returns the answer, which your server passes to Passbell as `challenge`. Widgets of vendors appear at the end of
 * `container`, by default the page. Requires https, except on localhost.
 */
export function solveChallenge(challenge: Challenge, container?: HTMLElement): Promise<string> {
  const { kind, altcha, siteKey } = challenge;
  if (kind === 'altcha' && altcha) return solveAltcha(altcha);
  if (kind in SCRIPTS && siteKey) return solveWithVendor(kind as Vendor, siteKey, container ?? document.body);
  return Promise.reject(new TypeError(`unknown challenge: ${kind}`));
}
