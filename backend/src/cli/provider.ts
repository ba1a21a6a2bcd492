import { readFileSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import type { Tested } from '../modules/providers/provider-checks.js';
import { stateText } from '../modules/providers/provider-state.js';
import type { ProviderView } from '../modules/providers/provider-view.js';
import { CHANNELS, type ChannelName } from '../platform/contract/channels.js';
import type { ProviderField, ProviderSettings } from '../providers/provider-type.js';
import { accountIdOf, withAccount, type AccountOption } from './account-option.js';
import { addAction, addCommand, OperatorError, withExamples, type Context } from './context.js';
import { formatBlock, formatTable } from './output.js';

const EFFECTIVE_TEXT = 'running servers apply the change within 2 seconds';

function withSettings(command: Command): Command {
  const collect = (text: string, before: ProviderSettings = {}): ProviderSettings => {
    const [, name, value] = /^([a-zA-Z]+)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) throw new InvalidArgumentError('It must look like NAME=VALUE.');
    return { ...before, [name]: value! };
  };
  const collectFile = (text: string, before: ProviderSettings = {}): ProviderSettings => {
    const [name, path] = Object.entries(collect(text))[0]!;
    return { ...before, [name]: readFileSync(path, 'utf8').trimEnd() };
  };
  return command
    .option('--set <NAME=VALUE>', 'a setting, as shown by "provider types"; "NAME=" removes it; repeatable', collect)
    .option(
      '--set-file <NAME=PATH>',
      'a setting whose value is read from a file, which keeps secrets out of the shell history',
      collectFile,
    );
}

interface SettingsOptions extends AccountOption {
  readonly set?: ProviderSettings;
  readonly setFile?: ProviderSettings;
  readonly name?: string;
  readonly enabled?: string;
}

const settingsOf = ({ set, setFile }: SettingsOptions): ProviderSettings => ({ ...set, ...setFile });

/** Returns what makes a provider live that is not verified. */
const nextStepOf = ({ id, verified, channels: [channel = 'SMS'] }: ProviderView): [string, string][] =>
  verified ? [] : [['To make it live', `passbell provider test ${id} --to RECIPIENT --channel ${channel}`]];

function blockOf(provider: ProviderView): string {
  const { id, type, name, channels, enabled, state, settings, secrets, callbackUrl, inboundUrl } = provider;
  return formatBlock([
    ['Provider', id],
    ['Name', name],
    ['Type', type],
    ['Channels', channels.join(', ') || 'none'],
    ['Enabled', enabled ? 'yes' : 'no'],
    ['State', stateText(state)],
    ...nextStepOf(provider),
    ...Object.entries(settings),
    ...secrets.map((secret): [string, string] => [secret, '(secret)']),
    ...(inboundUrl === undefined ? [] : [['Reply URL', inboundUrl] as [string, string]]),
    ...(callbackUrl === undefined ? [] : [['Delivery report URL', callbackUrl] as [string, string]]),
  ]);
}

export function complete(provider: Command, context: Context): void {
  withExamples(provider, [
    'types',
    'add twilio --name "Twilio" --set accountSid=AC… --set-file authToken=token.txt --set smsFrom=Shop',
    'list',
    'test PROVIDER_ID --to +14155550123 --channel SMS',
    'remove PROVIDER_ID',
  ]);
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
  const add = withSettings(withAccount(addCommand(provider, 'add', `add a provider; ${EFFECTIVE_TEXT}`, [example])))
    .argument('<TYPE>', 'type, as shown by "provider types"')
    .requiredOption('--name <NAME>', 'name of the provider in lists and messages');
  addAction(add, context, async (type: string, options: SettingsOptions) => {
    const core = await context.core();
    const accountId = await accountIdOf(core, options.account);
    const request = { type, name: options.name!, settings: settingsOf(options) };
    const data = await core.providers.service.add(OPERATOR, accountId, request);
    return { data, text: blockOf(data) };
  });
}

