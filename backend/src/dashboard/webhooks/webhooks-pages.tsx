/**
 * An application's pages below `/webhooks`: the list of webhooks, and a page with the settings and the log of each
 * webhook.
 */
import type { Clock } from '../../platform/clock.js';
import type { WebhooksService } from '../../modules/webhooks/index.js';
import { ATTEMPTS_PER_WEBHOOK, type Webhook } from '../../modules/webhooks/webhook.js';
import { EVENT_NAMES, publicName, type EventName } from '../../modules/webhooks/event.js';
import { ApiError } from '../../platform/contract/errors.js';
import { isWebLink } from '../../platform/http/web-link.js';
import { EMPTY_FORM, FieldError, filledForm, readForm, statusOf, textOf, type FormState } from '../form.js';
import type { ApplicationVisit, Change, Flash, PageReply, PageRoute } from '../page.js';
import {
  actOnApplication,
  actOnApplicationAfterCheck,
  fragment,
  page,
  PageNotFound,
  redirect,
  showForApplication,
} from '../page.js';
import { readEvents, RECOMMENDED_EVENTS } from './events.js';
import { hostOf, webhookPath, webhooksPath } from './labels.js';
import { CreationView, ListView } from './list-view.js';
import { LOG_ID, LogView } from './log-view.js';
import { WebhookView } from './webhook-view.js';

const GONE: Flash = { problem: 'This webhook has already been deleted.' };

function parseUrl(text: string): string {
  const url = text.trim();
  if (!isWebLink(url)) throw new FieldError('Enter a URL such as https://shop.example/events, without a password.');
  return url;
}

