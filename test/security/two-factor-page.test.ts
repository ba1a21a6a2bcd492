/** Access of pages to the widget's endpoints and their replies. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { SITE } from '../support/authenticator.js';
import { freshMail, NO_LIMITS, startService, type TestService } from '../support/service.js';

const ACTIONS = ['authstate', 'enable2fa', 'verifyotp', 'disable2fa'];

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
});
afterAll(() => passbell.stop());

describe('a page that embeds the widget', () => {
  const call = (name: string, headers: Record<string, string>, body: object = {}, keys = passbell.keys) =>
    passbell.fetch(
      `/api/v1/authserviceclient/${name}`,
      {
        method: 'POST',
        body: JSON.stringify({ domainUrl: SITE, appKey: keys.appKey, identity: freshMail(), otp: '123456', ...body }),
      },
      { headers: { clientId: undefined, clientSecret: undefined, 'Content-Type': 'application/json', ...headers } },
    );
  const allowed = (response: Response) => response.headers.get('access-control-allow-origin');

  it.each(ACTIONS)('can read the reply to %s without credentials, which other pages cannot read', async (name) => {
    const response = await call(name, { Origin: SITE });
    expect(allowed(response)).toBe(SITE);
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(response.headers.get('vary')).toContain('Origin');
    expect(allowed(await call(name, {}))).toBeNull();
  });

  it.each([
    'null',
    'https://shop.example.evil.example',
    'https://evil-shop.example',
    'http://shop.example',
    'https://shop.example:444',
  ])('is rejected when its Origin %s does not match its domainUrl', async (origin) => {
    const response = await call('authstate', { Origin: origin });
    const hint = expect.stringContaining('It must equal the Origin header.');
    expect(await response.json()).toMatchObject({ code: 'INVALID_ENDPOINT', field: 'domainUrl', hint });
    expect(allowed(response)).toBeNull();
  });

  it.each(['null', 'javascript:alert(1)', 'file:///etc', 'shop.example', 'https://user:pw@shop.example', 'https://'])(
    'is rejected when its domainUrl is %s',
    async (domainUrl) => {
      expect(await (await call('authstate', { Origin: 'null' }, { domainUrl })).json()).toMatchObject({
        code: 'INVALID_ENDPOINT',
      });
      expect(await (await call('authstate', {}, { domainUrl })).json()).toMatchObject({ code: 'INVALID_ENDPOINT' });
    },
  );

  it("must be on a non-empty allow-list, regardless of the visitor's address", async () => {
    const keys = await passbell.application({ settings: { authorizedEndpoints: ['*.shop.example', '127.0.0.1'] } });
    const from = (origin: string) => call('authstate', { Origin: origin }, { domainUrl: origin }, keys);
    expect(allowed(await from('https://www.shop.example'))).toBe('https://www.shop.example');
    for (const origin of ['https://shop.example', 'https://evil.example', 'https://www.shop.example.evil.example']) {
      const response = await from(origin);
      expect(await response.json()).toMatchObject({ code: 'INVALID_ENDPOINT' });
      expect(allowed(response)).toBeNull();
    }
    expect(await (await call('authstate', {}, { domainUrl: 'https://evil.example' }, keys)).json()).toMatchObject({
      code: 'INVALID_ENDPOINT',
    });
  });

  it('can read the error reply to a wrong App Key', async () => {
    const response = await call('authstate', { Origin: SITE }, { appKey: 'pk_wrong' });
    expect(allowed(response)).toBe(SITE);
    expect(await response.json()).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  it.each(['authserviceclient', 'authservice'])('gets a preflight reply for %s', async (prefix) => {
    const ask = (origin: string) =>
      passbell.fetch(
        `/api/v1/${prefix}/verifyotp`,
        { method: 'OPTIONS' },
        {
          headers: {
            Origin: origin,
            'Access-Control-Request-Method': 'POST',
            clientId: undefined,
            clientSecret: undefined,
          },
        },
      );
    const response = await ask(SITE);
    expect(response.status).toBe(204);
    expect(allowed(response)).toBe(SITE);
    expect(response.headers.get('access-control-allow-methods')).toBe('POST');
    expect(response.headers.get('access-control-allow-headers')).toBe('Content-Type');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    expect(allowed(await ask('null'))).toBeNull();
  });

  it('cannot call endpoints that need API credentials', async () => {
    for (const path of ['auth/sendotp', 'auth/verifytoken', 'auth/reset2fa'])
      for (const method of ['POST', 'OPTIONS'])
        expect(allowed(await passbell.fetch(`/api/v1/${path}`, { method }, { headers: { Origin: SITE } }))).toBeNull();
  });

  it.each(['/docs', '/dev/inbox', '/openapi.json', '/health/live', '/api/v1/authserviceclient/authstate'])(
    'cannot embed %s in a frame',
    async (path) => {
      const response = await passbell.fetch(path);
      // Node 24 fails if a connection is closed while a body is unread.
      await response.arrayBuffer();
      const { headers } = response;
      const policy = headers.get('content-security-policy') ?? '';
      expect([headers.get('x-frame-options'), policy.includes("frame-ancestors 'none'")]).toContain('DENY');
    },
  );
});
