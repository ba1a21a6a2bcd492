/** The page `/messages/:id`: one message with its timeline, and a button that sends a failed message again. */
import type { Application } from '../../modules/applications/application.js';
import { acceptedAttempt, isLost, isOpen, isTest, visibleState, type Message } from '../../modules/messages/message.js';
import { totalCharge } from '../../modules/messages/message-view.js';
import { reportingProvider } from '../../modules/messages/explanation.js';
import type { SentCode } from '../../modules/end-users/end-users-service.js';
import { isSuspicionHint, refusedBecause } from '../../modules/fraud/fraud-texts.js';
import type { RetryResult } from '../../modules/messages/retry.js';
import { countryName } from '../../modules/recipients/country.js';
import { countryOf, maskRecipient } from '../../modules/recipients/recipient.js';
import { templateLabel } from '../../modules/templates/template.js';
import { NOTABLE_FAILURES } from '../usage/figures.js';
import { HOUR } from '../../platform/clock.js';
import { textPath } from '../templates/text-page.js';
import { capitalized, uncapitalized } from '../../platform/capitalized.js';
import { ApiError } from '../../platform/contract/errors.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Copy } from '../components/copy.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { protectionPath } from '../applications/parts.js';
import { usersPath } from '../users/users-view.js';
import { PageHead } from '../components/page-head.js';
import { Time } from '../components/time.js';
import type { Modules } from '../modules.js';
import { act, page, PageNotFound, redirect, show, type Flash, type PageRoute, type Visit } from '../page.js';
import { sentence } from '../channels/labels.js';
import { createEnteredLater } from './group-by-reason.js';
import { amountText, CHANNEL_NAMES, priceText, stateLabelOf } from './labels.js';
import { urlOf } from './filter.js';
import { badgeOf, isByGuard, problemsOf, reasonKey, unknownAttempt, withoutCode } from './reasons.js';
import { codeOf, Story, type Outage } from './story.js';
import { createUndeliveredShare } from './undelivered-share.js';

function chargeText(message: Message): string {
  const price = acceptedAttempt(message)?.price;
  const earlier = message.earlierSends.flatMap(({ attempt }) => attempt.price ?? []);
  const prices = price ? [...earlier, price] : earlier;
  const total = totalCharge(message);
  if (prices.length > 1 && Number(total) > 0)
    return `${amountText(total, prices[0]!.currency)} for ${prices.length} sends`;
  if (prices.length > 0) return capitalized(priceText(prices[0]!));
  const unknown = unknownAttempt(message);
  if (!unknown) return message.state === 'sent' || isOpen(message) ? '' : 'None: the message was not sent';
  const charge = capitalized(priceText(unknown.ifSent!));
  return Number(unknown.ifSent!.charge) === 0 ? charge : `${charge}, if ${unknown.provider ?? 'the provider'} sent it`;
}

interface FactsContext {
  readonly hasCode: boolean;
  /** The page of the recipient; "" after the recipient was erased. */
  readonly endUserPath: string;
  readonly isPaused: boolean;
}

function factsOf(message: Message, application: Application, context: FactsContext): FactEntry[] {
  const { hasCode, endUserPath, isPaused } = context;
  const { state, channel, recipient, template, expiresAt, sendAt, refusal, reference } = message;
  const country = countryOf(recipient);
  const language = application.settings.language || 'en';
  return [
    ['Recipient', endUserPath && <a href={endUserPath}>View end user</a>],
    ['Channel', CHANNEL_NAMES[channel]],
    ['Provider', acceptedAttempt(message)?.provider],
    [
      'Country',
      country && (
        <>
          {countryName(country)}
          {isPaused && (
            <span class="reason">
              Messages are paused. <a href={protectionPath(application)}>Open Protection</a>
            </span>
          )}
        </>
      ),
    ],
    [
      'Template',
      <>
        <a href={textPath(application, { template, channel, language })}>{templateLabel(template)}</a>
        <span class="reason">The sent text is not stored.</span>
      </>,
    ],
    ['Application', <a href={`/dashboard/applications/${application.appKey}`}>{application.name}</a>],
    ['Price', chargeText(message)],
    ['Scheduled for', sendAt !== null && <Time ms={sendAt} />],
    ['Code valid until', template === 'otp' && state === 'sent' && !hasCode && <Time ms={expiresAt} />],
    ['Valid until', template !== 'otp' && state !== 'sent' && !refusal && <Time ms={expiresAt} />],
    ['Reference', reference],
  ];
}

