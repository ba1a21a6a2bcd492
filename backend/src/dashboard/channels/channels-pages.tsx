import { countryName } from '../../modules/recipients/country.js';
import { EditConflictError } from '../../modules/access/actor.js';
import { ProviderSettingsError } from '../../modules/providers/provider-account.js';
import { countryOf } from '../../modules/providers/price-list.js';
import { ANY_COUNTRY, routeProblem, type Route, type RouteEntry } from '../../modules/providers/route.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { versionOf } from '../../platform/crypto.js';
import {
  EMPTY_FORM,
  FieldError,
  filledForm,
  isCurrent,
  readForm,
  statusOf,
  textOf,
  type FormBody,
  type FormState,
} from '../form.js';
import type { Modules } from '../modules.js';
import { act, page, PageNotFound, redirect, show, type PageReply, type PageRoute, type Visit } from '../page.js';
import { createReadActivity } from './activity.js';
import { ChannelsPage } from './channels-view.js';
import { SenderDomainsCard } from './sender-domains-card.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { channelAnchor, CHANNELS_PATH, countryField, routeName, SENDER_DOMAINS_PATH, sentence } from './labels.js';
import {
  changedRoute,
  priceField,
  readChange,
  restoringFields,
  weightField,
  versioned,
  type RouteOrder,
} from './route-change.js';

const ROUTE_CONFLICT_TEXT =
  'Someone else changed this route while you were looking at it. Nothing was saved. Check the order, and try again.';

const NO_ROUTE: RouteOrder = { mode: 'ordered', entries: [] };

function parseCountry(text: string): string {
  const code = countryOf(text);
  if (code === undefined || code === ANY_COUNTRY)
    throw new FieldError('Enter a country such as India, or its two-letter code IN.');
  return code;
}

const parseChannel = (text: string): ChannelName => {
  const channel = CHANNELS.find((name) => name === text);
  if (!channel) throw new PageNotFound();
  return channel;
};

/** Returns the form with an error at each weight or price that is not valid; undefined if all are valid. */
function rejectedNumbers(route: Omit<Route, 'accountId'>, body: FormBody): FormState | undefined {
  const { channel, country, mode, entries } = route;
  const problem = routeProblem(route);
  if (problem === undefined) return undefined;
  const fieldOf = mode === 'automatic' ? priceField : weightField;
  const names = entries.map(({ provider }) => fieldOf(provider));
  const isWrong = (entry: RouteEntry) => routeProblem({ ...route, entries: [entry] }) === problem;
  return filledForm(
    { channel, country, ...Object.fromEntries(names.map((name) => [name, textOf(body, name)])) },
    Object.fromEntries(entries.filter(isWrong).map(({ provider }) => [fieldOf(provider), sentence(problem)])),
  );
}

/** Returns what was changed in a route: `Twilio was removed from SMS, all other countries.` */
function changeText(kind: string, name: string, country: string, route: string): string {
  switch (kind) {
    case 'up':
    case 'down':
      return `${name} was moved ${kind} in ${route}.`;
    case 'remove':
      return `${name} was removed from ${route}.`;
    case 'add':
      return `${name} was added to ${route}.`;
    case 'automatic':
      return `The best provider is now chosen automatically: ${route}.`;
    case 'ordered':
      return `The providers now have a fixed order: ${route}.`;
    case 'reset':
      return `${country === ANY_COUNTRY ? 'The default order was restored' : 'The route was removed'}: ${route}.`;
    case 'restore':
      return `The route was restored: ${route}.`;
    default:
      return `The ${kind} were saved: ${route}.`;
  }
}

