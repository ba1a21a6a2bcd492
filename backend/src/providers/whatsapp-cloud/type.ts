import type { HttpReply, HttpRequest } from '../../platform/http/exchange.js';
import { createExchange, ExchangeError, retryAfterSeconds } from '../../platform/http/exchange.js';
import { transportError } from '../http-failure.js';
import { ProviderError, type OutgoingMessage, type Provider } from '../provider.js';
import type {
  CredentialsCheck,
  ProviderContext,
  ProviderField,
  ProviderSettings,
  ProviderType,
} from '../provider-type.js';
import { problemOf } from '../provider-type.js';
import { codeDetails, ERROR_PAGE, toProviderError } from './errors.js';
import { messageBody, parseTemplates } from './message.js';
import { receiveNotification } from './webhook.js';

const API_URL = 'https://graph.facebook.com/v23.0';

const FIELDS: readonly ProviderField[] = [
  {
    name: 'phoneNumberId',
    label: 'Phone number ID',
    kind: 'text',
    required: true,
    help: 'On the “API Setup” page of the app. This is not the phone number itself.',
    problem: (value) => (/^\d{5,20}$/.test(value) ? undefined : 'must consist of digits'),
  },
  {
    name: 'accessToken',
    label: 'Access token',
    kind: 'text',
    required: true,
    secret: true,
    help: 'A permanent token of a system user with the permission whatsapp_business_messaging.',
  },
  {
    name: 'templates',
    label: 'Approved templates',
    kind: 'multiline',
    required: true,
    help: 'One per line with the language: otp = verification_code/en_US, otp.de = verification_code/de. With a document header: invoice_paid.document = receipt/en_US.',
    problem: (value) => problemOf(() => parseTemplates(value)),
  },
  {
    name: 'appSecret',
    label: 'App secret',
    kind: 'text',
    secret: true,
    help: 'Verifies delivery reports. On the “Basic settings” page of the app.',
  },
  {
    name: 'verifyToken',
    label: 'Verify token',
    kind: 'text',
    secret: true,
    help: 'Any text. Enter the same text next to the callback address in the app.',
  },
  {
    name: 'apiUrl',
    label: 'Address of the API',
    kind: 'url',
    operatorOnly: true,
    default: API_URL,
    help: 'Change it only to use another version of the API, a proxy or a test server.',
  },
];

function parse(text: string): { readonly code?: number; readonly id?: string } {
  try {
    const { error, messages } = JSON.parse(text) as { error?: { code?: unknown }; messages?: { id?: unknown }[] };
    const code = error?.code;
    const id = messages?.[0]?.id;
    return { ...(typeof code === 'number' ? { code } : {}), ...(typeof id === 'string' ? { id } : {}) };
  } catch {
    return {};
  }
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

function requestOf(settings: ProviderSettings, message: OutgoingMessage, accessToken: string): HttpRequest {
  const { apiUrl = API_URL, phoneNumberId, templates = '' } = settings;
  return {
    method: 'POST',
    url: `${apiUrl.replace(/(?<!\/)\/+$/, '')}/${phoneNumberId}/messages`,
    headers: headersOf(accessToken),
    body: JSON.stringify(messageBody(message, parseTemplates(templates))),
  };
}

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
  const { apiUrl = API_URL, phoneNumberId, accessToken = '' } = settings;
  const exchange = createExchange({ allowPrivate: !context.publicOnly });
  const url = `${apiUrl.replace(/(?<!\/)\/+$/, '')}/${phoneNumberId}?fields=id`;
  try {
    const reply = await exchange.send({ method: 'GET', url, headers: headersOf(accessToken) }, context.timeoutMs);
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
    'Sends WhatsApp messages with templates that Meta has approved. You need a WhatsApp Business account and an app of your own.',
  helpUrl: ERROR_PAGE,
  channels: ['WHATSAPP'],
  fields: FIELDS,
  capabilities: { deliveryReports: true, lookUp: false },
  reportsHelp:
    'In your Meta app, enter this address and the verify token as the webhook, and subscribe to messages. The webhook receives delivery reports and replies such as STOP.',
  problem: ({ appSecret, verifyToken }) =>
    !appSecret === !verifyToken ? undefined : 'Delivery reports need both the app secret and the verify token.',
  create: (settings, context) => [create(settings, context)],
  check,
  dryRun: (settings, _context, message) => requestOf(settings, message, '••••'),
  receive(request, { appSecret, verifyToken }) {
    return appSecret && verifyToken ? receiveNotification(request, { appSecret, verifyToken }) : undefined;
  },
};