function addSet(provider: Command, context: Context): void {
  const examples = ['PROVIDER_ID --set smsFrom=Shop', 'PROVIDER_ID --enabled off'];
  const set = withSettings(withAccount(addCommand(provider, 'set', `change a provider; ${EFFECTIVE_TEXT}`, examples)))
    .argument('<PROVIDER_ID>', 'provider ID, as shown by "provider list"')
    .option('--name <NAME>', 'name of the provider in lists and messages')
    .addOption(new Option('--enabled <on|off>', 'whether it sends messages').choices(['on', 'off']));
  addAction(set, context, async (id: string, options: SettingsOptions) => {
    const core = await context.core();
    const { name, enabled: state } = options;
    const enabled = state === undefined ? undefined : state === 'on';
    const change = { name, enabled, settings: settingsOf(options) };
    const data = await core.providers.service.change(OPERATOR, await accountIdOf(core, options.account), id, change);
    return { data, text: blockOf(data) };
  });
}

function addTest(provider: Command, context: Context): void {
  const examples = ['PROVIDER_ID', 'PROVIDER_ID --to +14155550123 --channel SMS'];
  const test = withAccount(addCommand(provider, 'test', 'check the credentials, and send a test message', examples))
    .argument('<PROVIDER_ID>', 'provider ID, as shown by "provider list"')
    .option('--to <RECIPIENT>', 'your own phone number or email address')
    .addOption(new Option('--channel <CHANNEL>', 'channel of the test message').choices(CHANNELS));
  addAction(
    test,
    context,
    async (id: string, { account, to, channel }: AccountOption & { to?: string; channel?: ChannelName }) => {
      if ((to === undefined) !== (channel === undefined)) throw new OperatorError('specify both --to and --channel');
      const core = await context.core();
      const accountId = await accountIdOf(core, account);
      const { check, sendTest } = core.providers.service;
      const { credentials, message } =
        to !== undefined && channel !== undefined
          ? await sendTest(OPERATOR, accountId, id, { channel, to })
          : { credentials: await check(OPERATOR, accountId, id), message: undefined };
      const checked =
        credentials === 'unsupported'
          ? 'cannot be checked without a message'
          : credentials.ok
            ? 'valid'
            : credentials.reason;
      const sent =
        message &&
        (message.ok
          ? `accepted; ${message.isOwnId ? "Passbell's" : "the provider's"} message ID is ${message.providerId}`
          : message.reason);
      const replyTo = (tested: Tested | undefined) =>
        tested?.reply && `${tested.reply.status} ${tested.reply.text}`.trim();
      const checkReply = credentials === 'unsupported' ? undefined : replyTo(credentials);
      const rows = {
        Credentials: checked,
        'Reply to the check': checkReply,
        Message: sent,
        'Reply to the message': replyTo(message),
      };
      const text = formatBlock(Object.entries(rows).filter((row): row is [string, string] => row[1] !== undefined));
      const failed = (credentials !== 'unsupported' && !credentials.ok) || message?.ok === false;
      return { data: { credentials, message }, text, failed };
    },
  );
}

function addList(provider: Command, context: Context): void {
  const list = withAccount(addCommand(provider, 'list', 'show the providers of an account', ['', '--json']));
  addAction(list, context, async ({ account }: AccountOption) => {
    const core = await context.core();
    const data = await core.providers.service.list(OPERATOR, await accountIdOf(core, account));
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
  const description = `remove a provider, and remove it from all routes; ${EFFECTIVE_TEXT}`;
  const remove = withAccount(addCommand(provider, 'remove', description, ['PROVIDER_ID']));
  remove.argument('<PROVIDER_ID>', 'provider ID, as shown by "provider list"');
  addAction(remove, context, async (id: string, { account }: AccountOption) => {
    const core = await context.core();
    await core.providers.service.remove(OPERATOR, await accountIdOf(core, account), id);
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
    const text = off ? "The account uses the operator's providers." : 'The account may use its own providers.';
    return { data: { account: email, ownProviders: off !== true }, text };
  });
}
