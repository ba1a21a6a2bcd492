/** Message variables cannot change the structure of a gateway request, and requests cannot reach internal addresses. */
import fc from 'fast-check';
import { createExchange } from '../../backend/src/platform/http/exchange.js';
import { compileGateway, createGateway } from '../../backend/src/providers/http-gateway/gateway.js';
import { compileOutcome } from '../../backend/src/providers/http-gateway/outcome.js';
import { gatewayType } from '../../backend/src/providers/http-gateway/preset.js';
import { SMS_GATE } from '../../backend/src/providers/http-gateway/presets/sms-gate.js';
import { createRegexpMeter } from '../../backend/src/providers/http-gateway/regexp-time.js';
import { compileRequest } from '../../backend/src/providers/http-gateway/request.js';
import { RenderError } from '../../backend/src/providers/http-gateway/templates.js';
import { HTTP_GATEWAY } from '../../backend/src/providers/http-gateway/http-gateway-type.js';
import { createTestClock } from '../support/clock.js';
import {
  failureOf,
  providerContext,
  smsTo,
  startGatewayServer,
  type GatewayServer,
} from '../support/gateway-server.js';

const HOSTILE_STRINGS = [
  '"',
  '","admin":true,"x":"',
  '&admin=1',
  '\r\nX-Admin: 1',
  '{{ secret }}',
  '{% if true %}x{% endif %}',
];
const hostileText = fc.oneof(
  fc.constantFrom(
    ...HOSTILE_STRINGS,
    '../..',
    '..',
    '.',
    '/',
    '\\',
    '#',
    '?x=1',
    '\u0000',
    '\ud800',
    '%2e%2e',
    '@evil.example',
  ),
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom('"', '\\', '&', '=', '\r', '\n', '{', '}', '%', '/', '.', '#', '?', '\ud800', 'é', '☕'),
  }),
);
const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, '\ufffd');
const NO_AUTHENTICATION = { type: 'none' } as const;
const secret = 'k3y-93518';

it('variables cannot change the structure of a JSON body', () => {
  const body = { to: '{{ to }}', nested: { text: 'Code: {{ text }}!', list: ['{{ text }}', 1] }, fixed: 'x' };
  const build = compileRequest({ url: 'https://sms.example.com/', body }, NO_AUTHENTICATION);
  fc.assert(
    fc.property(hostileText, (text) => {
      const sent: unknown = JSON.parse(build({ to: '+1', text, secret }).body!);
      const list = text === '' ? [1] : [text, 1];
      expect(sent).toEqual({ to: '+1', nested: { text: `Code: ${text}!`, list }, fixed: 'x' });
    }),
  );
});

it.each(['form', 'query'] as const)('variables cannot change the fields of a %s', (encoding) => {
  const body = { to: '{{ to }}', text: 'Code: {{ text }}' };
  const build = compileRequest({ url: 'https://sms.example.com/send?fixed=1', encoding, body }, NO_AUTHENTICATION);
  fc.assert(
    fc.property(hostileText, (text) => {
      const request = build({ to: '+1', text, secret });
      const { searchParams, pathname, host } = new URL(request.url);
      const fields = encoding === 'form' ? new URLSearchParams(request.body) : searchParams;
      const expected = [
        ['to', '+1'],
        ['text', `Code: ${wellFormed(text)}`],
      ];
      expect([...fields].filter(([name]) => name !== 'fixed')).toEqual(expected);
      expect([pathname, host, searchParams.get('fixed')]).toEqual(['/send', 'sms.example.com', '1']);
    }),
  );
});

