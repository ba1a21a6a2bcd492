import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { AccountCeilings } from './account-ceilings.js';
import { DEFAULT_LIMITS, type ApplicationLimits } from './application-limits.js';

/** Account of the operator; owns applications that are created without an account. */
export const OPERATOR_ACCOUNT = 'operator@localhost';
/** Account of the application that sends the dashboard's sign-in codes. Has no mailbox, so no one can be invited. */
export const DASHBOARD_ACCOUNT = 'dashboard@localhost';

export type ApplicationStatus = 'active' | 'inactive';
export type AccountStatus = 'active' | 'inactive' | 'blocked';

/** Appearance of the browser widget; "" selects the widget's default. */
export type WidgetDesign = Schemas['WidgetDesign'];

export interface ApplicationSettings {
  /** Origins, hosts, `*.host`, addresses or CIDRs that may call; an empty list accepts all callers. */
  readonly authorizedEndpoints: readonly string[];
  /** Channel order for phone numbers if the request names no channel; an empty list selects {@link DEFAULT_CHANNELS}. */
  readonly channels: readonly ChannelName[];
  /** Message language if the request names no supported language; "" for the server's default. */
  readonly language: string;
  /** ISO 3166 codes of the countries that messages may be sent to; an empty list allows all. */
  readonly countries: readonly string[];
  /** Fixed codes by recipient. Nothing is sent to these recipients. */
  readonly testRecipients: Readonly<Record<string, string>>;
  /** Whether the two-factor widget's endpoints are open. They need no App Secret. */
  readonly twoFactorWidget: boolean;
  /** Whether every widget call needs a userToken signed by the site's server. */
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

export const DEFAULT_CHANNELS: readonly ChannelName[] = CHANNELS.filter((channel) => channel !== 'EMAIL');

/** The configured channel order, or the default one. */
export const phoneChannels = ({ channels }: Pick<ApplicationSettings, 'channels'>): readonly ChannelName[] =>
  channels.length > 0 ? channels : DEFAULT_CHANNELS;

export const DEFAULT_SETTINGS: ApplicationSettings = {
  authorizedEndpoints: [],
  channels: [],
  language: '',
  countries: [],
  testRecipients: {},
  twoFactorWidget: true,
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
  readonly ceilings: AccountCeilings;
  /** Limits above the account's ceilings are replaced by the ceilings. */
  readonly settings: ApplicationSettings;
  /** Newest first. */
  readonly secrets: readonly ApplicationSecret[];
  readonly createdAt: number;
  /** Last use of the API credentials, to the minute; null if never used. */
  readonly lastUsedAt: number | null;
}

export interface ApplicationSecret {
  readonly hash: string;
  /** Encrypted key that verifies userTokens; null for secrets created before userTokens existed. */
  readonly tokenKeySealed: string | null;
  /** Set when a newer secret replaced this one. */
  readonly expiresAt: number | null;
}

export interface KeyPair {
  readonly appKey: string;
  readonly appSecret: string;
}

export class NotFoundError extends Error {
  constructor(appKey: string) {
    super(`there is no application with the App Key ${appKey}`);
  }
}

/** Throws if the application or its account cannot be used. The order of the checks is part of the specification. */
export function assertActive(application: Application | undefined): asserts application is Application {
  if (!application) throw new ApiError('INVALID_CREDENTIALS');
  if (application.status !== 'active') throw new ApiError('APPLICATION_INACTIVE');
  if (application.accountStatus === 'inactive') throw new ApiError('USER_INACTIVE');
  if (application.accountStatus === 'blocked') throw new ApiError('ACCOUNT_BLOCKED');
}
