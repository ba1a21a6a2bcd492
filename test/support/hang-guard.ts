/**
 * Runs in every jest worker before its first test. jest-light-runner has no time limits, so nothing fails on a slow machine.
 * This guard ends a test or hook only when it hangs, and reports what it was waiting for.
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
// jest's workers are disconnected when jest ends, even if jest is killed.
process.once('disconnect', () => process.exit());
