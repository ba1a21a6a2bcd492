/** A fake language model: calls the first tool with fixed arguments, then repeats the tool's result. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Body } from '../../support/service.js';

export async function startModel(toolArguments: object) {
  /** Tool descriptions that the model received. */
  const offered: Body[] = [];
  const reply = ({ messages, tools }: Body): Body => {
    const result = messages.find(({ role }: Body) => role === 'tool');
    if (result) return { role: 'assistant', content: result.content };
    offered.push(...tools.map((tool: Body) => tool.function));
    const call = { name: tools[0].function.name, arguments: JSON.stringify(toolArguments) };
    return { role: 'assistant', content: null, tool_calls: [{ id: 'call_1', type: 'function', function: call }] };
  };
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const message = reply(JSON.parse(text));
    const choice = { index: 0, finish_reason: message.tool_calls ? 'tool_calls' : 'stop', message };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const completion = { id: '1', object: 'chat.completion', created: 1, model: 'none', choices: [choice], usage };
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(completion));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    offered,
    close: () => void server.close(),
  };
}

/** Returns a workflow that is started by a webhook and has an agent with one tool. */
export const agentWorkflow = (path: string, modelCredential: string, parameters: object): Body => {
  const langchain = '@n8n/n8n-nodes-langchain';
  const to = (node: string, type: string) => ({ [type]: [[{ node, type, index: 0 }]] });
  const node = (name: string, type: string, typeVersion: number, more: object) => ({
    id: name,
    name,
    type,
    typeVersion,
    position: [0, 0],
    ...more,
  });
  return {
    name: `Agent: ${path}`,
    nodes: [
      node('Ask', 'n8n-nodes-base.webhook', 2, { webhookId: path, parameters: { httpMethod: 'POST', path } }),
      node('Agent', `${langchain}.agent`, 3, { parameters: { promptType: 'define', text: 'Do it' } }),
      node('Model', `${langchain}.lmChatOpenAi`, 1.2, {
        parameters: { model: { __rl: true, mode: 'id', value: 'none' } },
        credentials: { openAiApi: { id: modelCredential, name: 'Model' } },
      }),
      node('Passbell', 'n8n-nodes-passbell.passbellTool', 1, {
        parameters,
        credentials: { passbellApi: { id: null, name: 'Passbell account' } },
      }),
    ],
    connections: {
      Ask: to('Agent', 'main'),
      Model: to('Agent', 'ai_languageModel'),
      Passbell: to('Agent', 'ai_tool'),
    },
    settings: { executionOrder: 'v1' },
  };
};
