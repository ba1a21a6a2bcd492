/**
 * A fake of the part of Twilio's REST API that the providers use. Records requests, and returns configurable responses.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { waiting } from './wait.js';
import { keepConnections } from './keep-connections.js';

export interface TwilioRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The unparsed body. */
  readonly body: string;
  readonly form: Readonly<Record<string, string>>;
  /** Port of the client, which identifies the connection. */
  readonly remotePort: number;
}

/**
 * `silent` never responds, `reset` resets the connection after the request, `half` resets it in the middle of the
 * response, `lost` resets it after accepting the message.
 */
export type TwilioBehavior =
  | 'accept'
  | 'lost'
  | 'silent'
  | 'reset'
  | 'half'
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> };

/** Returns the response to each request, and may delay it. */
type Responder = (request: TwilioRequest) => TwilioBehavior | Promise<TwilioBehavior>;

export interface TwilioServer {
  readonly url: string;
  readonly accountSid: string;
  readonly authToken: string;
  readonly requests: readonly TwilioRequest[];
  forgetRequests(): void;
  /** Sets the response to new sends. */
  respondWith(behavior: TwilioBehavior | Responder): void;
  /** Sets the response to look-ups of accepted messages. */
  respondToLookUpsWith(behavior: TwilioBehavior): void;
  /** Waits for the n-th request, counted from one. */
  waitForRequest(n: number): Promise<TwilioRequest>;
  close(): Promise<void>;
}

/** An error response in Twilio's format. */
export function twilioError(status: number, code: number, message: string, headers: Record<string, string> = {}) {
  return { status, headers, body: { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status } };
}

export const TWILIO_ERRORS = {
  invalidNumber: twilioError(400, 21211, "The 'To' number +14155550123 is not a valid phone number."),
  optedOut: twilioError(400, 21610, 'Attempt to send to unsubscribed recipient'),
  tooMany: twilioError(429, 20429, 'Too Many Requests', { 'Retry-After': '7' }),
  unavailable: { status: 503, body: 'upstream connect error' },
  credentials: twilioError(401, 20003, 'Authenticate'),
} as const;

/**
 * Starts the server on a free port, below the path `prefix`. `now` is the time of accepted messages in milliseconds.
 */
export async function startTwilioServer(prefix = '', now: () => number = Date.now): Promise<TwilioServer> {
  const accountSid = `AC${randomBytes(16).toString('hex')}`;
  const authToken = randomBytes(16).toString('hex');
  const requests: TwilioRequest[] = [];
  const expected: { readonly n: number; readonly resolve: (request: TwilioRequest) => void }[] = [];
  const acceptedRecords: TwilioRecord[] = [];
  let lookUp: TwilioBehavior = 'accept';
  let behavior: Responder = () => 'accept';

  const server = createServer(async (incoming, response) => {
    const request = await record(incoming);
    requests.push(request);
    for (const { n, resolve } of expected) if (n === requests.length) resolve(request);
    const authorization = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`;
    if (request.headers.authorization !== authorization) return reply(response, TWILIO_ERRORS.credentials);
    const resource = new RegExp(`^${prefix}/2010-04-01/Accounts/${accountSid}/(Messages|Calls)\\.json(?:\\?.*)?$`).exec(
      request.path,
    );
    if (!resource)
      return reply(response, twilioError(404, 20404, `The requested resource ${request.path} was not found`));
    const kind = resource[1] as 'Messages' | 'Calls';
    if (request.method === 'GET') return behave(response, lookUp, () => list(kind, request.path, acceptedRecords), 200);
    behave(response, await behavior(request), () => {
      const record = accepted(accountSid, kind, request.form, now());
      acceptedRecords.unshift(record);
      return record;
    });
  });
  keepConnections(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    accountSid,
    authToken,
    requests,
    forgetRequests: () => void (requests.length = 0),
    respondToLookUpsWith: (next) => void (lookUp = next),
    respondWith: (next) => void (behavior = typeof next === 'function' ? next : () => next),
    waitForRequest(n) {
      const request = new Promise<TwilioRequest>((resolve) => {
        if (requests[n - 1]) resolve(requests[n - 1]!);
        else expected.push({ n, resolve });
      });
      return waiting(`request ${n} to Twilio`, request);
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function record(incoming: IncomingMessage): Promise<TwilioRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  return {
    method: incoming.method ?? '',
    path: incoming.url ?? '',
    headers: incoming.headers,
    body,
    form: Object.fromEntries(new URLSearchParams(body)),
    remotePort: incoming.socket.remotePort ?? 0,
  };
}

function reply(
  response: ServerResponse,
  { status, body, headers }: { status: number; body: unknown; headers?: Record<string, string> },
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json;charset=utf-8', ...headers }).end(text);
}

function behave(response: ServerResponse, behavior: TwilioBehavior, success: () => unknown, status = 201): void {
  if (behavior === 'silent') return;
  if (behavior === 'lost') success();
  if (behavior === 'reset' || behavior === 'lost') return void response.socket?.resetAndDestroy();
  if (behavior === 'half') {
    response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
    response.write('{"sid":"SM', () => response.socket?.resetAndDestroy());
    return;
  }
  reply(response, behavior === 'accept' ? { status, body: success() } : behavior);
}

interface TwilioRecord {
  readonly sid: string;
  readonly to: string | undefined;
  readonly [field: string]: unknown;
}

/** Returns a page of the accepted messages or calls, newest first, in Twilio's format. */
function list(resource: 'Messages' | 'Calls', path: string, records: readonly TwilioRecord[]): unknown {
  const to = new URL(path, 'http://localhost').searchParams.get('To');
  const prefix = resource === 'Calls' ? 'CA' : 'SM';
  const found = records.filter((record) => record.sid.startsWith(prefix) && (to === null || record.to === to));
  return { [resource.toLowerCase()]: found, page: 0, page_size: 20, next_page_uri: null, uri: path };
}

/** Returns Twilio's response to an accepted message or call. */
function accepted(
  accountSid: string,
  resource: string,
  form: Readonly<Record<string, string>>,
  at: number,
): TwilioRecord {
  const id = randomBytes(16).toString('hex');
  const sid = `${resource === 'Calls' ? 'CA' : 'SM'}${id}`;
  const now = new Date(at).toUTCString().replace('GMT', '+0000');
  const common = {
    account_sid: accountSid,
    api_version: '2010-04-01',
    date_created: now,
    date_updated: now,
    direction: 'outbound-api',
    from: form['From'] ?? null,
    price: null,
    price_unit: 'USD',
    sid,
    status: 'queued',
    to: form['To'],
    uri: `/2010-04-01/Accounts/${accountSid}/${resource}/${sid}.json`,
  };
  if (resource === 'Calls')
    return { ...common, answered_by: null, duration: null, end_time: null, start_time: null, subresource_uris: {} };
  return {
    ...common,
    body: form['Body'] ?? '',
    date_sent: null,
    error_code: null,
    error_message: null,
    messaging_service_sid: form['MessagingServiceSid'] ?? null,
    num_media: '0',
    num_segments: '1',
    subresource_uris: { media: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}/Media.json` },
  };
}
