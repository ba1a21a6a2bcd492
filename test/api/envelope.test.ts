/** Properties of every API reply, and requests that fail before they reach an operation. */
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { freshPhone, startService, type Body, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());
beforeEach(() => passbell.clock.advance(60_000));

const POST_PATHS = ['/auth/sendotp', '/auth/verifyotp', '/auth/verifytoken', '/auth/revokesession'];
const MALFORMED = { success: false, code: 'MALFORMED_JSON', message: 'the body is not valid JSON' };
const TOO_LARGE = { success: false, code: 'BODY_TOO_LARGE', message: 'the body exceeds 64 kB' };
const readBody = async (response: Response): Promise<Body> => {
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return response.json();
};

describe('an unsupported HTTP method', () => {
  it.each([
    ['/auth/authentication', ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], 'GET'],
    ['/auth/sendotp', ['PUT', 'DELETE', 'PATCH', 'OPTIONS'], 'GET and POST'],
    ['/auth/verifyotp', ['PUT', 'DELETE', 'PATCH', 'OPTIONS'], 'GET and POST'],
    ['/auth/verifytoken', ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], 'POST'],
    ['/auth/revokesession', ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], 'POST'],
    ['/auth/reportverified', ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'], 'POST'],
  ])('is rejected for %s, and the error lists the allowed methods', async (path, methods, allowed) => {
    for (const method of methods) {
      const response = await passbell.fetch(`/api/v1${path}`, { method });
      expect(response.status).toBe(200);
      expect(await readBody(response)).toMatchObject({
        success: false,
        code: 'METHOD_NOT_ALLOWED',
        message: `Method not allowed. Use ${allowed}`,
      });
    }
  });

  it('neither sends nor verifies a code, even if the method is HEAD', async () => {
    const to = freshPhone();
    const sent = await passbell.send(to);
    const other = freshPhone();
    const head = (query: string) => passbell.fetch(`/api/v1/auth/${query}`, { method: 'HEAD' });
    expect((await head(`sendotp?to=${encodeURIComponent(other)}`)).status).toBe(200);
    expect((await head(`verifyotp?maskId=${sent.maskId}&otp=${sent.code}`)).status).toBe(200);
    expect(await passbell.inbox(other)).toEqual([]);
    const body = await passbell.post('/auth/verifyotp', { maskId: sent.maskId, otp: sent.code });
    expect(body).toMatchObject({ success: true });
  });

  it('is rejected even if an X-HTTP-Method-Override header contains an allowed method', async () => {
    const to = freshPhone();
    const headers = { 'X-HTTP-Method-Override': 'GET' };
    const response = await passbell.fetch(
      `/api/v1/auth/sendotp?to=${encodeURIComponent(to)}`,
      { method: 'PUT' },
      { headers },
    );
    expect(await readBody(response)).toMatchObject({ code: 'METHOD_NOT_ALLOWED' });
    expect(await passbell.inbox(to)).toEqual([]);
  });
});

describe.each(POST_PATHS)('the body of %s', (path) => {
  it.each(['{', '{"to":', 'to=1', '{"a":1}x', "{'to':1}", '{"to":"\n"}', '\ufffe', '{"to":01}', '{"to":NaN}', '<a/>'])(
    'is rejected if it is not JSON (%j)',
    async (text) => expect(await passbell.post(path, text)).toMatchObject(MALFORMED),
  );

  it.each([[[]], [[{ to: '+14155550123' }]], ['text'], [5], [true]])(
    'is rejected if it is %j instead of an object',
    async (body) => {
      expect(await passbell.post(path, JSON.stringify(body))).toMatchObject({
        success: false,
        code: 'INVALID_PARAMETER',
      });
    },
  );

  it('is rejected if it is larger than 64 kB', async () => {
    const text = JSON.stringify({ to: '+14155550123', filler: 'x'.repeat(65 * 1024) });
    expect(await passbell.post(path, text)).toMatchObject(TOO_LARGE);
    expect(await passbell.post(path, `{"filler":"${'x'.repeat(3_000_000)}"}`)).toMatchObject(TOO_LARGE);
  });

  it('is rejected if it decompresses to more than 64 kB', async () => {
    const body = gzipSync(JSON.stringify({ filler: 'x'.repeat(5_000_000) }));
    const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
    expect(await readBody(await passbell.fetch(`/api/v1${path}`, { method: 'POST', body }, { headers }))).toMatchObject(
      TOO_LARGE,
    );
  });

  it.each(['gzip', 'deflate', 'br', 'unknown'])(
    'is rejected if it does not match Content-Encoding %s',
    async (encoding) => {
      const headers = { 'Content-Encoding': encoding, 'Content-Type': 'application/json' };
      const init = { method: 'POST', body: '{"to":"+14155550123"}' };
      expect(await readBody(await passbell.fetch(`/api/v1${path}`, init, { headers }))).toMatchObject(MALFORMED);
    },
  );

  it.each(['application/json; charset=koi8-r', 'application/json; charset=nonsense'])(
    'is rejected if its charset is unsupported (%s)',
    async (type) => {
      const init = { method: 'POST', body: '{"to":"+14155550123"}' };
      const response = await passbell.fetch(`/api/v1${path}`, init, { headers: { 'Content-Type': type } });
      expect(await readBody(response)).toMatchObject(MALFORMED);
    },
  );
});

