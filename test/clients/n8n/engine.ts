/** The engine of n8n, as tests use it. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../support/process.js';
import type { KeyPair } from '../../../backend/src/modules/applications/applications-service.js';
import { NO_LIMITS, startService, type Body, type TestService } from '../../support/service.js';

export interface Credentials {
  appKey: string;
  appSecret: string;
  baseUrl: string;
}

/** An item as it left a node. */
export interface Item {
  json: Body;
  pairedItem: { item: number };
}

export interface Run {
  status: 'success' | 'error';
  /** Why the workflow stopped. */
  error?: Body;
  /** By node and run: what left it, by connection type and output. */
  nodes: Record<string, ({ main?: Item[][] } | null)[]>;
  /** What n8n would store of it. */
  stored: string;
}

export interface RunRequest {
  credentials: Credentials;
  workflow: Body;
  items: Body[];
  executionId?: string;
  startNode?: string;
  /** What other nodes give, by their name. */
  pinned?: Record<string, Body[]>;
}

export interface Engine {
  run(request: RunRequest): Promise<Run>;
  retry(request: Omit<RunRequest, 'items'> & { stored: string }): Promise<Run>;
  testCredential(credentials: Credentials): Promise<{ status: 'OK' | 'Error'; message?: string }>;
  /** What n8n knows of a node. */
  describe(name: string): Promise<Body>;
  /** Any other command of engine-process.mjs. */
  ask(command: string, request: object): Promise<Body>;
  stop(): void;
}

export async function startEngine(): Promise<Engine> {
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
  const waiting = new Map<number, { resolve: (value: Body) => void; reject: (error: Error) => void }>();
  let calls = 0;
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`n8n's engine ended with ${code}`)));
    child.on('message', ({ ready, id, result, error }: Body) => {
      if (ready) return resolve();
      const call = waiting.get(id)!;
      waiting.delete(id);
      if (error) call.reject(new Error(error));
      else call.resolve(result);
    });
  });
  const ask = (command: string, request: object): Promise<Body> =>
    new Promise((resolve, reject) => {
      const id = ++calls;
      waiting.set(id, { resolve, reject });
      child.send({ id, command, request });
    });
  return {
    run: (request) => ask('run', request),
    retry: (request) => ask('retry', request),
    testCredential: (credentials) => ask('testCredential', { credentials }),
    describe: (name) => ask('describe', { name }),
    ask,
    stop() {
      child.disconnect();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export interface Workbench {
  readonly passbell: TestService;
  readonly engine: Engine;
  /** Of an application without limits. */
  readonly keys: KeyPair;
  readonly credentials: Credentials;
  /** Runs a Passbell node on items, each time as a new execution. */
  run(parameters: object, items?: Body[], settings?: object): Promise<Run>;
  /** The same with other credentials. */
  runAs(credentials: Credentials, parameters: object, items?: Body[], settings?: object): Promise<Run>;
  /** What the node makes of one item, by its first output. */
  one(parameters: object, item?: Body): Promise<Body>;
  stop(): Promise<void>;
}

/** The service and the engine, for one test file. */
export async function startWorkbench(...service: Parameters<typeof startService>): Promise<Workbench> {
  const [passbell, engine] = await Promise.all([startService(...service), startEngine()]);
  const keys = await passbell.application(NO_LIMITS);
  const credentials = { ...keys, baseUrl: passbell.url };
  let executions = 0;
  const runAs: Workbench['runAs'] = (as, parameters, items = [{}], settings = {}) => {
    const executionId = `execution-${++executions}`;
    return engine.run({ credentials: as, workflow: workflowWith(parameters, settings), items, executionId });
  };
  const run: Workbench['run'] = (...request) => runAs(credentials, ...request);
  return {
    passbell,
    engine,
    keys,
    credentials,
    run,
    runAs,
    async one(parameters, item = {}) {
      const result = await run(parameters, [item]);
      const [first] = outputOf(result);
      if (!first) throw new Error(`nothing left the node: ${JSON.stringify(result.error ?? result.nodes)}`);
      return first.json;
    },
    async stop() {
      engine.stop();
      await passbell.stop();
    },
  };
}

/** A workflow of a Passbell node behind a node that gives it items. */
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

/** What left the Passbell node by an output in its last run. */
export const outputOf = (run: Run, output = 0, node = 'Passbell'): Item[] =>
  run.nodes[node]?.at(-1)?.main?.[output] ?? [];
