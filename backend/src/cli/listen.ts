/** `passbell listen`: forwards an application's events to a server on a developer's machine, signed as by a webhook. */
import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { EVENT_NAMES, type EventBody } from '../modules/webhooks/event.js';
import { newSecret, signedHeaders } from '../modules/webhooks/webhook.js';
import { SECOND } from '../platform/clock.js';
import { createExchange } from '../platform/http/exchange.js';
import { isWebLink } from '../platform/http/web-link.js';
import { parseJsonObject } from '../platform/json.js';
import { OperatorError, withExamples, type Context } from './context.js';

/** A server returns the ten latest events of each type, so few are missed between two requests. */
const POLL_MS = 1000;
const TIMEOUT_MS = 10_000;
/** The replies contain ten events each, with details of messages. */
const REPLY_LIMIT = 1024 * 1024;

/** Errors of a server that is restarting or busy. Replies of proxies have no code. */
const TRANSIENT_CODES: readonly unknown[] = [undefined, 'OVERLOADED', 'SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];

/** More than a reply can contain, so that no event in a reply has been forgotten. */
const REMEMBERED_EVENTS = 1000;

class TransientError extends OperatorError {}

/** Connections are not reused, because a developer often restarts both servers. */
const exchange = createExchange({ allowPrivate: true }, { reuseConnections: false, replyLimit: REPLY_LIMIT });

export function complete(command: Command, context: Context): void {
  withExamples(command, ['http://localhost:4000/events', 'http://localhost:4000/events --secret whsec_…']);
  command
    .argument('<URL>', 'URL that receives the events', (text: string) => {
      if (!isWebLink(text)) throw new InvalidArgumentError('It must be a URL such as http://localhost:4000/events.');
      return text;
    })
    .addOption(
      new Option('--secret <SECRET>', 'signing secret, such as the secret of a webhook').default(
        newSecret(),
        'a new secret',
      ),
    )
    .addHelpText('after', '\nReads PASSBELL_URL, APP_KEY and APP_SECRET from the environment.')
    .action((url: string, { secret }: { secret: string }) => listen(url, secret, context));
}

async function listen(url: string, secret: string, context: Context): Promise<void> {
  const read = createReader();
  const remember = createMemory(REMEMBERED_EVENTS);
  for (const { id } of await read()) remember(id);
  context.out(`Forwarding events to ${url}, signed with ${secret}\n`);
  for (;;) {
    await pause(POLL_MS);
    const events = await read().catch((error: unknown) => {
      if (!(error instanceof TransientError)) throw error;
      context.err(`${error.message}; trying again\n`);
      return [];
    });
    for (const event of events.filter(({ id }) => remember(id)))
      context.out(`${event.event} ${event.id} → ${await forward(url, event, secret, context.now())}\n`);
  }
}

/** Returns a function that remembers an ID, and returns whether it is new. Forgets the IDs that were not given for longest. */
export function createMemory(size: number): (id: string) => boolean {
  const ids = new Set<string>();
  return (id) => {
    const isNew = !ids.delete(id);
    ids.add(id);
    if (ids.size > size) ids.delete(ids.values().next().value!);
    return isNew;
  };
}

/** Returns a function that reads the latest events, oldest first. */
function createReader(): () => Promise<EventBody[]> {
  const { PASSBELL_URL: server = '', APP_KEY: clientId = '', APP_SECRET: clientSecret = '' } = process.env;
  if (!isWebLink(server) || clientId === '' || clientSecret === '')
    throw new OperatorError(
      'set PASSBELL_URL to the URL of the server, and APP_KEY and APP_SECRET to the API credentials of the application',
    );
  const base = `${server.replace(/\/$/, '')}/api/v1/webhooks/recent?event=`;
  const headers = { clientId, clientSecret };
  return async () => {
    const events: EventBody[] = [];
    for (const name of EVENT_NAMES) {
      const request = { method: 'GET', url: `${base}${name}`, headers };
      const { text, status } = await exchange.send(request, TIMEOUT_MS).catch(() => {
        throw new TransientError(`there is no reply from ${server}`);
      });
      const { success, message, code, data } = parseJsonObject(text) ?? {};
      if (success !== true) {
        const problem = `${server}: ${String(message ?? `status ${status}`)}`;
        throw TRANSIENT_CODES.includes(code) ? new TransientError(problem) : new OperatorError(problem);
      }
      events.push(...(data as { events: EventBody[] }).events);
    }
    return events.sort((a, b) => a.createdTime - b.createdTime);
  };
}

/** Returns the status of the reply, or `no reply`. Events are not sent again. */
async function forward(url: string, event: EventBody, secret: string, now: number): Promise<string> {
  const body = JSON.stringify(event);
  const signed = signedHeaders([secret], { eventId: event.id, body }, Math.floor(now / SECOND));
  const headers = { ...signed, 'Content-Type': 'application/json' };
  return exchange.send({ method: 'POST', url, headers, body }, TIMEOUT_MS).then(
    ({ status }) => String(status),
    () => 'no reply',
  );
}
