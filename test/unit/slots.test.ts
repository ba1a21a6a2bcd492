/** The slots that limit how many messages a process sends in parallel. */
import { createSlots } from '../../backend/src/platform/queue/slots.js';

const allChannels = <T>(value: T) => ({ SMS: value, WHATSAPP: value, VOICE: value, EMAIL: value });
const slotsOf = (concurrency: number, perSecond = 0) =>
  createSlots({ concurrency: allChannels(concurrency), perSecond: allChannels(perSecond) });

it('gives each channel its number of slots', () => {
  const slots = slotsOf(2);
  expect(slots.take('SMS')).toBeInstanceOf(Function);
  expect(slots.take('SMS')).toBeInstanceOf(Function);
  expect(slots.take('SMS')).toBeUndefined();
  expect(slots.take('EMAIL')).toBeInstanceOf(Function);
});

it('gives a slot that was freed to the work that waits, and not to later work', async () => {
  const slots = slotsOf(1);
  const free = slots.take('SMS')!;
  let finish = (): void => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  let started = (): void => undefined;
  const start = new Promise<void>((resolve) => (started = resolve));
  void slots.run('SMS', () => {
    started();
    return finished;
  });
  free();
  expect(slots.take('SMS')).toBeUndefined();
  await start;
  expect(slots.take('SMS')).toBeUndefined();
  finish();
  await slots.idle();
  expect(slots.take('SMS')).toBeInstanceOf(Function);
});

it('counts running work and slots that were taken as busy, until they end', async () => {
  const slots = slotsOf(1);
  expect(slots.busy()).toBe(false);
  const free = slots.take('SMS')!;
  expect(slots.busy()).toBe(true);
  free();
  await slots.idle();
  expect(slots.busy()).toBe(false);
});

it('gives no slots on a channel with a rate per second, because that work waits for its turn', () => {
  expect(slotsOf(2, 10).take('SMS')).toBeUndefined();
});
