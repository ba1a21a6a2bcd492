/** A fake HTTP gateway that records requests and returns configurable responses. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../backend/src/platform/clock.js';
import { createKeyring } from '../../backend/src/platform/crypto.js';
import { HTTP_GATEWAY } from '../../backend/src/providers/http-gateway/http-gateway-type.js';
import type { ProviderContext, ProviderSettings } from '../../backend/src/providers/provider-type.js';
import { ProviderError, type OutgoingMessage, type Provider } from '../../backend/src/providers/provider.js';
import { assertSettings } from '../../backend/src/modules/providers/provider-account.js';
import { createLog } from '../../backend/src/platform/log.js';
import { LIBRARY_TIMEOUT_MS, waiting } from './wait.js';
import { keepConnections } from './keep-connections.js';

export interface GatewayRequest {
  readonly method: string;
  /** The path with the query string. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The unparsed body. */
  readonly body: string;
}

/**
 * `silent` never responds; `reset` resets the connection after the request; `half` resets it in the middle of the
 * response.
 */
export type GatewayBehavior =
  | 'silent'
  | 'reset'
  | 'half'
  | 'endless'
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> };

/** Chooses the response to each request; may delay it. */
type Responder = (request: GatewayRequest) => GatewayBehavior | Promise<GatewayBehavior>;

export interface GatewayServer {
  readonly url: string;
  readonly requests: readonly GatewayRequest[];
  respondWith(behavior: GatewayBehavior | Responder): void;
  /** Waits for the n-th request, counted from one. */
  waitForRequest(n: number): Promise<GatewayRequest>;
  close(): Promise<void>;
}

/** Returns the code in the newest message, whose text the gateway received as `text`. */
export const findCode = ({ requests }: Pick<GatewayServer, 'requests'>): string =>
  /\d{6}/.exec(JSON.parse(requests.at(-1)!.body).text)![0];

function behave(response: ServerResponse, behavior: GatewayBehavior): void {
  if (behavior === 'silent') return;
  if (behavior === 'reset') return void response.socket?.resetAndDestroy();
  if (behavior === 'half') {
    response.writeHead(200, { 'Content-Length': '1000' });
    return void response.write('{"id":"12', () => response.socket?.resetAndDestroy());
  }
  if (behavior === 'endless') {
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    return more();
  }
  const { status, body = '', headers } = behavior;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
}

export async function startGatewayServer(): Promise<GatewayServer> {
  const requests: GatewayRequest[] = [];
  const expected: { readonly n: number; readonly resolve: (request: GatewayRequest) => void }[] = [];
  let behaviorOf: Responder = () => ({ status: 200, body: { id: 'gw-1' } });
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = '', url: path = '', headers } = incoming;
    const request = { method, path, headers, body: Buffer.concat(chunks).toString() };
    requests.push(request);
    for (const { n, resolve } of expected) if (n === requests.length) resolve(request);
    behave(response, await behaviorOf(request));
  });
  keepConnections(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    respondWith: (next) => void (behaviorOf = typeof next === 'function' ? next : () => next),
    waitForRequest(n) {
      const request = new Promise<GatewayRequest>((resolve) => {
        if (requests[n - 1]) resolve(requests[n - 1]!);
        else expected.push({ n, resolve });
      });
      return waiting(`request ${n} to the gateway`, request);
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

export const MESSAGE_ID = '0123456789abcdef0123456789abcdef';
export const CALLBACK_KEY = 'callback-key-93518';

export const providerContext = (overrides: Partial<ProviderContext> = {}): ProviderContext => ({
  id: 'PRV1',
  name: 'Local gateway',
  log: createLog('silent', { write: () => undefined }),
  clock: systemClock,
  keyring: createKeyring([randomBytes(32).toString('hex')]),
  timeoutMs: LIBRARY_TIMEOUT_MS,
  publicOnly: false,
  voiceLanguage: 'en-US',
  voiceKeyPress: true,
  callbackUrl: (messageId) =>
    `https://codes.example.com/callbacks/provider/PRV1/${messageId ?? '-'}?key=${CALLBACK_KEY}`,
  ...overrides,
});

export const smsTo = (to: string, text: string, id = MESSAGE_ID): OutgoingMessage => ({
  id,
  applicationId: 1,
  to,
  content: { kind: 'text', text, variables: ['093518'], language: 'en' },
});

/** Sends a message that must fail, and returns the error. */
export async function failureOf(provider: Provider, message: OutgoingMessage): Promise<ProviderError> {
  const error: unknown = await provider.send(message).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ProviderError);
  return error as ProviderError;
}

/** A gateway server and helpers, created for each test. */
export interface GatewayFixture {
  readonly server: GatewayServer;
  /** Returns valid settings of the type `http-gateway`. */
  settingsWith(settings?: ProviderSettings): ProviderSettings;
  gateway(settings?: ProviderSettings, context?: Partial<ProviderContext>): Provider;
  /** Starts a new server after the previous one was closed. */
  restart(): Promise<void>;
}

export const SECRET = 'k3y-93518';

/** Registers the hooks that start and stop a gateway server. The returned fixture can be used only inside tests. */
export function setUpGateway(): GatewayFixture {
  const providers: Provider[] = [];
  const fixture: { -readonly [Part in keyof GatewayFixture]: GatewayFixture[Part] } = {
    ...({} as Pick<GatewayFixture, 'server'>),
    settingsWith: (settings = {}) => ({
      url: `${fixture.server.url}/send`,
      body: '{"to": "{{ to }}", "text": "{{ text }}"}',
      secret: SECRET,
      ...settings,
    }),
    gateway(settings, context) {
      const all = fixture.settingsWith(settings);
      assertSettings(HTTP_GATEWAY, all, false);
      const [provider] = HTTP_GATEWAY.create(all, providerContext(context));
      providers.push(provider!);
      return provider!;
    },
    async restart() {
      fixture.server = await startGatewayServer();
    },
  };
  beforeEach(() => fixture.restart());
  afterEach(async () => {
    for (const provider of providers.splice(0)) provider.close?.();
    await fixture.server.close();
  });
  return fixture;
}
