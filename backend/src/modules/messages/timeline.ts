/** Creates a message's timeline for the dashboard from the stored attempts, history and report. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { FailureDetails } from '../../providers/provider.js';
import type { Attempt, DeliveryReport, EarlierSend, HistoryEntry, Message } from './message.js';
import type { Price } from './price.js';
import type { Refusal } from './refusal.js';

/** A step in the timeline. `at`: time in milliseconds; undefined if unknown. */
export type TimelineStep = { readonly at: number | undefined } & (
  | { readonly kind: 'neverAccepted'; readonly refusal: Refusal }
  /** `sendAt`: when a scheduled message is sent; null for messages that are sent at once. */
  | { readonly kind: 'accepted'; readonly plan: readonly ChannelName[]; readonly sendAt: number | null }
  | { readonly kind: 'canceled'; readonly replacedBy: string | null }
  | {
      readonly kind: 'attemptFailed';
      readonly channel: ChannelName;
      readonly provider: string | undefined;
      readonly reason: string;
      readonly times: number;
      /** How long the attempts took, in milliseconds; undefined for attempts of earlier versions. */
      readonly tookMs: number | undefined;
      readonly details: FailureDetails | undefined;
    }
  | { readonly kind: 'fallback'; readonly from: ChannelName; readonly to: ChannelName }
  | {
      readonly kind: 'sent';
      readonly channel: ChannelName;
      readonly provider: string | undefined;
      readonly price: Price | undefined;
      readonly tookMs: number | undefined;
    }
  | {
      readonly kind: 'reported';
      readonly report: DeliveryReport;
      readonly reason: string | undefined;
      readonly details: FailureDetails | undefined;
    }
  /** Nothing was reported or entered in time, so the message is sent another way. */
  | { readonly kind: 'silent' }
  | { readonly kind: 'retried' | 'failed' | 'expired' }
  /** The current step of an open message. */
  | { readonly kind: 'scheduled' | 'waiting' | 'sending'; readonly channel: ChannelName; readonly dueAt: number }
);

type RepeatedAttempt = Attempt & { readonly times: number; readonly isSilent?: boolean };
type Entry = RepeatedAttempt | Exclude<HistoryEntry, Attempt>;

function timeOf(entry: Entry): number {
  if ('retriedAt' in entry) return entry.retriedAt;
  return 'report' in entry ? entry.reportedAt : (entry.at ?? 0);
}

function entriesOfSend(
  { attempt, report, reportedAt }: Omit<EarlierSend, 'provider' | 'providerId'>,
  isSilent: boolean,
): Entry[] {
  const sent = { ...attempt, times: 1, isSilent };
  const { undelivered: reason, details } = attempt;
  return report && reportedAt !== null ? [sent, { report, reportedAt, reason, details }] : [sent];
}

/** Returns a message's history, attempts and reports in chronological order. */
function entriesOf({ history, attempts, earlierSends, report, reportedAt }: Message): Entry[] {
  const failed = attempts.filter(({ success }) => !success).map((attempt) => ({ ...attempt, times: 1 }));
  const current = attempts.find(({ success }) => success);
  const entries = [
    ...history,
    ...failed,
    ...earlierSends.flatMap((send) => entriesOfSend(send, send.report === null)),
    ...(current ? entriesOfSend({ attempt: current, report, reportedAt }, false) : []),
  ];
  return entries.sort((a, b) => timeOf(a) - timeOf(b));
}

/** Returns a fallback step if the channel changed after the previous attempt; otherwise an empty list. */
function fallbackStep(before: RepeatedAttempt | undefined, to: ChannelName): TimelineStep[] {
  if (!before || before.channel === to) return [];
  return [{ kind: 'fallback', at: before.at, from: before.channel, to }];
}

function stepsOfAttempt(attempt: RepeatedAttempt): TimelineStep[] {
  const { channel, provider, success, message: reason, price, startedAt, at, times, isSilent, details } = attempt;
  const tookMs = startedAt === undefined || at === undefined ? undefined : at - startedAt;
  if (!success) return [{ kind: 'attemptFailed', at, channel, provider, reason, times, tookMs, details }];
  const silent: TimelineStep[] = isSilent ? [{ kind: 'silent', at: undefined }] : [];
  return [{ kind: 'sent', at, channel, provider, price, tookMs }, ...silent];
}

/** Returns a message's timeline steps, oldest first. */
export function timelineOf(message: Message): TimelineStep[] {
  const { state, channel, dueAt, finishedAt, refusal } = message;
  if (refusal) return [{ kind: 'neverAccepted', at: message.createdAt, refusal }];
  const { createdAt, plan, sendAt, replacedBy } = message;
  const steps: TimelineStep[] = [{ kind: 'accepted', at: createdAt, plan, sendAt }];
  let before: RepeatedAttempt | undefined;
  for (const entry of entriesOf(message)) {
    if ('retriedAt' in entry) {
      steps.push({ kind: 'failed', at: before?.at }, { kind: 'retried', at: entry.retriedAt });
      before = undefined;
    } else if ('report' in entry) {
      const { report, reportedAt, reason, details } = entry;
      steps.push({
        kind: 'reported',
        at: reportedAt,
        report,
        reason,
        details: reason === undefined ? undefined : details,
      });
    } else {
      steps.push(...fallbackStep(before, entry.channel), ...stepsOfAttempt(entry));
      before = entry;
    }
  }
  if (state === 'scheduled' || state === 'queued' || state === 'sending') {
    const kind = state === 'queued' ? 'waiting' : state;
    steps.push(...fallbackStep(before, channel), { kind, at: undefined, channel, dueAt: dueAt ?? 0 });
  }
  if (state === 'canceled') steps.push({ kind: state, at: finishedAt ?? undefined, replacedBy });
  if (state === 'failed' || state === 'expired') steps.push({ kind: state, at: finishedAt ?? undefined });
  return steps;
}
