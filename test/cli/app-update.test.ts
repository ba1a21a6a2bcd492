/** `passbell app update`, with a running server. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMIT_NAMES } from '../../backend/src/modules/applications/application-limits.js';
import { optionOf } from '../../backend/src/modules/settings/bounded-setting.js';
import { freshMail, freshPhone, startService, type TestService } from '../support/service.js';
import { auditLog, CHANGE_MS, json, run } from './command.js';

let server: TestService;
beforeAll(async () => void (server = await startService()));
afterAll(() => server.stop());

/** Creates an application, and makes the server cache it. */
async function cachedApplication() {
  const keys = await server.application();
  expect(await server.get('/auth/authentication', {}, { keys })).toMatchObject({ success: true });
  const update = async (...options: string[]) => {
    const set = await json(server, 'app', 'update', keys.appKey, ...options);
    server.clock.advance(CHANGE_MS);
    return set;
  };
  const send = (to: string, headers = {}) => server.post('/auth/sendotp', { to }, { keys, headers });
  return { keys, update, send };
}

it('deactivates and activates an application within two seconds', async () => {
  const { update, send } = await cachedApplication();
  expect(await update('--status', 'inactive')).toMatchObject({ status: 'inactive' });
  expect(await send(freshPhone())).toMatchObject({ success: false, code: 'APPLICATION_INACTIVE' });
  await update('--status', 'active');
  expect(await send(freshPhone())).toMatchObject({ success: true });
});

it('renames an application; the next message contains the new name', async () => {
  const { update, send } = await cachedApplication();
  expect(await update('--name', 'Newly Named')).toMatchObject({ name: 'Newly Named' });
  const to = freshPhone();
  await send(to);
  expect((await server.inbox(to))[0]!.text).toContain('Newly Named');
});

it('restricts the callers, and lifts the restriction', async () => {
  const { update, send } = await cachedApplication();
  const set = await update(
    '--authorized-endpoints',
    ' https://shop.example, *.shop.example,203.0.113.0/24,*.shop.example,',
  );
  expect(set.authorizedEndpoints).toEqual(['https://shop.example', '*.shop.example', '203.0.113.0/24']);
  expect(await send(freshPhone(), { Origin: 'https://evil.example' })).toMatchObject({ success: false });
  expect(await send(freshPhone(), { Origin: 'https://shop.example' })).toMatchObject({ success: true });
  expect(await update('--authorized-endpoints', '')).toMatchObject({ authorizedEndpoints: [] });
  expect(await send(freshPhone(), { Origin: 'https://evil.example' })).toMatchObject({ success: true });
});

it('sets the challenge, with a secret key from a file that it never prints', async () => {
  const { keys, update } = await cachedApplication();
  const file = join(server.dataDir, 'secret.txt');
  writeFileSync(file, 'key-of-the-vendor\n');
  const vendor = ['--challenge', 'turnstile', '--challenge-site-key', 'site-1', '--challenge-secret-file', file];
  expect(await update(...vendor)).toMatchObject({ challenge: 'turnstile', challengeSiteKey: 'site-1' });
  // The stored secret key is kept.
  expect(await update('--challenge-site-key', 'site-2')).toMatchObject({ challengeSiteKey: 'site-2' });
  const list = await run(server, 'app', 'list');
  const shown = await run(server, 'app', 'update', keys.appKey, '--name', 'Shop');
  expect(list.out.replace(/\s+/g, ' ')).toContain('challenge turnstile');
  expect(shown.out).toContain('turnstile, site key site-2');
  expect(list.out + shown.out + JSON.stringify(await auditLog(server))).not.toContain('key-of-the-vendor');
  expect(await update('--challenge', 'altcha')).toMatchObject({ challenge: 'altcha', challengeSiteKey: '' });
});

it('sets the order of channels', async () => {
  const { update, send } = await cachedApplication();
  expect(await update('--channels', 'voice, SMS')).toMatchObject({ channels: ['VOICE', 'SMS'] });
  expect(await send(freshPhone())).toMatchObject({ data: { results: [{ authType: 'Voice' }] } });
});

it('restricts the countries, and lifts the restriction', async () => {
  const { update, send } = await cachedApplication();
  expect(await update('--countries', 'de,AT,DE')).toMatchObject({ countries: ['DE', 'AT'] });
  expect(await send(freshPhone())).toMatchObject({ code: 'COUNTRY_NOT_ALLOWED' });
  expect(await update('--countries', '')).toMatchObject({ countries: [] });
  expect(await send(freshPhone())).toMatchObject({ success: true });
});

it('turns one limit off without changing the others', async () => {
  const { update, send } = await cachedApplication();
  const to = freshPhone();
  await send(to);
  expect(await send(to)).toMatchObject({ code: 'COOLDOWN' });
  await update('--burst-per-second', '7');
  const { limits } = await update('--cooldown-seconds', '0');
  expect(limits).toMatchObject({ cooldownSeconds: 0, burstPerSecond: 7, sendsPerDay: 10 });
  expect([await send(to), await send(to)]).toMatchObject([{ success: true }, { success: true }]);
});

