/** Changes to the fraud guard's settings and to the account's bounds apply to all processes. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';

const BRITISH = '+4474001234';

let service: GuardedService;
beforeEach(async () => {
  service = await startGuardedService();
});
afterEach(() => service.close());

it('applies changes within two seconds in every process', async () => {
  const { passbell, keys } = service;
  const { applications, fraud } = passbell.core;
  const { accountId } = await applications.service.load(keys.appKey);
  const recipients = numbers(BRITISH, 40);
  /**
   * Sends codes to the next recipients, and returns how many were sent. Nobody has entered a code, so that only the number
   * of codes to a new country counts.
   */
  async function countSent(count: number): Promise<number> {
    passbell.clock.advance(SEEN_MS);
    const replies = await service.sendToAll(recipients.splice(0, count));
    return replies.filter(({ success }) => success).length;
  }
  const change = async (newCountryNotifications: number) =>
    fraud.settings.change(OPERATOR, await applications.service.load(keys.appKey), { newCountryNotifications });
  const bound = (newCountryNotifications: number | undefined) =>
    fraud.settings.setBounds(OPERATOR, accountId, { newCountryNotifications });

  await change(3);
  expect(await countSent(5)).toBe(3);
  await change(8);
  expect(await countSent(2)).toBe(2);
  await bound(6);
  expect(await countSent(4)).toBe(1);
  await bound(undefined);
  expect(await countSent(4)).toBe(2);
});
