/** An application as the other modules see it, and the settings an operator gives it. */
import { CHANNELS, type ChannelName } from '../../channels/channel.js';
import { DEFAULT_LIMITS, type ApplicationLimits } from '../../limits.js';

export type ApplicationStatus = 'active' | 'inactive';
export type AccountStatus = 'active' | 'inactive' | 'blocked';

export interface ApplicationSettings {
  /** Origins, hosts, `*.host`, addresses or CIDRs that may call; empty lets every caller in. */
  readonly authorizedEndpoints: readonly string[];
  /** Order in which channels are tried for a phone number when the caller names none. */
  readonly channels: readonly ChannelName[];
  /** ISO 3166 country codes that may be sent to; empty allows all. */
  readonly countries: readonly string[];
  /** Recipients with a fixed code; nothing is sent to them. */
  readonly testRecipients: Readonly<Record<string, string>>;
  /** Language of messages whose request names none that is spoken; "" takes the service's. */
  readonly language: string;
  readonly limits: ApplicationLimits;
}

export const DEFAULT_SETTINGS: ApplicationSettings = {
  authorizedEndpoints: [],
  channels: CHANNELS.filter((channel) => channel !== 'EMAIL'),
  countries: [],
  testRecipients: {},
  language: '',
  limits: DEFAULT_LIMITS,
};

export interface Application {
  readonly id: number;
  readonly name: string;
  readonly appKey: string;
  readonly status: ApplicationStatus;
  readonly accountStatus: AccountStatus;
  readonly accountEmail: string;
  readonly settings: ApplicationSettings;
  /** SHA-256 of the secrets that are valid, with the end of those that were rotated out. */
  readonly secrets: readonly { readonly hash: string; readonly expiresAt: number | null }[];
  readonly createdAt: number;
}
