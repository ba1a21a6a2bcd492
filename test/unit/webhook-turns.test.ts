import { createTurns } from '../../backend/src/modules/webhooks/turns.js';
import { waiting } from '../support/wait.js';

/** Returns webhooks of one account. Each webhook belongs to a different application. */
const webhooksOf = (accountId: number, count: number) =>
  Array.from({ length: count }, (_, n) => {
    const id = accountId * 1000 + n;
    return { id, applicationId: id, accountId };
  });

const fail = (error: unknown): void => {
  throw error;
};

const [shopWebhook] = webhooksOf(2, 1);

it('gives turns to other accounts even if all applications of one account are slow', async () => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const turns = createTurns(async (id) => {
    if (id !== shopWebhook!.id) await released;
    return false;
  }, fail);
  const hostile = webhooksOf(1, 100).map((webhook) => turns.serveAll(webhook));
  await waiting('a turn of the shop', turns.serveAll(shopWebhook!));
  release();
  await Promise.all(hostile);
  await turns.onIdle();
});

it('gives an application at most four turns at a time', async () => {
  let running = 0;
  let most = 0;
  const turns = createTurns(async () => {
    most = Math.max(most, ++running);
    await new Promise(setImmediate);
    running--;
    return false;
  }, fail);
  const ofOneApplication = webhooksOf(1, 20).map((webhook) => ({ ...webhook, applicationId: 1 }));
  await Promise.all(ofOneApplication.map((webhook) => turns.serveAll(webhook)));
  expect(most).toBe(4);
});

it('serves a webhook once, until it needs no other turn', async () => {
  const turnsLeft = [true, true, false];
  let served = 0;
  const turns = createTurns(async () => {
    served++;
    return turnsLeft.shift()!;
  }, fail);
  await Promise.all([turns.serveAll(shopWebhook!), turns.serveAll(shopWebhook!)]);
  expect(served).toBe(3);
});

it('serves a webhook again after a failed turn', async () => {
  const errors: unknown[] = [];
  const turns = createTurns(
    async () => {
      throw new Error('the database is down');
    },
    (error) => errors.push(error),
  );
  await turns.serveAll(shopWebhook!);
  await turns.serveAll(shopWebhook!);
  expect(errors).toHaveLength(2);
});
