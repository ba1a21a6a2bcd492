/** Calculates which messages other settings would have refused, by replaying an application's stored messages. */
import { setImmediate } from 'node:timers/promises';
import { DAY, SECOND, type Clock } from '../../platform/clock.js';
import type { Application } from '../applications/application.js';
import { acceptedAttempt, type Message } from '../messages/message.js';
import type { MessageLookup } from '../messages/message-lookup.js';
import type { SessionsService } from '../sessions/sessions-service.js';
import { countedNumber } from '../recipients/recipient.js';
import { unitsOf } from '../usage/usage.js';
import type { UsageService } from '../usage/index.js';
import type { Increment, RuleName } from './fraud.js';
import { appliedSettings, countriesOf, type IsPaid, type SenderCountries } from './fraud-application.js';
import { BASELINE_DAYS } from './fraud-counters.js';
import { createReplay } from './fraud-replay.js';
import {
  checkFraudSetting,
  DEFAULT_FRAUD_SETTINGS,
  FRAUD_SETTINGS,
  FraudSettingError,
  fraudSettingNamed,
  type FraudSetting,
  type FraudSettings,
} from './fraud-settings.js';

export const WHAT_IF_DAYS = 30;
/** Replaying this many messages takes a few seconds. Only the newest messages of busier applications are replayed. */
export const MAX_WHAT_IF_MESSAGES = 30_000;
/** A replay that takes longer is stopped. */
const MAX_REPLAY_MS = 20 * SECOND;
/**
 * Settings that cannot be replayed: end users' addresses are not stored with messages, and the observation period is
 * ignored.
 */
const NOT_REPLAYED = /^(source|observe)/;
export const WHAT_IF_SETTINGS: readonly FraudSetting[] = FRAUD_SETTINGS.filter((name) => !NOT_REPLAYED.test(name));
/** Number of messages that are replayed before other requests can run. */
const MESSAGES_PER_TURN = 50;

/** A chargeable message that a provider accepted. */
interface ChargedMessage {
  readonly at: number;
  readonly number: string;
  readonly country: string;
  readonly kind: 'code' | 'notification';
  readonly voice: boolean;
  readonly cost: number;
  readonly verifiedAt: number | undefined;
  /** When the recipient was verified before this message, if known. */
  readonly knownSince: number | undefined;
}

/** Returns the application's settings with these changes; undefined restores a default. */
export function whatIfSettings(
  application: Application,
  change: Readonly<Record<string, number | undefined>>,
): FraudSettings {
  const changed = Object.entries(change).map(([text, number]) => {
    const name = fraudSettingNamed(text);
    if (!WHAT_IF_SETTINGS.includes(name))
      throw new FraudSettingError(name, 'The effect of this setting cannot be calculated from stored messages.');
    const value = number ?? DEFAULT_FRAUD_SETTINGS[name];
    checkFraudSetting(name, value);
    return [name, value];
  });
  return { ...appliedSettings(application), ...Object.fromEntries(changed) };
}

interface Refused {
  readonly messages: number;
  /** Messages whose recipients entered the code, so refusing them would have been wrong. */
  readonly verified: number;
  /** In ten-thousandths of the currency. */
  readonly cost: number;
}

export interface WhatIf extends Refused {
  /**
   * The number of replayed messages, and the times of the first and last message; the times are undefined without
   * messages.
   */
  readonly of: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Whether messages of the last 30 days were left out because there are too many. */
  readonly isPart: boolean;
  readonly byRule: readonly (Refused & { readonly rule: RuleName })[];
}

