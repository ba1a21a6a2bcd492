import { DAY } from '../../platform/clock.js';
import { hmac, hmacBase64, random, sha256 } from '../../platform/crypto.js';
import type { Subscription } from './event.js';

export interface Webhook {
  readonly id: number;
  readonly webhookId: string;
  readonly applicationId: number;
  readonly url: string;
  readonly events: readonly Subscription[];
  readonly secretSealed: string;
  /** The secret that replaces it at `nextSecretAt`; null if no secret waits. */
  readonly nextSecretSealed: string | null;
  readonly nextSecretAt: number | null;
  /** Number of failed calls since the last successful call. */
  readonly failures: number;
  /**
   * No events are sent before this time: set after failures, or {@link PAUSED} while a person has paused the webhook.
   */
  readonly restsUntil: number;
  readonly createdAt: number;
}

/** The latest possible time, so that earlier versions also send nothing to a paused webhook. */
export const PAUSED = 8_640_000_000_000_000;

export const isPaused = ({ restsUntil }: Pick<Webhook, 'restsUntil'>): boolean => restsUntil === PAUSED;

/** How long Passbell retries an event. */
export const WEBHOOK_HOURS = 24;

/** How long the log shows a call. */
export const ATTEMPT_DAYS = 3;

/** Number of calls that are stored for each webhook. A clean-up deletes older calls. */
export const ATTEMPTS_PER_WEBHOOK = 100;

export interface Attempt {
  readonly id: number;
  readonly eventId: string;
  /** The event as JSON. */
  readonly body: string;
  /** 1 for the first call with the event. */
  readonly attempt: number;
  /** HTTP status; null without a reply. */
  readonly status: number | null;
  /** The start of the reply, or why there is none. */
  readonly reply: string;
  readonly calledAt: number;
  /** Null for calls that an earlier version stored. */
  readonly durationMs: number | null;
}

export const isAccepted = (status: number | null): boolean => status !== null && status >= 200 && status <= 299;

/** Returns the time of the first of the latest failures; undefined if it is older than the calls, which are sorted newest first. */
export function failingSince(
  calls: readonly Pick<Attempt, 'calledAt' | 'status'>[],
  failures: number,
): number | undefined {
  const success = calls.findIndex(({ status }) => isAccepted(status));
  const failed = success < 0 ? calls : calls.slice(0, success);
  return success >= 0 || failed.length >= failures ? failed.at(-1)?.calledAt : undefined;
}

/** Whether no call has succeeded since the webhook was created, as far as its log says: it has all calls of a new webhook. */
export const hasNeverWorked = (
  { failures, createdAt }: Pick<Webhook, 'failures' | 'createdAt'>,
  calls: readonly Pick<Attempt, 'status'>[],
  now: number,
): boolean =>
  createdAt > now - ATTEMPT_DAYS * DAY && calls.length >= failures && !calls.some(({ status }) => isAccepted(status));

export interface Delivery {
  readonly id: number;
  readonly eventId: string;
  /** The event as JSON, identical in every attempt. */
  readonly body: string;
  readonly attempts: number;
  readonly createdAt: number;
}

const SECRET_PREFIX = 'whsec_';

/** Returns a signing secret in the format of Standard Webhooks. */
export const newSecret = (): string => `${SECRET_PREFIX}${random.base64(32)}`;

/** Decodes the key from a secret. Older secrets are base64url, which Node decodes as well. */
const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');

/** Returns the sealed secrets that sign a call now. The first one also signs `Passbell-Signature`. */
export function signingSecrets({ secretSealed, nextSecretSealed, nextSecretAt }: Webhook, now: number): string[] {
  if (nextSecretSealed === null || nextSecretAt === null) return [secretSealed];
  return nextSecretAt <= now ? [nextSecretSealed] : [secretSealed, nextSecretSealed];
}

/** Returns the webhook ID for the ID that a caller chose for a webhook of this application. Keeps a webhook ID as it is. */
export const webhookIdFor = ({ id }: { readonly id: number }, reference: string): string =>
  /^WHK-[0-9a-f]{32}$/.test(reference) ? reference : `WHK-${sha256(`${id} ${reference}`).slice(0, 32)}`;

/**
 * Returns a call's headers: Passbell's own headers, and the headers of Standard Webhooks (standardwebhooks.com), which allow
 * several signatures.
 */
export function signedHeaders(
  secrets: readonly string[],
  { eventId, body }: Pick<Delivery, 'eventId' | 'body'>,
  t: number,
): Record<string, string> {
  const signatures = secrets.map((secret) => `v1,${hmacBase64(keyOf(secret), `${eventId}.${t}.${body}`)}`);
  return {
    'Passbell-Event-Id': eventId,
    'Passbell-Signature': `t=${t},v1=${hmac(secrets[0]!, `${t}.${body}`)}`,
    'webhook-id': eventId,
    'webhook-timestamp': String(t),
    'webhook-signature': signatures.join(' '),
  };
}

/** Encryption context that binds a sealed secret to its webhook. */
export const secretContext = ({ webhookId }: Pick<Webhook, 'webhookId'>): string => `webhook:${webhookId}`;