it('sets every limit', async () => {
  const { update } = await cachedApplication();
  const limits = Object.fromEntries(LIMIT_NAMES.map((name, n) => [name, n + 1]));
  const options = Object.entries(limits).flatMap(([name, value]) => [`--${optionOf(name)}`, String(value)]);
  expect((await update(...options)).limits).toEqual(limits);
});

it('adds normalized test recipients, and accepts their codes without sending a message', async () => {
  const { keys, update, send } = await cachedApplication();
  const set = await update('--test-recipient', '+1 (555) 01-00=123456', '--test-recipient', 'a=b@Shop.Example=abCD12');
  expect(set.testRecipients).toEqual({ '+15550100': '123456', 'a=b@shop.example': 'abCD12' });
  const sent = await send('0015550100');
  expect(sent).toMatchObject({ success: true });
  expect(await server.inbox('+15550100')).toEqual([]);
  const { maskId } = sent.data.results[0];
  expect(await server.post('/auth/verifyotp', { maskId, otp: '123456' }, { keys })).toMatchObject({ success: true });
});

it('adds, changes and removes individual test recipients', async () => {
  const { update } = await cachedApplication();
  const mail = freshMail();
  await update('--test-recipient', '+15550100=1234');
  await update('--test-recipient', `${mail}=5678`, '--test-recipient', '+15550100=4321');
  const { testRecipients } = await update('--test-recipient', '+1 555 0100=');
  expect(testRecipients).toEqual({ [mail]: '5678' });
});

it('changes individual properties of the widget design', async () => {
  const { keys, update } = await cachedApplication();
  await update('--design', '{"title": "Sign in safely", "radius": 12}');
  const { design } = await update('--design', '{"theme": "dark", "title": "", "texts": {"next": "Weiter"}}');
  expect(design).toMatchObject({ title: '', radius: 12, theme: 'dark', texts: { next: 'Weiter' }, accentColor: '' });
  const body = { domainUrl: 'https://shop.example', appKey: keys.appKey, identity: freshMail() };
  expect((await server.post('/authserviceclient/authstate', body)).design).toEqual(design);
});

it('turns strict two-factor on and off', async () => {
  const { keys, update } = await cachedApplication();
  const body = { domainUrl: 'https://shop.example', appKey: keys.appKey, identity: freshMail() };
  const state = () => server.post('/authserviceclient/authstate', body);
  expect(await update('--strict-two-factor', 'on')).toMatchObject({ strictTwoFactor: true });
  expect(await state()).toMatchObject({ code: 'USER_TOKEN_REQUIRED' });
  await update('--strict-two-factor', 'off');
  expect(await state()).toMatchObject({ success: true });
  expect(await update('--two-factor-widget', 'off')).toMatchObject({ twoFactorWidget: false });
  expect(await state()).toMatchObject({ code: 'WIDGET_OFF' });
  await update('--two-factor-widget', 'on');
  expect(await state()).toMatchObject({ success: true });
});

it('sets where codes are entered; the next SMS ends with the line for it', async () => {
  const { update, send, keys } = await cachedApplication();
  const options = ['--web-otp-host', 'Möbel.example', '--android-app-hash', 'FA+9qCX9VSu'];
  const set = { webOtpHost: 'xn--mbel-5qa.example', androidAppHash: 'FA+9qCX9VSu' };
  expect(await update(...options)).toMatchObject(set);
  const to = freshPhone();
  await send(to);
  const { text } = (await server.inbox(to))[0]!;
  expect(text.split('\n').at(-1)).toBe(`@xn--mbel-5qa.example #${text.slice(0, 6)} FA+9qCX9VSu`);
  const { out } = await run(server, 'app', 'show', keys.appKey);
  expect(out).toMatch(/Autofill +on xn--mbel-5qa\.example, and in the Android app FA\+9qCX9VSu\n/);
  expect(await update('--web-otp-host', 'localhost', '--android-app-hash', '')).toMatchObject({
    webOtpHost: 'localhost',
    androidAppHash: '',
  });
});

it('sets how long a code may stay silent, and turns it off', async () => {
  const { update, keys } = await cachedApplication();
  expect(await update('--silent-seconds', '15')).toMatchObject({ silentSeconds: 15 });
  const { out } = await run(server, 'app', 'show', keys.appKey);
  expect(out).toMatch(/Silent codes +sent another way after 15 seconds\n/);
  expect(await update('--silent-seconds', '600')).toMatchObject({ silentSeconds: 600 });
  expect(await update('--silent-seconds', '0')).toMatchObject({ silentSeconds: 0 });
});

