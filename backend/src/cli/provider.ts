import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { OPERATOR_ACCOUNT } from '../modules/applications/application.js';
import type { Tested, TestedCredentials, TestedMessage } from '../modules/providers/provider-checks.js';
import { stateText } from '../modules/providers/provider-state.js';
import type { ProviderView } from '../modules/providers/provider-view.js';
import { operatorCommand } from '../platform/config/operator-command.js';
import { CHANNELS, type ChannelName } from '../platform/contract/channels.js';
import { providerIdFor } from '../providers/provider-id.js';
import type { ProviderField, ProviderSettings } from '../providers/provider-type.js';
import { accountIdOf, addAccountAction } from './account-option.js';
import { addAction, addCommand, type Context, EFFECTIVE_TEXT, OperatorError } from './context.js';
import { formatBlock, formatTable } from './output.js';

const PROVIDER_ARGUMENT = 'provider ID, as shown by `passbell provider list`, or the ID with which you created it';

function withSettings(command: Command): Command {
  const collect = (text: string, before: ProviderSettings = {}): ProviderSettings => {
    const [, name, value] = /^([a-zA-Z]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) throw new InvalidArgumentError('It must have the form NAME=VALUE.');
    return { ...before, [name]: value! };
  };
  const collectFile = (text: string, before: ProviderSettings = {}): ProviderSettings => {
    const [name, path] = Object.entries(collect(text))[0]!;
    return { ...before, [name]: readFileSync(path, 'utf8').trimEnd() };
  };
  return command
    .option(
      '--set <NAME=VALUE>',
      'a setting, as shown by `passbell provider types`; "NAME=" removes the setting; repeatable',
      collect,
    )
    .option(
      '--set-file <NAME=PATH>',
      'a setting whose value is read from a file, to keep secrets out of the shell history',
      collectFile,
    );
}

interface SettingsOptions {
  readonly account: string;
  readonly set?: ProviderSettings;
  readonly setFile?: ProviderSettings;
  readonly name?: string;
  readonly enabled?: string;
}

const settingsOf = ({ set, setFile }: SettingsOptions): ProviderSettings => ({ ...set, ...setFile });

/** Returns what makes a provider live that is not verified. */
function nextStepOf({ id, verified, channels: [channel = 'SMS'] }: ProviderView, account: string): [string, string][] {
  const option = account === OPERATOR_ACCOUNT ? '' : ` --account ${account}`;
  const command = `${operatorCommand()} provider test ${id} --to RECIPIENT --channel ${channel}${option}`;
  return verified ? [] : [['To make it live', command]];
}

function blockOf(provider: ProviderView, account: string): string {
  const { id, type, name, channels, enabled, state, settings, secrets, callbackUrl, inboundUrl } = provider;
  return formatBlock([
    ['Provider', id],
    ['Name', name],
    ['Type', type],
    ['Channels', channels.join(', ') || 'none'],
    ['Enabled', enabled ? 'yes' : 'no'],
    ['State', stateText(state)],
    ...nextStepOf(provider, account),
    ...Object.entries(settings),
    ...secrets.map((secret): [string, string] => [secret, '(secret)']),
    ...(inboundUrl === undefined ? [] : [['Reply URL', inboundUrl] as [string, string]]),
    ...(callbackUrl === undefined ? [] : [['Delivery report URL', callbackUrl] as [string, string]]),
  ]);
}

export function complete(provider: Command, context: Context): void {
  addTypes(provider, context);
  addAddCommand(provider, context);
  addSet(provider, context);
  addTest(provider, context);
  addList(provider, context);
  addRemove(provider, context);
  addAllow(provider, context);
}

const fieldText = ({ name, required, secret, choices = [], help }: ProviderField): string => {
  const oneOf = choices.length > 0 ? `one of ${choices.join(', ')}` : '';
  const marks = [required ? 'required' : '', secret ? 'secret' : '', oneOf].filter(Boolean).join(', ');
  return `${name}${marks === '' ? '' : ` (${marks})`}${help === undefined ? '' : `: ${help}`}`;
};

function addTypes(provider: Command, context: Context): void {
  const types = addCommand(provider, 'types', 'show the types of providers and their settings', ['', 'twilio']);
  types.argument('[TYPE]', 'show the settings of this type');
  addAction(types, context, async (name: string | undefined) => {
    const { providers } = await context.core();
    const found = providers.service.types.filter((type) => name === undefined || type.name === name);
    if (found.length === 0) throw new OperatorError(`there is no provider type ${name}`);
    const data = found.map(({ name: type, title, description, channels, fields, capabilities }) => ({
      type,
      title,
      description,
      channels,
      capabilities,
      fields: fields.map(({ problem: _problem, ...field }) => field),
    }));
    const [only] = name === undefined ? [] : data;
    if (only) return { data, text: `${only.title}: ${only.description}\n\n${only.fields.map(fieldText).join('\n')}` };
    const rows = data.map(({ type, title, channels }) => [type, title, channels.join(', ')]);
    return { data, text: formatTable(['Type', 'Provider', 'Channels'], rows, 'There are no types.') };
  });
}

