/**
 * ALTCHA, version 2: a proof of work. The server chooses a secret counter, and shows half of the key that PBKDF2
 * derives from it. The browser tries one counter after the other until the key matches.
 */
import type { Payload } from 'altcha-lib';
import { MINUTE, SECOND, type Clock } from '../../platform/clock.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { random, type Keyring } from '../../platform/crypto.js';
import { parseJsonObject } from '../../platform/json.js';

/** Long enough for a slow phone and a person who reads the page first. */
export const ALTCHA_MINUTES = 10;

const ALGORITHM = 'PBKDF2/SHA-256';
/** Iterations of PBKDF2 for each counter: many enough that WebCrypto's overhead for each call hardly matters. */
const COST = 2000;
/** The lowest secret counter; the highest has 999 more. On average 3 million iterations: about a second on a phone. */
const MIN_COUNTER = 1000;

const PURPOSE = 'altcha challenge';

/** Loads the library when it is needed, because most servers never need it. */
async function loadLibrary() {
  const [{ createChallenge, verifySolution }, { deriveKey }] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/pbkdf2'),
  ]);
  return { createChallenge, verifySolution, deriveKey };
}

export function createAltcha(keyring: Pick<Keyring, 'mac' | 'macs'>, clock: Clock) {
  /** Returns a signed challenge that only answers of this application can refer to. */
  async function create(applicationId: number): Promise<Schemas['AltchaChallenge']> {
    const { createChallenge, deriveKey } = await loadLibrary();
    const { parameters, signature } = await createChallenge({
      algorithm: ALGORITHM,
      cost: COST,
      counter: MIN_COUNTER + Number(random.digits(3)),
      deriveKey,
      // Not the library's `expiresAt`, which it would compare with the time of the system instead of the clock's.
      data: { expiresAt: Math.floor((clock.now() + ALTCHA_MINUTES * MINUTE) / SECOND) },
      hmacSignatureSecret: keyring.mac(PURPOSE, String(applicationId)),
    });
    return { parameters: { ...parameters }, signature: signature! };
  }

  async function isSolved(applicationId: number, { challenge, solution }: Payload): Promise<boolean> {
    const { verifySolution, deriveKey } = await loadLibrary();
    for (const hmacSignatureSecret of keyring.macs(PURPOSE, String(applicationId))) {
      const { verified } = await verifySolution({ challenge, solution, deriveKey, hmacSignatureSecret });
      if (verified) return Number(challenge.parameters.data!.expiresAt) * SECOND > clock.now();
    }
    return false;
  }

  /** Returns an identifier of the solved challenge; undefined if the answer is wrong, expired or malformed. */
  async function solvedId(applicationId: number, answer: string): Promise<string | undefined> {
    const payload = parseJsonObject(Buffer.from(answer, 'base64').toString()) as Payload | undefined;
    // The library throws an error for parameters that are not in its format.
    const solved = payload && (await isSolved(applicationId, payload).catch(() => false));
    return solved ? payload.challenge.parameters.nonce : undefined;
  }

  return { create, solvedId };
}
