/**
 * The packed package in a whole n8n, as a person has it: its editor's API, its webhooks, its pages in a browser. Installs
 * n8n first, so it is not part of `npm test`: `npm run test:n8n`. `SCREENSHOTS=folder` keeps pictures of the editor.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { KeyPair } from '../../../backend/src/modules/applications/applications-service.js';
import { passbell, root, startProcess, type PassbellProcess } from '../../support/process.js';
import { wrongCode, type Body } from '../../support/service.js';
import { startForwarder, startStranger } from '../n8n/forwarder.js';
import { openEditor, openStep, step, type Editor } from './editor.js';
import { executionAfter } from './executions.js';
import { installN8n } from './install.js';
import { startOutside } from './outside.js';
import { startN8n, type N8n } from './server.js';

jest.setTimeout(120_000);

let service: PassbellProcess;
let dataDir: string;
let keys: KeyPair;
let outside: Awaited<ReturnType<typeof startOutside>>;
let n8n: N8n;

async function timed<T>(what: string, work: Promise<T>): Promise<T> {
  const start = Date.now();
  const result = await work;
  process.stderr.write(`${what}: ${((Date.now() - start) / 1000).toFixed(1)} s\n`);
  return result;
}

beforeAll(async () => {
  await timed('n8n is installed', installN8n());
  dataDir = mkdtempSync(join(tmpdir(), 'passbell-n8n-whole-'));
  // n8n is on this machine.
  service = await startProcess({ DATA_DIR: dataDir, WEBHOOKS_ALLOW_PRIVATE: 'true' });
  keys = JSON.parse(await passbell(dataDir, 'app', 'create', '--name', 'My Shop', '--json')) as KeyPair;
  outside = await startOutside();
  n8n = await timed('n8n has started', startN8n(outside.url));
}, 30 * 60_000);
afterAll(async () => {
  await n8n?.stop();
  outside?.close();
  await service?.end('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true });
}, 60_000);

const credentialData = (change: object = {}) => ({ ...keys, baseUrl: service.url, ...change });
const inbox = async (to: string): Promise<Body[]> =>
  (await fetch(`${service.url}/dev/inbox.json?to=${encodeURIComponent(to)}`)).json() as Promise<Body[]>;
const post = (url: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const callPassbell = async (path: string, body?: object): Promise<Body> => {
  const headers = { clientId: keys.appKey, clientSecret: keys.appSecret };
  const url = `${service.url}/api/v1${path}`;
  return (await (body ? post(url, body, headers) : fetch(url, { headers }))).json();
};

it('is loaded: the node, its form as a tool, the trigger and the credential', async () => {
  const types = async (file: string): Promise<Body[]> =>
    (await fetch(`${n8n.url}/types/${file}.json`, { headers: { Cookie: n8n.cookie } })).json() as Promise<Body[]>;
  const ours = (await types('nodes')).map(({ name }) => name).filter((name) => name.startsWith('n8n-nodes-passbell.'));
  expect(ours.sort()).toEqual(
    ['passbell', 'passbellTool', 'passbellTrigger'].map((name) => `n8n-nodes-passbell.${name}`),
  );
  expect(await types('credentials')).toContainEqual(
    expect.objectContaining({ name: 'passbellApi', displayName: 'Passbell API' }),
  );
});

describe('the credential test', () => {
  const test = (change: object = {}): Promise<Body> =>
    n8n.ask('POST', '/credentials/test', {
      credentials: { id: '', name: 'Passbell account', type: 'passbellApi', data: credentialData(change) },
    });

  it.each(['', '/', '/api/v1', '/api/v1/'])('accepts the right key pair, with "%s" after the address', async (end) => {
    expect(await test({ baseUrl: `${service.url}${end}` })).toMatchObject({ status: 'OK' });
  });

  it.each([{ appSecret: 'sk_wrong' }, { appKey: 'pk_unknown' }])('refuses %j', async (change) => {
    expect(await test(change)).toEqual({ status: 'Error', message: expect.stringContaining('refuses this key pair') });
  });

  it.each([
    ['a page', 'text/html', '<html><body>Welcome</body></html>'],
    ['JSON of something else', 'application/json', '{"status":"ok"}'],
    ['nothing', 'text/plain', ''],
  ])('refuses an address that answers %s', async (_what, type, body) => {
    const stranger = await startStranger(200, { 'Content-Type': type }, body);
    const outcome = await test({ baseUrl: stranger.url });
    expect(outcome).toEqual({ status: 'Error', message: expect.stringContaining('not as Passbell does') });
    stranger.close();
  });

  it('refuses an address where nobody is', async () => {
    const nobody = await startStranger(200, {}, '');
    nobody.close();
    expect(await test({ baseUrl: nobody.url })).toMatchObject({ status: 'Error' });
  });

  it('refuses an address that sends it elsewhere, and takes no key pair along', async () => {
    const elsewhere = await startStranger(200, { 'Content-Type': 'application/json' }, '{"success":true}');
    const stranger = await startStranger(302, { Location: elsewhere.url }, '');
    expect(await test({ baseUrl: stranger.url })).toMatchObject({ status: 'Error' });
    expect(elsewhere.paths).toEqual([]);
  });
});

describe('workflows', () => {
  const example = (name: string): Body =>
    JSON.parse(readFileSync(join(root, 'n8n-nodes/examples', `${name}.json`), 'utf8'));

  const deactivate = (id: string) => n8n.publish(id, undefined);
  /** Imports a workflow as the editor does, and activates it. */
  async function activate(workflow: Body): Promise<string> {
    const { id, versionId } = await n8n.ask('POST', '/workflows', workflow);
    await n8n.publish(id, versionId);
    return id;
  }

  beforeAll(async () => {
    // By the name that n8n proposes, which the examples have: nobody has to choose it.
    await n8n.ask('POST', '/credentials', { name: 'Passbell account', type: 'passbellApi', data: credentialData() });
  });

  const order = {
    orderId: 'A-1001',
    customerName: 'Ana',
    phone: '+14155550101',
    email: 'ana@example.com',
    trackingNo: '007',
    trackingLink: 'https://track.example/007',
  };

  it('order-shipped: an SMS, once an order; an e-mail when there can be no SMS', async () => {
    const id = await activate(example('order-shipped'));
    const call = (body: object) => executionAfter(n8n, id, () => post(`${n8n.url}/webhook/order-shipped`, body));
    for (let calls = 0; calls < 2; calls++) {
      const execution = await call(order);
      expect(execution.output('Notify by SMS')).toMatchObject([{ json: { channel: 'SMS' }, pairedItem: { item: 0 } }]);
    }
    expect(await inbox(order.phone)).toMatchObject([{ text: expect.stringContaining('007') }]);

    const execution = await call({ ...order, orderId: 'A-1002', phone: 'unknown' });
    expect(execution.output('Notify by SMS', 1)).toMatchObject([{ json: { details: { code: 'INVALID_RECIPIENT' } } }]);
    expect(execution.output('Notify by E-Mail')).toMatchObject([{ json: { channel: 'EMAIL' } }]);
    expect(await inbox(order.email)).toMatchObject([{ text: expect.stringContaining('A-1002') }]);
    await deactivate(id);
  });

  it('invoice-by-email: an e-mail; what fails leaves by the error output', async () => {
    const id = await activate(example('invoice-by-email'));
    const invoice = { customerName: 'Ana', invoiceNumber: 'INV-7', amount: '$120.00', email: 'invoice@example.com' };
    const call = (body: object) => executionAfter(n8n, id, () => post(`${n8n.url}/webhook/invoice-issued`, body));
    const sent = await call({ ...invoice, invoiceUrl: 'https://shop.example/7' });
    expect(sent.output('Send Invoice')).toMatchObject([{ json: { channel: 'EMAIL' } }]);
    expect(await inbox(invoice.email)).toMatchObject([{ text: expect.stringContaining('$120.00') }]);
    const failed = await call({ ...invoice, invoiceNumber: 'INV-8', email: 'nobody' });
    expect(failed.output('Tell Somebody')).toMatchObject([{ json: { details: { code: 'INVALID_RECIPIENT' } } }]);
    await deactivate(id);
  });

  const trigger = (path: string) => ({
    name: 'Passbell calls',
    nodes: [
      {
        id: 't',
        name: 'Passbell Trigger',
        type: 'n8n-nodes-passbell.passbellTrigger',
        typeVersion: 1,
        position: [0, 0],
        webhookId: path,
        parameters: { events: ['message.delivered', 'otp.verified'] },
        credentials: { passbellApi: { id: null, name: 'Passbell account' } },
      },
    ],
    connections: {},
    settings: { executionOrder: 'v1' },
  });
  const webhooks = async (): Promise<Body[]> => (await callPassbell('/webhooks')).data.webhooks;

  it('Passbell Trigger: registers, starts with events, refuses forged ones, removes itself', async () => {
    const id = await activate(trigger('0b9f5d70-3f5f-4d4a-9d53-0f5b7a3f9a01'));
    const [webhook] = await webhooks();
    expect(webhook).toMatchObject({ url: expect.stringContaining(`${n8n.url}/webhook/`) });

    const to = '+14155550102';
    const delivered = await executionAfter(n8n, id, () => callPassbell('/auth/sendotp', { to }));
    const [{ json: event }] = delivered.output('Passbell Trigger') as [Body];
    expect(event).toMatchObject({ event: 'message.delivered', data: { template: 'otp' } });

    const otp = (await inbox(to))[0].text.match(/\d{6}/)[0];
    const verified = await executionAfter(n8n, id, () =>
      callPassbell('/auth/verifyotp', { maskId: event.data.maskId, otp }),
    );
    expect(verified.output('Passbell Trigger')).toMatchObject([{ json: { event: 'otp.verified' } }]);

    const t = Math.floor(Date.now() / 1000);
    for (const headers of [{}, { 'Passbell-Signature': `t=${t},v1=${'0'.repeat(64)}` }])
      expect((await post(webhook.url, event, headers)).status).toBe(401);

    await deactivate(id);
    expect(await webhooks()).toEqual([]);
  });

  it('"Retry" in the list of executions sends nobody a second message', async () => {
    let lost = 0;
    const forwarder = await startForwarder(service.url, () => lost++ === 0);
    const { id: credentialId } = await n8n.ask('POST', '/credentials', {
      name: 'Passbell behind a bad line',
      type: 'passbellApi',
      data: credentialData({ baseUrl: forwarder.url }),
    });
    const to = '+14155550103';
    const workflow = example('order-shipped');
    workflow.nodes = workflow.nodes.filter(({ id }: Body) => ['w1', 'p1'].includes(id));
    const [webhook, node] = workflow.nodes;
    webhook.parameters.path = 'bad-line';
    Object.assign(node, {
      onError: 'stopWorkflow',
      parameters: { resource: 'otp', operation: 'send', to: '={{ $json.body.to }}' },
      credentials: { passbellApi: { id: credentialId, name: 'Passbell behind a bad line' } },
    });
    workflow.connections = { [webhook.name]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } };
    const id = await activate(workflow);

    const failed = await executionAfter(n8n, id, () => post(`${n8n.url}/webhook/bad-line`, { to }));
    expect(failed).toMatchObject({ status: 'error', error: { context: { itemIndex: 0 } } });
    expect(JSON.stringify(failed.error)).not.toContain(keys.appSecret);
    const again = await executionAfter(n8n, id, () => n8n.ask('POST', `/executions/${failed.id}/retry`, {}));
    expect(again.output(node.name)).toMatchObject([{ json: { channel: 'SMS' } }]);
    expect(await inbox(to)).toHaveLength(1);
    await deactivate(id);
    forwarder.close();
  });

  describe('in a browser', () => {
    let editor: Editor;
    beforeAll(async () => {
      editor = await openEditor(n8n, outside.url);
    }, 600_000);
    afterAll(() => editor.close());

    it('the credential is tested as soon as it is opened, and its secret is not shown', async () => {
      const page = await editor.open('/home/credentials');
      await page.getByText('Passbell account', { exact: true }).first().click();
      await page.getByText('Connection tested successfully').waitFor();
      expect(await page.content()).not.toContain(keys.appSecret);
      await editor.picture('credential', page.getByRole('dialog'));
    });

    it('the node is found, with an action for each operation', async () => {
      const page = await editor.open('/workflow/new');
      await page.getByTestId('canvas-add-button').click();
      await page.getByTestId('node-creator-search-bar').fill('passcode');
      await editor.picture('search', page);
      await page.getByText('Passbell', { exact: true }).click();
      for (const action of ['Send an OTP', 'Verify an OTP', 'Revoke a session', 'Send an order notification'])
        await page.getByText(action, { exact: true }).waitFor();
      await editor.picture('actions', page);
    });

    it('an example is imported from its file, and its fields are as they were', async () => {
      const page = await editor.open('/workflow/new');
      await page
        .getByTestId('workflow-import-input')
        .setInputFiles(join(root, 'n8n-nodes/examples/order-shipped.json'));
      await step(page, 'Notify by SMS').waitFor();
      await page.getByText('Credentials auto-added').waitFor();
      const panel = await openStep(page, 'Notify by SMS');
      for (const label of ['Template', 'Order ID', 'Tracking Number', 'Longest Wait When Throttled', 'Simplify'])
        await panel.getByText(label, { exact: true }).waitFor();
      await editor.picture('order-notification', panel);
    });

    it('form-otp: a person gets a code and enters it; a wrong one leads to the other page', async () => {
      const id = await activate(example('form-otp'));
      const submit = () => page.getByRole('button', { name: 'Submit' }).click();
      const path = '/form/3c1f7a52-6f0e-4a55-9d4b-6f1f0d9a7c02';
      let page = await editor.open(path);
      const people: [string, (code: string) => string, string][] = [
        ['+14155550104', (code) => code, 'Your phone number is verified.'],
        ['+14155550105', (code) => wrongCode(code), 'The code was wrong or has expired.'],
      ];
      for (const [phone, typed, outcome] of people) {
        page = await editor.open(path);
        const execution = await executionAfter(n8n, id, async () => {
          await page.getByPlaceholder('+14155550123').fill(phone);
          await submit();
          const code = page.getByPlaceholder('042137');
          await code.waitFor();
          await code.fill(typed((await inbox(phone))[0].text.match(/\d{6}/)[0]));
          await submit();
          await page.getByText(outcome).waitFor();
        });
        expect(execution.status).toBe('success');
        page = await editor.open(`/workflow/${id}/executions/${execution.id}`);
      }
      await deactivate(id);
    });
  });
});

it('asked nobody outside of this machine', () => {
  expect(outside.asked).toEqual([]);
});
