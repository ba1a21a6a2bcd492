/** A fact that needs attention, and the state of an account in which such facts are found. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { utcMinute } from '../../platform/clock.js';
import { capitalized } from '../../platform/capitalized.js';
import type { Application } from '../../modules/applications/application.js';
import type { BudgetsView, BudgetUnit } from '../../modules/budgets/budgets.js';
import type { FraudNewsOf } from '../../modules/fraud/fraud-overview.js';
import type { Attempt as MessageAttempt, Message, Rescued } from '../../modules/messages/message.js';
import type { LatestTo, Overdue } from '../../modules/messages/message-filter.js';
import type { ChannelView } from '../../modules/providers/channel-view.js';
import type { DomainView } from '../../modules/sender-domains/sender-domain.js';
import type { Certificate } from '../../modules/upkeep/certificate.js';
import type { Attempt, Webhook } from '../../modules/webhooks/webhook.js';
import type { Sum } from '../usage/figures.js';

/** A time in epoch milliseconds, and its name, such as `latest failed request:`. `to` is the end of the period that the previous time starts. */
type NamedTime = readonly [name: string, at: number];

export interface Concern {
  /** The problem and its state: `Possible fraud: France, ongoing`. */
  readonly title: string;
  /** The title in emails, which are read later: without the state. Same as `title` if undefined. */
  readonly lastingTitle?: string;
  /** The name of the application, if the account has several. */
  readonly application?: string | undefined;
  readonly text: string;
  /** The figures of the text, for the details on Protection: `0 of 23 entered · all delivered`. */
  readonly figures?: string;
  /** A short line with the facts for a decision. Same as `text` and `times` if undefined. */
  readonly fact?: string;
  /** The text in emails, which are read later; "" if the email leaves the concern out. Same as `text` if undefined. */
  readonly lastingText?: string;
  /** When it started, and its latest sign, such as a failed message. */
  readonly times?: readonly NamedTime[];
  /** When it stops all messages, or since when they have failed, in epoch milliseconds. The earliest comes first. */
  readonly stopsAt?: number | undefined;
  /** Whether it costs customers or money now, or will within hours. */
  readonly isUrgent?: boolean;
  /** Whether it can wait: there has been no sign of it for some time, or it is probably harmless. Listed last. */
  readonly isQuiet?: boolean;
  /** Whether it ended although Passbell did nothing about it. */
  readonly isUnsettled?: boolean;
  /** Whether it allows messages, instead of pausing them. */
  readonly isAllowed?: boolean;
  /** Whether it has ended, so that nothing needs to be done at once. */
  readonly isOver?: boolean;
  /** When the last of its messages was created or refused, if it has ended. */
  readonly endedAt?: number | undefined;
  /** Without a label, the row has no button if it has ended, or has other buttons. */
  readonly link: { readonly href: string; readonly label?: string };
  /** The list of the messages that the fact counts; undefined if the row needs no link to it. */
  readonly messages?: string | undefined;
  /** Buttons for owners that pause messages to countries. */
  readonly pause?: CountryPause | undefined;
  /** The unit of the budget that it is about. */
  readonly budget?: BudgetUnit;
  /** The countries with few entered codes. */
  readonly countries?: readonly string[];
}

/** `at`: the path of Protection; `isFirst`: whether the buttons come before the link; `isDoubtful`: whether the recipients may be customers. */
interface CountryPause {
  readonly at: string;
  readonly countries: readonly string[];
  readonly isFirst: boolean;
  readonly isDoubtful: boolean;
}

/** A webhook with its latest calls, newest first, and the number of waiting events; with neither if it works, or if the person may not see them. */
export type CalledWebhook = Webhook & { readonly calls: readonly Attempt[]; readonly pending: number };

/** When a message to a country was created, in epoch milliseconds. */
interface CountryTime {
  readonly country: string;
  readonly at: number;
}

/** The messages to a country since yesterday (UTC). */
export interface UnusualMessages {
  /** Undefined if none is stored. */
  readonly latest: LatestTo | undefined;
  /** Estimated cost, in ten-thousandths of a currency unit; 0 if no price is known. */
  readonly cost: number;
  /** The number of messages that the guard refused since yesterday, in the account's time zone. */
  readonly refused: number;
  /** The guard refused no message after this time, in epoch milliseconds; 0 if it refused none. */
  readonly refusedUntil: number;
}

