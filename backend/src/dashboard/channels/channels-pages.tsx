import { countryName } from '../../modules/recipients/country.js';
import { EditConflictError } from '../../modules/access/actor.js';
import { ProviderSettingsError } from '../../modules/providers/provider-account.js';
import { countryOf } from '../../modules/providers/price-list.js';
import { ANY_COUNTRY, type Route } from '../../modules/providers/route.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { EMPTY_FORM, FieldError, isCurrent, readForm, statusOf, textOf, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import { act, page, PageNotFound, redirect, show, type PageReply, type PageRoute, type Visit } from '../page.js';
import { ChannelsPage } from './channels-view.js';
import { SenderDomainsCard } from './sender-domains-card.js';
import { CHANNEL_NAMES } from '../messages/labels.js';
import { channelAnchor, CHANNELS_PATH, countryField, SENDER_DOMAINS_PATH, sentence } from './labels.js';
import { changedRoute, versioned } from './route-change.js';

const ROUTE_CONFLICT_TEXT =
  'Someone else changed this route while you were looking at it. Nothing was saved. Check the order, and try again.';

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

export function channelsPages({
  providers,
  senderDomains,
  clock,
}: Modules<'clock' | 'providers' | 'senderDomains'>): readonly PageRoute[] {
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
    const view = (
      <ChannelsPage {...found} prices={stored} types={types} form={form}>
        <SenderDomainsCard domains={await senderDomains.list(actor, accountId)} now={clock.now()} />
      </ChannelsPage>
    );
    return page('Channels', view, statusOf(form));
  }

  /** Without entries, the route is removed. */
  interface RouteChange extends Omit<Route, 'accountId'> {
    readonly isExpected: (stored: Route) => boolean;
  }

  async function store({ actor, person }: Visit, { isExpected, ...route }: RouteChange): Promise<string> {
    const { accountId } = person;
    const { channel, country, entries } = route;
    const name = `${CHANNEL_NAMES[channel]} route${country === ANY_COUNTRY ? '' : ` for ${countryName(country)}`}`;
    try {
      if (entries.length === 0) await providers.routes.remove(actor, accountId, channel, country);
      else await providers.routes.set(actor, { accountId, ...route }, isExpected);
      return `${name} ${entries.length === 0 ? 'removed' : 'saved'}.`;
    } catch (error) {
      if (error instanceof EditConflictError) return ROUTE_CONFLICT_TEXT;
      if (error instanceof ProviderSettingsError) return `Nothing was saved. ${sentence(error.message)}`;
      throw error;
    }
  }

  async function changeRoute(visit: Visit): Promise<PageReply> {
    const { body } = visit;
    const channel = parseChannel(textOf(body, 'channel'));
    const country = textOf(body, 'country');
    const view = (await overview(visit)).channels.find((candidate) => candidate.channel === channel);
    const route = view?.routes.find((candidate) => candidate.country === country);
    const change = textOf(body, 'change');
    const isExpected = (stored: Pick<Route, 'mode' | 'entries'>) => isCurrent(body, versioned(stored));
    if (!route || !isExpected({ mode: route.mode, entries: route.stored ?? [] }))
      return redirect(CHANNELS_PATH, { notice: ROUTE_CONFLICT_TEXT });
    const changed = changedRoute(route, change, (name) => textOf(body, name));
    if (!changed) throw new PageNotFound();
    const notice = await store(visit, { channel, country, ...changed, isExpected });
    return redirect(`${CHANNELS_PATH}#${channelAnchor(channel)}`, { notice });
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
      const text = `${CHANNEL_NAMES[channel]} already has a route for ${countryName(country)}.`;
      return list(visit, { ...read.state, errors: { [field]: text } });
    }
    const isExpected = ({ entries }: Route) => entries.length === 0;
    const added = { channel, country, mode: 'ordered', entries: [{ provider }] } as const;
    const notice = await store(visit, { ...added, isExpected });
    return redirect(`${CHANNELS_PATH}#${channelAnchor(channel)}`, { notice });
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