/** Reads the stored messages and verifications. */
export interface WhatIfHistory {
  readonly messages: Pick<MessageLookup, 'all'>;
  readonly sessions: Pick<SessionsService, 'verifiedUsers'>;
  readonly usage: Pick<UsageService, 'sums'>;
  /** Returns the verification times of codes by their session's `maskId`. Sessions are stored for a week. */
  verifiedAt(maskIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
}

export interface WhatIfDependencies extends WhatIfHistory {
  readonly isPaid: IsPaid;
  readonly senderCountries: SenderCountries;
  readonly clock: Clock;
}

export type FraudWhatIf = (application: Application, settings: FraudSettings) => Promise<WhatIf>;

const NO_REFUSALS: Refused = { messages: 0, verified: 0, cost: 0 };

const addRefused = (sum: Refused, { cost, verifiedAt }: ChargedMessage): Refused => ({
  messages: sum.messages + 1,
  verified: sum.verified + (verifiedAt === undefined ? 0 : 1),
  cost: sum.cost + cost,
});

export function createFraudWhatIf(dependencies: WhatIfDependencies): FraudWhatIf {
  const { messages, sessions, usage, verifiedAt, isPaid, senderCountries, clock } = dependencies;

  const isGuarded = (message: Message): boolean =>
    message.recipient.startsWith('+') && isPaid(message, acceptedAttempt(message)?.channel ?? 'EMAIL');

  async function toChargedMessages(applicationId: number, chunk: readonly Message[]): Promise<ChargedMessage[]> {
    const verified = await verifiedAt(chunk.map(({ maskId }) => maskId));
    const users = await sessions.verifiedUsers(
      applicationId,
      chunk.map(({ recipient }) => recipient),
    );
    return chunk.map((message) => {
      const { recipient, createdAt: at, expiresAt, template, maskId, plan } = message;
      const { price } = acceptedAttempt(message)!;
      const user = users.get(recipient);
      const isFirst = user !== undefined && user.since >= at && user.since <= expiresAt;
      return {
        ...{ at, number: countedNumber(recipient), country: price?.country ?? '' },
        kind: template === 'otp' ? 'code' : 'notification',
        voice: plan.every((channel) => channel === 'VOICE'),
        cost: price ? unitsOf(price.charge) : 0,
        verifiedAt: verified.get(maskId) ?? (isFirst ? user.since : undefined),
        // A user who was verified again later counts as a regular user at the time of this message.
        knownSince: user && user.since < at ? Math.min(at, user.lastVerifiedAt) : undefined,
      };
    });
  }

  /** Returns the newest messages, in chronological order. */
  async function readNewest(applicationId: number, now: number) {
    const sent: ChargedMessage[] = [];
    let read = 0;
    for await (const chunk of messages.all({ applicationIds: [applicationId], from: now - WHAT_IF_DAYS * DAY })) {
      // SQLite queries block the process, so other requests must get a chance to run.
      await setImmediate();
      if (read >= MAX_WHAT_IF_MESSAGES) return { sent: sent.reverse(), isPart: true };
      read += chunk.length;
      sent.push(...(await toChargedMessages(applicationId, chunk.filter(isGuarded))));
    }
    return { sent: sent.reverse(), isPart: false };
  }

  /** Returns counters for the days before the first message, with the usual conversion and cost. */
  async function historyBefore(applicationId: number, first: number): Promise<Increment[]> {
    const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    const range = { from: dayText(first - BASELINE_DAYS * DAY), to: dayText(first - DAY) };
    const sums = await usage.sums({ applicationIds: [applicationId], ...range }, ['day', 'channel', 'country']);
    return sums
      .filter(({ channel }) => channel !== 'EMAIL')
      .flatMap(({ day, country, codes: sent, verified, cost }) => {
        const counts = { size: 'day', start: Date.parse(day), sent, verified, spend: Number(cost) } as const;
        return [
          { dimension: 'country', key: country, ...counts },
          { dimension: 'application', key: '', ...counts },
        ];
      });
  }

  async function replayAll(application: Application, settings: FraudSettings): Promise<WhatIf> {
    const { sent, isPart } = await readNewest(application.id, clock.now());
    const history = sent[0] ? await historyBefore(application.id, sent[0].at) : [];
    const { verifiedElsewhere } = application.settings;
    const guarded = { ...countriesOf(application, senderCountries), guardedSince: -Infinity, verifiedElsewhere };
    const replay = createReplay({ application: guarded, settings, history });
    const byRule = new Map<RuleName, Refused>();
    let [total, of] = [NO_REFUSALS, 0];
    const started = clock.now();
    const verifications = createVerificationQueue();
    for (const one of sent) {
      if (of % MESSAGES_PER_TURN === 0) await setImmediate();
      if (clock.now() - started > MAX_REPLAY_MS) break;
      of++;
      for (const due of verifications.before(one.at)) replay.verify(due, due.verifiedAt!);
      if (one.knownSince !== undefined) replay.recall(one.number, one.knownSince);
      const decision = replay.send({ ...one, source: undefined }, one.at, one.kind);
      if (decision.allowed) {
        if (one.verifiedAt !== undefined) verifications.add(one);
        continue;
      }
      const { rule } = decision.refusal;
      byRule.set(rule, addRefused(byRule.get(rule) ?? NO_REFUSALS, one));
      total = addRefused(total, one);
    }
    return {
      ...{ ...total, of, from: sent[0]?.at, to: sent[of - 1]?.at, isPart: isPart || of < sent.length },
      byRule: [...byRule].sort(([a], [b]) => (a < b ? -1 : 1)).map(([rule, refused]) => ({ rule, ...refused })),
    };
  }

  let running: Promise<unknown> = Promise.resolve();
  return function whatIf(application, settings) {
    // Calculations run one at a time, so that they do not slow down message delivery.
    const result = running.then(() => replayAll(application, settings));
    running = result.catch(() => undefined);
    return result;
  };
}

/** Queues codes until the time of their verification. Most codes are verified within minutes, so the queue is short. */
function createVerificationQueue() {
  let waiting: ChargedMessage[] = [];
  return {
    add: (sent: ChargedMessage) => void waiting.push(sent),
    /** Removes the codes that were verified by this time, and returns them in order of verification. */
    before(now: number): ChargedMessage[] {
      const due = waiting.filter(({ verifiedAt }) => verifiedAt! <= now);
      if (due.length > 0) waiting = waiting.filter(({ verifiedAt }) => verifiedAt! > now);
      return due.sort((a, b) => a.verifiedAt! - b.verifiedAt!);
    },
  };
}
