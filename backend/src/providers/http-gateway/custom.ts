/** The provider type for gateways without a preset. Its fields correspond to the parts of a definition. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { ProviderContext, ProviderField, ProviderSettings, ProviderType } from '../provider-type.js';
import {
  DefinitionError,
  ENCODINGS,
  METHODS,
  NUMBER_FORMATS,
  type Authentication,
  type Encoding,
  type GatewayDefinition,
  type Json,
  type LookUpDefinition,
  type NumberFormat,
  type ReportDefinition,
} from './definition.js';
import { compileGateway, createGateway, type CompiledGateway } from './gateway.js';
import { hideTypedQuery } from './hidden.js';
import { parseFields, parseHeaders, parseRules, parseStates, parseTemplateIds } from './lines.js';
import { gatewaySettings, positiveNumber, compileProblem } from './preset.js';

const AUTHENTICATION_LABELS = {
  none: 'None',
  basic: 'User name and password (Basic)',
  bearer: 'Bearer token',
  header: 'Header',
  query: 'Query parameter',
};
const ENCODING_LABELS = { json: 'JSON', form: 'Form', query: 'Query parameters' };
const NUMBER_LABELS = {
  plus: 'With a plus sign: +14155550123',
  digits: 'Digits only: 14155550123',
  national: 'Without the country code: 4155550123',
};

const FIELDS: readonly ProviderField[] = [
  {
    name: 'channel',
    label: 'Channel',
    kind: 'choice',
    choices: ['SMS', 'WHATSAPP'],
    choiceLabels: { WHATSAPP: 'WhatsApp' },
    default: 'SMS',
  },
  { name: 'method', label: 'Method', kind: 'choice', choices: METHODS, default: 'POST' },
  {
    name: 'url',
    label: 'Address',
    kind: 'text',
    required: true,
    help: 'The address that Passbell calls to send a message, such as https://sms.example.com/send.',
  },
  {
    name: 'encoding',
    label: 'Encoding',
    kind: 'choice',
    choices: ENCODINGS,
    default: 'json',
    choiceLabels: ENCODING_LABELS,
    help: 'How the values are sent.',
  },
  {
    name: 'body',
    label: 'Values',
    kind: 'multiline',
    required: true,
    initial: '{"to": "{{ to }}", "text": "{{ text }}"}',
    help: 'For JSON: {"to": "{{ to }}", "text": "{{ text }}"}. Otherwise one per line: to = {{ to }}. The documentation lists all values, such as {{ code }} and {{ from }}.',
  },
  {
    name: 'headers',
    advanced: true,
    label: 'Headers',
    kind: 'multiline',
    problem: (value) => compileProblem(() => parseHeaders(value)),
    help: 'One per line: Accept: application/json.',
  },
  {
    name: 'number',
    advanced: true,
    label: 'Number format',
    kind: 'choice',
    choices: NUMBER_FORMATS,
    choiceLabels: NUMBER_LABELS,
    default: 'plus',
  },
  {
    name: 'authentication',
    label: 'Authentication',
    kind: 'choice',
    default: 'none',
    choices: Object.keys(AUTHENTICATION_LABELS),
    choiceLabels: AUTHENTICATION_LABELS,
    help: 'How the gateway recognizes your account.',
  },
  {
    name: 'authenticationName',
    label: 'Name of the header or parameter',
    kind: 'text',
    usedWith: { field: 'authentication', choices: ['header', 'query'] },
    help: 'Such as X-Api-Key.',
  },
  {
    name: 'user',
    label: 'User name',
    kind: 'text',
    help: 'Also available as {{ user }}.',
    usedWith: { field: 'authentication', choices: ['none', 'basic'] },
  },
  {
    name: 'secret',
    label: 'Secret',
    kind: 'text',
    secret: true,
    help: 'The password, token or API key. Also available as {{ secret }}.',
  },
  {
    name: 'from',
    label: 'Sender',
    kind: 'text',
    help: 'Available as {{ from }}.',
  },
  {
    name: 'success',
    advanced: true,
    label: 'Success condition',
    kind: 'text',
    help: 'Such as: status 200-299 and result.code = 0. Leave it empty for any 2xx status.',
  },
  {
    name: 'messageIdPath',
    label: 'Message ID',
    kind: 'text',
    help: 'Path of the message ID in the reply, such as messages[0].id, or a regular expression such as /id=(\\w+)/.',
  },
  {
    name: 'errors',
    advanced: true,
    label: 'Error rules',
    kind: 'multiline',
    help: 'One rule per line, such as: transient: result.code = 12 => the account sends too fast.',
  },
  {
    name: 'errorCode',
    advanced: true,
    label: 'Path of the error code',
    kind: 'text',
    help: 'Such as error.code. The code is added to the reason for a failure.',
  },
  {
    name: 'reportState',
    advanced: true,
    label: 'Report: state',
    kind: 'text',
    help: 'Path of the state in a delivery report, such as status. Leave it empty for no delivery reports.',
  },
  {
    name: 'reportStates',
    advanced: true,
    label: 'Report: values of the state',
    kind: 'multiline',
    help: 'One line for each of delivered, undelivered and sent, such as: delivered = DELIVRD, OK.',
  },
  {
    name: 'reportId',
    advanced: true,
    label: 'Report: message ID',
    kind: 'text',
    help: "Path of the gateway's message ID in the report.",
  },
  {
    name: 'reportMessageId',
    advanced: true,
    label: 'Report: Passbell’s message ID',
    kind: 'text',
    help: 'Path of {{ messageId }} in the report, if the gateway returns it.',
  },
  {
    name: 'reportList',
    advanced: true,
    label: 'Report: list',
    kind: 'text',
    help: 'Path of a list of reports, or $ if the body is the list.',
  },
  {
    name: 'lookUpUrl',
    advanced: true,
    label: 'Lookup: address',
    kind: 'text',
    help: 'Address to look up a message at the gateway, such as https://sms.example.com/messages/{{ messageId }}.',
  },
  {
    name: 'lookUpFound',
    advanced: true,
    label: 'Lookup: condition',
    kind: 'text',
    help: 'Matches the reply if the gateway has the message, such as: id exists.',
  },
  {
    name: 'lookUpId',
    advanced: true,
    label: 'Lookup: message ID',
    kind: 'text',
    help: 'Path of the message ID, such as id.',
  },
  {
    name: 'templates',
    advanced: true,
    label: 'Templates',
    kind: 'multiline',
    help: 'Template IDs of the gateway, one per line: otp = 1107161234567890123. Available as {{ templateId }}.',
    problem: (value) => compileProblem(() => parseTemplateIds(value)),
  },
  {
    name: 'needsTemplate',
    advanced: true,
    label: 'Send only messages with a template ID',
    kind: 'boolean',
    default: 'false',
  },
  {
    name: 'timeoutSeconds',
    advanced: true,
    label: 'Time limit in seconds',
    kind: 'number',
    help: "Leave it empty to use the server's limit (PROVIDER_TIMEOUT_MS).",
  },
  {
    name: 'perSecond',
    advanced: true,
    label: 'Messages per second',
    kind: 'number',
    help: 'For each process. Leave it empty for no limit.',
  },
];

function authenticationOf({ authentication, authenticationName: name }: ProviderSettings): Authentication {
  switch (authentication) {
    case 'basic':
      return { type: 'basic', user: '{{ user }}', password: '{{ secret }}' };
    case 'bearer':
      return { type: 'bearer', token: '{{ secret }}' };
    case 'header':
    case 'query':
      if (!name) throw new DefinitionError('Enter the name of the header or parameter that contains the secret.');
      return { type: authentication, name, value: '{{ secret }}' };
    default:
      return { type: 'none' };
  }
}

function bodyOf(encoding: Encoding, text: string): Json {
  if (encoding !== 'json') return parseFields(text);
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new DefinitionError('The values are not valid JSON. Write {{ … }} inside quotation marks.');
  }
}

function reportsOf({ reportState, ...settings }: ProviderSettings): ReportDefinition | undefined {
  if (!reportState) return undefined;
  const { reportList: list, reportMessageId: messageId, reportId: id } = settings;
  return {
    state: reportState,
    states: parseStates(settings.reportStates ?? ''),
    ...(list ? { list } : {}),
    ...(messageId ? { messageId } : {}),
    ...(id ? { id } : {}),
  };
}

function lookUpOf({ lookUpUrl, lookUpFound, lookUpId }: ProviderSettings): LookUpDefinition | undefined {
  if (!lookUpUrl) return undefined;
  if (!lookUpFound || !lookUpId) throw new DefinitionError('A lookup needs a condition and a message ID.');
  return { url: lookUpUrl, found: lookUpFound, id: lookUpId };
}

/** Throws a {@link DefinitionError} for settings that are not valid. */
export function definitionOf(settings: ProviderSettings): GatewayDefinition {
  const { method, url = '', encoding = 'json', number, success, messageIdPath: id, errors, errorCode } = settings;
  const [reports, lookUp] = [reportsOf(settings), lookUpOf(settings)];
  const [timeoutSeconds, perSecond] = [positiveNumber(settings.timeoutSeconds), positiveNumber(settings.perSecond)];
  return {
    url,
    encoding: encoding as Encoding,
    authentication: authenticationOf(settings),
    body: bodyOf(encoding as Encoding, settings.body ?? ''),
    headers: parseHeaders(settings.headers ?? ''),
    errors: parseRules(errors ?? ''),
    needsTemplate: settings.needsTemplate === 'true',
    ...(method ? { method: method as 'POST' } : {}),
    ...(number ? { number: number as NumberFormat } : {}),
    ...(success ? { success } : {}),
    ...(id ? { id } : {}),
    ...(errorCode ? { errorCode } : {}),
    ...(reports ? { reports } : {}),
    ...(lookUp ? { lookUp } : {}),
    ...(timeoutSeconds ? { timeoutSeconds } : {}),
    ...(perSecond ? { perSecond } : {}),
  };
}

