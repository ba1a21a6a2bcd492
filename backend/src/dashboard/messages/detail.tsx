/** The page `/messages/:id`: one message with its timeline, and a button that sends a failed message again. */
import type { Clock } from '../../platform/clock.js';
import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import type { MessagesService } from '../../modules/messages/messages-service.js';
import type { EndUsersService } from '../../modules/end-users/end-users-service.js';
import type { MessageLookup } from '../../modules/messages/message-lookup.js';
import type { Application } from '../../modules/applications/application.js';
import { acceptedAttempt, canRetry, isTest, type Message } from '../../modules/messages/message.js';
import type { RetryResult } from '../../modules/messages/retry.js';
import { timelineOf } from '../../modules/messages/timeline.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { ApiError } from '../../platform/contract/errors.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Copy } from '../components/copy.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { Form } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { usersPath } from '../users/users-view.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Time } from '../components/time.js';
import { act, page, PageNotFound, redirect, show, type Flash, type PageRoute, type Visit } from '../page.js';
import { CHANNEL_NAMES, duration, priceText, stateLabelOf, templateName } from './labels.js';
import { RefusalText } from './refusal.js';
import { Timeline } from './timeline.js';

function factsOf(message: Message, application: Application | undefined): FactEntry[] {
  const { id, plan, recipient, template, maskId, providerId, requestId, expiresAt, sendAt, refusal } = message;
  const price = acceptedAttempt(message)?.price;
  return [
    ['To', maskRecipient(recipient)],
    ['Template', templateName(template)],
    ['Application', application && <a href={`/dashboard/applications/${application.appKey}`}>{application.name}</a>],
    ['Channels', plan.map((channel) => CHANNEL_NAMES[channel]).join(', then ')],
    ['Price', price && priceText(price)],
    ['Scheduled for', sendAt !== null && <Time ms={sendAt} />],
    ['Expires', !refusal && <Time ms={expiresAt} />],
    ['Error code', refusal?.code],
    ['Message ID', <Copy label="message ID" value={id} />],
    ['maskId', maskId && maskId !== id && <Copy label="maskId" value={maskId} />],
    ["Provider's ID", providerId && <Copy label="provider's ID" value={providerId} />],
    ['Request ID', requestId && <Copy label="request ID" value={requestId} />],
  ];
}

function FailedMessage({ message, now, mayRetry }: { message: Message; now: number; mayRetry: boolean }) {
  const { id, template, expiresAt, plan } = message;
  const isCode = template === 'otp';
  const noun = isCode ? 'code' : 'notification';
  if (!canRetry(message, now))
    return (
      <Notice kind="warning">
        This {noun} expired at <Time ms={expiresAt} /> and cannot be sent again
        {isCode ? '. Request a new code instead.' : '.'}
      </Notice>
    );
  return (
    <Card id="retry" title="Send again">
      <p>
        The same {noun} is sent to the same recipient, first by {CHANNEL_NAMES[plan[0]!]}. It expires in{' '}
        {duration(expiresAt - now)}.
      </p>
      {mayRetry ? (
        <Form action={`/dashboard/messages/${id}/retry`}>
          <Submit label="Send again" />
        </Form>
      ) : (
        <p class="quiet">Owners and members of the account can send it again.</p>
      )}
    </Card>
  );
}

function ScheduledMessage({ id, mayCancel }: { readonly id: string; readonly mayCancel: boolean }) {
  return (
    <Card id="cancel" title="Cancel">
      <p>If you cancel the message, it will not be sent. You cannot undo this.</p>
      {mayCancel ? (
        <Form action={`/dashboard/messages/${id}/cancel`}>
          <Submit label="Cancel the message" />
        </Form>
      ) : (
        <p class="quiet">Owners and members of the account can cancel it.</p>
      )}
    </Card>
  );
}

const SEND_AGAIN_FLASHES: Readonly<Record<Exclude<RetryResult, 'not found'>, Flash>> = {
  retried: { notice: 'The message was queued again.' },
  expired: { problem: 'The message has expired, so it was not sent again.' },
  'not failed': { notice: 'The message is already in the queue or was sent. It was not sent twice.' },
};

interface Services {
  readonly applications: ApplicationsService;
  readonly messages: MessagesService;
  readonly lookup: MessageLookup;
  readonly endUsers: EndUsersService;
  readonly clock: Clock;
}

export function detailPages({ applications, messages, lookup, endUsers, clock }: Services): PageRoute[] {
  async function detail({ person, params, may }: Visit) {
    const all = await applications.listInAccount(person.accountId);
    const ids = all.map(({ id }) => id);
    const message = await lookup.find(ids, params.id!);
    if (!message) throw new PageNotFound();
    const { name, kind, meaning } = stateLabelOf(message);
    const application = all.find(({ id }) => id === message.applicationId);
    const title = `${templateName(message.template)} to ${maskRecipient(message.recipient)}`;
    const lead = (
      <>
        <Badge kind={kind}>{name}</Badge> {meaning}
      </>
    );
    return page(
      title,
      <>
        <p class="crumbs">
          <a href="/dashboard/messages">Messages</a>
        </p>
        <PageHead title={title} lead={lead}>
          {application && message.recipient !== '' && (
            <a
              class="button subtle"
              href={`${usersPath(application)}/${endUsers.referenceTo(application, message.recipient)}`}
            >
              Codes, sessions and locks of this person
            </a>
          )}
        </PageHead>
        {message.state === 'failed' && <FailedMessage message={message} now={clock.now()} mayRetry={may('change')} />}
        {message.state === 'scheduled' && <ScheduledMessage id={message.id} mayCancel={may('change')} />}
        {message.refusal && (
          <Notice kind="warning">
            Refused: <RefusalText message={message} />. {message.refusal.hint}
          </Notice>
        )}
        <div class="message-page">
          <Card id="timeline" title="What happened">
            <Timeline steps={timelineOf(message)} isTest={isTest(message)} />
          </Card>
          <Card id="facts" title="Details">
            <Facts facts={factsOf(message, application)} />
          </Card>
        </div>
      </>,
    );
  }

  async function retry({ actor, person, params }: Visit) {
    const id = params.id!;
    const result = await messages
      .retry(actor, await applications.listInAccount(person.accountId), id)
      .catch((error: unknown) => {
        if (error instanceof ApiError) return error;
        throw error;
      });
    if (result === 'not found') throw new PageNotFound();
    const flash =
      result instanceof ApiError ? { problem: `Nothing was sent: ${result.sentences}` } : SEND_AGAIN_FLASHES[result];
    return redirect(`/dashboard/messages/${id}`, flash);
  }

  async function cancel({ actor, person, params }: Visit) {
    const id = params.id!;
    const own = await applications.listInAccount(person.accountId);
    const message = await lookup.find(
      own.map((application) => application.id),
      id,
    );
    const application = own.find((owned) => owned.id === message?.applicationId);
    if (!application) throw new PageNotFound();
    const error = await messages.cancel(application, id, actor).then(
      () => undefined,
      (reason: unknown) => {
        if (reason instanceof ApiError) return reason;
        throw reason;
      },
    );
    const flash = error ? { problem: error.sentences } : { notice: 'The message was canceled.' };
    return redirect(`/dashboard/messages/${id}`, flash);
  }

  return [
    show('/messages/:id', 'read', detail),
    act('/messages/:id/retry', 'retryMessage', retry),
    act('/messages/:id/cancel', 'cancelMessage', cancel),
  ];
}
