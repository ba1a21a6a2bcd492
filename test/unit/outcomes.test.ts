/** Processes of version 0.1 and of this version send each other the outcomes of messages during an upgrade. */
import { createOutcomes } from '../../backend/src/modules/messages/outcomes.js';
import { createLocalBus } from '../../backend/src/platform/bus.js';
import { systemClock } from '../../backend/src/platform/clock.js';

const attempts = [{ channel: 'SMS', success: true, message: 'sent' }] as const;

it('reads outcomes of version 0.1, which calls the attempts "tried"', async () => {
  const bus = createLocalBus();
  const outcomes = createOutcomes(systemClock, bus);
  const outcome = outcomes.wait('message', 60_000);
  bus.publish(`outcome:${outcomes.processId}`, JSON.stringify({ id: 'message', state: 'sent', tried: attempts }));
  expect(await outcome).toEqual({ state: 'sent', attempts });
});

it('sends outcomes that version 0.1 and this version can read', async () => {
  const bus = createLocalBus();
  const received: unknown[] = [];
  bus.subscribe('outcome:other', (text) => received.push(JSON.parse(text)));
  createOutcomes(systemClock, bus).announce('message', { state: 'sent', attempts }, 'other');
  expect(received).toEqual([{ id: 'message', state: 'sent', attempts, tried: attempts }]);
});

it("does not send providers' replies to other processes, because Redis stores no replies", () => {
  const bus = createLocalBus();
  let received = '';
  bus.subscribe('outcome:other', (text) => (received = text));
  const details = { status: 400, code: '21211', reply: 'no such number' };
  const failed = { channel: 'SMS', success: false, message: 'this is not a valid phone number', details } as const;
  createOutcomes(systemClock, bus).announce('message', { state: 'failed', attempts: [failed] }, 'other');
  expect(received).toContain('this is not a valid phone number');
  expect(received).not.toContain('no such number');
});
