import type { HttpReply, HttpRequest } from '../../platform/http/exchange.js';
import { createExchange, ExchangeError, retryAfterSeconds } from '../../platform/http/exchange.js';
import { parseJsonObject } from '../../platform/json.js';
import { transportError } from '../http-failure.js';
import { ProviderError, type OutgoingMessage, type Provider } from '../provider.js';
import { apiUrl, matching, optional, required, secret } from '../provider-field.js';
import type {
  CredentialsCheck,
  ProviderContext,
  ProviderField,
  ProviderSettings,
  ProviderType,
} from '../provider-type.js';
import { problemOf } from '../provider-type.js';
import { codeDetails, toProviderError } from './errors.js';
import { messageBody, parseTemplates } from './message.js';
import { receiveNotification } from './webhook.js';

const API_URL = 'https://graph.facebook.com/v23.0';

const FIELDS: readonly ProviderField[] = [
  matching(
    required(
      'phoneNumberId',
      'Phone number ID',
      'On the “API Setup” page of the app. This is not the phone number itself.',
    ),
    /^\d{5,20}$/,
    'must consist of digits',
  ),
  secret(
    'accessToken',
    'Access token',
    'A permanent token of a system user with the permission whatsapp_business_messaging.',
  ),
  {
    ...required('templates', 'Approved templates'),
    kind: 'multiline',
    help: 'One template per line, with its language, such as otp = verification_code/en_US or otp.de = verification_code/de. With a document header: invoice_paid.document = receipt/en_US.',
    problem: (value) => problemOf(() => parseTemplates(value)),
  },
  {
    ...optional(
      'appSecret',
      'App secret',
      'Verifies delivery reports and replies. In the app, under App settings → Basic.',
    ),
    secret: true,
  },
  {
    ...optional(
      'verifyToken',
      'Verify token',
      'Any text. In the app, enter the same text next to the address for delivery reports.',
    ),
    secret: true,
  },
  apiUrl(API_URL, 'Change it only to use another version of the API, a proxy or a test server.'),
];

interface Reply {
  readonly error?: { readonly code?: unknown };
  readonly messages?: readonly { readonly id?: unknown }[];
}

function parse(text: string): { readonly code: number | undefined; readonly id: string | undefined } {
  const { error, messages } = (parseJsonObject(text) ?? {}) as Reply;
  const code = error?.code;
  const id = messages?.[0]?.id;
  return { code: typeof code === 'number' ? code : undefined, id: typeof id === 'string' ? id : undefined };
}

function withoutReply(error: unknown): ProviderError {
  if (!(error instanceof ExchangeError)) throw error;
  return transportError('WhatsApp', error);
}

function readReply(reply: HttpReply, now: number): { readonly providerId: string } {
  const { status, text } = reply;
  const { code, id } = parse(text);
  const details = { status, reply: text };
  if (status >= 200 && status < 300) {
    if (id !== undefined) return { providerId: id };
    throw new ProviderError('unknown', "WhatsApp's confirmation cannot be read").withDetails(details);
  }
  const error = toProviderError(status, code, retryAfterSeconds(reply, now));
  throw error.withDetails(code === undefined ? details : { ...details, ...codeDetails(code) });
}

const headersOf = (accessToken: string) => ({
  Authorization: `Bearer ${accessToken}`,
  'Content-Type': 'application/json',
});

const phoneNumberUrl = ({ apiUrl: url = API_URL, phoneNumberId }: ProviderSettings): string =>
  `${url.replace(/(?<!\/)\/+$/, '')}/${phoneNumberId}`;

const requestOf = (settings: ProviderSettings, message: OutgoingMessage, accessToken: string): HttpRequest => ({
  method: 'POST',
  url: `${phoneNumberUrl(settings)}/messages`,
  headers: headersOf(accessToken),
  body: JSON.stringify(messageBody(message, parseTemplates(settings.templates ?? ''))),
});

function create(
  settings: ProviderSettings,
  { name, clock, timeoutMs, publicOnly, onReply }: ProviderContext,
): Provider {
  const exchange = createExchange({ allowPrivate: !publicOnly });
  return {
    channel: 'WHATSAPP',
    name,
    async send(message) {
      const request = requestOf(settings, message, settings.accessToken ?? '');
      const reply = await exchange.send(request, timeoutMs).catch((error: unknown) => {
        throw withoutReply(error);
      });
      onReply?.(reply);
      return readReply(reply, clock.now());
    },
    close: exchange.close,
  };
}

/** Reads the phone number from the API, which requires the same permissions as sending. */
async function check(settings: ProviderSettings, context: ProviderContext): Promise<CredentialsCheck> {
  const exchange = createExchange({ allowPrivate: !context.publicOnly });
  const url = `${phoneNumberUrl(settings)}?fields=id`;
  const headers = headersOf(settings.accessToken ?? '');
  try {
    const reply = await exchange.send({ method: 'GET', url, headers }, context.timeoutMs);
    context.onReply?.(reply);
    if (reply.status === 200) return { ok: true };
    return { ok: false, reason: toProviderError(reply.status, parse(reply.text).code).reason };
  } catch (error) {
    return { ok: false, reason: withoutReply(error).reason };
  } finally {
    exchange.close();
  }
}

export const WHATSAPP_CLOUD: ProviderType = {
  name: 'whatsapp-cloud',
  title: 'WhatsApp (Meta Cloud API)',
  description:
    'Sends WhatsApp messages with templates that Meta has approved. You need a WhatsApp Business account and a Meta app.',
  helpUrl: 'https://developers.facebook.com/docs/whatsapp/cloud-api/get-started',
  channels: ['WHATSAPP'],
  fields: FIELDS,
  capabilities: { deliveryReports: true, lookUp: false },
  reportsHelp:
    'In your Meta app, open the “Configuration” page of WhatsApp, enter this address and the verify token, and subscribe to messages. The webhook receives delivery reports and replies such as STOP.',
  problems: ({ appSecret, verifyToken }) =>
    !appSecret === !verifyToken ? [] : [[appSecret ? 'verifyToken' : 'appSecret', 'is needed for delivery reports']],
  create: (settings, context) => [create(settings, context)],
  check,
  dryRun: (settings, _context, message) => requestOf(settings, message, '••••'),
  receive(request, { appSecret, verifyToken }) {
    return appSecret && verifyToken ? receiveNotification(request, { appSecret, verifyToken }) : undefined;
  },
};