it('sets quiet hours, and turns them off', async () => {
  const { update, keys } = await cachedApplication();
  expect(await update('--quiet-hours', ' 22:00 – 08:00 ')).toMatchObject({ quietHours: '22:00-08:00' });
  const { out } = await run(server, 'app', 'show', keys.appKey);
  expect(out).toMatch(/Quiet hours +22:00-08:00\n/);
  expect(await update('--quiet-hours', '20:00-08:00')).toMatchObject({ quietHours: '20:00-08:00' });
  expect(await update('--quiet-hours', '')).toMatchObject({ quietHours: '' });
});

it('prints all settings', async () => {
  const { keys } = await cachedApplication();
  const { out } = await run(server, 'app', 'update', keys.appKey, '--countries', 'US', '--sends-per-day', '0');
  for (const line of [
    /Countries +US\n/,
    /sends-per-day off \(default 10\)\n/,
    /cooldown-seconds 30\n/,
    /Test recipients +none\n/,
  ])
    expect(out).toMatch(line);
});

const INVALID_OPTIONS: [text: string, ...options: string[]][] = [
  ['nothing to change: specify at least one option'],
  ['Allowed choices are active, inactive.', '--status', 'blocked'],
  [
    '“a b” contains more than one entry. Enter each one separately. “10.0.0.0/33” is not a network.',
    '--authorized-endpoints',
    'a b,10.0.0.0/33,c.example',
  ],
  ['Choose from SMS, WHATSAPP, VOICE.', '--channels', 'SMS,PIGEON'],
  ['Choose each channel only once.', '--channels', 'SMS,VOICE,sms'],
  ['Email addresses always use EMAIL', '--channels', 'SMS,EMAIL'],
  ['Choose from SMS', '--channels', ''],
  ['“UK” is not a country. “XX” is not a country. Enter a name', '--countries', 'US,UK,XX'],
  ['Enter a whole number from 0 to 1,000,000.', '--cooldown-seconds', '-5'],
  ['Enter a whole number from 0 to 1,000,000.', '--sends-per-day', '1e3'],
  ['Enter a whole number from 0 to 1,000,000.', '--burst-per-minute', ''],
  ['The code must be 4 to 10 letters or digits', '--test-recipient', '+15550100=123'],
  ['The code must be 4 to 10 letters or digits', '--test-recipient', '+15550100=12-345'],
  ['Enter a recipient and a code', '--test-recipient', '+15550100'],
  ['Enter a recipient and a code', '--test-recipient', 'nobody=123456'],
  ['+15550100 is not a test recipient of the application', '--test-recipient', '+15550100='],
  ...[
    'https://shop.example',
    'shop.example:8443',
    'shop.example/login',
    'shop',
    '127.0.0.1',
    'a b.example',
    '-.example',
  ].map((host) => ['Enter a host name such as shop.example', '--web-otp-host', host] as [string, ...string[]]),
  ['Enter 11 letters, digits, + or /', '--android-app-hash', 'FA+9qCX9VS'],
  ['Enter 11 letters, digits, + or /', '--android-app-hash', 'FA-9qCX9VSu'],
  ...['1', '14', '601', '-15', '15s', ''].map(
    (seconds) =>
      [
        /^\d{1,2}$/.test(seconds)
          ? 'Enter 0, or a whole number from 15 to 600.'
          : 'Enter a whole number from 0 to 600.',
        '--silent-seconds',
        seconds,
      ] as [string, ...string[]],
  ),
  ["argument 'recaptcha' is invalid", '--challenge', 'recaptcha'],
  ['Enter the site key', '--challenge', 'turnstile'],
  ['Enter the secret key', '--challenge', 'turnstile', '--challenge-site-key', 'site-1'],
  ['It has at most 200 letters', '--challenge-site-key', 'two words'],
  ['no such file', '--challenge-secret-file', '/missing/secret.txt'],
  ['It must be on or off.', '--strict-two-factor', 'yes'],
  ['It must be on or off.', '--two-factor-widget', 'open'],
  ['It must be a JSON object', '--design', 'dark'],
  ['It must be a JSON object', '--design', '[]'],
  ['A design has no field colour.', '--design', '{"colour": "#ffffff"}'],
  ['The widget has no text enrollTitle.', '--design', '{"texts": {"enrollTitle": "Safer"}}'],
  ['A design has no field __proto__.', '--design', '{"__proto__": {}}'],
  ['accentColor must match pattern', '--design', '{"accentColor": "red; } body {"}'],
  ['logoUrl must match pattern', '--design', '{"logoUrl": "javascript:alert(1)"}'],
  ['radius must be <= 32', '--design', '{"radius": 33}'],
  ["unknown option '--statuss'", '--statuss', 'active'],
];

it.each(INVALID_OPTIONS)('fails with "%s" and changes nothing: %s %s', async (text, ...options) => {
  const before = await json(server, 'app', 'list');
  const { code, out, err } = await run(server, 'app', 'update', server.keys.appKey, ...options);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^error: /);
  expect(err).toContain(text);
  expect(err).not.toMatch(/^\s+at /m);
  expect(await json(server, 'app', 'list')).toEqual(before);
});
