/** The page `/messages/:id`: one message with its timeline, and a button that sends a failed message again. */
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
import type { Modules } from '../modules.js';
import { act, page, PageNotFound, redirect, show, type Flash, type PageRoute, type Visit } from '../page.js';
import { CHANNEL_NAMES, duration, priceText, stateLabelOf, templateName } from './labels.js';
import { RefusalText } from './refusal.js';
import { Timeline } from './timeline.js';

function factsOf(message: Message, application: Application): FactEntry[] {
  const { id, plan, recipient, template, maskId, providerId, requestId, expiresAt, sendAt, refusal, reference } =
    message;
  const price = acceptedAttempt(message)?.price;
  return [
    ['To', maskRecipient(recipient)],
    ['Template', templateName(template)],
    ['Application', <a href={`/dashboard/applications/${application.appKey}`}>{application.name}</a>],
    ['Channels', plan.map((channel) => CHANNEL_NAMES[channel]).join(', then ')],
    ['Price', price && priceText(price)],
    ['Scheduled for', sendAt !== null && <Time ms={sendAt} />],
    ['Expires', !refusal && <Time ms={expiresAt} />],
    ['Error code', refusal?.code],
    ['Reference', reference],
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

type DetailModules = Modules<'applications' | 'clock' | 'endUsers' | 'messages'>;

export function detailPages({ applications, messages, endUsers, clock }: DetailModules): PageRoute[] {
  async function find({ person, params }: Visit) {
    const all = await applications.service.listInAccount(person.accountId);
    const ids = all.map(({ id }) => id);
    const message = await messages.lookup.find(ids, params.id!);
    const application = all.find(({ id }) => id === message?.applicationId);
    if (!message || !application) throw new PageNotFound();
    return { message, application };
  }

  async function detail(visit: Visit) {
    const { may } = visit;
    const { message, application } = await find(visit);
    const { name, kind, meaning } = stateLabelOf(message);
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
          {message.recipient !== '' && (
            <a
              class="button subtle"
              href={`${usersPath(application)}/${endUsers.service.referenceTo(application, message.recipient)}`}
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