it('variables cannot change the host, path or parameters of a URL', () => {
  const url = 'https://sms.example.com/to/{{ text }}/send?text={{ text }}&fixed=1';
  const build = compileRequest({ method: 'GET', encoding: 'query', url }, NO_AUTHENTICATION);
  fc.assert(
    fc.property(hostileText, (text) => {
      try {
        const { host, pathname, searchParams, hash } = new URL(build({ text, secret }).url);
        expect([host, hash]).toEqual(['sms.example.com', '']);
        expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'to', wellFormed(text), 'send']);
        expect([...searchParams]).toEqual([
          ['text', wellFormed(text)],
          ['fixed', '1'],
        ]);
      } catch (error) {
        // A path segment of dots cannot be encoded, so the message is rejected.
        expect(error).toBeInstanceOf(RenderError);
        expect(text).toMatch(/^\.{1,2}$/);
      }
    }),
  );
});

it('variables cannot add line breaks or headers to a header', () => {
  const build = compileRequest(
    { url: 'https://sms.example.com/', headers: { 'X-Text': 'a{{ text }}' } },
    NO_AUTHENTICATION,
  );
  fc.assert(
    fc.property(hostileText, (text) => {
      try {
        const { headers } = build({ text, secret });
        expect(Object.keys(headers)).toEqual(['Content-Type', 'X-Text']);
        expect(headers['X-Text']).toMatch(/^[\t\x20-\x7e]*$/);
      } catch (error) {
        expect(error).toBeInstanceOf(RenderError);
      }
    }),
  );
});

it('template syntax in a variable is not evaluated', () => {
  const build = compileRequest({ url: 'https://sms.example.com/', body: { text: '{{ text }}' } }, NO_AUTHENTICATION);
  expect(JSON.parse(build({ text: '{{ secret }}', secret }).body!)).toEqual({ text: '{{ secret }}' });
});

describe("a gateway of an account other than the operator's", () => {
  let server: GatewayServer;
  beforeAll(async () => void (server = await startGatewayServer()));
  afterAll(() => server.close());

  it.each([
    ['loopback', (port: string) => `http://127.0.0.1:${port}/`],
    ['a name of this machine', (port: string) => `http://localhost:${port}/`],
    ['IPv6 loopback', (port: string) => `http://[::1]:${port}/`],
    ['another spelling of loopback', (port: string) => `http://0x7f.1:${port}/`],
    ['a private range', () => 'http://192.168.1.1/'],
    ['a cloud metadata service', () => 'http://169.254.169.254/latest/meta-data/'],
  ])('cannot be at %s', async (_name, addressFor) => {
    const settings = { url: addressFor(new URL(server.url).port), body: '{"to": "{{ to }}"}' };
    const [provider] = HTTP_GATEWAY.create(settings, providerContext({ publicOnly: true }));
    const error = await failureOf(provider!, smsTo('+14155550123', 'hello'));
    // Names that only the local system resolves have no public DNS record.
    expect([error.kind, error.reason]).toEqual(
      error.kind === 'permanent'
        ? ['permanent', "the provider's address is not public"]
        : ['transient', 'the provider cannot be reached'],
    );
    expect(server.requests).toHaveLength(0);
  });

  it('is checked only at public addresses', async () => {
    const settings = { server: server.url, username: 'shop', password: secret };
    const checked = await gatewayType(SMS_GATE).check!(settings, providerContext({ publicOnly: true }));
    expect(checked).toEqual({ ok: false, reason: "the provider's address is not public" });
    expect(server.requests).toHaveLength(0);
  });

  it('cannot redirect requests to another address', async () => {
    const target = await startGatewayServer();
    server.respondWith({ status: 307, headers: { Location: target.url } });
    const settings = { url: server.url, body: '{"to": "{{ to }}"}' };
    const [provider] = HTTP_GATEWAY.create(settings, providerContext());
    expect(await failureOf(provider!, smsTo('+14155550123', 'hello'))).toMatchObject({ kind: 'permanent' });
    expect(target.requests).toHaveLength(0);
    provider!.close?.();
    await target.close();
  });

  it('is not called if its name resolves to a private address after a public one', async () => {
    const answers = [[{ address: '8.8.8.8', family: 4 }], [{ address: '127.0.0.1', family: 4 }]];
    const resolve = async () => answers.shift()!;
    const exchange = createExchange({ allowPrivate: false, resolve, ownAddresses: () => ['8.8.8.8'] });
    const url = `http://gateway.example:${new URL(server.url).port}/`;
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(exchange.send({ method: 'GET', url, headers: {} }, 60_000)).rejects.toMatchObject({
        failure: 'rejectedAddress',
      });
  });

  it('is called at the checked IP address, even if its name now resolves to another address', async () => {
    const before = server.requests.length;
    let calls = 0;
    const port = new URL(server.url).port;
    const resolve = async () => [{ address: calls++ === 0 ? '127.0.0.1' : '192.0.2.1', family: 4 }];
    const exchange = createExchange({ allowPrivate: true, resolve });
    await exchange.send({ method: 'GET', url: `http://gateway.example:${port}/`, headers: {} }, 60_000);
    expect([calls, server.requests.length - before]).toEqual([1, 1]);
    exchange.close();
  });

  it('can send a reply of any length, of which only 64 kB are read', async () => {
    const exchange = createExchange({ allowPrivate: true });
    server.respondWith('endless');
    const reply = await exchange.send({ method: 'GET', url: server.url, headers: {} }, 60_000);
    expect([reply.text.length, reply.truncated]).toEqual([64 * 1024, true]);
    exchange.close();
  });
});

