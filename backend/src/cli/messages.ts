import { isoTime } from '../platform/clock.js';
import { Option, type Command } from 'commander';
import type { Core } from '../core.js';
import { OPERATOR } from '../modules/access/actor.js';
import { operationNamed } from '../modules/manage/operations.js';
import { canRetry, isTest, visibleState, type Message, type VisibleState } from '../modules/messages/message.js';
import { refusalText } from '../modules/messages/refusal.js';
import { maskRecipient } from '../modules/recipients/recipient.js';
import { ApiError } from '../platform/contract/errors.js';
import { addAction, addCommand, OperatorError, type Context } from './context.js';
import { formatTable } from './output.js';
import { wholeNumber } from './parse.js';
import { operatorCommand } from '../platform/config/operator-command.js';

const MAX_FAILED_MESSAGES = 1_000_000;

export function complete(messages: Command, context: Context): void {
  addList(messages, context);
  addRetry(messages, context);
}

/** Converts a message to JSON, with a masked recipient and without the content. */
function messageJson(message: Message, appKeys: ReadonlyMap<number, string>, now: number) {
  const { id, channel, recipient, template, applicationId, attempts: tried, attemptCount: attempts, refusal } = message;
  return {
    id,
    state: visibleState(message),
    test: isTest(message),
    channel,
    to: maskRecipient(recipient),
    template,
    appKey: appKeys.get(applicationId) ?? null,
    attempts,
    tried: tried.map(({ startedAt: _startedAt, at: _at, ...attempt }) => attempt),
    canRetry: canRetry(message, now),
    createdAt: isoTime(message.createdAt),
    ...(message.sendAt === null ? {} : { sendAt: isoTime(message.sendAt) }),
    expiresAt: isoTime(message.expiresAt),
    finishedAt: message.finishedAt === null ? null : isoTime(message.finishedAt),
    ...(refusal ? { refusal: { ...refusal, until: refusal.until === null ? null : isoTime(refusal.until) } } : {}),
  };
}

function messageRow({
  id,
  state,
  test,
  canRetry: retryable,
  tried,
  refusal,
  ...message
}: ReturnType<typeof messageJson>): string[] {
  const failures = tried.filter(({ success }) => !success).map((attempt) => `${attempt.channel}: ${attempt.message}`);
  if (refusal) failures.push(refusalText(refusal.reason, refusal.until));
  if (retryable) failures.push(`can be sent again until ${message.expiresAt}`);
  const shown = test ? `${state}\n(dev inbox)` : state;
  return [id, shown, message.channel, message.to, message.template, message.createdAt, failures.join('\n')];
}

const COLUMN_TITLES = ['Message', 'State', 'Channel', 'To', 'Template', 'Created', 'Failures'];

function addList(messages: Command, context: Context): void {
  const examples = ['--state failed', '--limit 500 --json'];
  const list = addCommand(messages, 'list', 'list messages, newest first; contents are never shown', examples)
    .addOption(
      new Option('--state <STATE>', 'only messages in this state').choices(
        operationNamed('listMessages').parameters.state!.enum!,
      ),
    )
    .option('--limit <N>', 'maximum number of messages', wholeNumber(1, 10_000), 50);
  addAction(list, context, async ({ state, limit }: { state?: VisibleState; limit: number }) => {
    const { applications, messages } = await context.core();
    const appKeys = new Map((await applications.service.list()).map(({ id, appKey }) => [id, appKey]));
    const found = await messages.lookup.newest({ limit, ...(state ? { state } : {}) });
    const data = found.map((message) => messageJson(message, appKeys, context.now()));
    return { data, text: formatTable(COLUMN_TITLES, data.map(messageRow), 'No matching messages.') };
  });
}

interface Retried {
  readonly retried: string[];
  readonly refused: string[];
}

const isRefused = (error: unknown): error is ApiError => error instanceof ApiError && error.code === 'FRAUD_SUSPECTED';

async function retryOne({ applications, messages }: Core, id: string): Promise<Retried> {
  const result = await messages.service
    .retry(OPERATOR, await applications.service.list(), id)
    .catch((error: unknown) => {
      throw isRefused(error) ? new OperatorError(error.sentences) : error;
    });
  if (result === 'retried') return { retried: [id], refused: [] };
  if (result === 'expired') throw new OperatorError(`message ${id} has expired, so it cannot be sent again`);
  throw new OperatorError(`there is no failed message with the ID ${id}`);
}

async function retryAll({ applications, messages }: Core): Promise<Retried> {
  const active = (await applications.service.list()).filter(
    ({ status, accountStatus, deleteAt }) => status === 'active' && accountStatus === 'active' && deleteAt === null,
  );
  const retried: string[] = [];
  const refused: string[] = [];
  for (const { id } of await messages.lookup.newest({ state: 'failed', limit: MAX_FAILED_MESSAGES })) {
    try {
      if ((await messages.service.retry(OPERATOR, active, id)) === 'retried') retried.push(id);
    } catch (error) {
      if (!isRefused(error)) throw error;
      refused.push(id);
    }
  }
  return { retried, refused };
}

const countText = (count: number): string => `${count} message${count === 1 ? '' : 's'}`;

function addRetry(messages: Command, context: Context): void {
  const description = 'send failed messages again, unless they have expired';
  const retry = addCommand(messages, 'retry', description, ['MESSAGE_ID', '--all'])
    .argument('[MESSAGE_ID]', 'ID of a failed message')
    .option(
      '--all',
      'retry all failed messages that have not expired, except those of inactive or deleted applications and of inactive or blocked accounts',
    );
  addAction(retry, context, async (id: string | undefined, { all = false }: { all?: boolean }) => {
    if ((id !== undefined) === all) retry.error('error: specify either a message ID or --all');
    const core = await context.core();
    const data = id === undefined ? await retryAll(core) : await retryOne(core, id);
    const queued = `${countText(data.retried.length)} queued again.`;
    const lines = [data.retried.length > 0 ? `${queued} The running server will send them.` : queued];
    if (data.refused.length > 0)
      lines.push(
        `The fraud guard refused ${countText(data.refused.length)}. To see why, run: ${operatorCommand()} fraud show APP_KEY`,
      );
    return { data, text: lines.join('\n') };
  });
}
