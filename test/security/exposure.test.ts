/** Developer and operator pages, requested by an external attacker through nginx with its default settings. */
import { request, type IncomingHttpHeaders } from 'node:http';
import { rmSync } from 'node:fs';
import { createCore, type Core } from '../../backend/src/core.js';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { readConfig } from '../../backend/src/platform/config/config.js';
import { listen, type HttpServer } from '../../backend/src/platform/http/listen.js';
import { createLog } from '../../backend/src/platform/log.js';
import { createServer } from '../../backend/src/server.js';
import { createDataFolder } from '../support/data-folder.js';
import { startTwilioServer, type TwilioServer } from '../support/twilio-server.js';
import { until } from '../support/wait.js';

let twilio: TwilioServer;
let dataDir: string;
let core: Core;
let server: HttpServer;
let logged: string[];
beforeEach(async () => {
  twilio = await startTwilioServer();
  dataDir = createDataFolder('exposure');
});
afterEach(async () => {
  await server.close();
  await core.stop();
  await twilio.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const twilioSettings = () => ({
  TWILIO_ACCOUNT_SID: twilio.accountSid,
  TWILIO_AUTH_TOKEN: twilio.authToken,
  TWILIO_SMS_FROM: '+14155550100',
  TWILIO_API_URL: twilio.url,
});

/** Starts the service as `main.ts` does. The test support would add a dev inbox, even with a configured provider. */
async function start(settings: Record<string, string>): Promise<void> {
  logged = [];
  const log = createLog('warn', { write: (line) => void logged.push(line) });
  core = await createCore(readConfig({ DATA_DIR: dataDir, ...settings }), { log });
  server = await listen(await createServer(core), { host: '127.0.0.1', port: 0, prepare: core.start });
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends a request as nginx does: with its upstream's name as Host and no added header, like a local request. */
function get(path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: server.port, path, headers: { Connection: 'close', ...headers } };
    request(options, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode!, headers: response.headers, text });
    })
      .on('error', reject)
      .end();
  });
}

const statuses = async (...paths: string[]) => Promise.all(paths.map(async (path) => (await get(path)).status));

const OWNER_EMAIL = 'owner@example.com';

/** Invites an owner and asks for a sign-in code, as anyone who knows the owner's address can. */
async function requestSignInCode(): Promise<void> {
  const accountId = await core.applications.service.createAccount(OPERATOR, 'shop@example.com');
  const invitation = await core.people.service.invite(OPERATOR, { accountId, email: OWNER_EMAIL, role: 'owner' });
  await core.people.service.join(invitation, OWNER_EMAIL);
  const attempt = { email: OWNER_EMAIL, source: '192.0.2.1', knownBrowser: undefined };
  const code = await core.people.signIn.requestCode({ ...attempt, invitation: undefined, requestId: 'r' });
  code.send();
}

async function signInPageWithoutCodes(): Promise<string> {
  await expect(requestSignInCode()).rejects.toThrow();
  return (await get('/dashboard/sign-in')).text;
}

describe('the dev inbox', () => {
  it.each([
    ['a public BASE_URL', { BASE_URL: 'https://otp.example' }],
    ['TRUST_PROXY', { TRUST_PROXY: '1' }],
    ['a mail server', { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'a@b.example' }],
    ['a public HOST', { HOST: '0.0.0.0' }],
  ])('does not exist with %s', async (_what, settings) => {
    await start(settings);
    expect(await statuses('/dev/inbox', '/dev/inbox.json', '/dev/inbox/message/1.html')).toEqual([404, 404, 404]);
    expect([...core.providers.routing.operatorProviders.values()].some(({ standIn }) => standIn)).toBe(false);
  });

  it("does not show the owner's sign-in code with Twilio and no mail server", async () => {
    await start(twilioSettings());
    expect(await signInPageWithoutCodes()).toContain('This server cannot send codes');
    expect(await statuses('/dev/inbox', '/dev/inbox.json')).toEqual([404, 404]);
  });

  it('receives no sign-in code even if DEV_INBOX is "force"', async () => {
    await start({ ...twilioSettings(), BASE_URL: 'https://otp.example', DEV_INBOX: 'force' });
    expect(await signInPageWithoutCodes()).toContain('This server cannot send codes');
    expect(core.devInbox!.list()).toEqual([]);
    expect(await statuses('/dev/inbox', '/dev/inbox.json', '/dev/inbox.json?key=guess')).toEqual([404, 404, 404]);
    expect(await statuses(`/dev/inbox.json?key=${core.devInbox!.key}`)).toEqual([200]);
  });

  it("is open on a developer's machine", async () => {
    await start({});
    expect(await statuses('/dev/inbox', '/dev/inbox.json', '/demo/two-factor', '/metrics')).toEqual([
      200, 200, 200, 200,
    ]);
  });
});

