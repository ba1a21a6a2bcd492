/** `/messages/export`: what the list shows, all of it, as a table for spreadsheets. */
import { shownState, type Message } from '../../modules/messages/message.js';
import { NO_CHARGE } from '../../modules/messages/price.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { csvLine, CSV_START } from '../csv.js';
import { file, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { askedIn, filterOf } from './filter.js';

const HEAD = [
  'Message',
  'Accepted',
  'State',
  'Channel',
  'To',
  'Template',
  'Application',
  'Finished',
  'Reported',
  'Failures',
  'Charge',
  'Currency',
];

const time = (ms: number | null): string => (ms === null ? '' : new Date(ms).toISOString());

function lineOf(message: Message, names: ReadonlyMap<number, string>, currency: string): string {
  const { id, createdAt, channel, recipient, template, applicationId, finishedAt, reportedAt, tried } = message;
  const failures = tried.filter(({ success }) => !success).map((attempt) => `${attempt.channel}: ${attempt.message}`);
  const price = tried.find(({ success }) => success)?.price;
  return csvLine([
    id,
    time(createdAt),
    shownState(message),
    channel,
    maskRecipient(recipient),
    template,
    names.get(applicationId) ?? '',
    time(finishedAt),
    time(reportedAt),
    failures.join('; '),
    price?.charge ?? NO_CHARGE,
    price?.currency ?? currency,
  ]);
}

export const exportPages = ({
  applications,
  messageLookup,
  clock,
  currency,
}: DashboardServices): readonly PageRoute[] => [
  show('/messages/export', 'read', async ({ person, query }: Visit) => {
    const own = await applications.ofAccount(person.accountId);
    const names = new Map(own.map(({ id, name }) => [id, name]));
    const filter = filterOf(askedIn(query), person.accountId, own, messageLookup);
    async function* lines(): AsyncGenerator<string> {
      yield CSV_START + csvLine(HEAD);
      for await (const messages of messageLookup.all(filter))
        yield messages.map((message) => lineOf(message, names, currency)).join('');
    }
    return file(`passbell-messages-${time(clock.now()).slice(0, 10)}.csv`, 'text/csv; charset=utf-8', lines());
  }),
];
