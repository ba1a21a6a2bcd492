/** The provider type `http-gateway`, for gateways without a preset. Its fields correspond to the parts of a definition. */
import type { ChannelName } from '../../platform/contract/channels.js';
import type { ProviderContext, ProviderField, ProviderSettings, ProviderType } from '../provider-type.js';
import { choice, optional, required } from '../provider-field.js';
import { problemOf } from '../provider-type.js';
import type { Authentication, Encoding, Method, NumberFormat } from './definition.js';
import { DefinitionError, type GatewayDefinition, type Json } from './definition.js';
import type { LookUpDefinition, ReportDefinition } from './definition.js';
import { compileCondition } from './conditions.js';
import { compileGateway, createGateway, reportIds, type CompiledGateway } from './gateway.js';
import { hideTypedQuery } from './hidden.js';
import { parseFields, parseHeaders, parseRules, parseStates, parseTemplateIds } from './lines.js';
import { compileId, compileRule } from './outcome.js';
import { compilePath, compileValue } from './paths.js';
import { gatewaySettings, PER_PROCESS, positiveNumber } from './preset.js';
import { checkMethod, compileAddress, compileContent, compileHeaders } from './request.js';
import { findNames } from './templates.js';
import { messageValueNames } from './values.js';

/** An optional field that is shown below “More settings”. */
const advanced = (name: string, label: string, help: string, kind: ProviderField['kind'] = 'text'): ProviderField => ({
  ...optional(name, label, help),
  kind,
  advanced: true,
});

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  Request: ['channel', 'method', 'url', 'encoding', 'body'],
  Account: ['authentication', 'authenticationName', 'user', 'secret'],
  'Sender and reply': ['from', 'messageIdPath'],
};

const FIELDS: readonly ProviderField[] = [
  choice('channel', 'Channel', { SMS: 'SMS', WHATSAPP: 'WhatsApp' }),
  choice('method', 'Method', { POST: 'POST', GET: 'GET', PUT: 'PUT' } satisfies Record<Method, string>),
  required(
    'url',
    'Address',
    'The address that Passbell calls to send a message, such as https://sms.example.com/send.',
  ),
  choice(
    'encoding',
    'Encoding',
    { json: 'JSON', form: 'Form', query: 'Query parameters' } satisfies Record<Encoding, string>,
    'How the values are sent.',
  ),
  {
    ...required('body', 'Request body'),
    kind: 'multiline',
    initial: '{"to": "{{ to }}", "text": "{{ text }}"}',
    help: 'For JSON: {"to": "{{ to }}", "text": "{{ text }}"}. Otherwise, one value per line: to = {{ to }}. You can also use other values, such as {{ code }} and {{ from }}.',
    helpUrl: '/docs/custom-gateway#values',
  },
  advanced('headers', 'Headers', 'One per line: Accept: application/json.', 'multiline'),
  {
    ...choice('number', 'Number format', {
      plus: 'With a plus sign: +14155550123',
      digits: 'Digits only: 14155550123',
      national: 'Without the country code: 4155550123',
    } satisfies Record<NumberFormat, string>),
    advanced: true,
  },
  {
    ...choice('authentication', 'Authentication', {
      none: 'None',
      values: 'Username and password in the request',
      basic: 'Username and password (Basic)',
      bearer: 'Bearer token',
      header: 'Header',
      query: 'Query parameter',
    } satisfies Record<Authentication['type'] | 'values', string>),
    connects: true,
    help: 'How the gateway recognizes your account.',
  },
  {
    ...optional('authenticationName', 'Name of the header or parameter', 'For example, X-Api-Key.'),
    connects: true,
    usedWith: {
      field: 'authentication',
      choices: {
        header: ['Name of the header', 'For example, X-Api-Key.'],
        query: ['Name of the parameter', 'For example, api_key.'],
      },
    },
  },
  {
    ...optional('user', 'Username', 'Also available as {{ user }}.'),
    connects: true,
    usedWith: {
      field: 'authentication',
      choices: {
        values: ['Username', 'Write {{ user }} where the request needs it.'],
        basic: ['Username'],
      },
    },
  },
  {
    ...optional('secret', 'Secret', 'The password, token or API key. Also available as {{ secret }}.'),
    secret: true,
    usedWith: {
      field: 'authentication',
      choices: {
        values: ['Password or API key', 'Write {{ secret }} where the request needs it.'],
        basic: ['Password'],
        bearer: ['Token'],
        header: ['Value of the header', 'Usually your API key.'],
        query: ['Value of the parameter', 'Usually your API key.'],
      },
    },
  },
  optional('from', 'Sender', 'A number or name that the gateway has assigned to you. Available as {{ from }}.'),
  advanced(
    'success',
    'Success condition',
    'For example, status 200-299 and result.code = 0. Leave it empty to accept all 2xx replies that match no error rule.',
  ),
  optional(
    'messageIdPath',
    'Message ID',
    'Path to the message ID in the reply, such as messages[0].id, or a regular expression such as /id=(\\w+)/.',
  ),
  advanced(
    'errors',
    'Error rules',
    'One rule per line, such as: transient: result.code = 12 => the account sends too fast.',
    'multiline',
  ),
  advanced(
    'errorCode',
    'Path to the error code',
    'For example, error.code. The code is added to the reason for a failure.',
  ),
  advanced(
    'reportState',
    'Report: state',
    'Path to the state in a delivery report, such as status. Leave it empty for no delivery reports.',
  ),
  advanced(
    'reportStates',
    'Report: words for each state',
    'One line for each of delivered, undelivered and sent, such as: delivered = DELIVRD, OK.',
    'multiline',
  ),
  advanced('reportId', 'Report: message ID', "Path to the gateway's message ID in the report."),
  advanced(
    'reportMessageId',
    "Report: Passbell's message ID",
    'Path to {{ messageId }} in the report, if the gateway returns it.',
  ),
  advanced('reportList', 'Report: list', 'Path to the list of reports, or $ if the body is the list.'),
  advanced(
    'lookUpUrl',
    'Lookup: address',
    'The address that Passbell calls if a reply was lost, such as https://sms.example.com/messages/{{ messageId }}.',
  ),
  advanced(
    'lookUpFound',
    'Lookup: found if',
    'The condition that the reply meets if the gateway has the message, such as id exists.',
  ),
  advanced('lookUpId', 'Lookup: message ID', 'Path to the message ID, such as id.'),
  advanced(
    'templates',
    'Templates',
    'Template IDs of the gateway, one per line: otp = 1107161234567890123. The ID for the current message is available as {{ templateId }}.',
    'multiline',
  ),
  {
    ...optional('needsTemplate', 'Send only messages with a template ID'),
    kind: 'boolean',
    advanced: true,
    default: 'false',
  },
  advanced(
    'timeoutSeconds',
    'Time limit in seconds',
    "Leave it empty to use the server's limit (PROVIDER_TIMEOUT_MS). A longer time has no effect.",
    'number',
  ),
  advanced('perSecond', 'Messages per second', PER_PROCESS, 'number'),
];

