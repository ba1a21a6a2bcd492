/** Runs traffic through a guard and counts what it refuses. */
import { DAY, HOUR } from '../../backend/src/platform/clock.js';
import { createReplay } from './replay.js';
import { fraudSettingsOf, type FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';
import { createAuthgear } from './authgear.js';
import { START, type Attempt } from './traffic.js';

/** Cost of a message: 5 cents, in ten-thousandths of the currency. */
const COST = 500;

/** Results count from this time on. Before this time, the guard only records sends. */
export const WARM_UP_DAYS = 7;
export const MEASURED_FROM = START + WARM_UP_DAYS * DAY;

export interface Guard {
  send(attempt: Attempt): boolean;
  verify(attempt: Attempt, now: number): void;
  /** Number of pauses, and of episodes of refusals by caps, since the start of the measurement. */
  pauses?(): number;
}

export interface GuardOptions {
  readonly homeCountry: string;
  readonly countries?: readonly string[];
  readonly settings?: Partial<FraudSettings>;
}

export function passbell({ homeCountry, countries = [], settings = {} }: GuardOptions): Guard {
  const application = { homeCountry, countries, guardedSince: START, verifiedElsewhere: false };
  const replay = createReplay({ application, settings: fraudSettingsOf(settings) });
  const caps = createEpisodes();
  return {
    send({ number, country, source, at }) {
      const decision = replay.send({ number, country, source, voice: false, cost: COST }, at);
      if (!decision.allowed && ['R2', 'R5', 'R6'].includes(decision.refusal.rule)) caps.refused(at);
      return decision.allowed;
    },
    verify: ({ number, country }, now) => replay.verify({ number, country }, now),
    pauses: () => replay.trips.filter(({ at }) => at >= MEASURED_FROM).length + caps.count(),
  };
}

/**
 * Authgear's rule. It only records sends during the warm-up, because it refuses nearly everything without a history.
 */
export function authgear(): Guard {
  const guard = createAuthgear();
  return { ...guard, send: (attempt) => guard.send(attempt) || attempt.at < MEASURED_FROM };
}

/** Counts episodes of refusals. A new episode starts after a gap of more than an hour. */
function createEpisodes() {
  let last = 0;
  let episodes = 0;
  return {
    refused(at: number) {
      if (at >= MEASURED_FROM && at - last > HOUR) episodes++;
      last = at;
    },
    count: () => episodes,
  };
}

export interface Result {
  readonly falsePauses: number;
  readonly legitimate: number;
  readonly legitimateRefused: number;
  /** Number of paid messages to the attacker's numbers. */
  readonly paid: number;
  readonly attempted: number;
}

/** A priority queue of the codes that will be entered, in chronological order, implemented as a binary heap. */
function createVerificationQueue() {
  const heap: { at: number; attempt: Attempt }[] = [];
  const swap = (a: number, b: number) => ([heap[a], heap[b]] = [heap[b]!, heap[a]!]);
  return {
    add(at: number, attempt: Attempt) {
      heap.push({ at, attempt });
      for (let i = heap.length - 1; i > 0;) {
        const parent = (i - 1) >> 1;
        if (heap[parent]!.at <= heap[i]!.at) break;
        swap(i, parent);
        i = parent;
      }
    },
    /** Removes and returns the first entry that is due. */
    next(now: number) {
      const first = heap[0];
      if (first === undefined || first.at > now) return undefined;
      const last = heap.pop()!;
      if (heap.length > 0) heap[0] = last;
      for (let i = 0; ;) {
        const left = 2 * i + 1;
        const right = 2 * i + 2;
        let least = i;
        if (left < heap.length && heap[left]!.at < heap[least]!.at) least = left;
        if (right < heap.length && heap[right]!.at < heap[least]!.at) least = right;
        if (least === i) return first;
        swap(i, least);
        i = least;
      }
    },
  };
}

export function simulate(attempts: readonly Attempt[], guard: Guard): Result {
  const verifications = createVerificationQueue();
  const episodes = createEpisodes();
  const result = { legitimate: 0, legitimateRefused: 0, paid: 0, attempted: 0 };
  for (const attempt of attempts) {
    for (let due = verifications.next(attempt.at); due; due = verifications.next(attempt.at))
      guard.verify(due.attempt, due.at);
    const sent = guard.send(attempt);
    if (sent && attempt.verifiesAfter !== undefined) verifications.add(attempt.at + attempt.verifiesAfter, attempt);
    if (attempt.at < MEASURED_FROM) continue;
    if (attempt.legitimate) result.legitimate++;
    else result.attempted++;
    if (attempt.legitimate && !sent) {
      result.legitimateRefused++;
      episodes.refused(attempt.at);
    }
    if (!attempt.legitimate && sent && attempt.verifiesAfter === undefined) result.paid++;
  }
  return { ...result, falsePauses: guard.pauses?.() ?? episodes.count() };
}

/** Merges lists of attempts into one list, in chronological order. */
export const mergeAttempts = (...lists: readonly (readonly Attempt[])[]): Attempt[] =>
  lists.flat().sort((a, b) => a.at - b.at);
