/** How a process estimates the number of queued messages of an application between two measurements. */
import { createBacklogs } from '../../backend/src/modules/messages/backlog.js';
import { createTestClock } from '../support/clock.js';

const APPLICATION = 1;
/** More than the messages that make a backlog long. */
const MANY = 150;

function backlogsOf(queued: number) {
  const backlog = async () => ({
    messages: queued,
    oldestAt: undefined,
    byApplication: new Map([[APPLICATION, queued]]),
  });
  return createBacklogs({ backlog }, createTestClock());
}

function times(count: number, work: () => void): void {
  for (let n = 0; n < count; n++) work();
}

it('is long while many messages are queued, and no longer once they are finished', () => {
  const { countEnqueued, countFinished, isLong } = backlogsOf(0);
  times(MANY, () => countEnqueued(APPLICATION));
  expect(isLong(APPLICATION)).toBe(true);
  times(MANY, () => countFinished(APPLICATION));
  expect(isLong(APPLICATION)).toBe(false);
});

it('stays short while messages are finished as quickly as they are accepted', () => {
  const { countEnqueued, countFinished, isLong } = backlogsOf(0);
  times(MANY, () => {
    countEnqueued(APPLICATION);
    countFinished(APPLICATION);
  });
  expect(isLong(APPLICATION)).toBe(false);
});

it('subtracts finished messages from the last measurement', async () => {
  const { check, countFinished, isLong } = backlogsOf(MANY);
  await check();
  expect(isLong(APPLICATION)).toBe(true);
  times(MANY, () => countFinished(APPLICATION));
  expect(isLong(APPLICATION)).toBe(false);
});
