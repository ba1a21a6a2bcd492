/** The pages on which people enter a code, and the replies of the programs that wait for it. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { isWebLink } from '../../platform/http/web-link.js';
import { parseJsonObject } from '../../platform/json.js';

/** A page for one code. Its URL contains all of this, encrypted. */
export interface CodePage {
  readonly applicationId: number;
  /** Language of the page; empty for the language of the application. */
  readonly language: string;
  /** The recipient, masked. */
  readonly to: string;
  /** The channels over which the page offers a new code. If empty, it offers one without naming the channel. */
  readonly channels: readonly ChannelName[];
  /** URL of the program that waits for the code. */
  readonly callbackUrl: string;
  readonly expiresAt: number;
}

/** The page after the last step. It can be reloaded at any time. */
export interface EndPage {
  readonly applicationId: number;
  readonly language: string;
  readonly end: 'verified' | 'canceled';
  /** Page to open after the correct code. */
  readonly redirectUrl?: string | undefined;
}

export type Action =
  { action: 'open' | 'cancel' } | { action: 'verify'; code: string } | { action: 'resend'; channel?: string };

const NOTICES = ['wrong', 'locked', 'resent', 'wait', 'problem'] as const;

export interface Notice {
  readonly notice?: (typeof NOTICES)[number] | undefined;
  /** With `locked` and `wait`. */
  readonly seconds?: number | undefined;
  /** With `wrong`. */
  readonly attemptsLeft?: number | undefined;
}

/**
 * - `waiting`: the program still waits for a code. With `callbackUrl`, the page continues with a new code.
 * - `ended`: the program no longer waits, for example because the person has entered the code in another tab.
 */
export type CallbackReply =
  | ({ state: 'waiting'; callbackUrl?: string } & Notice)
  | { state: 'verified'; redirectUrl?: string | undefined }
  | { state: 'canceled' | 'ended' };

/** HTTP statuses of programs that do not know the page, or that do not wait for it anymore. */
const ENDED = [404, 409, 410];
/** n8n replies 409 both after the end and before it has stored that it waits. */
const NOT_YET_WAITING = /running already/;

export const PROBLEM: CallbackReply = { state: 'waiting', notice: 'problem' };

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? Math.max(0, Math.ceil(value)) : undefined;

/** Reads a program's reply. Anything unexpected is a problem of the program, and the person can try again. */
export function readReply({ status, text }: { status: number; text: string }): CallbackReply {
  if (ENDED.includes(status) && !NOT_YET_WAITING.test(text)) return { state: 'ended' };
  const reply = status === 200 ? parseJsonObject(text) : undefined;
  const { state, notice, callbackUrl, redirectUrl, seconds, attemptsLeft } = reply ?? {};
  if (state === 'canceled') return { state };
  if (state === 'verified')
    return { state, redirectUrl: typeof redirectUrl === 'string' && isWebLink(redirectUrl) ? redirectUrl : undefined };
  if (state !== 'waiting') return PROBLEM;
  return {
    state,
    notice: NOTICES.find((known) => known === notice),
    seconds: numberOf(seconds),
    attemptsLeft: numberOf(attemptsLeft),
    ...(typeof callbackUrl === 'string' && { callbackUrl }),
  };
}
