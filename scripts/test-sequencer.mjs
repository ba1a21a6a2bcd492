/** Starts the slowest tests first, so that no processor is idle at the end of a run while a slow test finishes. */
import { statSync } from 'node:fs';

const SLOW_TEST_PATHS = /test\/(browser|scaled|faults)\/|hostile|clients\/(n8n|node)\/package|simulation/;

export default class TestSequencer {
  sort(tests) {
    const rank = ({ path }) => (SLOW_TEST_PATHS.test(path) ? 0 : 1);
    const size = ({ path }) => statSync(path).size;
    return [...tests].sort((a, b) => rank(a) - rank(b) || size(b) - size(a));
  }

  allFailedTests(tests) {
    return tests;
  }

  cacheResults() {}
}