/** An application's traffic that the fraud guard and the budgets may stop. */
export interface ApplicationTraffic {
  readonly application: Application;
  readonly budgets: BudgetsView;
  /** The channels whose messages count toward each budget. */
  readonly budgetChannels: Readonly<Record<BudgetUnit, readonly ChannelName[]>>;
  /** Pauses and refusals by the fraud guard and by people, unusual countries and exceptions; undefined without any. */
  readonly refusals: Pick<FraudNewsOf, 'parts' | 'unusual' | 'allowed'> | undefined;
  /** The messages to unusual countries. */
  readonly unusual: ReadonlyMap<string, UnusualMessages>;
}

export interface ApplicationState extends ApplicationTraffic {
  readonly webhooks: readonly CalledWebhook[];
  /** The latest message that the guard refused today; undefined without any. */
  readonly lastRefused: CountryTime | undefined;
}

/** Returns the separator between a named time and the previous one. A name ends with a comma if it continues a list. */
export function separatorOf(name: string): string {
  if (name === 'to') return ' ';
  return name.endsWith(',') ? '; ' : ' · ';
}

/** The number of days before yesterday that the latest days are compared with. */
export const USUAL_DAYS = 12;

/** The number of failed and of expired messages that are counted one by one. */
export const COUNTED_FAILURES = 100;

/** The number of overdue messages that are counted. */
export const COUNTED_OVERDUE = 10_000;

export interface Failure extends Message {
  /** The last attempt; undefined if none was made. */
  readonly attempt: Pick<MessageAttempt, 'ifSent' | 'message' | 'provider'> | undefined;
  /** Identifies the application and the reason, as in `reasons.ts`. */
  readonly reasonKey: string;
  /** Whether it failed because the number or address is invalid or does not exist. */
  readonly hasWrongRecipient: boolean;
}

/** The creation time and the provider of the newest message that was sent, by channel. */
export type LastSent = ReadonlyMap<ChannelName, { readonly at: number; readonly provider: string | undefined }>;

/** The traffic of an account, and what may stop it. */
export interface AccountTraffic {
  readonly applications: readonly ApplicationTraffic[];
  readonly currency: string;
  /** IANA name of the account's time zone. */
  readonly timeZone: string;
  readonly now: number;
  readonly today: Sum;
  /** The sums of yesterday and today by country; "" for email. */
  readonly latelyByCountry: ReadonlyMap<string, Sum>;
  readonly todayByCountry: ReadonlyMap<string, Sum>;
  /** The sum of the days before yesterday. */
  readonly usual: Sum;
  /** The number of sent messages on each of the days before today, yesterday last. */
  readonly sentBefore: readonly number[];
}

export interface UpkeepState {
  readonly certificate: Certificate | undefined;
  /** The end of the last backup, in epoch milliseconds; undefined without any, or if other programs make the backups. */
  readonly lastBackupAt: number | undefined;
  readonly needsBackup: boolean;
}

export interface AccountState extends AccountTraffic {
  readonly channels: readonly ChannelView[];
  readonly domains: readonly DomainView[];
  readonly applications: readonly ApplicationState[];
  /** The latest failed and expired messages, newest first, at most {@link COUNTED_FAILURES} of each. */
  readonly failures: readonly Failure[];
  readonly lastSent: LastSent;
  readonly overdue: Overdue;
  /** The certificate and backups of the server, for the operator; undefined for other accounts. */
  readonly upkeep: UpkeepState | undefined;
  /** Number of the people of an outage who entered a later code. */
  readonly enteredLater: number;
  /** The latest messages that were sent after a failed attempt, newest first. */
  readonly rescued: readonly Rescued[];
  /** Creation time of the newest message through each provider whose messages others sent instead, by channel and provider; 0 if there was none since. */
  readonly lastThrough: ReadonlyMap<string, number>;
}

/** Names the application, unless it is the only one. */
export const titleOf = ({ applications }: AccountTraffic, { name }: Application, text: string) => ({
  title: capitalized(text),
  application: applications.length > 1 ? name : undefined,
});

/** `Likely fraud: Cuba (Shop)` */
export const fullTitle = ({ title, application }: Pick<Concern, 'title' | 'application'>): string =>
  application === undefined ? title : `${title} (${application})`;

/** Leaves out unknown times, and times in the same minute as the one before, which would read the same. */
export function timesOf(...times: readonly (readonly [name: string, at: number | undefined])[]): readonly NamedTime[] {
  const known = times.flatMap(([name, at]): NamedTime[] => (at === undefined ? [] : [[name, at]]));
  return known.filter(([, at], n) => n === 0 || utcMinute(at) !== utcMinute(known[n - 1]![1]));
}
