/** Runs test files in processes that share loaded modules. Changes jest-light-runner in two ways. */
import LightRunner from 'jest-light-runner/child-process';

/**
 * Creates a separate channel for one worker, with jest-light-runner's protocol. Its workers request their data over a
 * shared channel, and the first reply removes the listener of that channel. On a busy machine, a worker that sends its
 * request later would wait forever.
 */
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
  /** The first configuration with the same setup. */
  #shared = new Map();

  /**
   * Returns one configuration for all projects that prepare their workers in the same way, so that these projects share
   * workers. A worker needs seconds of CPU time to load the modules.
   */
  #sharedConfig(config) {
    const key = JSON.stringify([config.setupFiles, config.setupFilesAfterEnv]);
    if (!this.#shared.has(key)) this.#shared.set(key, config);
    return this.#shared.get(key);
  }

  _runTest(test) {
    const projectConfig = this.#sharedConfig(test.context.config);
    const isFirst = !this._testRunners.has(projectConfig);
    // The first worker uses the shared channel. Every later worker gets a separate channel.
    const result = super._runTest({ ...test, context: { ...test.context, config: projectConfig } });
    if (isFirst && this._runtime === 'child_process') {
      const { pool } = this._testRunners.get(projectConfig);
      const workerData = { globalConfig: this._globalConfig, projectConfig, runtime: this._runtime };
      const run = pool.run.bind(pool);
      pool.run = (path) => run(path, { channel: createChannel(workerData) });
    }
    return result;
  }
}
