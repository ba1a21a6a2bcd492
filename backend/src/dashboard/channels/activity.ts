/** The success and failure of providers in the last day, according to the newest messages. Leaves out failures because of the recipient. */
import type { Application } from '../../modules/applications/application.js';
import { failedByRecipient } from '../../modules/messages/explanation.js';
import { acceptedAttempt, type Attempt, type Message } from '../../modules/messages/message.js';
import { callingCodeOf } from '../../modules/recipients/country.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { DAY } from '../../platform/clock.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { Modules } from '../modules.js';

/** Reading more messages would delay the page. */
export const MAX_MESSAGES = 2500;
/** The number of failed messages of all providers to which a page can link. */
const MAX_FAILED = 500;

/** As many failures in a row are an outage: a provider is then no longer called “Live”. */
export const OUTAGE_FAILURES = 3;

/** `country`: ISO 3166 code; "" for numbers without a country. */
interface UnusualCountry {
  readonly country: string;
  readonly application: Application;
}

export interface Activity {
  readonly accepted: number;
  readonly failed: number;
  /** Failed attempts whose messages another provider accepted. */
  readonly rescued: number;
  /** Accepted messages with a final delivery report. */
  readonly reported: number;
  readonly delivered: number;
  /** Accepted codes that were entered or have expired. */
  readonly codes: number;
  readonly entered: number;
  /** The countries of these codes in which unusually few codes are entered. */
  readonly unusual: readonly UnusualCountry[];
  readonly lastAcceptedAt: number | undefined;
  /** `channel`: undefined if all attempts were on the same channel. */
  readonly lastFailure:
    { readonly at: number; readonly reason: string; readonly channel: ChannelName | undefined } | undefined;
  /** Messages that failed and have not been sent, newest first, among the newest {@link MAX_FAILED} of all providers. */
  readonly failedMessages: readonly Message[];
  /** Number of failed attempts since the last accepted message. */
  readonly failedInRow: number;
  /** When the latest {@link OUTAGE_FAILURES} or more messages in a row were created that failed, if a later one was accepted. */
  readonly outage: { readonly first: number; readonly last: number; readonly channel: ChannelName } | undefined;
}

export interface RecentActivity {
  /** The time of the oldest message that counts; undefined if all messages of the last day count. */
  readonly since: number | undefined;
  /** The activity of a provider, by its name, on all channels or on one; undefined without attempts. */
  readonly activityOf: (provider: string, channel?: ChannelName) => Activity | undefined;
}

interface Outcome extends Pick<Message, 'createdAt' | 'report' | 'recipient'> {
  readonly attempt: Attempt;
  /** Whether the attempt failed, and another provider accepted the message. */
  readonly isRescued: boolean;
  readonly isEntered: boolean | undefined;
}

/** Returns the latest failures in a row before an accepted message; undefined if there were only a few. `outcomes`: newest first. */
function outageOf(outcomes: readonly Outcome[]): Activity['outage'] {
  const accepted = outcomes.findIndex(({ attempt }) => attempt.success);
  if (accepted < 0) return undefined;
  let failed: Outcome[] = [];
  for (const outcome of outcomes.slice(accepted)) {
    if (!outcome.attempt.success) failed.push(outcome);
    else if (failed.length >= OUTAGE_FAILURES) break;
    else failed = [];
  }
  const [last] = failed;
  if (!last || failed.length < OUTAGE_FAILURES) return undefined;
  return { first: failed.at(-1)!.createdAt, last: last.createdAt, channel: last.attempt.channel };
}

function hasCodesTo(country: string, outcomes: readonly Outcome[]): boolean {
  const code = callingCodeOf(country);
  return outcomes.some(
    ({ isEntered, recipient }) =>
      isEntered !== undefined && recipient.startsWith(code) && countryOf(recipient) === country,
  );
}

/** `outcomes` and `failedMessages`: newest first. `unusual`: countries in which unusually few codes are entered. */
function activityOf(
  outcomes: readonly Outcome[],
  failedMessages: readonly Message[],
  unusual: readonly UnusualCountry[],
): Activity {
  const accepted = outcomes.filter(({ attempt }) => attempt.success);
  const reports = accepted.map(({ report }) => report);
  const codes = accepted.flatMap(({ isEntered }) => isEntered ?? []);
  const delivered = reports.filter((report) => report === 'delivered').length;
  const lastFailed = outcomes.find(({ attempt }) => !attempt.success);
  const hasChannels = outcomes.some(({ attempt }) => attempt.channel !== outcomes[0]!.attempt.channel);
  return {
    accepted: accepted.length,
    failed: outcomes.length - accepted.length,
    rescued: outcomes.filter(({ isRescued }) => isRescued).length,
    reported: delivered + reports.filter((report) => report === 'undelivered').length,
    delivered,
    codes: codes.length,
    entered: codes.filter(Boolean).length,
    unusual: unusual.filter(({ country }) => hasCodesTo(country, outcomes)),
    lastAcceptedAt: accepted[0]?.createdAt,
    lastFailure: lastFailed && {
      at: lastFailed.createdAt,
      reason: lastFailed.attempt.message,
      channel: hasChannels ? lastFailed.attempt.channel : undefined,
    },
    failedMessages,
    outage: outageOf(outcomes),
    failedInRow: accepted[0] ? outcomes.indexOf(accepted[0]) : outcomes.length,
  };
}

export const createReadActivity = ({
  clock,
  fraud,
  messages: { lookup },
  otp,
}: Modules<'clock' | 'fraud' | 'messages' | 'otp'>) =>
  async function readActivity(applications: readonly Application[]): Promise<RecentActivity> {
    const now = clock.now();
    const from = now - DAY;
    const applicationIds = applications.map(({ id }) => id);
    const newest = await lookup.attempted(applicationIds, from, MAX_MESSAGES + 1);
    const messages = newest.slice(0, MAX_MESSAGES);
    const { messages: failed } = await lookup.page({ applicationIds, from, state: 'failed' }, undefined, MAX_FAILED);
    const entered = await otp.service.areEntered(
      messages.map(({ codeId }) => codeId),
      now,
    );
    const news = await fraud.news(applications, now);
    // A country that is unusual in several applications is named once.
    const unusual = new Map(
      news.flatMap(({ application, unusual: found }) =>
        found.map(({ key }): [string, UnusualCountry] => [key, { country: key, application }]),
      ),
    );
    const outcomes = messages.flatMap(({ codeId, attempts, ...message }): Outcome[] => {
      const accepted = acceptedAttempt({ attempts });
      return attempts
        .filter((attempt) => !failedByRecipient(attempt))
        .map((attempt) => {
          const isEntered = accepted === attempt ? entered.get(codeId) : undefined;
          const isRescued = !attempt.success && accepted !== undefined && accepted.provider !== attempt.provider;
          return { ...message, attempt, isEntered, isRescued };
        });
    });
    return {
      since: newest.length > MAX_MESSAGES ? messages.at(-1)!.createdAt : undefined,
      activityOf(provider, channel) {
        const isOwn = (attempt: Attempt) =>
          attempt.provider === provider && (channel ?? attempt.channel) === attempt.channel;
        const own = outcomes.filter(({ attempt }) => isOwn(attempt));
        const failedMessages = failed.filter(({ attempts }) =>
          attempts.some((attempt) => isOwn(attempt) && !failedByRecipient(attempt)),
        );
        return own.length === 0 ? undefined : activityOf(own, failedMessages, [...unusual.values()]);
      },
    };
  };
