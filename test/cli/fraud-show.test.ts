/** `passbell fraud show`. */
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
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

it("shows pauses, refused messages, today's cost, and the conversion", async () => {
  const { appKey } = service.keys;
  await service.send(`${PREFIX}30`);
  expect((await fraud('show', appKey)).out).toContain(
    'Hardly any codes from the last 14 days were entered or reported as entered',
  );
  await service.verify(`${PREFIX}10`);
  await service.sendToAll(numbers(PREFIX, 2, 20));
  await fraud('pause', appKey, '--country', 'GB');
  service.passbell.clock.advance(SEEN_MS);
  for (let n = 0; n < 2; n++) expect(await service.send('+447400123410')).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  const { out } = await fraud('show', appKey);
  for (const part of [
    'The United Kingdom is paused manually. 2 messages to 1 number in the United Kingdom were refused today.\n  United Kingdom: Messages to recipients in the United Kingdom were paused manually.',
    'All rules are active.',
    'Messages have cost 0.2000 EUR today (UTC). The automatic daily budget is 500.0000 EUR.',
  ])
    expect(out).toContain(part);
  expect(out).toMatch(/United Kingdom +│ These messages were paused manually +│ 2 +│ 1 /);
  expect(out).toMatch(/United States +│ 4 +│ 1 +│ 25%/);
  expect(await json(server(), 'fraud', 'show', appKey)).toMatchObject({
    state: 'The United Kingdom is paused manually. 2 messages to 1 number in the United Kingdom were refused today.',
    phase: 'acting',
    scopes: [{ scope: 'country', key: 'GB', state: 'paused', rule: 'person' }],
    refusals: [{ rule: 'person', country: 'GB', messages: 2, people: 1, isServed: false }],
    spend: { today: '0.2000', limit: '500.0000', isAutomatic: true, currency: 'eur', heldBack: 0 },
  });
});
