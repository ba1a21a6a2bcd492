/** The success and failure of providers in the last day, according to the newest messages. Leaves out failures because of the recipient. */
import type { Application } from '../../modules/applications/application.js';
import { failedByRecipient } from '../../modules/messages/explanation.js';
import { acceptedAttempt, type Attempt, type Message } from '../../modules/messages/message.js';
import { DAY } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Modules } from '../modules.js';

/** Reading more messages would delay the page. */
export const MAX_MESSAGES = 5000;

export interface Activity {
  readonly accepted: number;
  readonly failed: number;
  /** Accepted messages with a final delivery report. */
  readonly reported: number;
  readonly delivered: number;
  /** Accepted codes that were entered or have expired. */
  readonly codes: number;
  readonly entered: number;
  readonly lastAcceptedAt: number | undefined;
  readonly lastFailure: { readonly at: number; readonly reason: string } | undefined;
  /** Messages that failed and have not been sent, newest first. */
  readonly failedMessages: readonly Message[];
  /** Number of failed attempts since the last accepted message. */
  readonly failedInRow: number;
}

export interface RecentActivity {
  /** The time of the oldest message that counts; undefined if all messages of the last day count. */
  readonly since: number | undefined;
  /** The activity of a provider, by its name, on all channels or on one; undefined without attempts. */
  readonly activityOf: (provider: string, channel?: ChannelName) => Activity | undefined;
}

interface Outcome {
  readonly message: Message;
  readonly attempt: Attempt;
  readonly isEntered: boolean | undefined;
}

/** `outcomes`: newest first. */
function activityOf(outcomes: readonly Outcome[]): Activity {
  const accepted = outcomes.filter(({ attempt }) => attempt.success);
  const reports = accepted.map(({ message }) => message.report);
  const codes = accepted.flatMap(({ isEntered }) => isEntered ?? []);
  const delivered = reports.filter((report) => report === 'delivered').length;
  const lastFailed = outcomes.find(({ attempt }) => !attempt.success);
  return {
    accepted: accepted.length,
    failed: outcomes.length - accepted.length,
    reported: delivered + reports.filter((report) => report === 'undelivered').length,
    delivered,
    codes: codes.length,
    entered: codes.filter(Boolean).length,
    lastAcceptedAt: accepted[0]?.message.createdAt,
    lastFailure: lastFailed && { at: lastFailed.message.createdAt, reason: lastFailed.attempt.message },
    failedMessages: outcomes.map(({ message }) => message).filter(({ state }) => state === 'failed'),
    failedInRow: accepted[0] ? outcomes.indexOf(accepted[0]) : outcomes.length,
  };
}

const codeIdOf = ({ maskId, id }: Message): string => maskId || id;

export const createReadActivity = ({ clock, messages: { lookup }, otp }: Modules<'clock' | 'messages' | 'otp'>) =>
  async function readActivity(applications: readonly Application[]): Promise<RecentActivity> {
    const now = clock.now();
    const applicationIds = applications.map(({ id }) => id);
    const recent = { applicationIds, withoutRefused: true, from: now - DAY } as const;
    const { messages, next } = await lookup.page(recent, undefined, MAX_MESSAGES);
    const entered = await otp.service.areEntered(messages.map(codeIdOf), now);
    const outcomes = messages.flatMap((message): Outcome[] =>
      message.attempts
        .filter((attempt) => !failedByRecipient(attempt))
        .map((attempt) => {
          const isEntered = acceptedAttempt(message) === attempt ? entered.get(codeIdOf(message)) : undefined;
          return { message, attempt, isEntered };
        }),
    );
    return {
      since: next?.createdAt,
      activityOf(provider, channel) {
        const own = outcomes.filter(
          ({ attempt }) => attempt.provider === provider && (channel ?? attempt.channel) === attempt.channel,
        );
        return own.length === 0 ? undefined : activityOf(own);
      },
    };
  };
