/**
 * n8n's engine as its own process, without n8n's server: it loads the BUILT package as n8n does and runs what the test
 * asks for over the channel to its parent. What is written here is what n8n's server adds to the engine: the credentials,
 * the credential test, the retry from the list of executions, the making of tools.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { built, toolbox } from './setup.mjs';

const require = createRequire(join(toolbox, 'package.json'));
const core = require('n8n-core');
const { createRunExecutionData, NodeConnectionTypes, NodeHelpers, Workflow } = require('n8n-workflow');

/** Addresses that n8n gives to expressions; nobody is there. */
const HERE = 'http://n8n.example';

const loader = new core.PackageDirectoryLoader(built);
await loader.loadAll();

const plain = (displayName, more) => ({
  description: {
    displayName,
    name: displayName.toLowerCase(),
    group: ['transform'],
    version: 1,
    defaults: { name: displayName },
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    properties: [],
    ...more.description,
  },
  execute: more.execute,
});

/** Items come from pinned data; an agent calls its tool once for each list of arguments, as a model would. */
const OTHER_NODES = {
  'test.items': plain('Items', {
    async execute() {
      return [this.getInputData()];
    },
  }),
  'test.agent': plain('Agent', {
    description: { inputs: [NodeConnectionTypes.Main, NodeConnectionTypes.AiTool] },
    async execute() {
      const [tool] = await this.getInputConnectionData(NodeConnectionTypes.AiTool, 0);
      const answers = [];
      for (const { json } of this.getInputData())
        answers.push(await tool.invoke(json).catch((error) => `failed: ${error.message}`));
      return [answers.map((answer, item) => ({ json: { answer }, pairedItem: { item } }))];
    },
  }),
};

/** A node as an agent's tool, as n8n's server makes it of one that is `usableAsTool`. */
function asTool(type) {
  const tool = Object.create(type);
  tool.description = {
    ...type.description,
    name: `${type.description.name}Tool`,
    inputs: [],
    outputs: [NodeConnectionTypes.AiTool],
  };
  return tool;
}

const nodeTypes = {
  getByName: (name) => nodeTypes.getByNameAndVersion(name),
  getByNameAndVersion(name, version) {
    // n8n's own nodes are not here; what they would give is pinned or goes through.
    if (name.startsWith('n8n-nodes-base.')) return OTHER_NODES['test.items'];
    if (OTHER_NODES[name]) return OTHER_NODES[name];
    const own = name.replace(`${loader.packageName}.`, '');
    const isTool = own.endsWith('Tool');
    const { type } = loader.getNode(isTool ? own.slice(0, -4) : own);
    const versioned = NodeHelpers.getVersionedNodeType(type, version);
    return isTool ? asTool(versioned) : versioned;
  },
  getKnownTypes: () => loader.known.nodes,
};

const noWorkflow = new Workflow({ id: 'none', nodes: [], connections: {}, active: false, nodeTypes });

/** The headers of a credential type's generic authentication, as n8n's server adds them to a request. */
function authenticate(credentials, typeName, options) {
  const { headers } = loader.getCredential(typeName).type.authenticate.properties;
  const node = { id: 'n', name: 'n', type: 'test.items', typeVersion: 1, parameters: {}, position: [0, 0] };
  const added = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      noWorkflow.expression.getSimpleParameterValue(
        node,
        value,
        'internal',
        { $credentials: credentials },
        undefined,
        '',
      ),
    ]),
  );
  return { ...options, headers: { ...options.headers, ...added } };
}

const credentialsHelper = (credentials) => ({
  getParentTypes: () => [],
  isCredentialUsableByNode: () => true,
  getDecrypted: async () => ({ ...credentials }),
  authenticate: async (data, typeName, options) => authenticate(data, typeName, options),
  preAuthentication: async () => undefined,
  getCredentialsProperties: (typeName) => loader.getCredential(typeName).type.properties,
});

const additionalData = ({ credentials, executionId = 'execution-1', mode = 'trigger', webhookUrl = HERE }) => ({
  credentialsHelper: credentialsHelper(credentials),
  executionId,
  currentNodeExecutionIndex: 0,
  variables: {},
  webhookBaseUrl: webhookUrl,
  webhookTestBaseUrl: webhookUrl,
  restApiUrl: HERE,
  instanceBaseUrl: HERE,
  formWaitingBaseUrl: HERE,
  webhookWaitingBaseUrl: HERE,
  logAiEvent() {},
  hooks: new core.ExecutionLifecycleHooks(mode, executionId, {}),
});

const workflowOf = ({ workflow }) => new Workflow({ active: false, settings: {}, ...workflow, nodeTypes });