function addAddCommand(provider: Command, context: Context): void {
  const example = 'twilio --name "Twilio" --set accountSid=AC… --set-file authToken=token.txt --set smsFrom=Shop';
  const add = withSettings(addCommand(provider, 'add', `add a provider; ${EFFECTIVE_TEXT}`, [example]))
    .argument('<TYPE>', 'type, as shown by `passbell provider types`')
    .requiredOption('--name <NAME>', 'name of the provider in lists and messages');
  addAccountAction(add, context, async (core, accountId, type: string, options: SettingsOptions) => {
    const request = { type, name: options.name!, settings: settingsOf(options) };
    const data = await core.providers.service.add(OPERATOR, accountId, request);
    return { data, text: blockOf(data, options.account) };
  });
}

function addSet(provider: Command, context: Context): void {
  const examples = ['PROVIDER_ID --set smsFrom=Shop', 'PROVIDER_ID --enabled off'];
  const set = withSettings(addCommand(provider, 'set', `change a provider; ${EFFECTIVE_TEXT}`, examples))
    .argument('<PROVIDER_ID>', PROVIDER_ARGUMENT)
    .option('--name <NAME>', 'name of the provider in lists and messages')
    .addOption(new Option('--enabled <on|off>', 'whether the provider sends messages').choices(['on', 'off']));
  addAccountAction(set, context, async (core, accountId, reference: string, options: SettingsOptions) => {
    const id = providerIdFor(accountId, reference);
    const { name, enabled: state } = options;
    const enabled = state === undefined ? undefined : state === 'on';
    const change = { name, enabled, settings: settingsOf(options) };
    const data = await core.providers.service.change(OPERATOR, accountId, id, change);
    return { data, text: blockOf(data, options.account) };
  });
}

function addTest(provider: Command, context: Context): void {
  const examples = ['PROVIDER_ID', 'PROVIDER_ID --to +14155550123 --channel SMS'];
  const test = addCommand(provider, 'test', 'check the credentials, and with --to also send a test message', examples)
    .argument('<PROVIDER_ID>', PROVIDER_ARGUMENT)
    .option('--to <RECIPIENT>', 'your own phone number or email address')
    .addOption(new Option('--channel <CHANNEL>', 'channel of the test message').choices(CHANNELS));
  type Options = { to?: string; channel?: ChannelName };
  addAccountAction(test, context, async (core, accountId, reference: string, { to, channel }: Options) => {
    const id = providerIdFor(accountId, reference);
    if ((to === undefined) !== (channel === undefined)) throw new OperatorError('specify both --to and --channel');
    const { check, sendTest } = core.providers.service;
    const { credentials, message } =
      to !== undefined && channel !== undefined
        ? await sendTest(OPERATOR, accountId, id, { channel, to })
        : { credentials: await check(OPERATOR, accountId, id), message: undefined };
    const text = formatBlock([...checkRows(credentials), ...(message ? messageRows(message) : [])]);
    const failed = (credentials !== 'unsupported' && !credentials.ok) || message?.ok === false;
    return { data: { credentials, message }, text, failed };
  });
}

type Rows = (readonly [string, string])[];

const replyRow = (title: string, { reply }: Tested): Rows =>
  reply ? [[title, `${reply.status} ${reply.text}`.trim()]] : [];

function checkRows(checked: TestedCredentials): Rows {
  if (checked === 'unsupported') return [['Credentials', 'cannot be checked without a message']];
  return [['Credentials', checked.ok ? 'valid' : checked.reason], ...replyRow('Reply to the check', checked)];
}

function messageRows(sent: TestedMessage): Rows {
  const id = sent.ok && `${sent.isOwnId ? "Passbell's" : "the provider's"} message ID is ${sent.providerId}`;
  return [['Message', sent.ok ? `accepted; ${id}` : sent.reason], ...replyRow('Reply to the message', sent)];
}

function addList(provider: Command, context: Context): void {
  const list = addCommand(provider, 'list', 'show the providers of an account', ['', '--json']);
  addAccountAction(list, context, async (core, accountId) => {
    const data = await core.providers.service.list(OPERATOR, accountId);
    const rows = data.map(({ id, name, type, channels, state }) => [
      id,
      name,
      type,
      channels.join(', '),
      stateText(state),
    ]);
    const text = formatTable(['Provider', 'Name', 'Type', 'Channels', 'State'], rows, 'There are no providers.');
    return { data, text };
  });
}

function addRemove(provider: Command, context: Context): void {
  const description = `remove a provider from the account and from all routes; ${EFFECTIVE_TEXT}`;
  const remove = addCommand(provider, 'remove', description, ['PROVIDER_ID']);
  remove.argument('<PROVIDER_ID>', PROVIDER_ARGUMENT);
  addAccountAction(remove, context, async (core, accountId, reference: string) => {
    const id = providerIdFor(accountId, reference);
    await core.providers.service.remove(OPERATOR, accountId, id);
    return { data: { id }, text: `Removed the provider ${id}.` };
  });
}

function addAllow(provider: Command, context: Context): void {
  const description = `allow an account to use its own providers, or revoke the permission; ${EFFECTIVE_TEXT}`;
  const allow = addCommand(provider, 'allow', description, ['owner@shop.example', 'owner@shop.example --off'])
    .argument('<EMAIL>', 'email address of the account')
    .option('--off', 'revoke the permission; stored providers are no longer used');
  addAction(allow, context, async (email: string, { off }: { off?: boolean }) => {
    const core = await context.core();
    await core.providers.service.allow(OPERATOR, await accountIdOf(core, email), off !== true);
    const text = off ? "The account now uses the operator's providers." : 'The account can now use its own providers.';
    return { data: { account: email, ownProviders: off !== true }, text };
  });
}