export function channelsPages(
  core: Modules<'applications' | 'clock' | 'fraud' | 'messages' | 'otp' | 'providers' | 'senderDomains'>,
): readonly PageRoute[] {
  const { applications, providers, senderDomains, clock } = core;
  const readActivity = createReadActivity(core);

  /** Throws {@link PageNotFound} unless the account may have its own providers. */
  async function overview({ actor, person }: Visit) {
    if (!(await providers.service.isAllowed(person.accountId))) throw new PageNotFound();
    return providers.channels.list(actor, person.accountId);
  }

  async function list(visit: Visit, form: FormState = EMPTY_FORM): Promise<PageReply> {
    const { actor, person } = visit;
    const { accountId } = person;
    const found = await overview(visit);
    const types = await providers.service.typesFor(accountId);
    const stored = await providers.prices.list(actor, accountId);
    const all = await applications.service.listInAccount(accountId);
    const view = (
      <ChannelsPage
        {...found}
        applications={all}
        prices={stored}
        types={types}
        form={form}
        {...await readActivity(all)}
      >
        <SenderDomainsCard domains={await senderDomains.list(actor, accountId)} now={clock.now()} />
      </ChannelsPage>
    );
    return page('Channels', view, statusOf(form));
  }

  /** Without entries, the route is removed. */
  interface RouteChange extends Omit<Route, 'accountId'> {
    readonly isExpected: (stored: Route) => boolean;
  }

  /** Stores a route. The notice has a button that restores the route of `before`. */
  async function store(
    { actor, person }: Visit,
    before: RouteOrder,
    change: RouteChange,
    notice: string,
  ): Promise<PageReply> {
    const { accountId } = person;
    const { isExpected, ...route } = change;
    const { channel, country, mode, entries } = route;
    const back = `${CHANNELS_PATH}#${channelAnchor(channel)}`;
    try {
      if (entries.length === 0) await providers.routes.remove(actor, accountId, channel, country);
      else await providers.routes.set(actor, { accountId, ...route }, isExpected);
    } catch (error) {
      if (error instanceof EditConflictError) return redirect(back, { problem: ROUTE_CONFLICT_TEXT });
      if (error instanceof ProviderSettingsError)
        return redirect(back, { problem: `Nothing was saved. ${sentence(error.message)}` });
      throw error;
    }
    const version = versionOf(versioned(entries.length === 0 ? NO_ROUTE : { mode, entries }));
    const fields = { channel, country, version, ...restoringFields(before) };
    return redirect(back, { notice, undo: { action: `${CHANNELS_PATH}/routes`, fields } });
  }

  async function changeRoute(visit: Visit): Promise<PageReply> {
    const { body } = visit;
    const channel = parseChannel(textOf(body, 'channel'));
    const country = textOf(body, 'country');
    const readField = (name: string) => textOf(body, name);
    const change = readChange(readField);
    const { channels, providers: all } = await overview(visit);
    const view = channels.find((candidate) => candidate.channel === channel);
    const found = view?.routes.find((candidate) => candidate.country === country);
    // Only an Undo button can restore a route that was removed.
    const route = found ?? (change.kind === 'restore' ? { ...NO_ROUTE, stored: undefined } : undefined);
    const isExpected = (stored: RouteOrder) => isCurrent(body, versioned(stored));
    const before = route && { mode: route.mode, entries: route.stored ?? [] };
    if (!before || !isExpected(before)) return redirect(CHANNELS_PATH, { problem: ROUTE_CONFLICT_TEXT });
    const changed = changedRoute(route, change, readField);
    if (!changed) throw new PageNotFound();
    const next = { channel, country, ...changed, isExpected };
    if (change.kind === 'weights' || change.kind === 'prices') {
      const form = rejectedNumbers(next, body);
      if (form) return list(visit, form);
    }
    const name = all.find(({ id }) => id === change.provider)?.name ?? '';
    const title = `${CHANNEL_NAMES[channel]}, ${routeName(country, channel, view !== undefined && view.routes.length > 1)}`;
    return store(visit, before, next, changeText(change.kind, name, country, title));
  }

  async function addCountry(visit: Visit): Promise<PageReply> {
    const { body } = visit;
    const channel = parseChannel(textOf(body, 'channel'));
    const field = countryField(channel);
    const read = readForm({ [field]: parseCountry }, body);
    if (!read.ok) return list(visit, read.state);
    const country = read.values[field]!;
    const provider = textOf(body, `provider-${channel}`);
    const view = (await overview(visit)).channels.find((candidate) => candidate.channel === channel);
    if (view?.routes.some((route) => route.country === country)) {
      const text = `There is already a route for ${countryName(country)} under ${CHANNEL_NAMES[channel]}.`;
      return list(visit, { ...read.state, errors: { [field]: text } });
    }
    const isExpected = ({ entries }: Route) => entries.length === 0;
    const added = { channel, country, mode: 'ordered', entries: [{ provider }] } as const;
    const notice = `${countryName(country)} was added to ${CHANNEL_NAMES[channel]}.`;
    return store(visit, NO_ROUTE, { ...added, isExpected }, notice);
  }

  async function checkDomains(visit: Visit): Promise<PageReply> {
    await overview(visit);
    await senderDomains.checkAgain(visit.actor, visit.person.accountId);
    return redirect(SENDER_DOMAINS_PATH);
  }

  return [
    show('/channels', 'read', (visit) => list(visit)),
    act('/channels/routes', 'putRoute', changeRoute),
    act('/channels/domains', 'read', checkDomains),
    act('/channels/countries', 'putRoute', addCountry),
  ];
}
