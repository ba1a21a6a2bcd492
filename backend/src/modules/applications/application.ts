/** An application as the other modules see it, and the settings an operator gives it. */
import { CHANNELS, type ChannelName } from '../../providers/provider.js';
import type { components } from '../../platform/contract/generated/api.js';
import { DEFAULT_LIMITS, type ApplicationLimits } from '../../platform/limits.js';

export type ApplicationStatus = 'active' | 'inactive';
export type AccountStatus = 'active' | 'inactive' | 'blocked';

/** How the browser widget looks; "" leaves it to the widget. */
export type WidgetDesign = components['schemas']['WidgetDesign'];

export interface ApplicationSettings {
  /** Origins, hosts, `*.host`, addresses or CIDRs that may call; empty lets every caller in. */
  readonly authorizedEndpoints: readonly string[];
  /** Order in which channels are tried for a phone number when the caller names none. */
  readonly channels: readonly ChannelName[];
  /** Language of messages whose request names none that is spoken; "" takes the service's. */
  readonly language: string;
  /** ISO 3166 country codes that may be sent to; empty allows all. */
  readonly countries: readonly string[];
  /** Recipients with a fixed code; nothing is sent to them. */
  readonly testRecipients: Readonly<Record<string, string>>;
  /** Whether every call of the widget needs a userToken, which the site's server signs. */
  readonly strictTwoFactor: boolean;
  readonly design: WidgetDesign;
  readonly limits: ApplicationLimits;
}

export const DEFAULT_DESIGN: WidgetDesign = {
  title: '',
  logoUrl: '',
  theme: 'auto',
  accentColor: '',
  backgroundColor: '',
  textColor: '',
  radius: 8,
  language: '',
  texts: {},
};

export const DEFAULT_SETTINGS: ApplicationSettings = {
  authorizedEndpoints: [],
  channels: CHANNELS.filter((channel) => channel !== 'EMAIL'),
  language: '',
  countries: [],
  testRecipients: {},
  strictTwoFactor: false,
  design: DEFAULT_DESIGN,
  limits: DEFAULT_LIMITS,
};

export interface Application {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly appKey: string;
  readonly status: ApplicationStatus;
  readonly accountStatus: AccountStatus;
  readonly accountEmail: string;
  readonly settings: ApplicationSettings;
  /** The secrets that are valid, newest first. */
  readonly secrets: readonly ApplicationSecret[];
  readonly createdAt: number;
  /** About when its key pair was last used, to the minute; null when it never was. */
  readonly lastUsedAt: number | null;
}

export interface ApplicationSecret {
  /** SHA-256 of the App Secret. */
  readonly hash: string;
  /** The key of userTokens that follows from the secret, sealed; null for a secret older than userTokens. */
  readonly tokenKeySealed: string | null;
  /** The end of one that was rotated out. */
  readonly expiresAt: number | null;
}
