/**
 * Runs n8n's engine in its own process, without n8n's server. It loads the built package as n8n does, and executes the
 * commands of its parent process. This file implements the parts of n8n's server that the engine lacks: credentials,
 * the credential test, retries from the execution list, and agent tools.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { built, toolbox } from './setup.mjs';

const require = createRequire(join(toolbox, 'package.json'));
const core = require('n8n-core');
const { createRunExecutionData, NodeConnectionTypes, NodeHelpers, Workflow } = require('n8n-workflow');

/** Base URL that n8n passes to expressions. */
const N8N_URL = 'http://n8n.example';

const loader = new core.PackageDirectoryLoader(built);
await loader.loadAll();

const plainNodeType = (displayName, more) => ({
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

/** Items come from pinned data. The agent calls its tool once for each item, as a model would. */
const OTHER_NODES = {
  'test.items': plainNodeType('Items', {
    async execute() {
      return [this.getInputData()];
    },
  }),
  'test.agent': plainNodeType('Agent', {
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

/** Converts a node to an agent tool, as n8n's server does for nodes with `usableAsTool`. */
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
    // n8n's own nodes are not installed. Their output is pinned or passed through.
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

/** Adds the headers that a credential type defines for authentication, as n8n's server does. */
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
  getDecrypted: async () => {
    if (credentials.isDeleted) throw new Error('Credential with ID "1" does not exist for type "passbellApi".');
    return { ...credentials };
  },
  authenticate: async (data, typeName, options) => authenticate(data, typeName, options),
  preAuthentication: async () => undefined,
  getCredentialsProperties: (typeName) => loader.getCredential(typeName).type.properties,
});

const additionalData = ({
  credentials,
  executionId = 'execution-1',
  mode = 'trigger',
  webhookUrl = N8N_URL,
  waitingUrl = N8N_URL,
}) => ({
  credentialsHelper: credentialsHelper(credentials),
  executionId,
  currentNodeExecutionIndex: 0,
  variables: {},
  webhookBaseUrl: webhookUrl,
  webhookTestBaseUrl: webhookUrl,
  restApiUrl: N8N_URL,
  instanceBaseUrl: N8N_URL,
  formWaitingBaseUrl: N8N_URL,
  webhookWaitingBaseUrl: waitingUrl,
  logAiEvent() {},
  hooks: new core.ExecutionLifecycleHooks(mode, executionId, {}),
});

const workflowOf = ({ workflow }) => new Workflow({ active: false, settings: {}, ...workflow, nodeTypes });

/** Returns the result of a run: each node's items by output, the error, and the execution as n8n would store it. */
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

/** Implements "Retry" in the execution list: starts a new execution from the stored data of the failed execution. */
async function retry(request) {
  const { executionData, resultData } = JSON.parse(request.stored);
  delete resultData.error;
  resultData.runData[resultData.lastNodeExecuted]?.pop();
  const data = createRunExecutionData({ executionData, resultData });
  const execution = new core.WorkflowExecute(additionalData(request), 'retry', data);
  return report(await execution.processRunExecutionData(workflowOf(request)));
}

/**
 * Passes an HTTP request to the node that a stored execution waits on. Continues the execution if the node returns
 * items.
 */
async function waitingWebhook(request) {
  const workflow = workflowOf(request);
  const runExecutionData = JSON.parse(request.stored);
  const node = workflow.getNode(runExecutionData.resultData.lastNodeExecuted);
  const type = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
  const page = {};
  const httpResponse = {
    setHeader: (name, value) => Object.assign(page, { [name.toLowerCase()]: value }),
    status: (status) => Object.assign(httpResponse, { sent: Object.assign(page, { status }) }),
    send: (body) => void Object.assign(page, { body }),
  };
  const httpRequest = {
    method: request.form ? 'POST' : 'GET',
    body: request.form ?? {},
    headers: {},
    params: {},
    query: request.query ?? {},
  };
  const data = { ...additionalData(request), httpRequest, httpResponse };
  const context = new core.WebhookContext(
    workflow,
    node,
    data,
    'webhook',
    { webhookDescription: {} },
    [],
    runExecutionData,
  );
  const { workflowData } = await type.webhook.call(context);
  if (!workflowData) return { page };
  const [waiting] = runExecutionData.executionData.nodeExecutionStack;
  waiting.node.disabled = true;
  waiting.data.main = workflowData;
  waiting.metadata = { ...waiting.metadata, forwardAllOutputs: true };
  runExecutionData.waitTill = undefined;
  runExecutionData.resultData.runData[node.name].pop();
  const data2 = createRunExecutionData(runExecutionData);
  const execution = new core.WorkflowExecute(additionalData(request), 'webhook', data2);
  return { page, run: report(await execution.processRunExecutionData(workflowOf(request))) };
}

/** Continues a stored execution whose wait time is over. */
async function endWait(request) {
  const data = createRunExecutionData(JSON.parse(request.stored));
  const execution = new core.WorkflowExecute(additionalData(request), 'webhook', data);
  return report(await execution.processRunExecutionData(workflowOf(request)));
}

/** Implements "Test" in the credential editor, and records the time limit of the request. */
async function testCredential(request) {
  const type = nodeTypes.getByNameAndVersion(`${loader.packageName}.passbell`);
  const { testedBy } = type.description.credentials[0];
  const context = new core.CredentialTestContext(additionalData(request));
  const { request: send } = context.helpers;
  let timeout;
  context.helpers.request = (options) => {
    ({ timeout } = options);
    return send(options);
  };
  const decrypted = { id: '1', name: 'Passbell', type: 'passbellApi', data: request.credentials };
  return { ...(await type.methods.credentialTest[testedBy].call(context, decrypted)), timeout };
}

/** The trigger node of a workflow, with its stored state. */
function trigger(request) {
  const workflow = workflowOf(request);
  const node = workflow.getNode('Passbell Trigger');
  const type = nodeTypes.getByNameAndVersion(node.type, node.typeVersion);
  workflow.staticData = request.staticData ?? {};
  return { workflow, node, type };
}

/** Calls a webhook method of the trigger; returns its result and the state that n8n would store. */
async function hook(request) {
  const { workflow, node, type } = trigger(request);
  const context = new core.HookContext(workflow, node, additionalData(request), 'trigger', 'activate');
  const result = await type.webhookMethods.default[request.method].call(context);
  return { result, staticData: workflow.staticData };
}

/** Passes an HTTP request to the trigger. */
async function webhook(request) {
  const { workflow, node, type } = trigger(request);
  const rawBody = Buffer.from(request.body);
  const response = {};
  const httpResponse = {
    status: (status) => Object.assign(httpResponse, { sent: Object.assign(response, { status }) }),
    json: (body) => void Object.assign(response, { body }),
  };
  const httpRequest = { rawBody, body: JSON.parse(request.body), headers: request.headers, params: {}, query: {} };
  const data = { ...additionalData(request), httpRequest, httpResponse };
  const context = new core.WebhookContext(workflow, node, data, 'webhook', { webhookDescription: {} }, []);
  const result = await type.webhook.call(context);
  return { result, response, staticData: workflow.staticData };
}

const describe = ({ name }) =>
  JSON.parse(JSON.stringify(nodeTypes.getByNameAndVersion(`${loader.packageName}.${name}`).description));

const COMMANDS = { run, retry, waitingWebhook, endWait, testCredential, hook, webhook, describe };

process.on('message', ({ id, command, request }) => {
  Promise.resolve()
    .then(() => COMMANDS[command](request))
    .then((result) => process.send({ id, result }))
    .catch((error) => process.send({ id, error: error.stack ?? String(error) }));
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
