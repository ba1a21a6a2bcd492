/** `/messages`: what the account's applications sent. */
import { PageHead } from '../components/page-head.js';
import { FieldError, filledIn, readForm, textOf, type FormState } from '../form.js';
import { act, fragment, page, redirect, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { askedIn, filterOf, isNarrowed, linkTo, placeIn, type Asked } from './filter.js';
import { formOf, Search, StateLinks } from './filters.js';
import { momentOf } from './local-time.js';
import { ListContent, markOf, MessageList, type ListProps } from './message-list.js';

/** Messages on a page: more than fit on a screen, few enough to be drawn at once. */
const PAGE_SIZE = 50;

const readMoment = (zone: string | undefined) => (text: string) => {
  const moment = momentOf(text, zone);
  if (text !== '' && moment === undefined) throw new FieldError('Enter a day and a time, such as 2026-01-31 15:04.');
  return moment;
};

export function listPages({ applications, messageLookup }: DashboardServices): readonly PageRoute[] {
  async function listOf({ person, query }: Visit, asked: Asked): Promise<ListProps> {
    const own = await applications.ofAccount(person.accountId);
    const after = placeIn(query);
    const found = await messageLookup.page(filterOf(asked, person.accountId, own, messageLookup), after, PAGE_SIZE);
    return { asked, page: found, applications: own, first: after === undefined, live: query.live !== 'off' };
  }

  function pageOf({ person }: Visit, list: ListProps, form: FormState = formOf(list.asked), status = 200) {
    const { asked } = list;
    const recipient = asked.who === undefined ? undefined : messageLookup.recipientIn(person.accountId, asked.who);
    // Nothing to look through yet.
    const blank = list.first && list.page.messages.length === 0 && asked.state === undefined && !isNarrowed(asked);
    return page(
      'Messages',
      <>
        <PageHead title="Messages" lead="Every code and notification, from the newest back to those of a month ago.">
          {!blank && (
            <a class="button subtle" href={linkTo('/messages/export', asked)} download>
              Export as CSV
            </a>
          )}
        </PageHead>
        {!blank && (
          <>
            <Search asked={asked} form={form} applications={list.applications} recipient={recipient} />
            <StateLinks asked={asked} />
          </>
        )}
        <MessageList {...list} />
      </>,
      status,
    );
  }

  /** Reads the form into an address, in which the recipient is sealed. */
  async function find(visit: Visit) {
    const { body, person } = visit;
    const texts = Object.fromEntries(Object.keys(body).map((name) => [name, textOf(body, name)]));
    const before = askedIn(texts);
    const read = readForm(
      {
        recipient: (text) => {
          if (text.trim() === '') return before.who;
          const name = messageLookup.nameRecipient(person.accountId, text);
          if (name === undefined)
            throw new FieldError('Enter a whole phone number with its country code, or an e-mail address.');
          return name;
        },
        channel: (text) => text,
        application: (text) => text,
        from: readMoment(before.zone),
        until: readMoment(before.zone),
      },
      body,
    );
    const { state, channel, application, who, zone } = before;
    if (!read.ok) {
      const asked = { state, channel, application, who, zone };
      return pageOf(
        visit,
        await listOf({ ...visit, query: {} }, asked),
        filledIn(read.state.typed, read.state.errors),
        422,
      );
    }
    const { recipient, from, until } = read.values;
    const timed = from !== undefined || until !== undefined;
    return redirect(
      linkTo('/messages', { state, channel, application, who: recipient, from, until, zone: timed ? zone : undefined }),
    );
  }

  return [
    show('/messages', 'read', async (visit: Visit) => {
      const list = await listOf(visit, askedIn(visit.query));
      if (visit.target !== 'message-list') return pageOf(visit, list);
      return visit.query.mark === markOf(list.page) ? fragment(null, 204) : fragment(<ListContent {...list} />);
    }),
    act('/messages/find', 'read', find),
  ];
}
