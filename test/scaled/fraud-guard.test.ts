/** The fraud guard keeps its data when Redis loses all keys. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { SECOND } from '../../backend/src/platform/clock.js';
import { emptyRedis } from '../support/databases.js';
import { numbers, startGuardedService, type GuardedService } from '../support/guarded-service.js';

let service: GuardedService;
beforeEach(async () => {
  service = await startGuardedService();
});
afterEach(() => service.close());

it('preserves pauses and counts when Redis is emptied', async () => {
  const { passbell, keys } = service;
  const application = await passbell.core.applications.service.load(keys.appKey);
  await passbell.core.fraud.pauses.act(OPERATOR, application, { scope: 'country', key: 'US' }, 'pause');
  passbell.clock.advance(2 * SECOND);
  await service.sendToAll(numbers('+4474001234', 19));
  await emptyRedis(passbell.core.config.DATABASE_URL!);
  expect(await service.send('+14155551110')).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  const replies = await service.sendToAll(numbers('+4474001234', 2, 50));
  expect(replies.map(({ code }) => code)).toEqual([undefined, 'FRAUD_SUSPECTED']);
});
