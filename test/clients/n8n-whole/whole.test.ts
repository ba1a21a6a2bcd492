/**
 * The packed package in a whole n8n, as a person has it: its editor's API, its webhooks, its pages in a browser. Installs
 * n8n first, so it is not part of `npm test`: `npm run test:n8n`. `SCREENSHOTS=folder` keeps pictures of the editor.
 */
import { jest } from '@jest/globals';
import type { Body } from '../../support/service.js';
import { startStranger } from '../n8n/forwarder.js';
import { agentTests } from './agent.js';
import { pageTests } from './pages.js';
import { setStage } from './stage.js';
import { workflowTests } from './workflows.js';

// The machine that installs all this may be a slow one.
jest.setTimeout(120_000);

const stage = setStage();

it('is loaded: the node, its form as a tool, the trigger and the credential', async () => {
  const types = async (file: string): Promise<Body[]> =>
    (await fetch(`${stage.n8n.url}/types/${file}.json`, { headers: { Cookie: stage.n8n.cookie } })).json() as Promise<
      Body[]
    >;
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
    stage.n8n.ask('POST', '/credentials/test', {
      credentials: { id: '', name: 'Passbell account', type: 'passbellApi', data: stage.credential(change) },
    });

  it.each(['', '/', '/api/v1', '/api/v1/'])('accepts the right key pair, with "%s" after the address', async (end) => {
    expect(await test({ baseUrl: `${stage.serviceUrl}${end}` })).toMatchObject({ status: 'OK' });
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

describe('workflows', () => workflowTests(stage));
describe('as a tool of an agent', () => agentTests(stage));
describe('in a browser', () => pageTests(stage));

it('n8n asks nobody outside of this machine', () => {
  expect(stage.outside.asked).toEqual([]);
});
