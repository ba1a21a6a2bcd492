import { UTC, localDay } from '../../platform/local-day.js';
import { DAY, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Application } from '../applications/application.js';
import type { Message } from '../messages/message.js';
import type { MessageLookup } from '../messages/message-lookup.js';
import { messageView } from '../messages/message-view.js';
import type { MessagesService } from '../messages/messages-service.js';
import { SettingError } from '../settings/bounded-setting.js';
import type { UsageService } from '../usage/index.js';
import { chargeOf } from '../usage/usage.js';
import { found, timesOf, type Actions, type Caller } from './action.js';
import type { OwnApplications } from './own-applications.js';

/** Bounds the size of a reply. */
const MAX_DAYS = 366;

interface Services {
  readonly own: OwnApplications;
  readonly messages: Pick<MessagesService, 'cancel' | 'retry'>;
  readonly lookup: Pick<MessageLookup, 'find' | 'page'>;
  readonly usage: UsageService;
  readonly currency: () => string;
  readonly clock: Clock;
}

export function createMessageActions(services: Services) {
  const { own, messages, lookup, usage, currency, clock } = services;

  const view = (message: Message, applications: readonly Application[]) => ({
    appKey: applications.find(({ id }) => id === message.applicationId)!.appKey,
    message: messageView(message, currency()),
  });

  async function find(call: Caller, id: string) {
    const applications = await own(call);
    const message = await lookup.find(
      applications.map((application) => application.id),
      id,
    );
    // MySQL compares ids case-insensitively.
    if (message?.id !== id) throw new ApiError('MESSAGE_NOT_FOUND');
    const application = applications.find((each) => each.id === message.applicationId)!;
    return { application, applications, message };
  }

  async function current(call: Caller, id: string) {
    const { message, applications } = await find(call, id);
    return view(message, applications);
  }

  return {
    async listMessages(call, { app, after, limit = 50, state, channel, reference, ...range }) {
      const applications = await own(call, app);
      const applicationIds = applications.map(({ id }) => id);
      const last =
        after === undefined ? undefined : found(await lookup.find(applicationIds, after), `message ${after}`);
      const page = await lookup.page({ state, channel, reference, ...timesOf(range), applicationIds }, last, limit);
      const next = page.next ? { next: page.next.id } : {};
      return { messages: page.messages.map((message) => view(message, applications)), ...next };
    },

    getMessage: (call, { messageId }) => current(call, messageId),

    async cancelMessage(call, { messageId }) {
      const { application } = await find(call, messageId);
      await messages.cancel(application, messageId, call.actor);
      return current(call, messageId);
    },

    async retryMessage(call, { messageId }) {
      const { application } = await find(call, messageId);
      const result = await messages.retry(call.actor, [application], messageId);
      if (result !== 'retried')
        throw new SettingError(
          'messageId',
          result === 'expired' ? 'The message has expired.' : 'The message has not failed.',
        );
      return current(call, messageId);
    },

    async getUsage(call, { app, ...days }) {
      const applications = await own(call, app);
      // The operator's applications can belong to accounts in several time zones.
      const todays = applications.map(({ timeZone }) => localDay(clock.now(), timeZone)).sort();
      const today = todays.at(-1) ?? localDay(clock.now(), UTC);
      const { to = today, from = `${to.slice(0, 7)}-01` } = days;
      if (from > to) throw new SettingError('from', 'It must not be later than “to”.');
      if (Date.parse(to) - Date.parse(from) >= MAX_DAYS * DAY)
        throw new SettingError('from', `The period can have at most ${MAX_DAYS} days.`);
      const range = { applicationIds: applications.map(({ id }) => id), from, to };
      const sums = await usage.sums(range, ['day', 'applicationId', 'channel', 'country']);
      const appKeys = new Map(applications.map(({ id, appKey }) => [id, appKey]));
      const rows = sums.map(({ applicationId, cost, ...counts }) => ({
        appKey: appKeys.get(applicationId) ?? null,
        ...counts,
        cost: chargeOf(cost),
      }));
      return { usage: rows };
    },
  } satisfies Partial<Actions>;
}
