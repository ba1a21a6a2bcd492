/**
 * The packed client on Node 20, 22 and 24, Bun, Deno and workerd, the runtime of Cloudflare Workers, each against the running
 * service. The runtimes take 500 MB, so this is not part of `npm test`: run `npm run test:runtimes`.
 */
import { build } from 'esbuild';
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '../../support/process.js';
import { createTestClock } from '../../support/clock.js';
import { freshPhone, NO_SEND_LIMITS, startService, type Body, type TestService } from '../../support/service.js';
import { npm, once } from '../../support/toolbox.mjs';
import { advancing, until } from '../../support/wait.js';
import { startWebhookServer, type WebhookServer } from '../../support/webhook-server.js';

const toolbox = join(root, '.cache/runtimes');
const client = join(root, '.cache/node-client/passbell.tgz');
const PACKAGES = {
  bun: '1.3.3',
  deno: '2.9.6',
  'node-20': 'npm:node@20.20.2',
  'node-22': 'npm:node@22.23.3',
  'node-24': 'npm:node@24.21.0',
  passbell: `file:${client}`,
  workerd: '1.20260426.1',
};

const write = (name: string, content: string) => writeFileSync(join(toolbox, name), content);
const bin = (path: string) => join(toolbox, 'node_modules', path);

/** Uses the client as a program would, and returns the results. */
const USE = `
import { Passbell, PassbellError, verifyWebhook } from 'passbell';

export async function use({ baseUrl, keys, throttledKeys, inbox, phone, event }) {
  const passbell = new Passbell({ baseUrl, ...keys });
  const codeFor = async (to) => {
    const messages = await (await fetch(inbox + '&to=' + encodeURIComponent(to))).json();
    return messages[0].text.match(/\\d{6}/)[0];
  };
  const errorOf = (call) =>
    call.then(
      () => 'no error',
      (error) => (error instanceof PassbellError ? error : String(error)),
    );

  const { maskId } = await passbell.sendOtp({ to: phone });
  const otp = await codeFor(phone);
  const wrong = await errorOf(passbell.verifyOtp({ maskId, otp: otp === '000000' ? '000001' : '000000' }));
  const { token, user } = await passbell.verifyOtp({ maskId, otp });

  const throttled = new Passbell({ baseUrl, ...throttledKeys });
  await throttled.sendOtp({ to: phone });
  const refused = await errorOf(throttled.sendOtp({ to: phone }));

  const canceled = await passbell.sendOtp({ to: phone });
  await passbell.cancelOtp(canceled.maskId);
  const stopped = new AbortController();
  stopped.abort();

  return {
    wrong: [wrong.code, wrong.attemptsLeft],
    phone: user.phone,
    throttled: [refused.code, refused.retryAfterSeconds > 0],
    canceled: [
      (await passbell.getOtp(canceled.maskId)).state,
      (await errorOf(passbell.verifyOtp({ maskId: canceled.maskId, otp: await codeFor(phone) }))).code,
    ],
    aborted: await passbell.getApplication({ signal: stopped.signal }).then(() => 'no error', ({ name }) => name),
    token: [
      (await passbell.verifyToken(token)).userId === user.userId,
      (await passbell.verifyTokenLocally(token)).userId === user.userId,
      (await errorOf(passbell.verifyTokenLocally(token.slice(0, -9) + 'AAAAAAAAA'))).code,
    ],
    webhook: [
      (await verifyWebhook(event)).event,
      (await errorOf(verifyWebhook({ ...event, body: event.body + ' ' }))).code,
    ],
  };
}
`;

const EXPECTED = {
  wrong: ['INVALID_OTP', 4],
  phone: expect.stringMatching(/^\+1415/),
  throttled: ['COOLDOWN', true],
  canceled: ['canceled', 'INVALID_OTP'],
  aborted: 'AbortError',
  token: [true, true, 'INVALID_TOKEN'],
  webhook: ['otp.verified', 'INVALID_SIGNATURE'],
};

type Run = (given: object) => Promise<unknown>;

