/** Pages below `/messages`: the account's message list, its CSV export, and a page for each message. */
import { PageHead } from '../components/page-head.js';
import { FieldError, filledForm, readForm, textOf, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import type { MessageFilter } from '../../modules/messages/message-filter.js';
import { ruleOfHint } from '../../modules/fraud/fraud-texts.js';
import { refusalsStart } from '../../modules/fraud/refusal-counts.js';
import { isLost, type Message, type VisibleState } from '../../modules/messages/message.js';
import { act, fragment, page, redirect, show, type PageRoute, type Visit } from '../page.js';
import { detailPages } from './detail.js';
import { exportPages } from './export.js';
import { createFilterOf, inState, isFiltered, parsePosition, parseQuery, urlOf, type MessageQuery } from './filter.js';
import {
  formOf,
  MAX_COUNT,
  MessageFilters,
  listedText,
  SearchForm,
  StateLinks,
  type StateCount,
  type StateCounts,
} from './filters.js';
import { hasReasons, STATE_LABELS } from './labels.js';
import { createRefusedCost } from '../protection/refused-cost.js';
import { moneyText, total } from '../usage/figures.js';
import { MINUTE } from '../../platform/clock.js';
import { localDay, UTC } from '../../platform/local-day.js';
import { timestampOf } from '../../platform/local-time.js';
import { ListContent, ListTools, MessageList, versionOfPage, type ListProps } from './message-list.js';
import { createEnteredLater, createGroupByReason, type ReasonGroup, type RefusedCounts } from './group-by-reason.js';
import { hasAlarm, peopleHead, ReasonGroups, type ReasonGroupsProps } from './reason-groups.js';
import { inPlace, placeOf, reasonOfAll } from './reasons.js';
import { createUndeliveredShare } from './undelivered-share.js';

const PAGE_SIZE = 50;
/** Number of the newest messages that are grouped by their reasons. Reading more would delay the page. */
const MAX_GROUPED = 500;
const MAX_REFERENCE_LENGTH = 64;

const readTime = (zone: string | undefined) => (text: string) => {
  const ms = timestampOf(text, zone);
  if (text !== '' && ms === undefined) throw new FieldError('Enter a date and a time, such as 2026-01-31 15:04.');
  return ms;
};

function readReference(text: string): string | undefined {
  if (text.length > MAX_REFERENCE_LENGTH)
    throw new FieldError(`Enter a reference of at most ${MAX_REFERENCE_LENGTH} characters.`);
  return text.trim() || undefined;
}

type MessagesModules = Modules<
  'applications' | 'clock' | 'endUsers' | 'fraud' | 'messages' | 'otp' | 'providers' | 'usage'
>;

/** Estimates what refused messages would have cost: `32.62 USD`; "" if the price is unknown. */
function createSavedText({ routing }: MessagesModules['providers']) {
  const refusedCost = createRefusedCost(routing);
  return function savedText(groups: readonly ReasonGroup[]): string {
    const costs = groups.map(({ application, messages: [newest], count }) => {
      const rule = ruleOfHint(newest!.refusal?.hint);
      return rule ? refusedCost(application.id, { rule, country: placeOf(newest!), messages: count }) : 0;
    });
    return total(costs) > 0 ? moneyText(total(costs), routing.currency()) : '';
  };
}

type LoadedList = Omit<ListProps, 'listed'>;

/** Returns the number of listed messages that are older than the recent ones; Infinity if they are too many to count. */
const olderThan = (recent: readonly Message[], { count, isCapped }: StateCount): number =>
  isCapped ? Infinity : count - recent.length;

function listPages(core: MessagesModules): readonly PageRoute[] {
  const { applications, fraud, otp, clock } = core;
  const { lookup } = core.messages;
  const groupByReason = createGroupByReason(core);
  const undeliveredShare = createUndeliveredShare(core);
  const enteredLater = createEnteredLater(core);
  const savedText = createSavedText(core.providers);
  const filterOf = createFilterOf(core);
  const codesOf = (messages: readonly Message[]) =>
    otp.service.areEntered(
      messages.map(({ maskId, id }) => maskId || id),
      clock.now(),
    );

  async function load({ person, query: urlQuery }: Visit, query: MessageQuery): Promise<LoadedList> {
    const own = await applications.service.listInAccount(person.accountId);
    const after = parsePosition(urlQuery);
    const filter = filterOf(query, person.accountId, own);
    const found = await lookup.page(filter, after, PAGE_SIZE);
    const codes = await codesOf(found.messages);
    const later = await enteredLater(found.messages.filter(isLost));
    return {
      query,
      page: found,
      codes,
      later,
      applications: own,
      first: after === undefined,
      live: urlQuery.live !== 'off',
    };
  }

  /**
   * Counts the messages of each state. For a country, only finds out which states the messages to all countries have,
   * because counting the messages to one would read too many.
   */
  async function countStates(
    { country, ...query }: MessageQuery,
    accountId: number,
    own: ListProps['applications'],
    unlisted: number,
  ): Promise<StateCounts> {
    const states = Object.keys(STATE_LABELS) as VisibleState[];
    const limit = country === undefined ? MAX_COUNT : 1;
    const counts = states.map(async (state) => {
      const listed = await lookup.count(filterOf(inState(query, state), accountId, own), limit);
      return [state, { count: listed + (state === 'refused' ? unlisted : 0), isCapped: listed === limit }] as const;
    });
    return new Map(await Promise.all(counts));
  }

  /**
   * Counts the messages that the fraud guard refused in the last 7 days, by application, rule and country, including messages
   * that it did not store. `counts`: undefined if the query has other filters.
   */
  async function countRefused(query: MessageQuery, own: ListProps['applications']): Promise<RefusedCounts> {
    const { application, country, rule, from = 0, until = Infinity } = query;
    const others = { ...query, application: undefined, country: undefined, rule: undefined, reason: undefined };
    const since = Math.max(from, refusalsStart(clock.now(), own[0]?.timeZone ?? UTC));
    if (isFiltered({ ...others, from: undefined, until: undefined })) return { since, counts: undefined };
    const chosen = own.filter(({ appKey }) => application === undefined || appKey === application);
    const counted = chosen.map(async ({ id: applicationId }) => {
      const all = await fraud.refusedBetween(applicationId, since, until + MINUTE);
      return all
        .filter((one) => (country ?? one.country) === one.country && (rule ?? one.rule) === one.rule)
        .map((one) => ({ ...one, applicationId }));
    });
    return { since, counts: (await Promise.all(counted)).flat() };
  }

  /** Counts the messages that the fraud guard refused, but did not store. 0 for a country, whose messages are not counted. */
  async function countUnlisted(filter: MessageFilter, { since, counts }: RefusedCounts): Promise<number> {
    if (!counts || filter.country !== undefined) return 0;
    const all = total(counts.map(({ messages }) => messages));
    if (all === 0) return 0;
    const byGuard = { ...filter, refusalText: filter.refusalText ?? 'FRAUD_SUSPECTED', from: since };
    return all - (await lookup.count(byGuard, all));
  }

  /** Counts the messages of each state, and the refused ones by reason. */
  async function countAll({ query, applications: own }: LoadedList, accountId: number) {
    const ofRefused = inState(query, 'refused');
    const refused = await countRefused(ofRefused, own);
    const unlisted = await countUnlisted(filterOf(ofRefused, accountId, own), refused);
    const counts = await countStates(query, accountId, own, unlisted);
    const listed = query.state === 'refused' ? listedText(counts.get('refused')!, unlisted) : '';
    return { refused, counts, listed };
  }

  /** Groups the messages on the first page and, if there are more, those that follow; undefined without reasons. */
  async function reasons(
    { query, page: firstPage, applications: own }: LoadedList,
    accountId: number,
    { refused, counts, listed }: Awaited<ReturnType<typeof countAll>>,
  ): Promise<ReasonGroupsProps | undefined> {
    const { state } = query;
    if (!hasReasons(state) || firstPage.messages.length === 0) return undefined;
    const filter = filterOf(query, accountId, own);
    const { messages, next } = firstPage.next ? await lookup.page(filter, undefined, MAX_GROUPED) : firstPage;
    const isUndelivered = state === 'undelivered';
    const isWhole = isUndelivered && !isFiltered({ ...query, application: undefined });
    const share = isWhole ? await undeliveredShare(accountId, filter.applicationIds) : undefined;
    const codes = isUndelivered ? await codesOf(messages) : new Map<string, boolean>();
    const isEntered = ({ maskId, id }: Message) => codes.get(maskId || id) === true;
    const group = (some: readonly Message[]) => groupByReason(some, own, refused, isEntered);
    const recent = share?.isUsual === false ? messages.filter(({ createdAt }) => createdAt >= share.since) : [];
    const ofRecent = await group(recent);
    const isAlarming = hasAlarm(ofRecent);
    const isPart = isAlarming && recent.length < messages.length;
    const groups = isAlarming ? ofRecent : await group(messages);
    return {
      query: { ...query, state },
      groups,
      newestOnly: next && !isPart ? messages.length : undefined,
      saved: state === 'refused' ? savedText(groups) : '',
      isComplete: refused.counts !== undefined,
      listed,
      share,
      isAlarming,
      older: isPart ? olderThan(recent, counts.get(state)!) : 0,
    };
  }

  async function listPage(
    { person, may, now, timeZone }: Visit,
    list: LoadedList,
    form: FormState = formOf(list.query),
    status = 200,
  ) {
    const { query, applications: own } = list;
    const { sealedRecipient: sealed } = query;
    const [newest] = list.page.messages;
    const recipient = sealed && lookup.openRecipient(person.accountId, sealed);
    // Hides the filters if the account has no messages yet.
    const blank = list.first && list.page.messages.length === 0 && query.state === undefined && !isFiltered(query);
    const counted = await countAll(list, person.accountId);
    const groups = list.first ? await reasons(list, person.accountId, counted) : undefined;
    const search = {
      query,
      form,
      applications: own,
      recipient,
      reason: newest && inPlace(reasonOfAll(list.page.messages), newest),
    };
    const people = groups && peopleHead(groups, now, timeZone);
    const { title, lead } = people ?? {
      title: 'Messages',
      lead: 'Last 30 days.',
    };
    return page(
      title,
      <>
        {people && (
          <p class="crumbs">
            <a href="/dashboard/messages">Messages</a>
          </p>
        )}
        <PageHead title={title} lead={`${lead} Times are in ${timeZone}.`} />
        {people ? <MessageFilters {...search} /> : !blank && <SearchForm {...search} />}
        <div class="list-bar">
          {!people && !blank && <StateLinks query={query} counts={counted.counts} />}
          <ListTools {...list} />
        </div>
        {groups && <ReasonGroups {...groups} />}
        <MessageList {...list} listed={counted.listed} />
        {may('own') && (
          <p class="quiet small">
            Did someone ask you to delete their data? <a href="/dashboard/recipients/erase">Erase a recipient</a>
          </p>
        )}
      </>,
      status,
    );
  }

  async function list(visit: Visit) {
    const props = await load(visit, parseQuery(visit.query));
    if (visit.target !== 'message-list') return listPage(visit, props);
    if (visit.query.mark === versionOfPage(props, localDay(visit.now, visit.timeZone))) return fragment(null, 204);
    const listed = props.query.state === 'refused' ? (await countAll(props, visit.person.accountId)).listed : '';
    return fragment(<ListContent {...props} listed={listed} />);
  }

  async function search(visit: Visit) {
    const { body, person } = visit;
    const texts = Object.fromEntries(Object.keys(body).map((name) => [name, textOf(body, name)]));
    // `parseQuery` cannot parse the submitted times, because they have the format of `datetime-local` fields.
    const { state, channel, application, sealedRecipient, country, rule, zone } = parseQuery(texts);
    const query = { state, channel, application, sealedRecipient, country, rule, zone };
    // After an error, no filter of the visible fields applies.
    const unfiltered = { state, sealedRecipient, country, rule };
    const read = readForm(
      {
        recipient: (text) => {
          if (text.trim() === '') return sealedRecipient;
          const sealed = lookup.sealRecipient(person.accountId, text);
          if (sealed === undefined)
            throw new FieldError('Enter a complete phone number with its country code, or an email address.');
          return sealed;
        },
        channel: (text) => text,
        application: (text) => text,
        reference: readReference,
        from: readTime(zone),
        until: readTime(zone),
      },
      body,
    );
    const fail = async ({ typed, errors }: FormState) =>
      listPage(visit, await load({ ...visit, query: {} }, unfiltered), filledForm(typed, errors), 422);
    if (!read.ok) return fail(read.state);
    const { recipient, reference, from, until } = read.values;
    if (from !== undefined && until !== undefined && from > until)
      return fail({ ...read.state, errors: { until: 'Enter a time that is later than “From”.' } });
    const hasTime = from !== undefined || until !== undefined;
    const filters = { ...query, sealedRecipient: recipient, reference, from, until, zone: hasTime ? zone : undefined };
    return redirect(urlOf('/messages', filters));
  }

  return [show('/messages', 'read', list), act('/messages/find', 'read', search)];
}

/** The route `/messages/export` must come before `/messages/:id`, which also matches it. */
export const messagesPages = (core: MessagesModules): readonly PageRoute[] => [
  ...listPages(core),
  ...exportPages(core),
  ...detailPages(core),
];