/** The fields whose values templates can use. All other fields are parts of the definition. */
const VALUE_FIELDS = FIELDS.filter(({ name }) => ['user', 'secret', 'from'].includes(name));

/** Compiled gateways by their settings. A provider keeps the same settings object until the settings change. */
const compiledGateways = new WeakMap<ProviderSettings, CompiledGateway>();

function compiled(settings: ProviderSettings): CompiledGateway {
  const known = compiledGateways.get(settings) ?? compileGateway(definitionOf(settings));
  compiledGateways.set(settings, known);
  return known;
}

function gateway(settings: ProviderSettings, context: ProviderContext) {
  const channel = (settings.channel ?? 'SMS') as ChannelName;
  return createGateway(channel, compiled(settings), gatewaySettings(VALUE_FIELDS, settings), context);
}

export const HTTP_GATEWAY: ProviderType = {
  name: 'http-gateway',
  title: 'Other gateway (HTTP)',
  description: 'Sends messages through any gateway with an HTTP API. You describe the request and the reply.',
  channels: ['SMS', 'WHATSAPP'],
  fields: FIELDS,
  helpUrl: '/docs/providers#the-request',
  capabilities: { deliveryReports: true, lookUp: true },
  problem: (settings) => compileProblem(() => compiled(settings)),
  create: (settings, context) => [gateway(settings, context).provider],
  dryRun: (settings, context, message) =>
    gateway({ ...settings, url: hideTypedQuery(settings.url ?? '') }, context).dryRun(message),
  receive: (request, settings) => ({ reports: compiled(settings).readReports?.(request) ?? [] }),
};
