/** What providers did in the last day, according to the newest messages. */
import type { Application } from '../../modules/applications/application.js';
import { acceptedAttempt, type Attempt } from '../../modules/messages/message.js';
import type { Recent } from '../../modules/messages/lookup-store.js';
import { DAY } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Modules } from '../modules.js';

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
  /** Number of failed attempts since the last accepted message. */
  readonly failedInRow: number;
}

/** The activity of a provider, by its name, on all channels or on one; undefined without attempts in the last day. */
export type ActivityOf = (provider: string, channel?: ChannelName) => Activity | undefined;

type Outcome = Recent & { readonly attempt: Attempt; readonly isEntered: boolean | undefined };

const countIf = (outcomes: readonly Outcome[], matches: (outcome: Outcome) => boolean): number =>
  outcomes.filter(matches).length;

/** `outcomes`: newest first. */
function activityOf(outcomes: readonly Outcome[]): Activity {
  const accepted = outcomes.filter(({ attempt }) => attempt.success);
  const lastFailed = outcomes.find(({ attempt }) => !attempt.success);
  return {
    accepted: accepted.length,
    failed: outcomes.length - accepted.length,
    reported: countIf(accepted, ({ report }) => report === 'delivered' || report === 'undelivered'),
    delivered: countIf(accepted, ({ report }) => report === 'delivered'),
    codes: countIf(accepted, ({ isEntered }) => isEntered !== undefined),
    entered: countIf(accepted, ({ isEntered }) => isEntered === true),
    lastAcceptedAt: accepted[0]?.createdAt,
    lastFailure: lastFailed && { at: lastFailed.createdAt, reason: lastFailed.attempt.message },
    failedInRow: accepted[0] ? outcomes.indexOf(accepted[0]) : outcomes.length,
  };
}

type ActivityModules = Modules<'clock' | 'messages' | 'otp'>;

export function createReadActivity({ clock, messages, otp }: ActivityModules) {
  return async function readActivity(applications: readonly Application[]): Promise<ActivityOf> {
    const now = clock.now();
    const recent = await messages.lookup.recent(
      applications.map(({ id }) => id),
      now - DAY,
    );
    const entered = await otp.service.areEntered(
      recent.map(({ codeId }) => codeId),
      now,
    );
    const outcomes = recent.flatMap((message): Outcome[] =>
      message.attempts.map((attempt) => ({
        ...message,
        attempt,
        isEntered: acceptedAttempt(message) === attempt ? entered.get(message.codeId) : undefined,
      })),
    );
    return (provider, channel) => {
      const own = outcomes.filter(
        ({ attempt }) => attempt.provider === provider && (channel ?? attempt.channel) === attempt.channel,
      );
      return own.length === 0 ? undefined : activityOf(own);
    };
  };
}
