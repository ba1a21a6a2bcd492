/** The node as the tool of n8n's own agent, with a stand-in for its model. */
import { executionAfter } from './executions.js';
import { agentWorkflow, startModel } from './model.js';
import { post, type Stage } from './stage.js';

export function agentTests(stage: Stage): void {
  const fromModel = (name: string, description: string) => `={{ $fromAI('${name}', '${description}', 'string') }}`;

  /** What the agent makes of a tool that its model calls once. */
  async function ask(path: string, parameters: object, toolArguments: object) {
    const model = await startModel(toolArguments);
    const data = { apiKey: 'none', url: model.url };
    const { id: credential } = await stage.n8n.ask('POST', '/credentials', { name: 'Model', type: 'openAiApi', data });
    const id = await stage.activate(agentWorkflow(path, credential, parameters));
    const execution = await executionAfter(stage.n8n, id, () => post(`${stage.n8n.url}/webhook/${path}`, {}));
    await stage.deactivate(id);
    model.close();
    return { answer: JSON.stringify(execution.output('Agent')), offered: model.offered };
  }

  it('sends to whom the model says', async () => {
    const to = '+14155550106';
    const parameters = { resource: 'otp', operation: 'send', to: fromModel('to', 'Who gets the code') };
    const { answer, offered } = await ask('agent-sends', parameters, { to });
    expect(answer).toContain('OTP sent successfully');
    expect(await stage.inbox(to)).toHaveLength(1);
    expect(offered).toMatchObject([
      {
        description: 'Send an OTP in Passbell',
        parameters: { required: ['to'], properties: { to: { type: 'string', description: 'Who gets the code' } } },
      },
    ]);
  });

  it('tells the model that a code is wrong, and of a failure', async () => {
    const { maskId } = (await stage.callPassbell('/auth/sendotp', { to: '+14155550107' })).data.results[0];
    const otp = fromModel('code', 'The code');
    const verify = { resource: 'otp', operation: 'verify', maskId, otp };
    expect((await ask('agent-verifies', verify, { code: 'nope' })).answer).toContain('verified\\":false');
    const send = { resource: 'otp', operation: 'send', to: fromModel('to', 'Who gets the code') };
    expect((await ask('agent-fails', send, { to: 'nobody' })).answer).toContain('invalid recipient');
  });
}
