/**
 * The packed package in a complete n8n: the editor's API, webhooks and pages in a browser. Installs n8n first, so it is
 * not part of `npm test`: run `npm run test:n8n`. `SCREENSHOTS=folder` saves screenshots of the editor.
 */
import type { Body } from '../../support/service.js';
import { startStaticServer } from '../n8n/forwarder.js';
import { agentTests } from './agent.js';
import { guideTests } from './guide.js';
import { pageTests } from './pages.js';
import { sendAndWaitTests } from './send-and-wait.js';
import { setUpN8n } from './fixture.js';
import { workflowTests } from './workflows.js';

const fixture = setUpN8n();

it('n8n loads the node, the agent tool, the trigger and the credential', async () => {
  const types = async (file: string): Promise<Body[]> =>
    (
      await fetch(`${fixture.n8n.url}/types/${file}.json`, { headers: { Cookie: fixture.n8n.cookie } })
    ).json() as Promise<Body[]>;
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
    fixture.n8n.callApi('POST', '/credentials/test', {
      credentials: { id: '', name: 'Passbell account', type: 'passbellApi', data: fixture.credential(change) },
    });

  it.each(['', '/', '/api/v1', '/api/v1/'])('accepts valid credentials if the Base URL ends with "%s"', async (end) => {
    expect(await test({ baseUrl: `${fixture.serviceUrl}${end}` })).toMatchObject({ status: 'OK' });
  });

  it.each([{ appSecret: 'sk_wrong' }, { appKey: 'pk_unknown' }])('rejects %j', async (change) => {
    expect(await test(change)).toEqual({
      status: 'Error',
      message: expect.stringContaining('App Key and the App Secret'),
    });
  });

  it.each([
    ['a web page', 'text/html', '<html><body>Welcome</body></html>'],
    ['unknown JSON', 'application/json', '{"status":"ok"}'],
    ['nothing', 'text/plain', ''],
  ])('rejects a server that returns %s', async (_what, type, body) => {
    const server = await startStaticServer(200, { 'Content-Type': type }, body);
    const outcome = await test({ baseUrl: server.url });
    expect(outcome).toEqual({
      status: 'Error',
      message: expect.stringContaining('must be the address of your Passbell server'),
    });
    server.close();
  });

  it('rejects an unreachable Base URL', async () => {
    const unreachable = await startStaticServer(200, {}, '');
    unreachable.close();
    expect(await test({ baseUrl: unreachable.url })).toMatchObject({ status: 'Error' });
  });

  it('rejects a redirect, and does not send the credentials to its target', async () => {
    const target = await startStaticServer(200, { 'Content-Type': 'application/json' }, '{"success":true}');
    const redirect = await startStaticServer(302, { Location: target.url }, '');
    expect(await test({ baseUrl: redirect.url })).toMatchObject({ status: 'Error' });
    expect(target.paths).toEqual([]);
  });
});

describe('the workflow', () => workflowTests(fixture));
describe('Send and Wait for Response', () => sendAndWaitTests(fixture));
describe('the node as an agent tool', () => agentTests(fixture));
describe('n8n in a browser', () => pageTests(fixture));
describe('the guide', () => guideTests(fixture));

it('n8n sends no request to the internet', () => {
  expect(fixture.proxy.requestedUrls).toEqual([]);
});