describe('a request body', () => {
  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/JSON; charset=UTF-8',
    'nonsense',
  ])('is accepted as JSON with Content-Type %s', async (type) => {
    const to = freshPhone();
    const init = { method: 'POST', body: Buffer.from(JSON.stringify({ to })) };
    const response = await passbell.fetch('/api/v1/auth/sendotp', init, { headers: { 'Content-Type': type } });
    expect(await readBody(response)).toMatchObject({ success: true });
    expect(await passbell.inbox(to)).toHaveLength(1);
  });

  it('is accepted if its size is exactly 64 kB', async () => {
    const start = `{"to":"${freshPhone()}","filler":"`;
    const text = `${start}${'x'.repeat(64 * 1024 - start.length - 2)}"}`;
    expect(await passbell.post('/auth/sendotp', text)).toMatchObject({ success: true });
  });

  it('is accepted with a byte order mark', async () => {
    const text = `\ufeff${JSON.stringify({ to: freshPhone() })}`;
    expect(await passbell.post('/auth/sendotp', text)).toMatchObject({ success: true });
  });

  it('is accepted with gzip compression', async () => {
    const init = { method: 'POST', body: gzipSync(JSON.stringify({ to: freshPhone() })) };
    const response = await passbell.fetch('/api/v1/auth/sendotp', init, { headers: { 'Content-Encoding': 'gzip' } });
    expect(await readBody(response)).toMatchObject({ success: true });
  });

  it('is parsed only after the credentials have been checked', async () => {
    const keys = { appKey: 'pk_x', appSecret: 'y' };
    expect(await passbell.post('/auth/sendotp', '{', { keys })).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  it('is ignored in a GET request', async () => {
    const to = freshPhone();
    const { port } = new URL(passbell.url);
    const { appKey, appSecret } = passbell.keys;
    const path = `/api/v1/auth/sendotp?to=${encodeURIComponent(to)}`;
    const text = 'not json at all';
    const headers = { clientId: appKey, clientSecret: appSecret, 'Content-Length': text.length };
    const body = await new Promise<Body>((resolve, reject) => {
      const outgoing = httpRequest({ port, path, method: 'GET', headers }, (response) => {
        let reply = '';
        response.on('data', (chunk) => (reply += chunk)).on('end', () => resolve(JSON.parse(reply)));
      });
      outgoing.on('error', reject).end(text);
    });
    expect(body).toMatchObject({ success: true });
  });
});

it('rejects a recipient of 20,000 digits in the query string with the usual error format', async () => {
  const response = await passbell.fetch(`/api/v1/auth/sendotp?to=${'1'.repeat(20_000)}`);
  expect(response.status).toBe(200);
  expect(await readBody(response)).toMatchObject({ success: false, message: expect.any(String) });
});

describe('a request that Node itself would reject', () => {
  /** Writes the lines unchanged, and returns the raw reply. */
  async function exchange(...lines: string[]): Promise<string> {
    const socket = connect(Number(new URL(passbell.url).port), '127.0.0.1');
    socket.end(`${lines.join('\r\n')}\r\n\r\n`);
    return await text(socket);
  }

  it('is rejected as malformed without a Host header', async () => {
    const reply = await exchange('GET /api/v1/auth/authentication HTTP/1.1');
    expect(reply).toMatch(/^HTTP\/1\.1 400 [^]*"code":"MALFORMED_REQUEST"/);
  });

  it('is processed despite an unknown Expect header', async () => {
    const reply = await exchange(
      'GET /api/v1/auth/authentication HTTP/1.1',
      'Host: x',
      'Expect: foo',
      'Connection: close',
    );
    expect(reply).toMatch(/^HTTP\/1\.1 200 [^]*"code":"MISSING_CREDENTIALS"/);
  });
});

describe('an unknown path', () => {
  it.each([
    '',
    '/',
    '/auth',
    '/auth/',
    '/auth/sendotp2',
    '/auth/sendotp/x',
    '/%',
    '/auth/%E0%A4%A',
    '/auth/..%2fsendotp',
  ])('returns 404 with a JSON body (%j)', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await passbell.fetch(`/api/v1${path}`, { method });
      expect(response.status).toBe(404);
      expect(await readBody(response)).toMatchObject({
        success: false,
        code: 'NOT_FOUND',
        message: 'Unknown path. See /docs for all paths',
      });
    }
  });

  it('returns 404 even without credentials', async () => {
    const response = await fetch(`${passbell.url}/api/v1/nothing`);
    expect(response.status).toBe(404);
    expect(await readBody(response)).toMatchObject({ success: false, code: 'NOT_FOUND' });
  });
});

