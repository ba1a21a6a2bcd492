/** `passbell messages`: what was sent, what was not, and dead letters that can be sent again. */
import { Option, type Command } from 'commander';
import type { Service } from '../compose.js';
import { canRetry, shownState, type Message, type ShownState } from '../modules/messages/message.js';
import { maskRecipient } from '../modules/recipients/recipient.js';
import { OperatorError, withExamples, type Context } from './context.js';
import { answer, JSON_OPTION, table, time, type OutputOptions } from './output.js';
import { wholeNumber } from './parse.js';

const STATES: readonly ShownState[] = ['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'expired'];

/** More dead letters than this are taken up by a second call. */
const ALL = 1_000_000;

interface ListOptions extends OutputOptions {
  readonly state?: ShownState;
  readonly limit: number;
}

interface RetryOptions extends OutputOptions {
  readonly all?: boolean;
}

export function addMessagesCommands(program: Command, context: Context): void {
  const messages = program.command('messages').description('messages and dead letters');
  withExamples(messages, ['list --state failed', 'retry MESSAGE_ID', 'retry --all']);
  addList(messages, context);
  addRetry(messages, context);
}

/** A message without its content; the recipient is masked. */
function messageJson(message: Message, appKeys: ReadonlyMap<number, string>, now: number) {
  const { id, channel, recipient, template, applicationId, tried, attempts } = message;
  return {
    id,
    state: shownState(message),
    channel,
    to: maskRecipient(recipient),
    template,
    appKey: appKeys.get(applicationId) ?? null,
    attempts,
    tried: tried.map(({ startedAt: _startedAt, at: _at, ...attempt }) => attempt),
    canRetry: canRetry(message, now),
    createdAt: time(message.createdAt),
    expiresAt: time(message.expiresAt),
    finishedAt: message.finishedAt === null ? null : time(message.finishedAt),
  };
}

function messageRow({ id, state, canRetry: retryable, tried, ...message }: ReturnType<typeof messageJson>): string[] {
  const failures = tried.filter(({ success }) => !success).map((attempt) => `${attempt.channel}: ${attempt.message}`);
  if (retryable) failures.push(`retry possible until ${message.expiresAt}`);
  return [id, state, message.channel, message.to, message.template, message.createdAt, failures.join('\n')];
}

const HEAD = ['Message', 'State', 'Channel', 'To', 'Template', 'Created', 'Failures'];

function addList(messages: Command, context: Context): void {
  const list = messages
    .command('list')
    .description('show messages, newest first; never what they say')
    .addOption(new Option('--state <STATE>', 'only those in this state').choices(STATES))
    .option('--limit <N>', 'at most this many', wholeNumber(1, 10_000), 50)
    .option(...JSON_OPTION)
    .action(async ({ state, limit, ...output }: ListOptions) => {
      const service = await context.service();
      const appKeys = new Map((await service.applications.list()).map(({ id, appKey }) => [id, appKey]));
      const found = await service.messages.list({ limit, ...(state ? { state } : {}) });
      const all = found.map((message) => messageJson(message, appKeys, context.now()));
      answer(context, output, all, all.length > 0 ? table(HEAD, all.map(messageRow)) : 'There is no such message.');
    });
  withExamples(list, ['--state failed', '--limit 500 --json']);
}

const deadLetters = (service: Service): Promise<Message[]> => service.messages.list({ state: 'failed', limit: ALL });

async function retryOne(service: Service, id: string): Promise<string[]> {
  if (await service.messages.retry(id)) return [id];
  const dead = (await deadLetters(service)).some((message) => message.id === id);
  throw new OperatorError(
    dead ? `message ${id} has expired and cannot be sent again` : `there is no dead letter with the id ${id}`,
  );
}

async function retryAll(service: Service): Promise<string[]> {
  const retried: string[] = [];
  for (const { id } of await deadLetters(service)) if (await service.messages.retry(id)) retried.push(id);
  return retried;
}

function addRetry(messages: Command, context: Context): void {
  const retry = messages
    .command('retry')
    .description('send dead letters again, as long as they have not expired')
    .argument('[MESSAGE_ID]', 'id of a dead letter')
    .option('--all', 'all dead letters that have not expired')
    .option(...JSON_OPTION)
    .action(async (id: string | undefined, { all = false, ...output }: RetryOptions) => {
      if ((id !== undefined) === all) retry.error('error: give either the id of a message or --all');
      const service = await context.service();
      const retried = id === undefined ? await retryAll(service) : await retryOne(service, id);
      const text = `${retried.length} message${retried.length === 1 ? '' : 's'} will be sent again by the running server.`;
      answer(context, output, { retried }, text);
    });
  withExamples(retry, ['MESSAGE_ID', '--all']);
}