/** Functions that throw a {@link DefinitionError} for an invalid value, by field. */
const COMPILERS: Readonly<Record<string, (value: string) => unknown>> = {
  url: compileAddress,
  headers: (text) => compileHeaders(parseHeaders(text)),
  authenticationName: (name) => compileHeaders({ [name]: '' }),
  success: compileCondition,
  messageIdPath: compileId,
  errors: (text) => parseRules(text).map(compileRule),
  errorCode: compilePath,
  reportState: compilePath,
  reportStates: parseStates,
  reportId: compilePath,
  reportMessageId: compilePath,
  reportList: compileValue,
  lookUpUrl: compileAddress,
  lookUpFound: compileCondition,
  lookUpId: compilePath,
  templates: parseTemplateIds,
};

function asShown(field: ProviderField): ProviderField {
  const [group] = Object.entries(GROUPS).find(([, names]) => names.includes(field.name)) ?? [];
  const compile = COMPILERS[field.name];
  return {
    ...field,
    ...(group !== undefined && { group }),
    ...(compile && { problem: (value: string) => problemOf(() => compile(value)) }),
  };
}

/** The fields whose values templates can use. All other fields are parts of the definition. */
const VALUE_FIELDS = FIELDS.filter(({ name }) => ['user', 'secret', 'from'].includes(name));
const VALUE_NAMES = [...messageValueNames, ...VALUE_FIELDS.map(({ name }) => name)];
const RECIPIENT = ['to', 'nationalNumber'];

/** Throws a {@link DefinitionError} for a name without a value, because it would render to an empty text. */
function checkNames(templates: Json, known: readonly string[] = VALUE_NAMES): void {
  const unknown = findNames(templates).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new DefinitionError(`contains “${unknown}”, which is not a value. Use ${known.join(', ')}`);
}

function checkBody(encoding: string | undefined, text: string, others: Json): void {
  const body = bodyOf(encoding, text);
  compileContent({ encoding: encoding as Encoding, body });
  checkNames(body);
  if (
    problemOf(() => findNames(others)) === undefined &&
    !findNames([body, others]).some((name) => RECIPIENT.includes(name))
  )
    throw new DefinitionError("needs {{ to }}, the recipient's number");
}

