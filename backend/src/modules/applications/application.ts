import { utcDay } from '../../platform/clock.js';
import { PHONE_CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { ExpectedError } from '../../platform/expected-error.js';
import type { AccountCeilings } from './account-ceilings.js';
import type { Autofill, Branding } from '../templates/template.js';
import type { ChallengeSettings } from './challenge-settings.js';
import { DEFAULT_LIMITS, type ApplicationLimits } from './application-limits.js';

/** Email address of the operator's account, which owns applications that are created without an account. */
export const OPERATOR_ACCOUNT = 'operator@localhost';

/** The name of the application that the first start creates. */
export const DEMO_NAME = 'Demo';
/** Email address of the account that owns the dashboard application. There is no mailbox with this address. */
export const DASHBOARD_ACCOUNT = 'dashboard@localhost';

/**
 * Returns an account's display name: the name that its owners chose, or its email address. The email address of the
 * operator's account is not shown, because it is not real.
 */
export const accountName = (email: string, name: string | null = null): string =>
  name ?? (email === OPERATOR_ACCOUNT ? "Operator's account" : email);

export type ApplicationStatus = 'active' | 'inactive';
export type AccountStatus = 'active' | 'inactive' | 'blocked';

/** Appearance of the browser widget. An empty field selects the widget's default. */
export type WidgetDesign = Schemas['WidgetDesign'];

export interface ApplicationSettings extends Autofill {
  /** The allow-list: origins, hosts, `*.host`, IP addresses and CIDRs. An empty list accepts all callers. */
  readonly authorizedEndpoints: readonly string[];
  /** Channels to try in order if a request names no channel. An empty list selects {@link PHONE_CHANNELS}. */
  readonly channels: readonly ChannelName[];
  /** Message language if the request names no supported language; "" for the server's default language. */
  readonly language: string;
  /** ISO 3166 codes of the countries to which messages may be sent. An empty list allows all countries. */
  readonly countries: readonly string[];
  /** ISO 3166 codes of countries that the owner serves, and in which the fraud guard allows more. All of `countries` are. */
  readonly servedCountries: readonly string[];
  /** Fixed codes by test recipient. Nothing is sent to test recipients. */
  readonly testRecipients: Readonly<Record<string, string>>;
  /** Whether the two-factor widget's endpoints accept calls. These calls need no App Secret. */
  readonly twoFactorWidget: boolean;
  /** Whether every widget call needs a userToken signed by the site's server. */
  readonly strictTwoFactor: boolean;
  readonly design: WidgetDesign;
  readonly limits: ApplicationLimits;
  /** Seconds without a report or an entered code after which a code is sent another way; 0: never. */
  readonly silentSeconds: number;
  /** Local times between which no notifications are sent, such as `22:00-08:00`; "" for none. */
  readonly quietHours: string;
  /** Whether the site verifies codes itself. If so, the fraud guard only knows about reported verifications. */
  readonly verifiedElsewhere: boolean;
  readonly challenge: ChallengeSettings;
  /** The fraud guard's settings that differ from their defaults, by name. `fraud/fraud-settings.ts` describes them. */
  readonly fraud: Readonly<Record<string, number>>;
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

/**
 * Returns the widget design. The branding of the account replaces a default color and a missing logo. Pages with HTTPS
 * cannot show a logo without it.
 */
export function designOf({ settings: { design }, branding }: Application): WidgetDesign {
  const { accentColor, logoUrl } = branding;
  const brandLogo = logoUrl.startsWith('https://') ? logoUrl : '';
  return { ...design, accentColor: design.accentColor || accentColor, logoUrl: design.logoUrl || brandLogo };
}

/** The channels for phone numbers, in the configured or default order. */
export const phoneChannels = ({ channels }: Pick<ApplicationSettings, 'channels'>): readonly ChannelName[] =>
  channels.length > 0 ? channels : PHONE_CHANNELS;

export const DEFAULT_SETTINGS: ApplicationSettings = {
  authorizedEndpoints: [],
  channels: [],
  language: '',
  countries: [],
  servedCountries: [],
  testRecipients: {},
  twoFactorWidget: true,
  strictTwoFactor: false,
  design: DEFAULT_DESIGN,
  limits: DEFAULT_LIMITS,
  silentSeconds: 0,
  quietHours: '',
  webOtpHost: '',
  androidAppHash: '',
  verifiedElsewhere: false,
  challenge: { kind: 'off', siteKey: '', secretSealed: '' },
  fraud: {},
};

export interface Application {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly appKey: string;
  /** The ID with which a caller of the management API created the application; null if there is none. */
  readonly externalId: string | null;
  readonly status: ApplicationStatus;
  readonly accountStatus: AccountStatus;
  readonly accountEmail: string;
  readonly branding: Branding;
  readonly timeZone: string;
  readonly ceilings: AccountCeilings;
  /** Effective settings: limits looser than the account's ceilings are replaced by the ceilings. */
  readonly settings: ApplicationSettings;
  /** App Secrets, newest first. */
  readonly secrets: readonly ApplicationSecret[];
  readonly createdAt: number;
  /** When the API credentials were last used, accurate to about a minute; null if never used. */
  readonly lastUsedAt: number | null;
  /** When the rows of a deleted application are erased. Null if the application was not deleted. */
  readonly deleteAt: number | null;
}

export interface ApplicationSecret {
  readonly hash: string;
  /** Encrypted key that verifies userTokens; null for secrets created before userTokens existed. */
  readonly tokenKeySealed: string | null;
  /** When the secret expires; null unless it has been replaced by a newer secret. */
  readonly expiresAt: number | null;
}

export interface KeyPair {
  readonly appKey: string;
  readonly appSecret: string;
}

export class ApplicationNotFoundError extends ExpectedError {
  constructor(appKey: string) {
    super(`there is no application with the App Key ${appKey}`);
  }
}

/** Throws an {@link ApiError} if the application is unknown, deleted or inactive, or its account is not active. */
export function assertActive(application: Application | undefined): asserts application is Application {
  if (!application) throw new ApiError('INVALID_CREDENTIALS');
  if (application.deleteAt !== null)
    throw new ApiError('APPLICATION_INACTIVE', {
      message: 'application was deleted',
      hint: `Use the credentials of another application. Owners can restore this one until ${utcDay(application.deleteAt)}, in its settings.`,
    });
  if (application.status !== 'active') throw new ApiError('APPLICATION_INACTIVE');
  assertActiveAccount(application.accountStatus);
}

/** Throws an {@link ApiError} if an account is not active. */
export function assertActiveAccount(status: AccountStatus): void {
  if (status === 'inactive') throw new ApiError('USER_INACTIVE');
  if (status === 'blocked') throw new ApiError('ACCOUNT_BLOCKED');
}
