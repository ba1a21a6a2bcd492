/** `passbell account ceilings`, with a running server. */
import { startService, type TestService } from '../support/service.js';
import { auditLog, json, run } from './command.js';

let server: TestService;
beforeAll(async () => void (server = await startService()));
afterAll(() => server.stop());

const create = (email: string) => json(server, 'app', 'create', '--name', 'Shop', '--email', email);

it('shows the ceilings of an account', async () => {
  await create('first@shop.example');
  expect(await json(server, 'account', 'ceilings', '--email', 'First@shop.example')).toMatchObject({
    email: 'first@shop.example',
    applications: 20,
    messagesPerDay: 10_000,
    spendPerDay: 50,
    recipientPer10Minutes: 20,
    recipientPerDay: 50,
    limits: { burstPerMinute: 1000, cooldownSeconds: 10 },
  });
  const { out } = await run(server, 'account', 'ceilings', '--email', 'first@shop.example');
  expect(out).toMatch(/Account +first@shop\.example, with 1 application\n/);
  expect(out).toMatch(/messages-per-day +10,000\n/);
  expect(out).toMatch(/max-burst-per-minute +1,000\n/);
  expect(out).toMatch(/min-cooldown-seconds +10\n/);
});

it('changes ceilings, and records the change', async () => {
  const { appKey } = await create('second@shop.example');
  const args = ['--messages-per-day', '50', '--spend-per-day', '0', '--max-burst-per-minute', '60'];
  const changed = await json(server, 'account', 'ceilings', '--email', 'second@shop.example', ...args);
  expect(changed).toMatchObject({
    messagesPerDay: 50,
    spendPerDay: 0,
    applications: 20,
    limits: { burstPerMinute: 60 },
  });
  expect((await auditLog(server)).at(-1)).toMatchObject({
    action: 'account.ceilings',
    subject: 'second@shop.example',
    changes: [
      { name: 'messagesPerDay', before: '10000', after: '50' },
      { name: 'spendPerDay', before: '50', after: '0' },
      { name: 'burstPerMinute', before: '1000', after: '60' },
    ],
  });
  const { limits } = (await json(server, 'app', 'list')).find((one: { appKey: string }) => one.appKey === appKey);
  expect(limits).toMatchObject({ burstPerMinute: 60 });
});

it('raises a ceiling if the operator sets an application limit above it', async () => {
  const { appKey } = await create('third@shop.example');
  await json(server, 'app', 'update', appKey, '--burst-per-minute', '5000', '--cooldown-seconds', '0');
  const { limits } = await json(server, 'account', 'ceilings', '--email', 'third@shop.example');
  expect(limits).toMatchObject({ burstPerMinute: 5000, cooldownSeconds: 0, sendsPerDay: 50 });
});

it('turns a limit off only by removing its ceiling, which applies again when it is set again, as the help explains', async () => {
  const { appKey } = await create('fourth@shop.example');
  const off = await json(server, 'app', 'update', appKey, '--sends-per-day', '0');
  const email = ['--email', 'fourth@shop.example'];
  const { limits: ceilings } = await json(server, 'account', 'ceilings', ...email);
  expect([off.limits.sendsPerDay, ceilings.sendsPerDay]).toEqual([0, 0]);
  await json(server, 'account', 'ceilings', ...email, '--max-sends-per-day', '50');
  const stored = (await json(server, 'app', 'list')).find((one: { appKey: string }) => one.appKey === appKey);
  expect(stored.limits.sendsPerDay).toBe(50);
  const help = (await run(server, 'app', 'update', '--help')).out.replace(/\s+/g, ' ');
  expect(help).toContain('codes to one recipient in 24 hours; default 10, 0 = off');
  expect(help).toContain(
    'If you turn a limit off with 0, its ceiling is removed. If you set a ceiling later, it also applies to limits that are off.',
  );
});

it("shows that the operator's own account has no ceilings", async () => {
  await json(server, 'app', 'create', '--name', 'Own');
  const { out } = await run(server, 'account', 'ceilings', '--email', 'operator@localhost');
  expect(out).toMatch(/messages-per-day +no ceiling\n/);
  expect(out).not.toMatch(/\d,?\d*\n.*max-/);
});

it.each([
  ['there is no account nobody@shop.example', '--email', 'nobody@shop.example'],
  ["required option '--email <EMAIL>' not specified"],
  ['Enter a whole number from 0', '--email', 'first@shop.example', '--messages-per-day', '-1'],
])('fails with "%s": account ceilings %s', async (text, ...args) => {
  const { code, out, err } = await run(server, 'account', 'ceilings', ...args);
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(text) });
});
