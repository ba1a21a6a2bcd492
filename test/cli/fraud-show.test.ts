/** `passbell fraud show` and `passbell fraud what-if`. */
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { json, run } from './command.js';

const PREFIX = '+141555511';

let service: GuardedService;
beforeEach(async () => {
  service = await startGuardedService({}, { '*': '0.05' });
});
afterEach(() => service.close());

const server = () => {
  const { settings, passbell } = service;
  return { settings, dataDir: passbell.dataDir, clock: passbell.clock };
};
const fraud = (...args: string[]) => run(server(), 'fraud', ...args);

it("shows pauses, the observation period, today's cost, and the conversion", async () => {
  const { appKey } = service.keys;
  await service.verify(`${PREFIX}10`);
  await service.sendToAll(numbers(PREFIX, 3, 20));
  await fraud('pause', appKey, '--country', 'GB');
  const { out } = await fraud('show', appKey);
  for (const part of [
    '1 country is paused.\n  United Kingdom: A person paused messages to the United Kingdom.',
    'The rules about codes that nobody enters (R3 to R5) only record for 7 more days, while the guard learns how many people enter their codes.',
    'Messages have cost 0.2000 EUR today (UTC). The limit is 10.0000 EUR.',
  ])
    expect(out).toContain(part);
  expect(out).toMatch(/United States +│ 4 +│ 1 +│ 25%/);
  expect(out).toMatch(/\+1415555 +│ 4 +│ 1 +│ 25%/);
  expect(await json(server(), 'fraud', 'show', appKey)).toMatchObject({
    state: '1 country is paused.',
    scopes: [{ scope: 'country', key: 'GB', state: 'paused', rule: 'person' }],
    observation: { phase: 'observing', daysLeft: 7, observed: [] },
    spend: { today: '0.2000', limit: '10.0000', currency: 'eur', stopped: '' },
  });
});

it('shows how many messages other settings would have refused, without changing the settings', async () => {
  const { appKey } = service.keys;
  await service.verify(`${PREFIX}10`);
  await service.sendToAll(numbers(PREFIX, 14, 20));
  const { out } = await fraud('what-if', appKey, 'prefixOutstanding=10');
  expect(out).toContain(
    'These settings would have refused 4 of 15 messages (26.7%) in the last 30 days, saving 0.2000 EUR. Of these messages, 0 were verified later (wrongly refused).',
  );
  expect(out).toMatch(/R3: unusually few codes entered │ 4 /);
  expect(await json(server(), 'fraud', 'what-if', appKey)).toMatchObject({ messages: 0, of: 15, cost: '0.0000' });
});

it('reports that there is nothing to replay if no messages were sent', async () => {
  const { out } = await fraud('what-if', service.keys.appKey);
  expect(out).toContain('No message in the last 30 days cost money, so there is nothing to replay.');
});

it.each([
  ['sourceUnverified=5', 'sourceUnverified: The effect of this setting cannot be calculated from stored messages.'],
  ['prefixUnverified=-1', 'prefixUnverified: It must be a whole number from 0 to 1000; 0 turns it off.'],
  ['speed=5', 'speed: There is no such setting.'],
])('rejects the setting %s', async (setting, problem) => {
  const { code, err } = await fraud('what-if', service.keys.appKey, setting);
  expect(code).toBe(1);
  expect(err).toContain(problem);
});
