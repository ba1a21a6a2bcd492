/** `/messages/:id`: how one message went, and the way to send a dead letter again. */
import { ApiError } from '../../platform/contract/errors.js';
import type { Application } from '../../modules/applications/application.js';
import { assertActive } from '../../modules/applications/applications-service.js';
import { canRetry, shownState, type Message } from '../../modules/messages/message.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { timelineOf } from '../../modules/messages/timeline.js';
import { Badge } from '../components/badge.js';
import { Copy } from '../components/copy.js';
import { Form } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Time } from '../components/time.js';
import { act, page, PageNotFound, redirect, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { Timeline } from './timeline.js';
import { amount, CHANNEL_NAMES, duration, STATES, templateName } from './words.js';

function Facts({ message, application }: { message: Message; application: Application | undefined }) {
  const { id, plan, recipient, template, maskId, providerId, requestId, expiresAt, tried } = message;
  const price = tried.find(({ success }) => success)?.price;
  const facts: readonly (readonly [string, preact.ComponentChildren])[] = [
    ['To', maskRecipient(recipient)],
    ['What', templateName(template)],
    ['Application', application && <a href={`/dashboard/applications/${application.appKey}`}>{application.name}</a>],
    ['Channels', plan.map((channel) => CHANNEL_NAMES[channel]).join(', then ')],
    ['Price', price && amount(price.charge, price.currency)],
    ['Valid until', <Time ms={expiresAt} />],
    ['Message', <Copy label="id of the message" value={id} />],
    ['maskId', maskId && maskId !== id && <Copy label="maskId" value={maskId} />],
    ["Provider's id", providerId && <Copy label="id at the provider" value={providerId} />],
    ['Request', requestId && <Copy label="id of the request" value={requestId} />],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** What can be done about a dead letter, or why nothing can. */
function DeadLetter({ message, now, mayRetry }: { message: Message; now: number; mayRetry: boolean }) {
  const { id, template, expiresAt, plan } = message;
  const thing = template === 'otp' ? 'code' : 'notification';
  if (!canRetry(message, now))
    return (
      <Notice kind="warning">
        This {thing} was valid until <Time ms={expiresAt} />. It has expired and cannot be sent again
        {template === 'otp' ? ': ask for a new code instead.' : '.'}
      </Notice>
    );
  return (
    <section class="card" aria-labelledby="retry">
      <h2 id="retry">Send it again</h2>
      <p>
        The same {thing} goes to the same recipient, over {CHANNEL_NAMES[plan[0]!]} first. It is valid for another{' '}
        {duration(expiresAt - now)}.
      </p>
      {mayRetry ? (
        <Form action={`/dashboard/messages/${id}/retry`}>
          <div class="actions">
            <button class="button">Send again</button>
          </div>
        </Form>
      ) : (
        <p class="quiet">An owner or a member of the account can do that.</p>
      )}
    </section>
  );
}

const RETRY_NOTICES = {
  retried: 'It is in the queue again.',
  expired: 'It has expired meanwhile and was not sent again.',
  'no dead letter': 'It was on its way again already; nothing was sent twice.',
} as const;

/** Why an application may not send; undefined when it may. */
function refusalOf(application: Application | undefined): string | undefined {
  try {
    assertActive(application);
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

export function detailPages({ applications, messageLookup, audit, clock }: DashboardServices): readonly PageRoute[] {
  const own = async ({ person }: Visit) => applications.ofAccount(person.accountId);

  return [
    show('/messages/:id', 'read', async (visit: Visit) => {
      const all = await own(visit);
      const ids = all.map(({ id }) => id);
      const message = await messageLookup.find(ids, visit.params.id!);
      if (!message) throw new PageNotFound();
      const { name, kind, meaning } = STATES[shownState(message)];
      const application = all.find(({ id }) => id === message.applicationId);
      return page(
        `${templateName(message.template)} to ${maskRecipient(message.recipient)}`,
        <>
          <p class="crumbs">
            <a href="/dashboard/messages">Messages</a>
          </p>
          <PageHead
            title={`${templateName(message.template)} to ${maskRecipient(message.recipient)}`}
            lead={
              <>
                <Badge kind={kind}>{name}</Badge> {meaning}
              </>
            }
          />
          {message.state === 'failed' && (
            <DeadLetter message={message} now={clock.now()} mayRetry={visit.may('change')} />
          )}
          <div class="message-page">
            <section class="card" aria-labelledby="timeline">
              <h2 id="timeline">What happened</h2>
              <Timeline steps={timelineOf(message)} />
            </section>
            <section class="card" aria-labelledby="facts">
              <h2 id="facts">Details</h2>
              <Facts message={message} application={application} />
            </section>
          </div>
        </>,
      );
    }),

    act('/messages/:id/retry', 'change', async (visit: Visit) => {
      const id = visit.params.id!;
      const all = await own(visit);
      const ids = all.map((application) => application.id);
      const message = await messageLookup.find(ids, id);
      if (!message) throw new PageNotFound();
      const refusal = refusalOf(all.find((application) => application.id === message.applicationId));
      if (refusal) return redirect(`/dashboard/messages/${id}`, { notice: `Nothing was sent: ${refusal}.` });
      const result = await messageLookup.retry(ids, id);
      if (result === 'unknown') throw new PageNotFound();
      if (result === 'retried') await audit.record(visit.person, { action: 'message.retry', subject: id });
      return redirect(`/dashboard/messages/${id}`, { notice: RETRY_NOTICES[result] });
    }),
  ];
}