describe('a reply', () => {
  it('has the same retry time in the body and in the Retry-After header', async () => {
    const to = freshPhone();
    await passbell.send(to);
    passbell.clock.advance(12_345);
    const init = { method: 'POST', body: JSON.stringify({ to }) };
    const response = await passbell.fetch('/api/v1/auth/sendotp', init);
    expect(response.status).toBe(200);
    expect(response.headers.get('retry-after')).toBe('18');
    expect(await readBody(response)).toMatchObject({ success: false, retryAfterSeconds: 18 });
  });

  it('has the request id of the caller, unless it is longer than the database stores', async () => {
    const idFor = async (id: string) => {
      const options = { headers: { 'X-Request-Id': id } };
      return (await passbell.fetch('/api/v1/auth/authentication', {}, options)).headers.get('x-request-id');
    };
    const longest = 'a.-_'.repeat(9);
    expect(await idFor(longest)).toBe(longest);
    for (const wrong of [`${longest}a`, 'short', 'with spaces in it', 'a'.repeat(64)])
      expect(await idFor(wrong)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('has a request id, no software name and no ETag', async () => {
    const { headers } = await passbell.fetch('/api/v1/auth/authentication');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('etag')).toBeNull();
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is the same if the path has a trailing slash or different capitalization', async () => {
    for (const path of ['/API/V1/AUTH/AUTHENTICATION', '/api/v1/auth/authentication/'])
      expect(await readBody(await passbell.fetch(path))).toMatchObject({ success: true });
  });
});

describe('a caller with Prefer: http-status', () => {
  const preferring = (path: string, body: unknown, headers: Record<string, string | undefined> = {}) =>
    passbell.fetch(
      `/api/v1${path}`,
      { method: 'POST', body: JSON.stringify(body) },
      { headers: { Prefer: 'respond-async, HTTP-Status; wait=1', ...headers } },
    );

  it.each([
    ['/auth/verifyotp', { maskId: '0'.repeat(32), otp: '123456' }, {}, 400, 'INVALID_OTP'],
    ['/auth/sendotp', { to: '+14155550123' }, { clientSecret: 'sk_wrong' }, 401, 'INVALID_CREDENTIALS'],
    ['/auth/sendotp', '{', {}, 400, 'INVALID_PARAMETER'],
    ['/auth/verifytoken', { token: 'x' }, { 'Idempotency-Key': ' ' }, 400, 'INVALID_TOKEN'],
    ['/auth/nothing', {}, {}, 404, 'NOT_FOUND'],
  ])('gets an HTTP status from %s for %j with %j', async (path, body, headers, status, code) => {
    const response = await preferring(path, body, headers);
    expect(await readBody(response)).toMatchObject({ success: false, code });
    expect(response.status).toBe(status);
    expect(response.headers.get('preference-applied')).toBe('http-status');
  });

  it('gets status 405 for a wrong method', async () => {
    const response = await passbell.fetch(
      '/api/v1/auth/sendotp',
      { method: 'PUT' },
      { headers: { Prefer: 'http-status' } },
    );
    expect(response.status).toBe(405);
  });

  it('gets status 429 and the headers of the exceeded limit', async () => {
    const to = freshPhone();
    const first = await preferring('/auth/sendotp', { to });
    expect([first.status, first.headers.get('preference-applied')]).toEqual([200, 'http-status']);
    const second = await preferring('/auth/sendotp', { to });
    const { code, retryAfterSeconds } = await readBody(second);
    expect([second.status, code]).toEqual([429, 'COOLDOWN']);
    const names = ['retry-after', 'ratelimit-reset', 'ratelimit-remaining'];
    expect(names.map((name) => second.headers.get(name))).toEqual([
      `${retryAfterSeconds}`,
      `${retryAfterSeconds}`,
      '0',
    ]);
  });

  it.each([undefined, '', 'http-statuses', 'return=minimal'])('is not one with Prefer: %s', async (Prefer) => {
    const to = freshPhone();
    await passbell.send(to);
    const response = await preferring('/auth/sendotp', { to }, { Prefer });
    expect(await readBody(response)).toMatchObject({ code: 'COOLDOWN' });
    expect(response.status).toBe(200);
    for (const name of ['preference-applied', 'ratelimit-reset', 'ratelimit-remaining'])
      expect(response.headers.get(name)).toBeNull();
  });
});

it('each reply has the version of the server', async () => {
  const { info } = await (await fetch(`${passbell.url}/openapi.json`)).json();
  for (const path of ['/auth/sendotp', '/nothing', '/manage/applications']) {
    const response = await passbell.fetch(`/api/v1${path}`);
    expect(response.headers.get('passbell-version')).toBe(info.version);
  }
});
