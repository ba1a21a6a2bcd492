/** `passbell apply`: configures an account from a file, through the management API. */
import { fchmodSync, openSync, readFileSync, writeSync } from 'node:fs';
import { CommanderError, type Command } from 'commander';
import { KEY_FORMAT } from '../modules/management-keys/management-key.js';
import { ERRORS } from '../platform/contract/generated/errors.js';
import { createExchange, ExchangeError } from '../platform/http/exchange.js';
import { isWebLink } from '../platform/http/web-link.js';
import { isObject, parseJsonObject } from '../platform/json.js';
import { parseConfiguration, type ConfigurationFile, type Values } from './apply-file.js';
import { changesOf, isVisible, planOf, planText, titleOf, type PlannedChange } from './apply-plan.js';
import { OperatorError, withExamples, type Context } from './context.js';

/** Exit code of `--plan` if there are changes, as in `terraform plan -detailed-exitcode`. */
const HAS_CHANGES = 2;
/** Adding a provider waits for the vendor's reply to a check of its credentials. */
const TIMEOUT_MS = 60_000;
/** Enough for the prices of all countries and channels. */
const REPLY_LIMIT = 4 * 1024 * 1024;
/** The reply to an unknown path, such as `/api/v1/api/v1/manage`. It does not mean that an object is missing. */
const UNKNOWN_PATH = ERRORS.NOT_FOUND.message;

interface Options {
  readonly plan?: true;
  readonly secretsOut?: string;
  readonly url?: string;
  readonly key?: string;
}

export function complete(command: Command, context: Context): void {
  withExamples(command, ['shop.yaml', 'shop.yaml --plan', 'shop.yaml --secrets-out secrets.jsonl']);
  command
    .argument('<FILE>', 'YAML file; - for standard input')
    .option('--plan', `only show the changes; the exit code is ${HAS_CHANGES} if there are any`)
    .option(
      '--secrets-out <FILE>',
      'append new secrets to this file, which only you can read, instead of printing them',
    )
    .option('--url <URL>', 'URL of the server (default: the environment variable PASSBELL_URL)')
    .option('--key <KEY>', 'key of the management API (default: the environment variable PASSBELL_KEY)')
    .action((file: string, options: Options) => run(file, options, context));
}

/** The server rejected a request, or did not reply. */
class RequestError extends OperatorError {
  constructor(
    message: string,
    /** The rejected field, such as `limits.sendsPerDay`. */
    readonly field?: string,
    /** Whether the server may have made the change. */
    readonly isUnknown = false,
  ) {
    super(message);
  }
}

type Client = ReturnType<typeof createClient>;

function createClient({ url = process.env.PASSBELL_URL, key = process.env.PASSBELL_KEY }: Options) {
  if (!url || !isWebLink(url)) throw new OperatorError('set PASSBELL_URL to the URL of the server, without a password');
  if (!key || !KEY_FORMAT.test(key)) throw new OperatorError('set PASSBELL_KEY to a key of the management API (mk_…)');
  const exchange = createExchange({ allowPrivate: true }, { reuseConnections: false, replyLimit: REPLY_LIMIT });
  const base = `${url.replace(/\/$/, '')}/api/v1/manage`;

  /** Returns the `data` of the reply; undefined if the object does not exist. */
  return async function call(
    method: string,
    path: string,
    body?: object,
    version?: unknown,
  ): Promise<Values | undefined> {
    const match = version === undefined ? {} : { 'If-Match': `"${String(version)}"` };
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...match };
    const request = { method, url: `${base}${path}`, headers, body: body && JSON.stringify(body) };
    const { status, text } = await exchange.send(request, TIMEOUT_MS).catch((error: unknown) => {
      if (!(error instanceof ExchangeError)) throw error;
      throw new RequestError(
        `there is no reply from ${url}`,
        undefined,
        error.failure === 'noReply' && method !== 'GET',
      );
    });
    const { data, code, message, hint, field } = (parseJsonObject(text) ?? {}) as Record<string, string | undefined>;
    if (status === 200 && isObject(data)) return data;
    const isForeign = code === undefined || message === undefined || message === UNKNOWN_PATH;
    if (isForeign) throw new RequestError(`${url} is not a Passbell server (status ${status}); check PASSBELL_URL`);
    if (status === 404 && code === 'NOT_FOUND' && method === 'GET') return undefined;
    throw new RequestError([message.replace(/\.$/, ''), hint].filter(Boolean).join('. '), field);
  };
}