function developerFactsOf({ id, maskId, providerId, requestId, refusal, attempts }: Message): FactEntry[] {
  // The timeline has the errors without their codes.
  const errors = attempts.filter(({ success, message }) => !success && withoutCode(message) !== message);
  return [
    ['Error code', refusal?.code],
    ["Provider's error", errors.map(({ message }) => sentence(message)).join(' ')],
    ['Error returned to your program', refusal && `${sentence(refusal.reason)} ${refusal.hint}`],
    ['Message ID', <Copy label="message ID" value={id} />],
    ['Verification ID', maskId && maskId !== id && <Copy label="verification ID" value={maskId} />],
    ["Provider's message ID", providerId && <Copy label="provider's message ID" value={providerId} />],
    ['Request ID', requestId && <Copy label="request ID" value={requestId} />],
  ];
}

const CodeState = ({ code: { state }, expiresAt }: { readonly code: SentCode; readonly expiresAt: number }) =>
  state === 'waiting' ? (
    <>
      The code has not been entered yet. It is valid until <Time ms={expiresAt} clock />.
    </>
  ) : (
    <>The code was not entered.</>
  );

/** Describes in one sentence whether a message arrived, or why not. */
function leadOf(message: Message, isEntered: boolean): string {
  const problem = problemsOf(message);
  if (message.state === 'failed' && problem !== '') return sentence(problem);
  if (message.refusal)
    return isByGuard(message)
      ? `Passbell refused this message${isSuspicionHint(message.refusal.hint) ? ' because it looked like fraud' : ''}: ${refusedBecause(message.refusal.hint)}.`
      : sentence(`Passbell refused this message: ${uncapitalized(problem)}`);
  const provider = acceptedAttempt(message)?.provider ?? 'The provider';
  const reporter = reportingProvider(message) ?? 'The provider';
  switch (visibleState(message)) {
    case 'undelivered':
      return isEntered
        ? `${reporter} reported that it could not deliver the message, but the code was entered, so it arrived. Nothing to do.`
        : `${reporter} accepted the message, and then reported that it could not be delivered.`;
    case 'delivered':
      return `${reporter} reported the delivery.`;
    case 'sent':
      if (isTest(message)) break;
      if (message.channel === 'EMAIL')
        return `${provider} accepted the email, and has reported no delivery. A mail server (SMTP) cannot report deliveries.`;
  }
  return stateLabelOf(message).meaning;
}

/** Number of failed messages that are read to find those of an outage. */
const MAX_OUTAGE = 500;

const SEND_AGAIN_FLASHES: Readonly<Record<Exclude<RetryResult, 'not found'>, Flash>> = {
  retried: { notice: 'The message was queued again.' },
  expired: { problem: 'The message has expired, so it was not sent again.' },
  'not failed': { notice: 'The message is already queued or sent, so it was not sent again.' },
};

type DetailModules = Modules<'applications' | 'clock' | 'endUsers' | 'fraud' | 'messages' | 'otp' | 'usage'>;

