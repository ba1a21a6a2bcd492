/** Creates a message's timeline for the dashboard from the stored attempts, history and report. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Attempt, DeliveryReport, HistoryEntry, Message } from './message.js';
import type { Price } from './price.js';

/** A step in the timeline. `at`: time in milliseconds; undefined if unknown. */
export type TimelineStep = { readonly at: number | undefined } & (
  | { readonly kind: 'accepted'; readonly plan: readonly ChannelName[] }
  | { readonly kind: 'claimed'; readonly channel: ChannelName; readonly times: number }
  | {
      readonly kind: 'attemptFailed';
      readonly channel: ChannelName;
      readonly provider: string | undefined;
      readonly reason: string;
      readonly times: number;
    }
  | { readonly kind: 'fallback'; readonly from: ChannelName; readonly to: ChannelName }
  | {
      readonly kind: 'sent';
      readonly channel: ChannelName;
      readonly provider: string | undefined;
      readonly price: Price | undefined;
      readonly providerId: string | null;
    }
  | { readonly kind: 'reported'; readonly report: DeliveryReport }
  | { readonly kind: 'retried' | 'failed' | 'expired' }
  /** The current step of an open message. */
  | { readonly kind: 'waiting' | 'sending'; readonly channel: ChannelName; readonly dueAt: number }
);

type RepeatedAttempt = Attempt & { readonly times: number };

function timeOf(entry: HistoryEntry): number {
  if ('retriedAt' in entry) return entry.retriedAt;
  return 'report' in entry ? entry.reportedAt : (entry.at ?? 0);
}

/** Returns a message's history, attempts and report in chronological order. */
function entriesOf({ history, attempts, report, reportedAt }: Message): HistoryEntry[] {
  // The successful attempt is stored first, but happened last.
  const chronological = [...attempts.filter(({ success }) => !success), ...attempts.filter(({ success }) => success)];
  const attempted = chronological.map((attempt) => ({ ...attempt, times: 1 }));
  const reported = report && reportedAt !== null ? [{ report, reportedAt }] : [];
  return [...history, ...attempted, ...reported].sort((a, b) => timeOf(a) - timeOf(b));
}

/** Returns a fallback step if the channel changed after the previous attempt; otherwise an empty list. */
const fallbackStep = (before: RepeatedAttempt | undefined, to: ChannelName): TimelineStep[] =>
  before && before.channel !== to ? [{ kind: 'fallback', at: before.at, from: before.channel, to }] : [];

function stepsOfAttempt(attempt: RepeatedAttempt, providerId: string | null): TimelineStep[] {
  const { channel, provider, success, message: reason, price, startedAt, at, times } = attempt;
  const claimed: TimelineStep[] = startedAt === undefined ? [] : [{ kind: 'claimed', at: startedAt, channel, times }];
  return [
    ...claimed,
    success
      ? { kind: 'sent', at, channel, provider, price, providerId }
      : { kind: 'attemptFailed', at, channel, provider, reason, times },
  ];
}

/** Returns a message's timeline steps, oldest first. */
export function timelineOf(message: Message): TimelineStep[] {
  const { state, channel, dueAt, finishedAt } = message;
  const steps: TimelineStep[] = [{ kind: 'accepted', at: message.createdAt, plan: message.plan }];
  let before: RepeatedAttempt | undefined;
  for (const entry of entriesOf(message)) {
    if ('retriedAt' in entry) {
      steps.push({ kind: 'failed', at: before?.at }, { kind: 'retried', at: entry.retriedAt });
      before = undefined;
    } else if ('report' in entry) {
      steps.push({ kind: 'reported', at: entry.reportedAt, report: entry.report });
    } else {
      steps.push(...fallbackStep(before, entry.channel), ...stepsOfAttempt(entry, message.providerId));
      before = entry;
    }
  }
  if (state === 'queued' || state === 'sending') {
    const kind = state === 'queued' ? 'waiting' : 'sending';
    steps.push(...fallbackStep(before, channel), { kind, at: undefined, channel, dueAt: dueAt ?? 0 });
  }
  if (state === 'failed' || state === 'expired') steps.push({ kind: state, at: finishedAt ?? undefined });
  return steps;
}