async function run(name: string, { plan: isPlan, secretsOut, ...access }: Options, context: Context): Promise<void> {
  const call = createClient(access);
  const file = parseConfiguration(read(name), process.env);
  try {
    const plan = await planOf(file, (path) => call('GET', path));
    context.out(planText(file, plan));
    if (!isPlan && plan.length > 0) await apply(file, plan, call, secretWriter(secretsOut, context), context);
    else if (plan.some(isVisible)) throw new CommanderError(HAS_CHANGES, 'passbell.changes', '');
  } catch (error) {
    throw error instanceof OperatorError ? new OperatorError(file.hide(error.message)) : error;
  }
}

function read(name: string): string {
  try {
    return readFileSync(name === '-' ? 0 : name, 'utf8');
  } catch (error) {
    throw new OperatorError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Returns a function that stores or prints a new secret. Opens the file before anything is changed. */
function secretWriter(name: string | undefined, { out }: Context): (secret: object) => void {
  if (name === undefined) return (secret) => out(`${JSON.stringify(secret)}\n`);
  const file = openSync(name, 'a', 0o600);
  fchmodSync(file, 0o600);
  return (secret) => void writeSync(file, `${JSON.stringify(secret)}\n`);
}

const untestedText = (title: string, id: string): string =>
  `note: ${title} sends no messages yet. Send a test message on its page in the dashboard, or with POST /providers/${id}/test\n`;

async function apply(
  file: ConfigurationFile,
  plan: readonly PlannedChange[],
  call: Client,
  storeSecret: (secret: object) => void,
  { out, err }: Context,
): Promise<void> {
  for (const [n, { object, isNew, fields, version }] of plan.entries()) {
    const title = titleOf(object);
    const reply = await call(object.method, object.path, object.body, version).catch((error: unknown) => {
      throw error instanceof RequestError ? interrupted(file, plan.slice(n), n, error) : error;
    });
    const { appKey, appSecret, secret, version: newVersion, verified } = reply!;
    if (isNew && (appSecret ?? secret)) storeSecret({ object: title, appKey, appSecret, secret });
    const isOnlySecret = !isNew && fields.length === 0;
    const isChanged = !isOnlySecret || newVersion !== version;
    if (isChanged) out(`${isNew ? 'created' : 'changed'} ${title}${isOnlySecret ? ' (secrets)' : ''}\n`);
    if (isChanged && verified === false) err(untestedText(title, object.at.at(-1)!));
    const rest = changesOf(object, object.view(reply!)).fields.map(({ path }) => path.join('.'));
    if (rest.length > 0)
      err(`note: the server stores ${rest.join(', ')} of ${title} in another form, so each run changes it again\n`);
  }
}

/** Returns an error that says what was applied and what was not. `rest`: the failed change, and those after it. */
function interrupted(file: ConfigurationFile, rest: readonly PlannedChange[], applied: number, error: RequestError) {
  const { object, isNew } = rest[0]!;
  const line = file.lineOf([...object.at, ...(error.field?.split('.') ?? [])]);
  const lost = isNew
    ? ' If the object has a secret, create a new secret, because you have not received the current one.'
    : '';
  const names = rest.filter(isVisible).map((each) => titleOf(each.object));
  const lines = [
    `line ${line}: ${titleOf(object)}: ${error.message}`,
    ...(error.isUnknown ? [`The server may have made this change.${lost}`] : []),
    `Applied: ${applied}. Not applied: ${names.join(', ')}.`,
    'Run the command again to continue.',
  ];
  return new OperatorError(lines.join('\n'));
}
