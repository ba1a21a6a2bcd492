/**
 * Runs in every jest worker before its first test. jest-light-runner has no time limits, so tests do not fail on slow
 * machines. This guard ends a test or hook that hangs, and reports its unfinished waits.
 */
import { addEventHandler } from 'jest-circus';
import fc from 'fast-check';
import { endHang } from './wait.js';

type Callback = (() => unknown) | undefined;

addEventHandler((event, { currentDescribeBlock }) => {
  const added =
    event.name === 'add_test'
      ? currentDescribeBlock.children.at(-1)
      : event.name === 'add_hook'
        ? currentDescribeBlock.hooks.at(-1)
        : undefined;
  if (added && 'fn' in added) {
    const work = added.fn as Callback;
    if (work) (added as { fn: Callback }).fn = () => endHang(work);
  }
});

fc.configureGlobal({ seed: Number(process.env.TEST_SEED) });
// The processes that tests start do not need the TypeScript loader.
delete process.env.NODE_OPTIONS;
// When jest ends or is killed, it disconnects its workers.
process.once('disconnect', () => process.exit());
