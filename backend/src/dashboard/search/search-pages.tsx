/**
 * The page `/search`: finds the messages to a recipient, with a reference or about an order, a message, an application, or
 * a place in the dashboard. Searches are posted, because browser histories and logs store URLs, and the text can be a recipient.
 */
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import type { Message } from '../../modules/messages/message.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { templateLabel } from '../../modules/templates/template.js';
import { localDay, startOfLocalDay } from '../../platform/local-day.js';
import { shopLabel, shopPath } from '../automations/labels.js';
import { LOG_ID } from '../automations/log-view.js';
import { channelList, providerPath, TYPES_PATH } from '../channels/labels.js';
import { PageHead } from '../components/page-head.js';
import { MAX_RESULTS, Results, SearchForm, RESULTS_ID, type Result } from '../components/search.js';
import { textOf } from '../form.js';
import { urlOf } from '../messages/filter.js';
import { stateLabelOf } from '../messages/labels.js';
import { NAVIGATION, shownGroups } from '../navigation.js';
import type { Modules } from '../modules.js';
import { act, fragment, page, show, type PageRoute, type Visit } from '../page.js';
import {
  AUDIT_PLACES,
  ERASE_PLACE,
  GENERAL_PLACES,
  messageFilters,
  PAGE_WORDS,
  placesOfApplication,
  placesOfCountries,
  CHANNEL_PLACES,
  type Place,
} from './places.js';
import { rankPlaces } from './rank.js';
import { pathOf } from '../applications/parts.js';
import { createIsKnown } from '../users/users-pages.js';
import { usersPath } from '../users/users-view.js';

/** Leaves room for orders with the same digits. */
const MAX_PEOPLE = 5;
/** The length of the column. */
const MAX_ORDER_NUMBER = 100;

/** The pages that the search shows before a person types. */
const USUAL_PATHS = ['/templates', '/protection', '/settings', '/connect'];

type SearchModules = Modules<'applications' | 'automations' | 'endUsers' | 'messages' | 'otp' | 'providers'>;

/** The texts that a caller can choose as a request ID, and generated ones. All contain a digit, unlike most words. */
const REQUEST_ID = /^(?=.*\d)[\w.-]{8,36}$/;

/** The last digits of a number, or a complete number without its `+`. */
const LAST_DIGITS = /^\d{4,15}$/;

const RECIPIENTS = 'Recipients and messages';

const resultOf = ({ id, recipient }: Message, about = id): Result => ({
  label: `Message to ${maskRecipient(recipient)}`,
  about,
  group: RECIPIENTS,
  href: `/dashboard/messages/${id}`,
});