/** What the test sees of a run: each node's items by output, or its error; and what n8n would store. */
function report({ data, status }) {
  const { runData, error } = data.resultData;
  const nodes = Object.entries(runData).map(([name, runs]) => [name, runs.map(({ data: items }) => items ?? null)]);
  return {
    status,
    error: error && { ...JSON.parse(JSON.stringify(error)), message: error.message },
    nodes: Object.fromEntries(nodes),
    stored: JSON.stringify(data),
  };
}

async function run(request) {
  const workflow = workflowOf(request);
  const startNode = workflow.getNode(request.startNode ?? 'Items');
  const execution = new core.WorkflowExecute(additionalData(request), request.mode ?? 'trigger');
  const pinned = { [startNode.name]: request.items, ...request.pinned };
  const pinData = Object.fromEntries(
    Object.entries(pinned).map(([name, items]) => [name, items.map((json, item) => ({ json, pairedItem: { item } }))]),
  );
  return report(await execution.run({ workflow, startNode, pinData }));
}

/** "Retry" in the list of executions: a new execution on what was stored of the failed one. */
async function retry(request) {
  const { executionData, resultData } = JSON.parse(request.stored);
  delete resultData.error;
  resultData.runData[resultData.lastNodeExecuted]?.pop();
  const data = createRunExecutionData({ executionData, resultData });
  const execution = new core.WorkflowExecute(additionalData(request), 'retry', data);
  return report(await execution.processRunExecutionData(workflowOf(request)));
}

/** "Test" in the editor of credentials: the request, then the rules on its reply. */
async function testCredential(request) {
  const { test } = loader.getCredential('passbellApi').type;
  const tested = plain('Tested', {
    description: {
      credentials: [{ name: 'passbellApi', required: true }],
      properties: [
        { displayName: 'Temp', name: 'temp', type: 'string', routing: { request: test.request }, default: '' },
      ],
    },
  });
  OTHER_NODES['test.tested'] = tested;
  const node = {
    id: 'tested',
    name: 'Tested',
    type: 'test.tested',
    typeVersion: 1,
    position: [0, 0],
    parameters: { temp: '' },
    credentials: { passbellApi: { id: '1', name: 'Passbell' } },
  };
  const workflow = new Workflow({ id: 'test', nodes: [node], connections: {}, active: false, nodeTypes });
  const items = [{ json: {} }];
  const input = { main: [items] };
  const context = new core.ExecuteContext(
    workflow,
    node,
    additionalData(request),
    'internal',
    createRunExecutionData(),
    0,
    items,
    input,
    { node, data: input, source: null },
    [],
  );
  const decrypted = { id: '1', name: 'Passbell', type: 'passbellApi', data: request.credentials };
  let output;
  try {
    output = await new core.RoutingNode(context, tested, decrypted).runNode();
  } catch (error) {
    return { status: 'Error', message: error.message };
  }
  const { json } = output[0][0];
  const broken = test.rules.find(({ properties }) => json[properties.key] === properties.value);
  return broken ? { status: 'Error', message: broken.properties.message } : { status: 'OK' };
}

/** What n8n's server does with a trigger: registers and removes it, and hands it what comes in. */
function trigger(request) {
  const workflow = workflowOf(request);
  const node = workflow.getNode('Passbell Trigger');
  const type = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
  workflow.staticData = request.staticData ?? {};
  return { workflow, node, type };
}

/** Calls one of the trigger's webhook methods; answers what it answered and what n8n would store for the node. */
async function hook(request) {
  const { workflow, node, type } = trigger(request);
  const context = new core.HookContext(workflow, node, additionalData(request), 'trigger', 'activate');
  const result = await type.webhookMethods.default[request.method].call(context);
  return { result, staticData: workflow.staticData };
}

/** Hands the trigger a call as it came over the wire. */
async function webhook(request) {
  const { workflow, node, type } = trigger(request);
  const rawBody = Buffer.from(request.body);
  const answer = {};
  const httpResponse = {
    status: (status) => Object.assign(httpResponse, { answered: Object.assign(answer, { status }) }),
    json: (body) => void Object.assign(answer, { body }),
  };
  const httpRequest = { rawBody, body: JSON.parse(request.body), headers: request.headers, params: {}, query: {} };
  const data = { ...additionalData(request), httpRequest, httpResponse };
  const context = new core.WebhookContext(workflow, node, data, 'webhook', { webhookDescription: {} }, []);
  const result = await type.webhook.call(context);
  return { result, answer, staticData: workflow.staticData };
}

const describe = ({ name }) =>
  JSON.parse(JSON.stringify(nodeTypes.getByNameAndVersion(`${loader.packageName}.${name}`).description));

const COMMANDS = { run, retry, testCredential, hook, webhook, describe };

process.on('message', ({ id, command, request }) => {
  Promise.resolve()
    .then(() => COMMANDS[command](request))
    .then((result) => process.send({ id, result }))
    .catch((error) => process.send({ id, error: error.stack ?? String(error) }));
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