const run = promisify(execFile);
/** Runs a program that imports `use`, with the values in a file. */
const runWith =
  (command: string, ...args: string[]): Run =>
  async (given) => {
    write(
      'program.mjs',
      `import { use } from './use.mjs';\nconsole.log(JSON.stringify(await use(${JSON.stringify(given)})));\n`,
    );
    const { stdout } = await run(bin(command), [...args, 'program.mjs'], { cwd: toolbox });
    return JSON.parse(stdout) as unknown;
  };

const WORKER = `
import { use } from './use.mjs';
export default { fetch: async (request) => Response.json(await use(await request.json())) };
`;
const WORKERD_CONFIGURATION = `
using Workerd = import "/workerd/workerd.capnp";
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "bundle.mjs")],
  compatibilityDate = "2026-01-01",
);
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "internet", network = (allow = ["private"]))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`;

/** Bundles the worker as Cloudflare's tools do, and sends it the values. */
const runInWorkerd: Run = async (given) => {
  write('worker.mjs', WORKER);
  write('workerd.capnp', WORKERD_CONFIGURATION);
  await build({
    entryPoints: [join(toolbox, 'worker.mjs')],
    outfile: join(toolbox, 'bundle.mjs'),
    bundle: true,
    format: 'esm',
    conditions: ['workerd', 'import'],
  });
  const workerd = spawn(bin('.bin/workerd'), ['serve', 'workerd.capnp', '--control-fd=3'], {
    cwd: toolbox,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  try {
    // Such as {"event": "listen", "socket": "http", "port": 40123}.
    const line = await new Promise<string>((resolve, reject) => {
      workerd.stdio[3]!.once('data', (data) => resolve(String(data)));
      workerd.once('exit', (status) => reject(new Error(`workerd exited with status ${status}`)));
    });
    const { port } = JSON.parse(line) as { port: number };
    const reply = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: JSON.stringify(given) });
    return await reply.json();
  } finally {
    workerd.kill();
  }
};

const RUNTIMES: readonly [string, Run][] = [
  ['Node 20', runWith('node-20/bin/node')],
  ['Node 22', runWith('node-22/bin/node')],
  ['Node 24', runWith('node-24/bin/node')],
  ['Bun', runWith('.bin/bun')],
  ['Deno', runWith('.bin/deno', 'run', '--allow-net=127.0.0.1', '--node-modules-dir=manual')],
  ['workerd', runInWorkerd],
];

const describeRuntimes = process.env.RUNTIMES ? describe : describe.skip;

describeRuntimes('the packed client', () => {
  let passbell: TestService;
  let shop: WebhookServer;
  let keys: TestService['keys'];
  let event: object;
  beforeAll(async () => {
    mkdirSync(toolbox, { recursive: true });
    write('package.json', JSON.stringify({ private: true, type: 'module', dependencies: PACKAGES }));
    once(join(toolbox, '.installed'), [join(toolbox, 'package.json'), client], () =>
      // The install scripts put the programs in place. `npm run` passes on that this repository disables them.
      npm(toolbox, 'install', '--ignore-scripts=false', '--no-audit', '--no-fund', '--no-package-lock'),
    );
    write('use.mjs', USE);
    // The client compares the time of a webhook call with the clock of its runtime.
    passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' }, { clock: createTestClock(Date.now()) });
    keys = await passbell.application(NO_SEND_LIMITS);
    shop = await startWebhookServer();
    const { data }: Body = await passbell.post('/webhooks', { url: shop.url, events: ['otp.verified'] }, { keys });
    const { maskId, code } = await passbell.send(freshPhone(), {}, { keys });
    await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys });
    await until('the webhook call', () => shop.calls.length === 1, advancing(passbell.clock, 1000));
    const { body, headers } = shop.calls[0]!;
    event = { body, headers, secret: data.secret };
  });
  afterAll(async () => {
    await shop?.close();
    await passbell?.stop();
  });

  it.each(RUNTIMES)('works on %s', async (_name, run) => {
    const given = {
      baseUrl: passbell.url,
      keys,
      throttledKeys: await passbell.application(),
      inbox: `${passbell.url}/dev/inbox.json?key=${passbell.core.devInbox!.key}`,
      phone: freshPhone(),
      event,
    };
    expect(await run(given)).toEqual(EXPECTED);
  });
});
