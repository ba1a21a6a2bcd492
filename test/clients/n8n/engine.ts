/** Runs n8n's engine in a child process, and the service in this process. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/process.js';
import type { KeyPair } from '../../../backend/src/modules/applications/application.js';
import { NO_LIMITS, startService, type Body, type TestService } from '../../support/service.js';
import { waiting } from '../../support/wait.js';

export interface Credentials {
  appKey: string;
  appSecret: string;
  baseUrl: string;
  /** Whether n8n no longer has the credential. */
  isDeleted?: boolean;
}

/** An output item of a node. */
export interface Item {
  json: Body;
  pairedItem: { item: number };
}

export interface Run {
  status: 'success' | 'error' | 'waiting';
  /** The error that stopped the workflow. */
  error?: Body;
  /** Output items by node, run, connection type and output. */
  nodes: Record<string, ({ main?: Item[][] } | null)[]>;
  /** The execution as n8n would store it. */
  stored: string;
}

export interface RunRequest {
  credentials: Credentials;
  workflow: Body;
  items: Body[];
  executionId?: string;
  /** URL of n8n's webhooks of waiting executions. */
  waitingUrl?: string;
  startNode?: string;
  /** Pinned output of nodes that are not Passbell nodes, by node name. */
  pinned?: Record<string, Body[]>;
}

export interface Engine {
  run(request: RunRequest): Promise<Run>;
  retry(request: Omit<RunRequest, 'items'> & { stored: string }): Promise<Run>;
  testCredential(credentials: Credentials): Promise<{ status: 'OK' | 'Error'; message?: string; timeout: number }>;
  /** The description of a node. */
  describe(name: string): Promise<Body>;
  /** Any other command of engine-process.mjs. */
  call(command: string, request: object): Promise<Body>;
}

let shared: Promise<Engine> | undefined;
/** Returns the engine that the test files of a worker share, because its start takes seconds of CPU time. */
export const sharedEngine = (): Promise<Engine> => (shared ??= startEngine());

async function startEngine(): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'passbell-n8n-'));
  const child = fork(join(root, 'test/clients/n8n/engine-process.mjs'), {
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      N8N_USER_FOLDER: folder,
      N8N_ENCRYPTION_KEY: 'test',
      N8N_LOG_LEVEL: 'silent',
    },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const calls = new Map<number, { resolve: (value: Body) => void; reject: (error: Error) => void }>();
  let callCount = 0;
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`n8n's engine exited with ${code}`)));
    child.on('message', ({ ready: isReady, id, result, error }: Body) => {
      if (isReady) return resolve();
      const call = calls.get(id)!;
      calls.delete(id);
      if (error) call.reject(new Error(error));
      else call.resolve(result);
    });
  });
  await waiting("the start of n8n's engine", ready);
  // The engine ends with the worker, and does not keep it alive.
  child.unref();
  child.channel!.unref();
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const call = (command: string, request: object): Promise<Body> => {
    const result = new Promise<Body>((resolve, reject) => {
      const id = ++callCount;
      calls.set(id, { resolve, reject });
      child.send({ id, command, request });
    });
    return waiting(`${command} of n8n's engine`, result);
  };
  return {
    run: (request) => call('run', request),
    retry: (request) => call('retry', request),
    testCredential: (credentials) => call('testCredential', { credentials }),
    describe: (name) => call('describe', { name }),
    call,
  };
}

export interface Fixture {
  readonly passbell: TestService;
  readonly engine: Engine;
  /** Credentials of an application without limits. */
  readonly keys: KeyPair;
  readonly credentials: Credentials;
  /** Runs a Passbell node on items in a new execution. */
  run(parameters: object, items?: Body[], settings?: object): Promise<Run>;
  /** Runs the node with other credentials. */
  runAs(credentials: Credentials, parameters: object, items?: Body[], settings?: object): Promise<Run>;
  /** Runs the node on one item, and returns the JSON of its first output. */
  runOne(parameters: object, item?: Body): Promise<Body>;
  stop(): Promise<void>;
}

/** Starts the service for one test file. */
export async function startFixture(...service: Parameters<typeof startService>): Promise<Fixture> {
  const [passbell, engine] = await Promise.all([startService(...service), sharedEngine()]);
  const keys = await passbell.application(NO_LIMITS);
  const credentials = { ...keys, baseUrl: passbell.url };
  let executions = 0;
  const runAs: Fixture['runAs'] = (as, parameters, items = [{}], settings = {}) => {
    const executionId = `execution-${++executions}`;
    return engine.run({ credentials: as, workflow: workflowWith(parameters, settings), items, executionId });
  };
  const run: Fixture['run'] = (...request) => runAs(credentials, ...request);
  return {
    passbell,
    engine,
    keys,
    credentials,
    run,
    runAs,
    async runOne(parameters, item = {}) {
      const result = await run(parameters, [item]);
      const [first] = outputOf(result);
      if (!first) throw new Error(`the node has no output: ${JSON.stringify(result.error ?? result.nodes)}`);
      return first.json;
    },
    stop: () => passbell.stop(),
  };
}

/** Returns a workflow with a Passbell node after a node that provides items. */
export function workflowWith(parameters: object, settings: object = {}): Body {
  return {
    id: 'workflow-1',
    nodes: [
      { id: 'a', name: 'Items', type: 'test.items', typeVersion: 1, position: [0, 0], parameters: {} },
      {
        id: 'b',
        name: 'Passbell',
        type: 'n8n-nodes-passbell.passbell',
        typeVersion: 1,
        position: [0, 0],
        parameters,
        credentials: { passbellApi: { id: '1', name: 'Passbell' } },
        ...settings,
      },
    ],
    connections: { Items: { main: [[{ node: 'Passbell', type: 'main', index: 0 }]] } },
  };
}

/** Returns the items that the Passbell node returned on one of its outputs in its last run. */
export const outputOf = (run: Run, output = 0, node = 'Passbell'): Item[] =>
  run.nodes[node]?.at(-1)?.main?.[output] ?? [];
