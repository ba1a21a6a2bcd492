/** The node as a tool of n8n's own agent, with a fake model. */
import { executionAfter } from './executions.js';
import { agentWorkflow, startModel } from './model.js';
import { post, type Fixture } from './fixture.js';

export function agentTests(fixture: Fixture): void {
  const fromModel = (name: string, description: string) => `={{ $fromAI('${name}', '${description}', 'string') }}`;

  /** Runs an agent whose model calls the tool once. */
  async function runAgent(path: string, parameters: object, toolArguments: object) {
    const model = await startModel(toolArguments);
    const data = { apiKey: 'none', url: model.url };
    const { id: credential } = await fixture.n8n.callApi('POST', '/credentials', {
      name: 'Model',
      type: 'openAiApi',
      data,
    });
    const id = await fixture.activate(agentWorkflow(path, credential, parameters));
    const execution = await executionAfter(fixture.n8n, id, () => post(`${fixture.n8n.url}/webhook/${path}`, {}));
    await fixture.deactivate(id);
    model.close();
    return { answer: JSON.stringify(execution.output('Agent')), offered: model.offered };
  }

  it('sends a code to the recipient that the model chooses', async () => {
    const to = '+14155550106';
    const parameters = { resource: 'otp', operation: 'send', to: fromModel('to', 'Who gets the code') };
    const { answer, offered } = await runAgent('agent-sends', parameters, { to });
    expect(answer).toContain('OTP sent successfully');
    expect(await fixture.inbox(to)).toHaveLength(1);
    expect(offered).toMatchObject([
      {
        description: 'Send a code in Passbell',
        parameters: { required: ['to'], properties: { to: { type: 'string', description: 'Who gets the code' } } },
      },
    ]);
  });

  it('reports a wrong code and a failure to the model', async () => {
    const { maskId } = (await fixture.callPassbell('/auth/sendotp', { to: '+14155550107' })).data.results[0];
    const otp = fromModel('code', 'The code');
    const verify = { resource: 'otp', operation: 'verify', maskId, otp };
    expect((await runAgent('agent-verifies', verify, { code: 'nope' })).answer).toContain('verified\\":false');
    const send = { resource: 'otp', operation: 'send', to: fromModel('to', 'Who gets the code') };
    expect((await runAgent('agent-fails', send, { to: 'nobody' })).answer).toContain('invalid recipient');
  });
}
