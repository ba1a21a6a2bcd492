/** `/.well-known/security.txt`, as RFC 9116 describes it. */
import { readConfig } from '../../backend/src/platform/config/config.js';
import { startService, type TestService } from '../support/service.js';

const DAY_MS = 24 * 60 * 60_000;
const CONTACTS = 'mailto:security@shop.example,https://shop.example/security';

describe('with contacts', () => {
  let passbell: TestService;
  beforeAll(async () => {
    passbell = await startService({ SECURITY_CONTACT: CONTACTS, BASE_URL: 'https://codes.shop.example' });
  });
  afterAll(() => passbell.stop());

  it('security.txt names the contacts in order, its address and a date within a year', async () => {
    const reply = await fetch(`${passbell.url}/.well-known/security.txt`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const [first, second, expires, ...rest] = (await reply.text()).split('\n');
    expect([first, second]).toEqual([
      'Contact: mailto:security@shop.example',
      'Contact: https://shop.example/security',
    ]);
    expect(rest).toEqual([
      'Preferred-Languages: en',
      'Canonical: https://codes.shop.example/.well-known/security.txt',
      '',
    ]);
    const remaining = Date.parse(expires!.replace('Expires: ', '')) - passbell.clock.now();
    expect(remaining / DAY_MS).toBeGreaterThan(178);
    expect(remaining / DAY_MS).toBeLessThan(365);
  });

  it('security.txt never expires while the server runs', async () => {
    passbell.clock.advance(400 * DAY_MS);
    const text = await (await fetch(`${passbell.url}/.well-known/security.txt`)).text();
    expect(Date.parse(/Expires: (\S+)/.exec(text)![1]!)).toBeGreaterThan(passbell.clock.now());
  });
});

it('without contacts, there is no security.txt', async () => {
  const passbell = await startService();
  const { status } = await fetch(`${passbell.url}/.well-known/security.txt`);
  await passbell.stop();
  expect(status).toBe(404);
});

it.each([
  'security@shop.example',
  'http://shop.example',
  'mailto:',
  'mailto:a@b c@d',
  'mailto:a@b.example\nContact: x',
])('rejects the contact %j', (SECURITY_CONTACT) =>
  expect(() => readConfig({ SECURITY_CONTACT })).toThrow('SECURITY_CONTACT must list addresses'),
);
