/**
 * jest-light-runner, without a race: its workers ask for their data on a channel that they share, and the reply to the first one
 * removes the others. A worker that asks later, because the machine is busy, would wait forever.
 */
import LightRunner from 'jest-light-runner/child-process';

/** A channel for one worker, with the protocol of jest-light-runner. */
function createChannel(workerData) {
  let send;
  return {
    onMessage: (listener) => void (send = listener),
    postMessage(message) {
      if (message === 'jest-light-runner-get-worker-data') send({ type: 'jest-light-runner-worker-data', workerData });
    },
  };
}

export default class extends LightRunner {
  _runTest(test) {
    const projectConfig = test.context.config;
    const isFirst = !this._testRunners.has(projectConfig);
    // The first worker has the shared channel for itself, because all others get their own.
    const result = super._runTest(test);
    if (isFirst && this._runtime === 'child_process') {
      const { pool } = this._testRunners.get(projectConfig);
      const workerData = { globalConfig: this._globalConfig, projectConfig, runtime: this._runtime };
      const run = pool.run.bind(pool);
      pool.run = (path) => run(path, { channel: createChannel(workerData) });
    }
    return result;
  }
}
