/** `passbell webhook`: which addresses hear of an application's events. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { EVENT_NAMES, type EventName } from '../modules/webhooks/event.js';
import { isWebLink } from '../platform/http/web-link.js';
import { SECOND } from '../platform/clock.js';
import { OperatorError, withExamples, type Context } from './context.js';
import { answer, block, JSON_OPTION, table, time, type OutputOptions } from './output.js';

interface AddOptions extends OutputOptions {
  readonly url: string;
  readonly event: EventName[];
}

export function addWebhookCommands(program: Command, context: Context): void {
  const webhook = program.command('webhook').description("addresses that hear of an application's events");
  withExamples(webhook, [
    'add APP_KEY --url https://shop.example/events --event message.failed otp.verified',
    'list APP_KEY',
    'remove APP_KEY WEBHOOK_ID',
  ]);
  addAdd(webhook, context);
  addList(webhook, context);
  addRemove(webhook, context);
}

async function applicationId(context: Context, appKey: string): Promise<number> {
  return (await (await context.service()).applications.existing(appKey)).id;
}

function link(text: string): string {
  if (!isWebLink(text)) throw new InvalidArgumentError('It must start with https:// or http://, without a password.');
  return text;
}

function addAdd(webhook: Command, context: Context): void {
  const add = webhook
    .command('add')
    .description('subscribe an address; running servers follow within 2 seconds')
    .argument('<APP_KEY>', 'key of the application')
    .requiredOption('--url <URL>', 'address to call', link)
    .addOption(new Option('--event <EVENT...>', 'what to tell of').choices(EVENT_NAMES).makeOptionMandatory())
    .option(...JSON_OPTION)
    .action(async (appKey: string, { url, event, ...output }: AddOptions) => {
      const id = await applicationId(context, appKey);
      const made = await (await context.service()).webhooks.create(id, { url, events: event });
      const lines = block([
        ['Webhook', made.webhookId],
        ['Address', made.url],
        ['Events', made.events.join(', ')],
        ['Secret', `${made.secret}   (shown only now)`],
      ]);
      answer(context, output, made, lines);
    });
  withExamples(add, ['APP_KEY --url https://shop.example/events --event message.delivered message.failed']);
}

function addList(webhook: Command, context: Context): void {
  const list = webhook
    .command('list')
    .description('show the webhooks of an application')
    .argument('<APP_KEY>', 'key of the application')
    .option(...JSON_OPTION)
    .action(async (appKey: string, output: OutputOptions) => {
      const id = await applicationId(context, appKey);
      const all = await (await context.service()).webhooks.list(id);
      const rows = all.map(({ webhookId, url, events, createdTime, failures }) => [
        `${webhookId}\n${url}`,
        events.join('\n'),
        time(createdTime * SECOND),
        String(failures),
      ]);
      const text = table(['Webhook', 'Events', 'Since', 'Failed in a row'], rows);
      answer(context, output, all, rows.length > 0 ? text : 'It has no webhooks.');
    });
  withExamples(list, ['APP_KEY', 'APP_KEY --json']);
}

function addRemove(webhook: Command, context: Context): void {
  const remove = webhook
    .command('remove')
    .description('end a webhook, with what waits to be sent to it')
    .argument('<APP_KEY>', 'key of the application')
    .argument('<WEBHOOK_ID>', 'id of the webhook, as in "webhook list"')
    .option(...JSON_OPTION)
    .action(async (appKey: string, webhookId: string, output: OutputOptions) => {
      const id = await applicationId(context, appKey);
      if (!(await (await context.service()).webhooks.remove(id, webhookId)))
        throw new OperatorError(`the application has no webhook ${webhookId}`);
      answer(context, output, { webhookId }, 'The webhook is gone.');
    });
  withExamples(remove, ['APP_KEY WEBHOOK_ID']);
}
