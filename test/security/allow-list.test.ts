/** An allow-list with IP addresses accepts only calls from these addresses, regardless of the headers. */
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

const INVALID_ENDPOINT = { success: false, code: 'INVALID_ENDPOINT' };

it.each([['192.0.2.5'], ['192.0.2.5/32'], ['192.0.2.5/24'], ['[2001:db8::1]'], ['2001:db8::1']])(
  'a forged Origin or Referer does not match the address %s',
  async (entry) => {
    const keys = await passbell.application({ settings: { authorizedEndpoints: [entry] } });
    for (const origin of ['http://192.0.2.5', 'https://192.0.2.5:443', 'http://[2001:db8::1]']) {
      const call = (headers: Record<string, string>) => passbell.get('/auth/authentication', {}, { keys, headers });
      expect(await call({ origin })).toMatchObject(INVALID_ENDPOINT);
      expect(await call({ referer: `${origin}/checkout` })).toMatchObject(INVALID_ENDPOINT);
      const widget = { appKey: keys.appKey, domainUrl: origin, identity: 'ana@example.com' };
      expect(await passbell.post('/authserviceclient/authstate', widget)).toMatchObject(INVALID_ENDPOINT);
    }
  },
);

it('an address that is listed as an origin matches the Origin header', async () => {
  const keys = await passbell.application({ settings: { authorizedEndpoints: ['http://192.0.2.5:8080'] } });
  const headers = { origin: 'http://192.0.2.5:8080' };
  expect(await passbell.get('/auth/authentication', {}, { keys, headers })).toMatchObject({ success: true });
});