/** nginx 1.29.7 and newer: HTTP/1.1, the loopback address of the upstream as Host, and no additional header. */
describe('the dev inbox behind an undetectable proxy, on a machine without production settings', () => {
  const codeInbox = () => core.devInbox!.list().filter(({ to }) => to === OWNER_EMAIL);

  beforeEach(async () => {
    await start({});
    const { appKey, appSecret } = await core.applications.service.create(OPERATOR, { name: 'Shop' });
    const sent = await get('/api/v1/auth/sendotp?to=%2B14155550123', { clientId: appKey, clientSecret: appSecret });
    expect(JSON.parse(sent.text)).toMatchObject({ success: true });
    await requestSignInCode();
    await core.people.signInLinks.create(OPERATOR, OWNER_EMAIL);
    await until('the sign-in code and the security notice', async () => codeInbox().length === 2);
  });

  it("hides the owner's sign-in code and the security notices from attackers in JSON", async () => {
    for (const query of ['', `?to=${OWNER_EMAIL}`, '?to=']) {
      const { status, text } = await get(`/dev/inbox.json${query}`);
      expect([query, status]).toEqual([query, 200]);
      for (const { id, subject } of codeInbox()) {
        expect(text).not.toContain(id);
        expect(text).not.toContain(subject);
      }
      expect(text).not.toContain(OWNER_EMAIL);
    }
    expect(JSON.parse((await get('/dev/inbox.json')).text)).toMatchObject([{ channel: 'SMS', to: '+14155550123' }]);
  });

  it("hides the owner's sign-in code and the security notices from attackers in HTML", async () => {
    for (const { id } of codeInbox())
      expect(await statuses(`/dev/inbox/message/${id}.html`, `/dev/inbox/message/${id}.html?key=guess`)).toEqual([
        404, 404,
      ]);
    const page = await get('/dev/inbox');
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('address that Passbell printed')]);
  });

  it('shows the operator the code and the notices at the URL with the key', async () => {
    const query = `?key=${core.devInbox!.key}`;
    expect(JSON.parse((await get(`/dev/inbox.json${query}`)).text)).toHaveLength(3);
    for (const { id } of codeInbox()) expect(await statuses(`/dev/inbox/message/${id}.html${query}`)).toEqual([200]);
    expect((await get('/dashboard/sign-in')).text).toMatch(
      /the code is in the dev inbox\. To find the inbox, look for “Dev inbox:” in the terminal/,
    );
  });
});

describe('/metrics and /demo', () => {
  it.each([
    ['a public BASE_URL', () => ({ BASE_URL: 'https://otp.example' })],
    ['a provider', twilioSettings],
    ['a forced dev inbox and a public BASE_URL', () => ({ BASE_URL: 'https://otp.example', DEV_INBOX: 'force' })],
  ])('are not available with %s', async (_what, settings) => {
    await start(settings());
    expect(await statuses('/metrics', '/demo/two-factor', '/demo/two-factor.json')).toEqual([401, 404, 404]);
  });

  it('reply only to requests from this machine', async () => {
    await start({});
    for (const path of ['/metrics', '/demo/two-factor', '/demo/two-factor.json']) {
      expect((await get(path, { Host: 'otp.example' })).status).toBe(403);
      expect((await get(path, { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(403);
    }
  });

  it('require METRICS_TOKEN as a bearer token if it is set', async () => {
    const token = 'a-token-that-only-tests-use';
    await start({ BASE_URL: 'https://otp.example', METRICS_TOKEN: token });
    const metrics = async (authorization: string) => (await get('/metrics', { Authorization: authorization })).status;
    expect((await get('/metrics')).status).toBe(401);
    for (const wrong of ['Bearer', 'Bearer ', 'Bearer guess', `Basic ${token}`, token])
      expect([wrong, await metrics(wrong)]).toEqual([wrong, 401]);
    expect(await metrics(`Bearer ${token}`)).toBe(200);
  });
});

describe('forwarding headers', () => {
  const warnings = () => logged.filter((line) => line.includes('TRUST_PROXY'));

  it('are reported once if TRUST_PROXY is not set', async () => {
    await start({});
    await get('/health/live');
    expect(warnings()).toEqual([]);
    for (const name of ['X-Forwarded-For', 'Forwarded', 'X-Real-IP'])
      await get('/health/live', { [name]: '192.0.2.1' });
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).not.toContain('192.0.2.1');
  });

  it('are not reported if TRUST_PROXY is set', async () => {
    await start({ TRUST_PROXY: '1' });
    await get('/health/live', { 'X-Forwarded-For': '192.0.2.1' });
    expect(warnings()).toEqual([]);
  });
});

describe('Strict-Transport-Security', () => {
  const header = async () => (await get('/dashboard/sign-in')).headers['strict-transport-security'];

  it('is sent when BASE_URL is https', async () => {
    await start({ BASE_URL: 'https://otp.example' });
    expect(await header()).toBe('max-age=31536000');
  });

  it('is not sent when BASE_URL is http', async () => {
    await start({ BASE_URL: 'http://otp.example' });
    expect(await header()).toBeUndefined();
  });
});
