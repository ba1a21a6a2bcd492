/** An application's challenge, which a person's browser solves to prove that it is not an attacker's program. */
import type { Schemas } from '../../platform/contract/schemas.js';
import type { Keyring } from '../../platform/crypto.js';
import { SettingError, throwErrors } from '../settings/bounded-setting.js';
import { DEFAULT_SETTINGS } from './application.js';

/** `altcha`: a proof of work from this server. The others are services of vendors. */
export type ChallengeKind = 'off' | Schemas['Challenge']['kind'];

export interface ChallengeSettings {
  readonly kind: ChallengeKind;
  /** Identifies the site at the vendor; "" without a vendor. */
  readonly siteKey: string;
  /** The vendor's secret key, sealed; "" without a vendor. */
  readonly secretSealed: string;
}

export const CHALLENGE_KINDS: readonly ChallengeKind[] = ['off', 'altcha', 'turnstile', 'hcaptcha'];

export interface ChallengeChange {
  readonly kind?: ChallengeKind;
  readonly siteKey?: string;
  /** The vendor's secret key. If it is empty, the stored key is kept. */
  readonly secret?: string;
}

const { challenge: NO_CHALLENGE } = DEFAULT_SETTINGS;

/** Encryption context that binds a secret key to its application. */
export const challengeSecretContext = (applicationId: number): string => `challenge-secret:${applicationId}`;

/** Returns the changed settings. Throws a {@link SettingError} if a key of the vendor is missing. */
export function changeChallenge(
  keyring: Pick<Keyring, 'seal' | 'open' | 'canOpen'>,
  applicationId: number,
  stored: ChallengeSettings,
  { kind = stored.kind, siteKey: newSiteKey, secret }: ChallengeChange,
): ChallengeSettings {
  if (kind === 'off' || kind === 'altcha') return { ...NO_CHALLENGE, kind };
  // Keys of another vendor are useless.
  const old = kind === stored.kind ? stored : NO_CHALLENGE;
  const siteKey = newSiteKey ?? old.siteKey;
  const context = challengeSecretContext(applicationId);
  // Sealing the same key again would change the application's version.
  const isStored = keyring.canOpen(old.secretSealed) && keyring.open(context, old.secretSealed) === secret;
  const secretSealed = secret && !isStored ? keyring.seal(context, secret) : old.secretSealed;
  const keys = { challengeSiteKey: [siteKey, 'site key'], challengeSecret: [secretSealed, 'secret key'] } as const;
  const missing = Object.entries(keys).filter(([, [value]]) => value === '');
  throwErrors(
    missing.map(
      ([name, [, label]]) =>
        new SettingError(name, `Enter the ${label} from ${kind === 'turnstile' ? 'Cloudflare' : 'hCaptcha'}.`),
    ),
  );
  return { kind, siteKey, secretSealed };
}

/** Returns the values for the audit log, which shows only that the secret key changed. */
export function challengeAuditValues(
  { kind, siteKey, secretSealed }: ChallengeSettings,
  before: ChallengeSettings,
): Record<string, string> {
  const isReplaced = before.secretSealed !== '' && secretSealed !== before.secretSealed;
  const secret = secretSealed === '' ? '' : isReplaced ? 'replaced' : 'set';
  return { challenge: kind, 'challenge site key': siteKey, 'challenge secret key': secret };
}

export const hasChallenge = ({ settings }: { readonly settings: { readonly challenge: ChallengeSettings } }): boolean =>
  settings.challenge.kind !== 'off';