export function detailPages(core: DetailModules): PageRoute[] {
  const { applications, messages, endUsers, fraud, otp } = core;
  const enteredLater = createEnteredLater(core);
  const undeliveredShare = createUndeliveredShare(core);

  async function find({ person, params }: Visit) {
    const all = await applications.service.listInAccount(person.accountId);
    const ids = all.map(({ id }) => id);
    const message = await messages.lookup.find(ids, params.id!);
    const application = all.find(({ id }) => id === message?.applicationId);
    if (!message || !application) throw new PageNotFound();
    return { message, application, ids };
  }

  /** Finds the messages of about the same time that failed for the same reason; undefined if there are only a few. */
  async function outageOf(message: Message, { timeZone: zone }: Visit): Promise<Outage | undefined> {
    if (message.state !== 'failed') return undefined;
    const { applicationId, createdAt } = message;
    const time = { from: createdAt - HOUR, to: createdAt + HOUR };
    const filter = { applicationIds: [applicationId], state: 'failed', ...time } as const;
    const found = await messages.lookup.page(filter, undefined, MAX_OUTAGE);
    const reason = reasonKey(message);
    const same = found.messages.filter((one) => reasonKey(one) === reason);
    if (same.length < NOTABLE_FAILURES) return undefined;
    const span = { from: same.at(-1)!.createdAt, until: same[0]!.createdAt, zone };
    return { messages: same, href: urlOf('/messages', { state: 'failed', reason, ...span }) };
  }

  async function detail(visit: Visit) {
    const { message, application, ids } = await find(visit);
    const pause = await fraud.pauses.pauseOf(application, message.recipient);
    const mayBeStopped = message.refusal ? await fraud.pauses.mayBeStopped(application, message.recipient) : false;
    const { recipient } = message;
    const endUser = recipient === '' ? undefined : await endUsers.service.describe(application, recipient);
    const enteredAt = await otp.service.enteredAt(message.maskId || message.id);
    const isEntered = enteredAt !== undefined;
    const hasEnteredLater = isLost(message) && (await enteredLater([message])).has(message);
    const share =
      visibleState(message) === 'undelivered' ? await undeliveredShare(visit.person.accountId, ids) : undefined;
    const code = endUser && codeOf(endUser, message);
    const context: FactsContext = {
      hasCode: isEntered || code !== undefined,
      endUserPath: recipient && `${usersPath(application)}/${endUsers.service.referenceTo(application, recipient)}`,
      isPaused: pause !== undefined && !message.refusal,
    };
    const { name, kind } = badgeOf(message, isEntered);
    const title = `${templateLabel(message.template)} to ${maskRecipient(message.recipient)}`;
    return page(
      title,
      <>
        <p class="crumbs">
          <a href="/dashboard/messages">Messages</a>
        </p>
        <PageHead
          title={title}
          lead={
            <>
              <Badge kind={kind}>{name}</Badge>{' '}
              {isEntered && message.report !== 'undelivered' ? (
                <>
                  Code entered on <Time ms={enteredAt} />.
                </>
              ) : code && visibleState(message) === 'delivered' ? (
                <CodeState code={code} expiresAt={message.expiresAt} />
              ) : (
                leadOf(message, isEntered)
              )}
            </>
          }
        />
        <div class="message-page">
          <Card id="timeline" title="What happened">
            <Story
              message={message}
              application={application}
              pause={pause}
              mayBeStopped={mayBeStopped}
              endUser={endUser}
              enteredAt={enteredAt}
              hasEnteredLater={hasEnteredLater}
              outage={await outageOf(message, visit)}
              share={share && message.createdAt >= share.since ? share : undefined}
            />
          </Card>
          <Card id="facts" title="Details">
            <Facts facts={factsOf(message, application, context)} />
            <details>
              <summary>For developers</summary>
              <Facts facts={developerFactsOf(message)} />
            </details>
          </Card>
        </div>
      </>,
    );
  }

  async function retry({ actor, person, params }: Visit) {
    const id = params.id!;
    const path = `/dashboard/messages/${id}`;
    try {
      const result = await messages.service.retry(
        actor,
        await applications.service.listInAccount(person.accountId),
        id,
      );
      if (result === 'not found') throw new PageNotFound();
      return redirect(path, SEND_AGAIN_FLASHES[result]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return redirect(path, { problem: `Nothing was sent: ${error.sentences}` });
    }
  }

  async function cancel(visit: Visit) {
    const { message, application } = await find(visit);
    const path = `/dashboard/messages/${message.id}`;
    try {
      await messages.service.cancel(application, message.id, visit.actor);
      return redirect(path, { notice: 'The message was canceled.' });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return redirect(path, { problem: error.sentences });
    }
  }

  return [
    show('/messages/:id', 'read', detail),
    act('/messages/:id/retry', 'retryMessage', retry),
    act('/messages/:id/cancel', 'cancelMessage', cancel),
  ];
}
