/** `passbell fraud show`. */
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
    'Messages have cost 0.2000 EUR today (UTC). The automatic daily budget is 500.0000 EUR.',
  ])
    expect(out).toContain(part);
  expect(out).toMatch(/United States +│ 4 +│ 1 +│ 25%/);
  expect(out).toMatch(/\+1415555 +│ 4 +│ 1 +│ 25%/);
  expect(await json(server(), 'fraud', 'show', appKey)).toMatchObject({
    state: '1 country is paused.',
    scopes: [{ scope: 'country', key: 'GB', state: 'paused', rule: 'person' }],
    observation: { phase: 'observing', daysLeft: 7, observed: [] },
    spend: { today: '0.2000', limit: '500.0000', isAutomatic: true, currency: 'eur', heldBack: 0 },
  });
});
