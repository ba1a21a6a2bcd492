/** Replays traffic from a file: one JSON object per line, in chronological order. */
import type { Decision, GuardedApplication } from '../../backend/src/modules/fraud/fraud.js';
import type { FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';
import { countedNumber, parseRecipient, phoneDigits } from '../../backend/src/modules/recipients/recipient.js';
import { sourceKey } from '../../backend/src/platform/http/source-address.js';
import { createReplay, type Replay } from './replay.js';

const KINDS = ['send', 'notification', 'verified', 'delivered', 'undelivered'] as const;
type Kind = (typeof KINDS)[number];
const CHANNELS = ['SMS', 'WHATSAPP', 'VOICE'];

export interface TrafficEvent {
  readonly time: number;
  readonly application: string;
  readonly kind: Kind;
  readonly number: string;
  readonly country: string;
  /** The kind of a number that Passbell never sends to, such as a satellite number. */
  readonly rejectedKind: string | undefined;
  readonly address: string | undefined;
  readonly isCall: boolean;
  readonly price: number;
  readonly isChallengeSolved: boolean;
}

/** A line of the result. `rule` is `number` for numbers that Passbell never sends to. */
export interface DecisionLine {
  /** Number of the line in the file, from 1. */
  readonly line: number;
  readonly time: string;
  readonly application: string;
  readonly outcome: Decision['outcome'];
  readonly rule?: string;
  readonly scope?: string;
  readonly key?: string;
  /** The end of the refusal; null if a person or a solved challenge ends it. */
  readonly until?: string | null;
  /** Whether the owners are told that unusually many codes are not entered in the home country. */
  readonly alert?: true;
  readonly price: number;
}

/** A line of the file is wrong. */
export class TrafficError extends Error {}

type Fields = Readonly<Record<string, unknown>>;

function check(condition: boolean, problem: string): asserts condition {
  if (!condition) throw new TrafficError(problem);
}

function timeOf({ time }: Fields): number {
  const ms = typeof time === 'string' ? Date.parse(time) : time;
  check(typeof ms === 'number' && Number.isFinite(ms) && ms >= 0, '"time" must be an ISO date or epoch milliseconds');
  return ms;
}

function textOf(fields: Fields, name: string): string | undefined {
  const value = fields[name] ?? undefined;
  check(value === undefined || (typeof value === 'string' && value !== ''), `"${name}" must be a text`);
  return value;
}

function recipientOf(fields: Fields): Pick<TrafficEvent, 'number' | 'country' | 'rejectedKind'> {
  const text = textOf(fields, 'recipient') ?? '';
  const digits = phoneDigits(text);
  check(digits !== undefined, '"recipient" must be a phone number with its country code');
  const parsed = parseRecipient(digits);
  const country = textOf(fields, 'country') ?? (parsed ? (parsed.country ?? '') : undefined);
  check(country !== undefined, 'the number is in no country\'s plan, and "country" is missing');
  return { number: countedNumber(parsed?.address ?? digits), country, rejectedKind: parsed?.rejectedKind };
}

/** Returns the event. Throws a {@link TrafficError} if the line is wrong. */
export function parseEvent(line: string): TrafficEvent {
  let fields: Fields;
  try {
    fields = JSON.parse(line) as Fields;
  } catch {
    throw new TrafficError('it is not JSON');
  }
  check(typeof fields === 'object' && fields !== null && !Array.isArray(fields), 'it is not a JSON object');
  const { kind, channel = 'SMS', price = 0, challenge = false } = fields;
  check(KINDS.includes(kind as Kind), `"kind" must be one of ${KINDS.join(', ')}`);
  check(CHANNELS.includes(channel as string), `"channel" must be one of ${CHANNELS.join(', ')}`);
  check(typeof price === 'number' && price >= 0, '"price" must be a number of at least 0');
  check(typeof challenge === 'boolean', '"challenge" must be true or false');
  const address = textOf(fields, 'address');
  return {
    time: timeOf(fields),
    application: textOf(fields, 'application') ?? '',
    kind: kind as Kind,
    ...recipientOf(fields),
    address: address === undefined ? undefined : sourceKey(address),
    isCall: channel === 'VOICE',
    price,
    isChallengeSolved: challenge,
  };
}

const dateText = (ms: number): string => new Date(ms).toISOString();

function reasonOf(decision: Decision): Pick<DecisionLine, 'rule' | 'scope' | 'key' | 'until' | 'alert'> {
  if (decision.outcome === 'allowed') return decision.alert ? { alert: true } : {};
  const { rule, scope, key, until } = decision.refusal;
  return { rule, scope, key, until: until === undefined ? null : dateText(until) };
}

function decideOn(replay: Replay, event: TrafficEvent): Pick<DecisionLine, 'outcome'> & Partial<DecisionLine> {
  const { kind, number, country, address, isCall, isChallengeSolved, rejectedKind, time } = event;
  if (rejectedKind !== undefined) return { outcome: 'refused', rule: 'number', until: null };
  const send = { number, country, address, voice: isCall, isChallengeSolved };
  const decision = replay.send({ ...send, kind: kind === 'send' ? 'code' : 'notification' }, time);
  return { outcome: decision.outcome, ...reasonOf(decision) };
}

/**
 * Returns a function that replays one line and returns the decision about it; undefined for events that are not sends. It
 * throws a {@link TrafficError} if a line is wrong.
 */
export function createTrafficReplay(optionsOf: (application: string) => GuardedApplication, settings: FraudSettings) {
  const replays = new Map<string, Replay>();
  let line = 0;
  let now = 0;

  function replayOf(application: string): Replay {
    const replay = replays.get(application) ?? createReplay(optionsOf(application), settings);
    replays.set(application, replay);
    return replay;
  }

  function replayEvent(event: TrafficEvent): DecisionLine | undefined {
    const { time, application, kind, price } = event;
    check(time >= now, 'its time is before that of an earlier line');
    now = time;
    const replay = replayOf(application);
    if (kind === 'verified' || kind === 'undelivered') replay.settle(event, kind, time);
    if (kind !== 'send' && kind !== 'notification') return undefined;
    return { line, time: dateText(time), application, price, ...decideOn(replay, event) };
  }

  return (text: string): DecisionLine | undefined => {
    line++;
    if (text.trim() === '') return undefined;
    try {
      return replayEvent(parseEvent(text));
    } catch (error) {
      throw error instanceof TrafficError ? new TrafficError(`Line ${line}: ${error.message}.`) : error;
    }
  };
}
