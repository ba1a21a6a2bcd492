/** The download `/messages/export`: all messages that match the filters, as CSV. */
import { acceptedAttempt, isTest, visibleState, type Message } from '../../modules/messages/message.js';
import { totalCharge } from '../../modules/messages/message-view.js';
import { refusalText } from '../../modules/messages/refusal.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { utcDay } from '../../platform/clock.js';
import { BYTE_ORDER_MARK, csvLine } from '../csv.js';
import type { Modules } from '../modules.js';
import { file, show, type PageRoute, type Visit } from '../page.js';
import { createFilterOf, parseQuery } from './filter.js';
import { unknownAttempt } from './reasons.js';

const isoTime = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

const failuresOf = ({ attempts, refusal }: Message): string => {
  const failed = attempts.filter(({ success }) => !success);
  return refusal
    ? refusalText(refusal.reason, isoTime(refusal.until))
    : failed.map(({ channel, message }) => `${channel}: ${message}`).join('; ');
};

/** Whether a provider accepted the message; `unknown` if it did not confirm it. */
function sentText(message: Message): string {
  if (isTest(message)) return 'no';
  if (acceptedAttempt(message) || message.earlierSends.length > 0) return 'yes';
  return unknownAttempt(message) ? 'unknown' : 'no';
}

const columnsFor = (
  names: ReadonlyMap<number, string>,
  currency: string,
): Readonly<Record<string, (message: Message) => string>> => ({
  Message: ({ id }) => id,
  Created: ({ createdAt }) => isoTime(createdAt),
  State: visibleState,
  Channel: ({ channel }) => channel,
  To: ({ recipient }) => maskRecipient(recipient),
  Template: ({ template }) => template,
  Application: ({ applicationId }) => names.get(applicationId) ?? '',
  Finished: ({ finishedAt }) => isoTime(finishedAt),
  Reported: ({ reportedAt }) => isoTime(reportedAt),
  Failures: failuresOf,
  Sent: sentText,
  // The charge is not known if it is not known whether the message was sent.
  Charge: (message) => (sentText(message) === 'unknown' ? '' : totalCharge(message)),
  Currency: (message) => acceptedAttempt(message)?.price?.currency ?? currency,
  Test: (message) => (isTest(message) ? 'yes' : 'no'),
  Reference: ({ reference }) => reference ?? '',
});

type ExportModules = Modules<'applications' | 'clock' | 'messages' | 'otp' | 'providers'>;

export const exportPages = ({ applications, messages, otp, providers, clock }: ExportModules): PageRoute[] => [
  show('/messages/export', 'read', async ({ person, query }: Visit) => {
    const own = await applications.service.listInAccount(person.accountId);
    const columns = columnsFor(new Map(own.map(({ id, name }) => [id, name])), providers.routing.currency());
    const filter = createFilterOf({ clock, messages, otp })(parseQuery(query), person.accountId, own);
    async function* lines(): AsyncGenerator<string> {
      yield BYTE_ORDER_MARK + csvLine(Object.keys(columns));
      for await (const found of messages.lookup.all(filter))
        yield found.map((message) => csvLine(Object.values(columns).map((cell) => cell(message)))).join('');
    }
    return file(`passbell-messages-${utcDay(clock.now())}.csv`, 'text/csv; charset=utf-8', lines());
  }),
];