export function searchPages(core: SearchModules): readonly PageRoute[] {
  const { applications, automations, providers, endUsers, messages, otp } = core;
  const isKnown = createIsKnown(endUsers.service, messages.lookup);

  /** Finds a message by its own ID, the ID of its code, or the ID of its request. */
  async function findMessage(ids: readonly number[], text: string): Promise<Message | undefined> {
    const messageId = (await otp.service.messageIdOf(ids, text)) ?? text;
    const message = await messages.lookup.find(ids, messageId);
    return message ?? (REQUEST_ID.test(text) ? messages.lookup.findByRequestId(ids, text) : undefined);
  }

  /** Finds the messages about an order of a connected shop; the shop, if nothing was sent. */
  async function findOrder({ actor, may }: Visit, all: readonly Application[], text: string): Promise<Result[]> {
    if (!may('own') || text.length > MAX_ORDER_NUMBER) return [];
    const events = await automations.service.ofOrder(actor, all, text);
    const sent = new Set(events.flatMap(({ results }) => results.flatMap(({ messageId }) => messageId ?? [])));
    const ids = all.map(({ id }) => id);
    const found = await Promise.all([...sent].slice(0, MAX_RESULTS).map((id) => messages.lookup.find(ids, id)));
    const about = ({ template }: Message) => `Order ${text}: ${templateLabel(template)}`;
    const results = found
      .filter((message) => message !== undefined)
      .map((message) => resultOf(message, about(message)));
    if (results.length > 0 || events.length === 0) return results;
    const application = all.find(({ id }) => id === events[0]!.applicationId)!;
    const shop = (await automations.service.list(application)).find(({ id }) => id === events[0]!.shopId);
    if (!shop) return [];
    const href = `${shopPath(application, shop)}#${LOG_ID}`;
    return [
      {
        label: `Order ${text}: nothing was sent`,
        about: `${shopLabel(shop)}, ${application.name}`,
        group: RECIPIENTS,
        href,
      },
    ];
  }

  async function resultsOfPerson(
    accountId: number,
    all: readonly Application[],
    address: string,
  ): Promise<readonly Result[]> {
    const known = await Promise.all(all.map((application) => isKnown(application, address)));
    return [
      messagesResult(accountId, address),
      ...all
        .filter((_application, n) => known[n])
        .map((application) => ({
          label: `End user ${maskRecipient(address)}`,
          about: application.name,
          group: RECIPIENTS,
          href: `${usersPath(application)}/${endUsers.service.referenceTo(application, address)}`,
        })),
    ];
  }

  function messagesResult(accountId: number, address: string): Result {
    const sealedRecipient = messages.lookup.sealRecipient(accountId, address)!;
    return {
      label: `Messages to ${maskRecipient(address)}`,
      about: 'All applications',
      group: RECIPIENTS,
      href: urlOf('/messages', { sealedRecipient }),
    };
  }

  /** Finds people by their address or by the last digits of their number, or a message. */
  async function findPeople(accountId: number, all: readonly Application[], text: string): Promise<readonly Result[]> {
    const ids = all.map(({ id }) => id);
    const ending = LAST_DIGITS.test(text) ? await messages.lookup.recipientsEndingIn(ids, text) : [];
    if (ending.length > 1) return messagesToEach(accountId, all, ending.slice(0, MAX_PEOPLE));
    if (ending.length === 1) return resultsOfPerson(accountId, all, ending[0]!);
    const sealedRecipient = messages.lookup.sealRecipient(accountId, text);
    if (sealedRecipient !== undefined)
      return resultsOfPerson(accountId, all, messages.lookup.openRecipient(accountId, sealedRecipient)!);
    const message = await findMessage(ids, text);
    return message ? [resultOf(message)] : [];
  }

  async function findUser(all: readonly Application[], text: string): Promise<Result[]> {
    if (!text.startsWith('USR-')) return [];
    const found = all.map(async (application) => {
      const reference = await endUsers.service.find(application, text);
      if (reference === undefined) return [];
      const label = `End user ${maskRecipient(endUsers.service.addressOf(application, reference)!)}`;
      return [{ label, about: application.name, group: RECIPIENTS, href: `${usersPath(application)}/${reference}` }];
    });
    return (await Promise.all(found)).flat();
  }

  /** Finds the messages to numbers that end with these digits, and shows the state of the newest message to each. */
  async function messagesToEach(accountId: number, all: readonly Application[], addresses: readonly string[]) {
    const applicationIds = all.map(({ id }) => id);
    return Promise.all(
      addresses.map(async (address) => {
        const { messages: newest } = await messages.lookup.page({ applicationIds, recipient: address }, undefined, 1);
        const result = messagesResult(accountId, address);
        return newest[0] ? { ...result, about: `Latest message: ${stateLabelOf(newest[0]).name}` } : result;
      }),
    );
  }

  async function findReference(all: readonly Application[], reference: string): Promise<Result[]> {
    const applicationIds = all.map(({ id }) => id);
    const { messages: found } = await messages.lookup.page({ applicationIds, reference }, undefined, 1);
    const href = urlOf('/messages', { reference });
    return found.length === 0
      ? []
      : [{ label: `Messages with the reference ${reference}`, about: 'All applications', group: RECIPIENTS, href }];
  }

  async function providerPlaces({ actor, may, person }: Visit): Promise<Place[]> {
    const { accountId } = person;
    const installed = (await providers.service.list(actor, accountId)).map(({ id, name, channels }) => {
      return { label: name, about: `Provider: ${channelList(channels)}`, group: 'Channels', href: providerPath(id) };
    });
    const types = may('own') ? await providers.service.typesFor(accountId) : [];
    const available = types.map(({ name, title, channels }) => {
      return {
        label: `Set up ${title}`,
        about: channelList(channels),
        group: 'Channels',
        href: `${TYPES_PATH}/${name}`,
        words: 'provider',
      };
    });
    return [...CHANNEL_PLACES, ...installed, ...available];
  }

  async function find(visit: Visit, text: string): Promise<readonly Result[]> {
    const { accountId } = visit.person;
    const all = await applications.service.listInAccount(accountId);
    const hasProviders = await providers.service.isAllowed(accountId);
    const groups = shownGroups(NAVIGATION, visit.may, hasProviders);
    const pages: Place[] = groups.flatMap(({ entries }) =>
      entries.map(({ label, path }) => ({
        label,
        about: 'Account',
        group: 'Pages',
        href: `/dashboard${path}`,
        words: PAGE_WORDS[path] ?? '',
      })),
    );
    const timeZone = await applications.profiles.timeZoneOf(accountId);
    const filters = messageFilters(startOfLocalDay(localDay(visit.now, timeZone), timeZone));
    const chosen = all.find(({ appKey }) => appKey === visit.lastAppKey);
    const searched = chosen ? [chosen] : all;
    // Other applications are found only by their first page, unless the text contains their name.
    const ofApplications = all.map((application) => {
      const places = placesOfApplication(application, visit);
      const isSearched = searched.includes(application) || text.toLowerCase().includes(application.name.toLowerCase());
      return isSearched ? places : places.filter(({ href }) => href === pathOf(application));
    });
    if (text === '') {
      const usual = (searched[0] ? placesOfApplication(searched[0], visit) : []).filter(({ href }) =>
        USUAL_PATHS.some((path) => href.endsWith(path)),
      );
      const failures = filters.filter(({ href }) => /state=(?:failed|refused)(?:$|&)/.test(href)).slice(0, 4);
      return [...pages.slice(0, 2), ...failures, ...usual];
    }
    const places = [
      ...pages,
      ...ofApplications.flat(),
      ...filters,
      ...(hasProviders ? await providerPlaces(visit) : []),
      ...(visit.may('own') ? [ERASE_PLACE, ...(/\bwho\b/i.test(text) ? AUDIT_PLACES : [])] : []),
      ...GENERAL_PLACES,
    ];
    return [
      ...(await findPeople(accountId, all, text)),
      ...(await findUser(all, text)),
      ...(await findReference(all, text)),
      ...(await findOrder(visit, all, text)),
      ...placesOfCountries(text, searched, hasProviders),
      ...rankPlaces(text, places),
    ];
  }

  async function search(visit: Visit) {
    const text = textOf(visit.body, 'text').trim();
    const results = <Results text={text} results={await find(visit, text)} />;
    return visit.target === RESULTS_ID ? fragment(results) : searchPage(text, results);
  }

  return [
    show('/search', 'read', async (visit) => searchPage('', <Results text="" results={await find(visit, '')} />)),
    act('/search', 'read', search),
  ];
}

const searchPage = (text: string, results: ComponentChildren) =>
  page(
    'Search',
    <>
      <PageHead title="Search" />
      <div class="card">
        <SearchForm text={text}>{results}</SearchForm>
      </div>
    </>,
  );
