import { capitalized } from '../../platform/capitalized.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { ANY_COUNTRY } from '../../modules/providers/route.js';
import { countryName } from '../../modules/recipients/country.js';
import type { ProviderType } from '../../providers/provider-type.js';
import { CHANNEL_NAMES } from '../messages/labels.js';

export const CHANNELS_PATH = '/dashboard/channels';

/** The section of the channels page about the domains of senders. */
export const SENDER_DOMAINS_PATH = `${CHANNELS_PATH}#sender-domains`;

/** Labels the link to a provider type's documentation, which can be a guide of Passbell. */
export const helpLabel = (type: Pick<ProviderType, 'helpUrl'> | undefined): string =>
  type?.helpUrl?.startsWith('/') ? 'Read the guide' : "Read the provider's documentation";

export const providerPath = (id: string): string => `${CHANNELS_PATH}/providers/${id}`;

export const pricesPath = (channel: ChannelName): string => `${CHANNELS_PATH}/prices/${channel.toLowerCase()}`;

/** Id of the channel's section on the channels page. */
export const channelAnchor = (channel: ChannelName): string => `channel-${channel.toLowerCase()}`;

/** Name of the field for a country with a route of its own. A page has one for each channel. */
export const countryField = (channel: ChannelName): string => `country-${channel}`;

export const channelList = (channels: readonly ChannelName[]): string =>
  channels.map((channel) => CHANNEL_NAMES[channel]).join(', ');

/** Returns what a route is for, as in a sentence. `others`: whether the channel also has routes for specific countries. */
export function routeName(country: string, channel: ChannelName, others: boolean): string {
  if (country !== ANY_COUNTRY) return countryName(country);
  if (channel === 'EMAIL') return 'all recipients';
  return others ? 'all other countries' : 'all countries';
}

/** `the server rejected it` → `The server rejected it.` */
export function sentence(text: string): string {
  const capital = capitalized(text);
  return /[.!?]$/.test(capital) ? capital : `${capital}.`;
}

/** The page that adds a provider. */
export const TYPES_PATH = `${CHANNELS_PATH}/add`;

/** The provider types for a channel. */
export const typesPath = (channel: ChannelName): string =>
  `${TYPES_PATH}?${new URLSearchParams({ text: CHANNEL_NAMES[channel] })}`;