describe('regular expressions that take exponential time', () => {
  const slow = (n: number) => `transient: /^(a+)+${n}$/`;

  it('block the process only once, regardless of the number of rules', () => {
    const definition = { url: 'https://sms.example.com/', errors: Array.from({ length: 50 }, (_, n) => slow(n)) };
    const reply = { status: 200, headers: {}, text: 'a'.repeat(60), bytes: Buffer.alloc(0), truncated: false };
    const time = { leftMs: 100 };
    // Without the shared time limit, each of the 50 rules would run practically forever.
    expect(compileOutcome(definition)(reply, 0, time)).toEqual({ providerId: undefined });
    expect(time.leftMs).toBeLessThanOrEqual(0);
  });

  it('are suspended if they take a second within a minute, even if each reply stays below its limit', () => {
    const clock = createTestClock();
    const allowed = (isOperators: boolean): number => {
      const read = createRegexpMeter(clock, isOperators);
      const replies = Array.from({ length: 100 }, () =>
        read((time) => {
          const isRead = time.leftMs > 0;
          time.leftMs -= isRead ? 65 : 0;
          return isRead;
        }),
      );
      return replies.filter(Boolean).length;
    };
    expect([allowed(false), allowed(true)]).toEqual([16, 100]);
  });

  it('are not suspended if they take less in each minute', () => {
    const clock = createTestClock();
    const read = createRegexpMeter(clock, false);
    for (let minute = 0; minute < 5; minute++) {
      for (let n = 0; n < 15; n++) expect(read((time) => (time.leftMs -= 65))).toBeLessThan(80);
      clock.advance(60_000);
    }
    expect(read(({ leftMs }) => leftMs)).toBe(80);
  });

  it('are suspended for ten minutes if they belong to another account', async () => {
    const server = await startGatewayServer();
    server.respondWith({ status: 200, body: 'a'.repeat(60) });
    const compiled = compileGateway({ url: server.url, success: '/^(a+)+$|^ok/' });
    const settings = { values: {}, secretNames: [], templateIds: {} };
    const context = { ...providerContext(), clock: createTestClock(), publicOnly: true };
    const { provider } = createGateway('SMS', compiled, settings, { ...context, addresses: { allowPrivate: true } });
    const message = smsTo('+14155550123', 'hello');
    await expect(provider.send(message)).resolves.toBeDefined();
    server.respondWith({ status: 200, body: `${'a'.repeat(60)}!` });
    await failureOf(provider, message);
    server.respondWith({ status: 200, body: 'ok' });
    expect(await failureOf(provider, message)).toMatchObject({ kind: 'unknown' });
    context.clock.advance(10 * 60_000);
    await expect(provider.send(message)).resolves.toBeDefined();
    provider.close?.();
    await server.close();
  });
});