function combinationProblems(
  settings: ProviderSettings,
): readonly (readonly [field: string, problem: string | undefined])[] {
  const { method, url = '', encoding, body = '', headers = '', authentication = '' } = settings;
  const { lookUpUrl, reportState: state, messageIdPath: id, reportId, reportMessageId: messageId } = settings;
  const isNeeded = (name: string, use: string) => [name, settings[name] ? undefined : `is needed for ${use}`] as const;
  const reports = { state: state ?? '', states: {}, id: reportId, messageId };
  return [
    ['body', problemOf(() => checkBody(encoding, body, [url, headers]))],
    ...Object.entries({ url, headers }).map(([name, text]) => [name, problemOf(() => checkNames(text))] as const),
    ['lookUpUrl', problemOf(() => checkNames(lookUpUrl ?? '', [...VALUE_NAMES, 'since']))],
    ['encoding', problemOf(() => checkMethod(method as Method, encoding as Encoding))],
    ...(authentication === 'basic' ? [isNeeded('user', 'this authentication')] : []),
    ...(['bearer', 'header', 'query'].includes(authentication) ? [isNeeded('secret', 'this authentication')] : []),
    ...(['header', 'query'].includes(authentication) ? [isNeeded('authenticationName', 'this authentication')] : []),
    ...(lookUpUrl ? [isNeeded('lookUpFound', 'a lookup'), isNeeded('lookUpId', 'a lookup')] : []),
    ...(state ? [isNeeded('reportStates', 'delivery reports')] : []),
    ['reportState', problemOf(() => state && reportIds({ url, headers: { headers }, body, id, reports }))],
  ];
}

function authenticationOf({ authentication, authenticationName: name }: ProviderSettings): Authentication {
  switch (authentication) {
    case 'basic':
      return { type: 'basic', user: '{{ user }}', password: '{{ secret }}' };
    case 'bearer':
      return { type: 'bearer', token: '{{ secret }}' };
    case 'header':
    case 'query':
      return { type: authentication, name: name!, value: '{{ secret }}' };
    default:
      return { type: 'none' };
  }
}

function bodyOf(encoding: string | undefined, text: string): Json {
  if (encoding !== 'json') return parseFields(text);
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new DefinitionError('must be JSON; write {{ … }} inside quotation marks');
  }
}

function reportsOf({ reportState: state, ...settings }: ProviderSettings): ReportDefinition | undefined {
  if (!state) return undefined;
  const { reportList: list, reportMessageId: messageId, reportId: id } = settings;
  return { state, states: parseStates(settings.reportStates ?? ''), list, messageId, id };
}

function lookUpOf({ lookUpUrl, lookUpFound, lookUpId }: ProviderSettings): LookUpDefinition | undefined {
  if (!lookUpUrl) return undefined;
  return { url: lookUpUrl, found: lookUpFound!, id: lookUpId! };
}

/** Returns the definition for valid settings. */
export function definitionOf(settings: ProviderSettings): GatewayDefinition {
  const { url = '', encoding = 'json', success, messageIdPath: id, errorCode } = settings;
  return {
    method: settings.method as Method | undefined,
    url,
    encoding: encoding as Encoding,
    authentication: authenticationOf(settings),
    body: bodyOf(encoding, settings.body ?? ''),
    headers: parseHeaders(settings.headers ?? ''),
    number: settings.number as NumberFormat | undefined,
    success,
    id,
    errors: parseRules(settings.errors ?? ''),
    errorCode,
    needsTemplate: settings.needsTemplate === 'true',
    reports: reportsOf(settings),
    lookUp: lookUpOf(settings),
    timeoutSeconds: positiveNumber(settings.timeoutSeconds),
    perSecond: positiveNumber(settings.perSecond),
  };
}

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
  description:
    'Sends messages through any gateway with an HTTP API that is not listed here. You need its documentation, because you describe the request and the reply.',
  channels: ['SMS', 'WHATSAPP'],
  fields: FIELDS.map(asShown),
  helpUrl: '/docs/custom-gateway',
  reportsHelp: 'In the settings of your gateway, enter this address as the webhook for delivery reports.',
  capabilities: { deliveryReports: true, lookUp: true },
  problems: combinationProblems,
  create: (settings, context) => [gateway(settings, context).provider],
  dryRun: (settings, context, message) =>
    gateway({ ...settings, url: hideTypedQuery(settings.url ?? '') }, context).dryRun(message),
  receive: (request, settings) => ({ reports: compiled(settings).readReports?.(request) ?? [] }),
};
