/**
 * Works around a race condition in jest-light-runner: all workers request their data over a shared channel, and the
 * first reply removes its listener. On a busy machine, a worker that sends its request later would wait forever.
 */
import LightRunner from 'jest-light-runner/child-process';

/** Creates a separate channel for one worker, with jest-light-runner's protocol. */
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
    // The first worker uses the shared channel. Every later worker gets a separate channel.
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
