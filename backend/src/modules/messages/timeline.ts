/** What happened to a message, step by step, from what is stored of it. */
import type { ChannelName } from '../../providers/provider.js';
import type { Attempt, Message, Past, Report } from './message.js';
import type { Price } from './price.js';

/** One step; `at` is milliseconds, and undefined where an earlier version did not keep it. */
export type TimelineStep =
  | { readonly kind: 'accepted'; readonly at: number; readonly plan: readonly ChannelName[] }
  | { readonly kind: 'claimed'; readonly at: number | undefined; readonly channel: ChannelName; readonly times: number }
  | {
      readonly kind: 'refused';
      readonly at: number | undefined;
      readonly channel: ChannelName;
      readonly reason: string;
      readonly times: number;
    }
  | { readonly kind: 'fallback'; readonly at: number | undefined; readonly from: ChannelName; readonly to: ChannelName }
  | {
      readonly kind: 'sent';
      readonly at: number | undefined;
      readonly channel: ChannelName;
      readonly price: Price | undefined;
      readonly providerId: string | null;
    }
  | { readonly kind: 'reported'; readonly at: number; readonly report: Report }
  | { readonly kind: 'retried'; readonly at: number }
  | { readonly kind: 'failed' | 'expired'; readonly at: number | undefined }
  /** Where it is now, when it is on its way. */
  | {
      readonly kind: 'waiting' | 'sending';
      readonly at: undefined;
      readonly channel: ChannelName;
      readonly dueAt: number;
    };

type Tried = Attempt & { readonly times: number };

/** When something of the past was over; what an earlier version kept no time of came before all that has one. */
function timeOf(past: Past): number {
  if ('retriedAt' in past) return past.retriedAt;
  return 'report' in past ? past.reportedAt : (past.at ?? 0);
}

/** What is told of a message's attempts and reports in the order in which it happened. */
function pastOf({ history, tried, report, reportedAt }: Message): Past[] {
  // In a row the one that succeeded comes first, but it was the last.
  const inTurn = [...tried.filter(({ success }) => !success), ...tried.filter(({ success }) => success)];
  const last = inTurn.map((attempt): Past => ({ ...attempt, times: 1 }));
  const reported: Past[] = report && reportedAt !== null ? [{ report, reportedAt }] : [];
  // Those of one time stay as they are here.
  return [...history, ...last, ...reported].sort((a, b) => timeOf(a) - timeOf(b));
}

function stepsOfAttempt(attempt: Tried, before: Tried | undefined, providerId: string | null): TimelineStep[] {
  const { channel, success, message: reason, price, startedAt, at, times } = attempt;
  const fallback: TimelineStep[] =
    before && before.channel !== channel
      ? [{ kind: 'fallback', at: before.at, from: before.channel, to: channel }]
      : [];
  const claimed: TimelineStep[] = startedAt === undefined ? [] : [{ kind: 'claimed', at: startedAt, channel, times }];
  const result: TimelineStep = success
    ? { kind: 'sent', at, channel, price, providerId }
    : { kind: 'refused', at, channel, reason, times };
  return [...fallback, ...claimed, result];
}

/** Where an open message is, after what it has behind it. */
function present({ state, channel, dueAt }: Message, before: Tried | undefined): TimelineStep[] {
  if (state !== 'queued' && state !== 'sending') return [];
  const moved = before && before.channel !== channel;
  return [
    ...(moved ? [{ kind: 'fallback' as const, at: before.at, from: before.channel, to: channel }] : []),
    { kind: state === 'queued' ? 'waiting' : 'sending', at: undefined, channel, dueAt: dueAt ?? 0 },
  ];
}

/** Oldest first. */
export function timelineOf(message: Message): TimelineStep[] {
  const steps: TimelineStep[] = [{ kind: 'accepted', at: message.createdAt, plan: message.plan }];
  let before: Tried | undefined;
  for (const past of pastOf(message)) {
    if ('retriedAt' in past) {
      steps.push({ kind: 'failed', at: before?.at }, { kind: 'retried', at: past.retriedAt });
      before = undefined;
    } else if ('report' in past) {
      steps.push({ kind: 'reported', at: past.reportedAt, report: past.report });
    } else {
      steps.push(...stepsOfAttempt(past, before, message.providerId));
      before = past;
    }
  }
  steps.push(...present(message, before));
  if (message.state === 'failed' || message.state === 'expired')
    steps.push({ kind: message.state, at: message.finishedAt ?? undefined });
  return steps;
}
