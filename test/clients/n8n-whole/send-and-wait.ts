/** Send and Wait for Reply in a workflow of two nodes: the webhook that gets the phone number, and Passbell. */
import { wrongCode } from '../../support/service.js';
import { until } from '../../support/wait.js';
import { executionAfter, type Execution } from './executions.js';
import { post, type Fixture } from './fixture.js';

const twoNodes = (path: string, options: object) => ({
  name: `Send and wait: ${path}`,
  nodes: [
    {
      id: 'w',
      name: 'Phone',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      webhookId: path,
      // The page is the binary output of the Passbell node.
      parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'firstEntryBinary', options: {} },
    },
    {
      id: 'p',
      name: 'Ask for the Code',
      type: 'n8n-nodes-passbell.passbell',
      typeVersion: 1.1,
      position: [220, 0],
      parameters: { resource: 'otp', operation: 'sendCodeAndWait', to: '={{ $json.body.phone }}', options },
      credentials: { passbellApi: { id: null, name: 'Passbell account' } },
    },
  ],
  connections: { Phone: { main: [[{ node: 'Ask for the Code', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
});

const [TIMED_OUT, VERIFIED] = [0, 1];

export function sendAndWaitTests(fixture: Fixture): void {
  const codeFor = async (phone: string): Promise<string> => (await fixture.inbox(phone))[0]!.text.match(/\d{6}/)[0];

  /** Submits a phone number, and returns functions that send the forms of the page. */
  async function open(path: string, phone: string) {
    const response = await post(`${fixture.n8n.url}/webhook/${path}`, { phone });
    expect(response.headers.get('content-type')).toContain('text/html');
    const html = await response.text();
    const action = html.match(/action="([^"]+)"/)![1]!.replace(/&#38;/g, '&');
    // The page can be submitted as soon as n8n has stored the execution.
    await until('the page of the waiting execution', async () => (await fetch(action)).ok);
    const send = async (form: Record<string, string>) =>
      (await fetch(action, { method: 'POST', body: new URLSearchParams(form) })).text();
    return {
      html,
      reload: async () => (await fetch(action)).text(),
      verify: (code: string) => send({ action: 'verify', code }),
      resend: () => send({ action: 'resend' }),
    };
  }

  /** Runs the workflow with two nodes until the execution has ended. */
  async function run(path: string, phone: string, steps: (page: Awaited<ReturnType<typeof open>>) => Promise<unknown>) {
    const id = await fixture.activate(twoNodes(path, {}));
    const execution = await executionAfter(fixture.n8n, id, async () => steps(await open(path, phone)));
    await fixture.deactivate(id);
    return execution;
  }

  const expectVerified = (execution: Execution, phone: string) => {
    expect(execution.status).toBe('success');
    expect(execution.output('Ask for the Code', VERIFIED)).toMatchObject([
      { json: { verified: true, user: { phone } } },
    ]);
    expect(execution.output('Ask for the Code', TIMED_OUT)).toEqual([]);
  };

  it('needs two nodes: shows the page, counts the attempts, and continues on Verified', async () => {
    const phone = '+14155550109';
    const execution = await run('two-nodes', phone, async ({ html, verify }) => {
      for (const text of ['Enter your code', 'My Shop']) expect(html).toContain(text);
      const code = await codeFor(phone);
      expect(await verify(wrongCode(code))).toContain('Attempts left: 4.');
      expect(await verify(wrongCode(code, 2))).toContain('Attempts left: 3.');
      expect(await verify(code)).toContain('You can close this page');
    });
    expectVerified(execution, phone);
  });

  it('shows how long a lock and the pause before a new code last', async () => {
    const phone = '+14155550110';
    const id = await fixture.activate(twoNodes('locked', {}));
    const { verify, resend } = await open('locked', phone);
    expect(await resend()).toMatch(/Wait \d+ seconds? before you request a new code/);
    const code = await codeFor(phone);
    for (let n = 1; n <= 5; n++) await verify(wrongCode(code, n));
    expect(await verify(code)).toMatch(/Too many wrong codes. Try again in \d+ seconds?/);
    await fixture.deactivate(id);
  });

  it('survives a crash of n8n while it waits', async () => {
    const phone = '+14155550111';
    const execution = await run('crash', phone, async ({ verify, reload }) => {
      await fixture.n8n.killAndRestart();
      expect(await reload()).toContain('Enter your code');
      expect(await verify(await codeFor(phone))).toContain('You can close this page');
    });
    expectVerified(execution, phone);
  });

  it('continues on Timed Out with the input', async () => {
    const phone = '+14155550112';
    const id = await fixture.activate(twoNodes('too-late', { waitMinutes: '={{ 0.02 }}' }));
    const execution = await executionAfter(fixture.n8n, id, () =>
      post(`${fixture.n8n.url}/webhook/too-late`, { phone }),
    );
    expect(execution.status).toBe('success');
    expect(execution.output('Ask for the Code', TIMED_OUT)).toMatchObject([{ json: { body: { phone } } }]);
    expect(execution.output('Ask for the Code', VERIFIED)).toEqual([]);
    await fixture.deactivate(id);
  });
}
