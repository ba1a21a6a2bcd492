/** Finds facts about recipients in delivery reports and failed sends, such as that an address bounced. */
import type { Knex } from 'knex';
import { isEnvironmentId } from '../../providers/provider-id.js';
import type { RecipientReport } from '../suppressions/index.js';
import type { MessageEvent } from './lifecycle-events.js';
import type { Message } from './message.js';

interface Applied {
  readonly event: MessageEvent;
  /** The message before the event; undefined if it does not exist. */
  readonly message: Message | undefined;
  /** Whether the event changes the message. */
  readonly isNew: boolean;
}

export type RecordRecipients = (trx: Knex, applied: readonly Applied[]) => Promise<void>;

/** Whether the provider has sent the message. Other reports could be from another account. */
function hasSent(provider: string, { provider: last, earlierSends }: Message): boolean {
  const senders = [last, ...earlierSends.map((send) => send.provider)];
  return senders.some((id) => (id === null ? isEnvironmentId(provider) : id === provider));
}

function reportedStatus({ event, isNew, message }: Applied): RecipientReport['status'] | undefined {
  if (event.type === 'rejected') return isNew && event.details?.optedOut ? 'optedOut' : undefined;
  if (event.type !== 'reported' || !hasSent(event.provider, message!)) return undefined;
  const status = event.recipientStatus ?? (event.details?.optedOut ? 'optedOut' : undefined);
  // Soft bounces are counted, so a repeated report of one must be ignored.
  if (status !== undefined) return status !== 'softBounce' || isNew ? status : undefined;
  return isNew && message!.channel === 'EMAIL' && event.reportedState === 'delivered' ? 'delivered' : undefined;
}

export function createRecordRecipients(
  record: (trx: Knex, report: RecipientReport) => Promise<void>,
): RecordRecipients {
  return async function recordRecipients(trx, applied) {
    for (const one of applied) {
      const { message, event } = one;
      // The recipient of an erased message is empty.
      if (!message?.recipient) continue;
      const status = reportedStatus(one);
      if (status === undefined || (event.type !== 'reported' && event.type !== 'rejected')) continue;
      const { applicationId, template, recipient, channel, attempts } = message;
      const provider = attempts.find(({ success }) => success)?.provider ?? 'provider';
      const details = event.details?.reply ?? event.reason ?? null;
      await record(trx, { applicationId, template, recipient, channel, status, provider, details });
    }
  };
}
