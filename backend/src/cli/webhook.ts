import type { Command } from 'commander';
import { isoTime, SECOND } from '../platform/clock.js';
import { type Context, EFFECTIVE_TEXT } from './context.js';
import { addOperation } from './operation.js';
import { formatBlock, formatTable } from './output.js';

export function complete(webhook: Command, context: Context): void {
  addOperation(webhook, context, 'createWebhook', {
    name: 'add',
    description: `create a webhook; ${EFFECTIVE_TEXT}`,
    examples: ['APP_KEY --url https://shop.example/events --event message.accepted message.failed'],
    text: ({ webhookId, url, events, secret }) =>
      formatBlock([
        ['Webhook', webhookId],
        ['URL', url],
        ['Events', events.join(', ')],
        ['Secret', `${secret}   (shown only once)`],
      ]),
  });
  addOperation(webhook, context, 'listWebhooks', {
    name: 'list',
    description: "list an application's webhooks",
    examples: ['APP_KEY', 'APP_KEY --json'],
    json: ({ webhooks }) => webhooks,
    text({ webhooks }) {
      const rows = webhooks.map(({ webhookId, url, events, createdTime, failures }) => [
        `${webhookId}\n${url}`,
        events.join('\n'),
        isoTime(createdTime * SECOND),
        String(failures),
      ]);
      const titles = ['Webhook', 'Events', 'Created', 'Consecutive failures'];
      return formatTable(titles, rows, 'This application has no webhooks.');
    },
  });
  addOperation(webhook, context, 'updateWebhook', {
    name: 'set',
    description: `change the events of a webhook, pause it or resume it; ${EFFECTIVE_TEXT}`,
    examples: ['APP_KEY WEBHOOK_ID --paused on'],
    text({ webhookId, events }, { paused }) {
      if (paused === undefined) return `Events of ${webhookId}: ${events.join(', ')}.`;
      return `${webhookId} ${paused ? 'is paused. After you resume it, it receives' : 'receives'} ${events.join(', ')}.`;
    },
  });
  addOperation(webhook, context, 'rotateWebhookSecret', {
    name: 'rotate-secret',
    description: 'create a new signing secret; accept both secrets until the old one expires',
    examples: ['APP_KEY WEBHOOK_ID', 'APP_KEY WEBHOOK_ID --grace-hours 0'],
    text: ({ secret, oldSecretValidUntil }, { graceHours }) =>
      formatBlock([
        ['Secret', `${secret}   (shown only once)`],
        ['Old secret', graceHours === 0 ? 'no longer valid' : `valid until ${oldSecretValidUntil}`],
      ]),
  });
  addOperation(webhook, context, 'testWebhook', {
    name: 'test',
    description: 'send a sample event',
    examples: ['APP_KEY WEBHOOK_ID --event otp.verified'],
    text: ({ eventId }) => `The running server will send the event ${eventId}.`,
  });
  addOperation(webhook, context, 'deleteWebhook', {
    name: 'remove',
    description: 'delete a webhook and its pending events',
    examples: ['APP_KEY WEBHOOK_ID'],
    text: () => 'Webhook deleted.',
  });
}
