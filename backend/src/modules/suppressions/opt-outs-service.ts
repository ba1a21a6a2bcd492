/** Records which recipients have stopped an application's notifications. */
import type { Knex } from 'knex';
import { HOUR, SECOND, type Clock } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { AUTH_TYPES } from '../../platform/contract/auth-types.js';
import type { Keyring } from '../../platform/crypto.js';
import type { InTransaction } from '../../platform/db/transaction.js';
import type { Limiter } from '../../platform/rate-limit/limiter.js';
import { maskRecipient } from '../recipients/recipient.js';
import { eventId, type EventBody, type WebhookEvent } from '../webhooks/event.js';
import type { Outbox } from '../webhooks/outbox.js';
import type { OptOut } from './opt-out.js';
import type { OptOutsStore } from './opt-outs-store.js';

export const MAX_OPT_OUTS_LISTED = 200;
/** Changes by link, by recipient of an application. Each one publishes an event. */
const CHANGES_PER_HOUR = 10;
/** Encryption context of the tokens in unsubscribe links. */
const TOKEN_CONTEXT = 'unsubscribe';
/** Maximum length of a token, which contains an email address. */
const MAX_TOKEN_LENGTH = 1000;

export type OptOutsService = ReturnType<typeof createOptOutsService>;

export interface Subscriber {
  readonly applicationId: number;
  readonly address: string;
}

function eventOf(application: { appKey: string; name: string }, optOut: OptOut): WebhookEvent {
  const { applicationId, channel, address, optedOut, source, changedAt } = optOut;
  const event = optedOut ? 'recipient.opted_out' : 'recipient.opted_in';
  const to = maskRecipient(address);
  return {
    applicationId,
    body: {
      id: eventId(event, applicationId, channel, address, changedAt),
      event,
      createdTime: Math.floor(changedAt / SECOND),
      data: { appKey: application.appKey, application: application.name, authType: AUTH_TYPES[channel], to, source },
    },
  };
}

export function createOptOutsService(
  store: OptOutsStore,
  inTransaction: InTransaction,
  outbox: Outbox,
  keyring: Keyring,
  limiter: Pick<Limiter, 'take'>,
  clock: Clock,
) {
  /** Stores a recipient's decision and its event. Does nothing if it is the stored decision. */
  async function changeIn(trx: Knex, decision: Omit<OptOut, 'changedAt'>): Promise<void> {
    const optOut = { ...decision, changedAt: clock.now() };
    const application = await store.application(trx, optOut.applicationId);
    if (application && (await store.change(trx, optOut)))
      await outbox.publish(trx, [eventOf(application, optOut)], optOut.changedAt);
  }

  const change = (decisions: readonly Omit<OptOut, 'changedAt'>[]): Promise<void> =>
    inTransaction(async (trx) => {
      for (const decision of decisions) await changeIn(trx, decision);
    });

  /** Returns the token of an unsubscribe link. It is encrypted, so the link does not show the address. */
  const tokenOf = ({ applicationId, address }: Subscriber): string =>
    keyring.seal(TOKEN_CONTEXT, JSON.stringify([applicationId, address]));

  /** Returns the recipient of an unsubscribe link; undefined if the token is forged. */
  function subscriberOf(token: string): Subscriber | undefined {
    const opened = token.length > MAX_TOKEN_LENGTH ? undefined : keyring.openIfValid(TOKEN_CONTEXT, token);
    if (opened === undefined) return undefined;
    const [applicationId, address] = JSON.parse(opened) as [number, string];
    return { applicationId, address };
  }

  const hasStopped = async (applicationId: number, address: string, channels: readonly ChannelName[]) => {
    const stopped = await store.channelsOf(applicationId, address);
    return channels.every((channel) => stopped.includes(channel));
  };

  /**
   * Stops or allows notifications to an email address. Throws an `ApiError` after too many changes; a repeated decision is
   * none, because mail programs repeat requests.
   */
  async function decideByLink(subscriber: Subscriber, optedOut: boolean): Promise<void> {
    const { applicationId, address } = subscriber;
    if ((await hasStopped(applicationId, address, ['EMAIL'])) === optedOut) return;
    const key = `unsubscribe:${applicationId}:${keyring.mac(TOKEN_CONTEXT, address.toLowerCase())}`;
    await limiter.take([
      { key, code: 'TOO_MANY_CALLS', windows: [{ limit: CHANGES_PER_HOUR, seconds: HOUR / SECOND }] },
    ]);
    await change([{ ...subscriber, channel: 'EMAIL', optedOut, source: 'unsubscribe', word: null }]);
  }

  async function recentEvents(applicationId: number, optedOut: boolean, limit: number): Promise<EventBody[]> {
    const application = await inTransaction((trx) => store.application(trx, applicationId));
    const optOuts = application ? await store.recent(applicationId, optedOut, limit) : [];
    return optOuts.map((optOut) => eventOf(application!, optOut).body);
  }

  return {
    changeIn,
    change,
    tokenOf,
    subscriberOf,
    decideByLink,
    hasStopped,
    recentEvents,
    list: (applicationIds: readonly number[], search = '') =>
      store.list(applicationIds, search.trim().toLowerCase(), MAX_OPT_OUTS_LISTED),
  };
}
