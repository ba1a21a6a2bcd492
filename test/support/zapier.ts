/** Runs the Zapier app in this process with Zapier's platform core, against the running service. */
import { createRequire } from 'node:module';
import type { Bundle, ZObject } from '../../zapier-app/node_modules/zapier-platform-core/types/index.js';
import App from '../../zapier-app/src/index.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';

const require = createRequire(new URL('../../zapier-app/package.json', import.meta.url));
const core = require('zapier-platform-core');
// Zapier's core ends a process that uses too much memory. Test workers exceed the default limit.
require('./node_modules/zapier-platform-core/src/constants.js').KILL_MIN_LIMIT = Infinity;

export { App };
/** Returns whether Zapier treats the value of this key as a secret. */
export const { isSensitiveKey } = require('@zapier/secret-scrubber/lib/convenience') as {
  isSensitiveKey(key: string): boolean;
};
export type Action = keyof typeof App.creates;
export type Trigger = keyof typeof App.triggers;
type Perform = (z: ZObject, bundle: Bundle) => unknown;
/** A bundle as Zapier passes it; missing fields are empty. */
export type TestBundle = Partial<Omit<Bundle, 'meta' | 'authData'>> & { meta?: object; authData?: object };

/** Runs a command of Zapier's platform: `validate`, `definition`, `execute`, … */
export const platform = async (event: object): Promise<{ results: never }> =>
  core.createAppHandler(App)({ bundle: {}, ...event });

export interface Failure {
  /** Name of Zapier's error class. */
  readonly name: string;
  readonly text: string;
  readonly code?: string;
  /** Retry delay of a ThrottledError, in seconds. */
  readonly delay?: number;
}

function parseError(error: unknown): Failure {
  const { name, message } = error as Error;
  if (name !== 'AppError' && name !== 'ThrottledError') return { name, text: message };
  const { message: text, code, delay } = JSON.parse(message) as { message: string; code?: string; delay?: number };
  return { name, text, ...(code ? { code } : {}), ...(delay ? { delay } : {}) };
}

/** Simulates a Zapier account that is connected to this application. `app`: a modified version of the Zapier app. */
export function connect(url: string, keys: KeyPair, app: object = App) {
  const tester = core.createAppTester(app) as (perform: Perform, bundle: object) => Promise<never>;
  const run = (perform: unknown, bundle: TestBundle = {}): Promise<never> =>
    tester(perform as Perform, { authData: { baseUrl: url, ...keys }, inputData: {}, ...bundle });
  const act = (action: Action, inputData: object, rest: TestBundle = {}): Promise<never> =>
    run(App.creates[action]!.operation.perform, { ...rest, inputData: inputData as Record<string, unknown> });
  return {
    run,
    act,
    /** Runs an action that must fail, and returns its error. */
    async actError(action: Action, inputData: object, rest: TestBundle = {}): Promise<Failure> {
      const outcome = await act(action, inputData, rest).then(
        (output) => ({ output }),
        (error: unknown) => parseError(error),
      );
      if ('output' in outcome) throw new Error(`it succeeded: ${JSON.stringify(outcome.output)}`);
      return outcome;
    },
    /** Runs a perform function that must fail, and returns its error. */
    async runError(perform: unknown, bundle: TestBundle = {}): Promise<Failure> {
      const outcome = await run(perform, bundle).then(
        (output) => ({ output }),
        (error: unknown) => parseError(error),
      );
      if ('output' in outcome) throw new Error(`it succeeded: ${JSON.stringify(outcome.output)}`);
      return outcome;
    },
  };
}
