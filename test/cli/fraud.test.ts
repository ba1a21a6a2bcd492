/** `passbell fraud`, with a running server that has an SMS provider. */
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { DAY, HOUR } from '../../backend/src/platform/clock.js';
import { auditLog, json, run } from './command.js';

const NUMBER_PREFIX = '+141555511';
const PAUSED_PREFIX = '+1415555';

let service: GuardedService;
beforeEach(async () => {
  service = await startGuardedService();
});
afterEach(() => service.close());

const fraud = (...args: string[]) => json(service.passbell, 'fraud', ...args);
const advanceUntilSeen = () => service.passbell.clock.advance(SEEN_MS);

it('pauses and resumes a country and the whole application, also for verified recipients', async () => {
  const { appKey } = service.keys;
  await service.verify(`${NUMBER_PREFIX}10`);
  for (const scope of [['--country', 'us'], []]) {
    expect(await run(service.passbell, 'fraud', 'pause', appKey, ...scope)).toMatchObject({ code: 0 });
    advanceUntilSeen();
    const refused = await service.send(`${NUMBER_PREFIX}11`);
    expect(refused).toMatchObject({
      code: 'FRAUD_SUSPECTED',
      hint: expect.stringMatching(/^A person paused these messages\./),
    });
    const notification = { to: `${NUMBER_PREFIX}11`, templateType: 'order_placed', variables: { orderId: 'A-1' } };
    const { keys } = service;
    expect(await service.passbell.post('/notifications/order', notification, { keys })).toMatchObject({
      code: 'FRAUD_SUSPECTED',
    });
    expect(await service.send(`${NUMBER_PREFIX}10`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
    expect(await fraud('list', appKey)).toHaveLength(1);
    await fraud('resume', appKey, ...scope);
    advanceUntilSeen();
    expect(await service.send(`${NUMBER_PREFIX}11`)).toMatchObject({ success: true });
    expect(await fraud('list', appKey)).toEqual([]);
  }
  const { name } = (await service.passbell.core.applications.service.load(appKey)) as { name: string };
  const entries = (await auditLog(service.passbell)).filter(({ action }) => action.startsWith('fraud.'));
  expect(entries.slice(0, 2)).toEqual([
    {
      actor: 'operator',
      action: 'fraud.pause',
      subject: name,
      changes: [{ name: 'country US', before: '', after: 'paused indefinitely' }],
    },
    {
      actor: 'operator',
      action: 'fraud.resume',
      subject: name,
      changes: [{ name: 'country US', before: 'paused indefinitely', after: '' }],
    },
  ]);
});

it('explains a pause by the fraud guard, and exempts the prefix permanently', async () => {
  const { appKey } = service.keys;
  await service.learnConversion();
  await service.sendToAll(numbers(NUMBER_PREFIX, 10));
  expect(await service.send(`${NUMBER_PREFIX}50`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  const [pause] = await fraud('list', appKey);
  expect(pause).toMatchObject({ scope: 'prefix', key: PAUSED_PREFIX, state: 'paused' });
  expect(pause.reason).toMatch(
    /^In \d minutes?, \d+ of \d+ recipients whose numbers start with \+1415555 did not enter their code; up to \d+ would be normal\.$/,
  );
  const { out } = await run(service.passbell, 'fraud', 'list', appKey);
  expect(out).toContain('would be normal');

  const allow = await run(service.passbell, 'fraud', 'allow', appKey, '--prefix', PAUSED_PREFIX, '--for-ever');
  expect(allow.out).toContain(`Allowed forever: prefix ${PAUSED_PREFIX}`);
  expect((await auditLog(service.passbell)).at(-1)).toMatchObject({
    action: 'fraud.allow',
    changes: [
      {
        name: `prefix ${PAUSED_PREFIX}`,
        before: expect.stringMatching(/^paused until 2\d{3}-/),
        after: 'allowed indefinitely',
      },
    ],
  });
  advanceUntilSeen();
  expect(await service.send(`${NUMBER_PREFIX}50`)).toMatchObject({ success: true });
  expect((await run(service.passbell, 'fraud', 'list', appKey)).out).toMatch(/allowed.*No end/);
});

it('allows a country in advance, for a number of days', async () => {
  const { appKey } = service.keys;
  const { out } = await run(service.passbell, 'fraud', 'allow', appKey, '--country', 'gb', '--days', '3');
  expect(out).toContain('Allowed for 3 days: country GB');
  expect(await fraud('list', appKey)).toMatchObject([{ key: 'GB', state: 'allowed' }]);
  advanceUntilSeen();
  const replies = await service.sendToAll(numbers('+4474001234', 21));
  expect(replies.map(({ success }) => success)).toEqual(replies.map(() => true));
  service.passbell.clock.advance(3 * DAY - HOUR);
  expect(await fraud('list', appKey)).toHaveLength(1);
  service.passbell.clock.advance(HOUR);
  expect(await fraud('list', appKey)).toEqual([]);
});

it.each([
  ['allow', '--prefix', '+491512345', '--days', '3', '--for-ever'],
  ['allow', '--country', 'DE', '--days', '31'],
  ['resume', '--country', 'DE'],
  ['pause', '--country', 'Atlantis'],
  ['pause', '--prefix', '4915'],
  ['pause', '--prefix', '+491512345', '--country', 'DE'],
  ['allow', '--country', 'DE', '--for-ever'],
])('rejects %s %s %s %s', async (command, ...options) => {
  const { code, err } = await run(service.passbell, 'fraud', command, service.keys.appKey, ...options);
  expect(code).toBe(1);
  expect(err).toMatch(/^error: .+\n/);
});
