/** The migration that introduced ceilings: existing accounts keep their limits and their message volume. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { createDataFolder } from '../support/data-folder.js';
import { createEarlierDatabase } from '../support/earlier-version.js';
import { startService } from '../support/service.js';

it('sets ceilings that allow the loosest limits of an account, and twice the messages and costs of its busiest day', async () => {
  const dataDir = createDataFolder('ceilings');
  const db = await createEarlierDatabase(dataDir, '0008-refused-callers');
  const account = (id: number, email: string) => ({ id, email, status: 'active', created_at: 0 });
  await db('accounts').insert([
    account(1, 'operator@localhost'),
    account(2, 'busy@shop.example'),
    account(3, 'quiet@shop.example'),
  ]);
  const application = (id: number, accountId: number, limits: object) => ({
    ...{ id, account_id: accountId, name: 'Shop', app_key: `pk_${id}`, status: 'active', created_at: 0 },
    settings: JSON.stringify({ limits }),
  });
  await db('applications').insert([
    application(1, 1, { burstPerMinute: 0 }),
    application(2, 2, { burstPerMinute: 0, sendsPerDay: 80, cooldownSeconds: 20 }),
    application(3, 2, { burstPerMinute: 5000, sendsPerDay: 30, cooldownSeconds: 5 }),
    application(4, 3, {}),
  ]);
  const usage = (id: number, day: string, sent: number, cost: number) => ({
    ...{ application_id: id, day, channel: 'SMS', country: 'US', currency: 'EUR', sent, cost: cost * 10_000 },
    ...{ delivered: 0, undelivered: 0, failed: 100, codes: 0, verified: 0 },
  });
  await db('usage_counts').insert([
    usage(2, '2026-01-01', 8000, 30),
    usage(3, '2026-01-01', 4000, 15.5),
    usage(2, '2026-01-02', 9000, 40),
    usage(4, '2026-01-02', 5, 1),
  ]);
  await db.destroy();

  const passbell = await startService({ SECRET_KEY: 'a key that only tests use and nobody else' }, { dataDir });
  try {
    const { applications } = passbell.service;
    const [own, loose, strict, quiet] = await Promise.all(
      ['pk_1', 'pk_2', 'pk_3', 'pk_4'].map((key) => applications.load(key)),
    );
    expect(own!.settings.limits).toMatchObject({ burstPerMinute: 0 });
    expect(own!.ceilings).toMatchObject({ applications: 0, messagesPerDay: 0, spendPerDay: 0 });
    expect(loose!.settings.limits).toMatchObject({ burstPerMinute: 0, sendsPerDay: 80, cooldownSeconds: 20 });
    expect(strict!.settings.limits).toMatchObject({ burstPerMinute: 5000, sendsPerDay: 30, cooldownSeconds: 5 });
    expect(loose!.ceilings).toMatchObject({
      ...{ applications: 20, messagesPerDay: 24_400, spendPerDay: 92, recipientPerDay: 0 },
      limits: { burstPerMinute: 0, sendsPerDay: 80, cooldownSeconds: 5, burstPerSecond: 100 },
    });
    expect(quiet!.ceilings).toMatchObject({
      messagesPerDay: 10_000,
      spendPerDay: 50,
      limits: { burstPerMinute: 1000 },
    });

    const owner = { name: 'owner@shop.example', may: () => true };
    await expect(applications.update(owner, 'pk_2', { limits: { sendsPerDay: 81 } })).rejects.toThrow('at most 80');
    await applications.update(owner, 'pk_2', { limits: { sendsPerDay: 70 } });
    const { appKey } = await applications.create(OPERATOR, { name: 'New', email: 'new@shop.example' });
    expect((await applications.load(appKey)).ceilings).toMatchObject({
      messagesPerDay: 10_000,
      recipientPerDay: 50,
    });
  } finally {
    await passbell.stop();
  }
});
