import { InvalidArgumentError, Option, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { EVENT_NAMES, type EventName } from '../modules/webhooks/event.js';
import { SECOND } from '../platform/clock.js';
import { isWebLink } from '../platform/http/web-link.js';
import { addAction, addCommand, OperatorError, withExamples, type Context } from './context.js';
import { formatBlock, formatTable, isoTime } from './output.js';

export function complete(webhook: Command, context: Context): void {
  withExamples(webhook, [
    'add APP_KEY --url https://shop.example/events --event message.failed otp.verified',
    'list APP_KEY',
    'remove APP_KEY WEBHOOK_ID',
  ]);
  addAddCommand(webhook, context);
  addList(webhook, context);
  addRemove(webhook, context);
}

function parseLink(text: string): string {
  if (!isWebLink(text)) throw new InvalidArgumentError('It must start with https:// or http://, without a password.');
  return text;
}

function addAddCommand(webhook: Command, context: Context): void {
  const example = 'APP_KEY --url https://shop.example/events --event message.accepted message.failed';
  const add = addCommand(webhook, 'add', 'create a webhook; running servers apply the change within 2 seconds', [
    example,
  ])
    .argument('<APP_KEY>', 'App Key of the application')
    .requiredOption('--url <URL>', 'URL that receives the events', parseLink)
    .addOption(new Option('--event <EVENT...>', 'events to send').choices(EVENT_NAMES).makeOptionMandatory());
  addAction(add, context, async (appKey: string, { url, event: events }: { url: string; event: EventName[] }) => {
    const { applications, webhooks } = await context.core();
    const data = await webhooks.service.create(OPERATOR, await applications.service.load(appKey), { url, events });
    const text = formatBlock([
      ['Webhook', data.webhookId],
      ['URL', data.url],
      ['Events', data.events.join(', ')],
      ['Secret', `${data.secret}   (shown only once)`],
    ]);
    return { data, text };
  });
}

function addList(webhook: Command, context: Context): void {
  const examples = ['APP_KEY', 'APP_KEY --json'];
  const list = addCommand(webhook, 'list', "list an application's webhooks", examples);
  list.argument('<APP_KEY>', 'App Key of the application');
  addAction(list, context, async (appKey: string) => {
    const { applications, webhooks } = await context.core();
    const data = await webhooks.service.list((await applications.service.load(appKey)).id);
    const rows = data.map(({ webhookId, url, events, createdTime, failures }) => [
      `${webhookId}\n${url}`,
      events.join('\n'),
      isoTime(createdTime * SECOND),
      String(failures),
    ]);
    return {
      data,
      text: formatTable(
        ['Webhook', 'Events', 'Created', 'Consecutive failures'],
        rows,
        'This application has no webhooks.',
      ),
    };
  });
}

function addRemove(webhook: Command, context: Context): void {
  const description = 'delete a webhook and its pending events';
  const remove = addCommand(webhook, 'remove', description, ['APP_KEY WEBHOOK_ID'])
    .argument('<APP_KEY>', 'App Key of the application')
    .argument('<WEBHOOK_ID>', 'webhook ID, as shown by "webhook list"');
  addAction(remove, context, async (appKey: string, webhookId: string) => {
    const { applications, webhooks } = await context.core();
    if (!(await webhooks.service.remove(OPERATOR, await applications.service.load(appKey), webhookId)))
      throw new OperatorError(`the application has no webhook ${webhookId}`);
    return { data: { webhookId }, text: 'Webhook deleted.' };
  });
}
