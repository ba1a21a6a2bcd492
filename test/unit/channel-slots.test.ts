/** The slots that limit how many messages a process sends in parallel. */
import { createChannelSlots } from '../../backend/src/platform/queue/channel-slots.js';
import { allChannels } from '../support/pace.js';

const slotsOf = (concurrency: number, perSecond = 0) =>
  createChannelSlots(allChannels(concurrency), allChannels(perSecond));

it('each channel has its own slots', () => {
  const slots = slotsOf(2);
  expect(slots.tryAcquire('SMS')).toBeInstanceOf(Function);
  expect(slots.tryAcquire('SMS')).toBeInstanceOf(Function);
  expect(slots.tryAcquire('SMS')).toBeUndefined();
  expect(slots.tryAcquire('EMAIL')).toBeInstanceOf(Function);
});

it('waiting work gets a released slot before new work', async () => {
  const slots = slotsOf(1);
  const release = slots.tryAcquire('SMS')!;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let started = (): void => undefined;
  const start = new Promise<void>((resolve) => (started = resolve));
  void slots.run('SMS', () => {
    started();
    return finished;
  });
  release();
  expect(slots.tryAcquire('SMS')).toBeUndefined();
  await start;
  expect(slots.tryAcquire('SMS')).toBeUndefined();
  finish();
  await slots.idle();
  expect(slots.tryAcquire('SMS')).toBeInstanceOf(Function);
});

it('is busy until all slots are released', async () => {
  const slots = slotsOf(1);
  expect(slots.busy()).toBe(false);
  const release = slots.tryAcquire('SMS')!;
  expect(slots.busy()).toBe(true);
  release();
  await slots.idle();
  expect(slots.busy()).toBe(false);
});

it('returns no slot without waiting on a channel with a rate per second', () => {
  expect(slotsOf(2, 10).tryAcquire('SMS')).toBeUndefined();
});

it('a wait for a slot ends after its time limit, and then does not use the slot', async () => {
  const slots = slotsOf(1);
  const release = slots.tryAcquire('SMS')!;
  expect(await slots.acquire('SMS', false, 1)).toBeUndefined();
  release();
  await slots.idle();
  const next = await slots.acquire('SMS', false, 60_000);
  expect(next).toBeInstanceOf(Function);
  next!();
});
