/** Send and Wait for Response in a workflow of two nodes: the webhook that gets the phone number, and Passbell. */
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
      typeVersion: 1.2,
      position: [220, 0],
      parameters: { resource: 'otp', operation: 'sendCodeAndWait', to: '={{ $json.body.phone }}', options },
      credentials: { passbellApi: { id: null as string | null, name: 'Passbell account' } },
    },
  ],
  connections: { Phone: { main: [[{ node: 'Ask for the Code', type: 'main', index: 0 }]] } },
  settings: { executionOrder: 'v1' },
});

const VERIFIED = 0;
const TIMED_OUT = 2;

export function sendAndWaitTests(fixture: Fixture): void {
  /** Returns the newest code. A voice call, to which Passbell may switch, separates the digits with commas. */
  const codeFor = async (phone: string): Promise<string> =>
    (await fixture.inbox(phone))[0]!.text.replace(/(\d), (?=\d)/g, '$1').match(/\d{6,10}/)[0];

  /** Submits a phone number, and returns functions that send the forms of the page. */
  async function open(path: string, phone: string) {
    const response = await post(`${fixture.n8n.url}/webhook/${path}`, { phone });
    expect(response.headers.get('content-type')).toContain('text/html');
    const link = (await response.text()).match(/href="([^"]+)"/)![1]!.replace(/&#38;/g, '&');
    const { pathname, search } = new URL(link);
    let address = fixture.serviceUrl + pathname + search;
    const read = async (page: Response) => {
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(page.status).toBe(200);
      return page.text();
    };
    const send = async (form: Record<string, string>, to = address) => {
      const page = await fetch(to, { method: 'POST', body: new URLSearchParams(form) });
      if (to === address) address = page.url;
      return read(page);
    };
    const reload = async (from = address) => read(await fetch(from));
    const html = await reload();
    // The page accepts forms as soon as n8n has stored the execution.
    await until('the waiting execution', async () => (await send({ code: '' })).includes('incorrect'));
    return {
      html,
      reload,
      address: () => address,
      verify: (code: string, to?: string) => send({ code }, to),
      resend: () => send({ resend: '' }),
      cancel: () => send({ cancel: 'yes' }),
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

  it('accepts only codes of its own execution: the first one, and a new one after a reload and a crash of n8n', async () => {
    const phone = '+14155550113';
    const keys = await fixture.applicationWithoutCooldown();
    const credential = { name: 'Passbell without cooldown', type: 'passbellApi', data: fixture.credential(keys) };
    const { id: credentialId } = await fixture.n8n.callApi('POST', '/credentials', credential);
    const workflow = twoNodes('own-codes', { otpLength: 10 });
    workflow.nodes[1]!.credentials = { passbellApi: { id: credentialId, name: credential.name } };
    const id = await fixture.activate(workflow);
    const newestCode = () => codeFor(phone);

    const execution = await executionAfter(fixture.n8n, id, async () => {
      const first = await open('own-codes', phone);
      const firstCode = await newestCode();
      const second = await open('own-codes', phone);
      const secondCode = await newestCode();
      await fixture.callPassbell('/auth/sendotp', { to: phone, otpLength: 10 }, keys);
      for (const code of [secondCode, await newestCode()])
        expect(await first.verify(code)).toContain('This code is incorrect');
      expect(await second.resend()).toContain('We sent a new code.');
      const newCode = await newestCode();
      await fixture.n8n.killAndRestart();
      expect(await second.reload()).toContain('We sent a new code.');
      expect(await second.verify(firstCode)).toContain('This code is incorrect');
      expect(await second.verify(newCode)).toContain('You can close this page');
      // One verified code ends the person's other codes.
      expect(await first.verify(firstCode)).toContain('request a new one');
    });
    expectVerified(execution, phone);
    await fixture.deactivate(id);
    await fixture.n8n.callApi('DELETE', `/credentials/${credentialId}`);
  });

  it('nobody sees a page of n8n: ten people with a reload, two tabs, a wrong, late or repeated code', async () => {
    const keys = await fixture.applicationWithoutCooldown();
    const credential = { name: 'Passbell for ten people', type: 'passbellApi', data: fixture.credential(keys) };
    const { id: credentialId } = await fixture.n8n.callApi('POST', '/credentials', credential);
    const options = { limitWaitTime: { values: { resumeAmount: 1, resumeUnit: 'minutes' } } };
    const workflow = twoNodes('ten-people', options);
    workflow.nodes[1]!.credentials = { passbellApi: { id: credentialId, name: credential.name } };
    const id = await fixture.activate(workflow);
    const seen: string[] = [];
    const people = Array.from({ length: 10 }, async (_none, n) => {
      const phone = `+1415555${2000 + n}`;
      const page = await open('ten-people', phone);
      const firstTab = page.address();
      const code = await codeFor(phone);
      seen.push(await page.verify(wrongCode(code)));
      if (n % 5 === 4) seen.push(await page.cancel());
      // Two of the people press the button twice.
      else if (n % 5 === 3)
        seen.push(...(await Promise.all([page.verify(code, firstTab), page.verify(code, firstTab)])));
      else if (n % 5 !== 2) seen.push(await page.verify(code));
      // On a slow machine, the time of the page may pass before the end of the execution is seen.
      const ended = async () => /no longer needed|has passed/.test(await page.reload(firstTab));
      if (n % 5 !== 2) await until('the end of the execution', ended);
      for (const again of [() => page.reload(), () => page.verify(code, firstTab), () => page.reload(firstTab)])
        seen.push(await again());
      return { page, firstTab, code };
    });
    const all = await Promise.all(people);
    // Two people have not entered their code yet when the time is over.
    for (const { page, firstTab, code } of [all[2]!, all[7]!]) {
      await until('the end of the time', async () =>
        /no longer needed|has passed|You can close/.test(await page.reload(firstTab)),
      );
      seen.push(await page.verify(code, firstTab));
    }
    for (const html of seen) {
      expect(html).toContain('<html lang="en"');
      expect(html).not.toMatch(/stacktrace|"code":/);
    }
    await fixture.deactivate(id);
    await fixture.n8n.callApi('DELETE', `/credentials/${credentialId}`);
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
    const id = await fixture.activate(
      twoNodes('too-late', { limitWaitTime: { values: { resumeAmount: '={{ 0.02 }}', resumeUnit: 'minutes' } } }),
    );
    const execution = await executionAfter(fixture.n8n, id, () =>
      post(`${fixture.n8n.url}/webhook/too-late`, { phone }),
    );
    expect(execution.status).toBe('success');
    expect(execution.output('Ask for the Code', TIMED_OUT)).toMatchObject([{ json: { body: { phone } } }]);
    expect(execution.output('Ask for the Code', VERIFIED)).toEqual([]);
    await fixture.deactivate(id);
  });
}
