/**
 * jest-light-runner without its race condition: its workers request their data over a shared channel, and the first reply
 * removes the listener of that channel. A worker that sends its request later, because the machine is busy, would wait forever.
 */
import LightRunner from 'jest-light-runner/child-process';

/** Creates a separate channel for one worker. It implements the protocol of jest-light-runner. */
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
    // Only the first worker uses the shared channel, because every later worker gets a separate one.
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