export function webhooksPages(webhooks: WebhooksService, clock: Clock): readonly PageRoute[] {
  async function list({ application }: ApplicationVisit) {
    const rows = (await webhooks.listAll(application)).map(async (webhook) => ({
      webhook,
      ...(await webhooks.stateOf(webhook)),
    }));
    return page(
      'Webhooks',
      <ListView application={application} webhooks={await Promise.all(rows)} now={clock.now()} />,
    );
  }

  const creationPage = (
    { application }: ApplicationVisit,
    form = EMPTY_FORM,
    checked: readonly string[] = RECOMMENDED_EVENTS,
  ): PageReply =>
    page('New webhook', <CreationView application={application} form={form} checked={checked} />, statusOf(form));

  function create(visit: ApplicationVisit): Change | PageReply {
    const { application, actor, body } = visit;
    const read = readForm({ url: parseUrl, events: () => readEvents(body) }, body);
    if (!read.ok) return creationPage(visit, read.state, body.events ?? []);
    const { url, events } = read.values;
    return async () => {
      try {
        const { secret, ...webhook } = await webhooks.create(actor, application, { url, events: [...events] });
        const notice = 'The webhook was created. Copy its secret now, and send a test event.';
        return redirect(webhookPath(application, webhook), { notice, reveal: { secret } });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return creationPage(visit, filledForm(read.state.typed, { url: error.sentences }), body.events);
      }
    };
  }

  async function findWebhook({ application, params }: ApplicationVisit): Promise<Webhook> {
    const webhook = await webhooks.find(application, params.webhookId!);
    if (!webhook) throw new PageNotFound();
    return webhook;
  }

  async function detail(visit: ApplicationVisit, form: FormState = EMPTY_FORM): Promise<PageReply> {
    const { application, actor, flash, query } = visit;
    const webhook = await findWebhook(visit);
    const before = Number(query.before) || undefined;
    const log = await webhooks.log(actor, webhook, { limit: ATTEMPTS_PER_WEBHOOK });
    const props = { application, webhook, log, isFailed: query.failed === 'yes', before, now: clock.now(), form };
    const view = <WebhookView {...props} checked={webhook.events.map(publicName)} secret={flash.reveal?.secret} />;
    return page(`Webhook to ${hostOf(webhook)}`, view, statusOf(form));
  }

  async function showLog(visit: ApplicationVisit): Promise<PageReply> {
    const webhook = await findWebhook(visit);
    const path = webhookPath(visit.application, webhook);
    if (visit.target !== LOG_ID) return redirect(path);
    const log = await webhooks.log(visit.actor, webhook, { limit: ATTEMPTS_PER_WEBHOOK });
    return fragment(<LogView path={path} log={log} before={undefined} isFailed={false} />);
  }

  /** Creates a handler that runs a change and redirects to the webhook's page. */
  const createChangeHandler =
    (change: (visit: ApplicationVisit, webhookId: string) => Promise<Flash | undefined>) =>
    async (visit: ApplicationVisit): Promise<PageReply> => {
      const { application, params } = visit;
      const webhookId = params.webhookId!;
      const flash = await change(visit, webhookId);
      return flash
        ? redirect(webhookPath(application, { webhookId }), flash)
        : redirect(webhooksPath(application), GONE);
    };

  async function setEvents(visit: ApplicationVisit): Promise<PageReply> {
    const read = readForm({ events: () => readEvents(visit.body) }, visit.body);
    if (!read.ok) return detail(visit, read.state);
    const { events } = read.values;
    return createChangeHandler(async ({ actor, application }, id) =>
      (await webhooks.setEvents(actor, application, id, events)) ? { notice: 'Events saved.' } : undefined,
    )(visit);
  }

  const setPaused = (paused: boolean) =>
    createChangeHandler(async ({ actor, application }, id) => {
      const notice = paused ? 'The webhook is paused.' : 'The webhook was resumed.';
      return (await webhooks.setPaused(actor, application, id, paused)) ? { notice } : undefined;
    });

  const rotateSecret = createChangeHandler(async ({ actor, application }, id) => {
    const rotated = await webhooks.rotateSecret(actor, application, id);
    if (!rotated) return undefined;
    const { secret } = rotated;
    return { notice: "The new secret was created. Copy it now. It won't be shown again.", reveal: { secret } };
  });

  const sendTest = createChangeHandler(async ({ actor, application, body }, id) => {
    const event = EVENT_NAMES.find((name): name is EventName => name === textOf(body, 'event'));
    if (event === undefined) return { problem: 'No event was sent. Choose an event.' };
    const sent = await webhooks.sendTest(actor, application, id, event);
    return sent === undefined ? undefined : { notice: 'The test event was queued. The log shows the reply.' };
  });

  const resend = createChangeHandler(async ({ actor, application, body }, id) => {
    const sent = await webhooks.resend(actor, application, id, Number(textOf(body, 'attempt')) || 0);
    return sent
      ? { notice: 'The event was queued again, with the same ID.' }
      : { problem: 'This request is no longer in the log, so its event was not sent again.' };
  });

  async function remove({ actor, application, params }: ApplicationVisit): Promise<PageReply> {
    const removed = await webhooks.remove(actor, application, params.webhookId!);
    return redirect(webhooksPath(application), removed ? { notice: 'The webhook was deleted.' } : GONE);
  }

  return [
    showForApplication('/webhooks', 'read', (visit) => list(visit)),
    actOnApplicationAfterCheck('/webhooks', 'createWebhook', create),
    showForApplication('/webhooks/new', 'own', (visit) => creationPage(visit)),
    showForApplication('/webhooks/:webhookId', 'own', (visit) => detail(visit)),
    showForApplication('/webhooks/:webhookId/log', 'own', showLog),
    actOnApplication('/webhooks/:webhookId/events', 'updateWebhook', setEvents),
    actOnApplication('/webhooks/:webhookId/test', 'testWebhook', sendTest),
    actOnApplication('/webhooks/:webhookId/resend', 'resendEvent', resend),
    actOnApplication('/webhooks/:webhookId/pause', 'updateWebhook', setPaused(true)),
    actOnApplication('/webhooks/:webhookId/resume', 'updateWebhook', setPaused(false)),
    actOnApplication('/webhooks/:webhookId/secret', 'rotateWebhookSecret', rotateSecret),
    actOnApplication('/webhooks/:webhookId/remove', 'deleteWebhook', remove),
  ];
}
