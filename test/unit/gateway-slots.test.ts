/** Limits of concurrent requests to gateways: a gateway that never replies cannot block other gateways. */
import { createSlots } from '../../backend/src/providers/http-gateway/slots.js';
import { createTestClock } from '../support/clock.js';

const postponed = { kind: 'transient', concerns: 'message', retryAfterSeconds: 1 };

/** Creates requests that finish only when `end` is called. */
function silentRequests() {
  const waiting: (() => void)[] = [];
  const request = () => new Promise<string>((resolve) => waiting.push(() => resolve('sent')));
  return { request, end: () => waiting.splice(0).forEach((resolve) => resolve()), running: () => waiting.length };
}

it('gateways of other accounts use up to four slots each, and twelve in total', async () => {
  const clock = createTestClock();
  const { request, end, running } = silentRequests();
  const gateways = [1, 2, 3, 4].map(() => createSlots({ clock, isOperators: false, perSecond: undefined }));
  const runs = gateways.slice(0, 3).flatMap((run) => [1, 2, 3, 4].map(() => run(request)));
  await Promise.resolve();
  expect(running()).toBe(12);
  for (const run of gateways) await expect(run(request)).rejects.toMatchObject(postponed);
  end();
  await Promise.all(runs);
  const next = gateways[3]!(request);
  await Promise.resolve();
  end();
  await expect(next).resolves.toBe('sent');
});

it("the operator's gateway uses up to 48 slots, of which 16 can be used by requests that take longer than a second", async () => {
  const clock = createTestClock();
  const { request, end, running } = silentRequests();
  const run = createSlots({ clock, isOperators: true, perSecond: undefined });
  const first = Array.from({ length: 16 }, () => run(request));
  const others = Array.from({ length: 32 }, () => run(request));
  await Promise.resolve();
  expect(running()).toBe(48);
  await expect(run(request)).rejects.toMatchObject(postponed);
  end();
  await Promise.all([...first, ...others]);
  const slow = Array.from({ length: 16 }, () => run(request));
  clock.advance(1000);
  await expect(run(request)).rejects.toMatchObject(postponed);
  end();
  await Promise.all(slow);
});

it('a request that fails releases its slot', async () => {
  const run = createSlots({ clock: createTestClock(), isOperators: false, perSecond: undefined });
  for (let n = 0; n < 20; n++) await expect(run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
});
