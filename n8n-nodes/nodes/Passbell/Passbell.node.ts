import {
  type IDataObject,
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
  NodeOperationError,
} from 'n8n-workflow';
import { testCredential } from '../shared/credential-test';
import { adviceFor, type Failure } from '../shared/failure';
import { text } from '../shared/operation';
import { asErrorResponse } from '../shared/transport';
import { storeSentCode } from './code-page/sent-code';
import {
  CODE_PAGE_TYPE,
  codePageWebhook,
  createPage,
  OLD_WAIT_OUTPUTS,
  prepareTimeOut,
  redirectPage,
  toOutput,
  WAIT_OUTPUTS,
  waitSeconds,
} from './code-page/webhook';
import { runItem } from './run-item';
import { messageProperties } from './resources/message';
import { notificationProperties } from './resources/notification';
import { NOT_VERIFIED, otpProperties, SEND_AND_WAIT } from './resources/otp';
import { sessionProperties } from './resources/session';
import { usageProperties } from './resources/usage';

const named = (names: readonly string[]): string =>
  JSON.stringify(names.map((displayName) => ({ type: NodeConnectionTypes.Main, displayName })));

/**
 * Verify Code has a second output for rejected codes, unless the node is set to fail for them. Send Code and Wait for
 * Response has three outputs.
 */
const OUTPUTS = `={{ $parameter.resource === "otp" && $parameter.operation === "${SEND_AND_WAIT}"
  ? ($nodeVersion < 1.2 ? ${named(OLD_WAIT_OUTPUTS)} : ${named(WAIT_OUTPUTS)})
  : $parameter.resource === "otp" && $parameter.operation === "verify" && $parameter.ifNotVerified !== "fail"
  ? ${named(['Verified', 'Not Verified'])}
  : [{ type: "${NodeConnectionTypes.Main}" }] }}` as const;

const tooManyItems = (context: IExecuteFunctions): NodeOperationError =>
  new NodeOperationError(context.getNode(), 'Send and Wait for Response handles only one item', {
    description: 'Put a Loop Over Items node with a batch size of 1 in front of this node.',
  });

/**
 * Throws an error, or outputs it on Not Verified if the workflow continues. n8n would pass the input of a node that has
 * thrown an error to the first output, which is Verified.
 */
function failWait(context: IExecuteFunctions, cause: unknown): INodeExecutionData[][] {
  const error = cause instanceof NodeApiError ? cause : new NodeOperationError(context.getNode(), cause as Error);
  if (!context.continueOnFail()) throw error;
  const json = { error: error.message, message: error.description ?? '' };
  return toOutput(context, 'Not Verified', [{ json, pairedItem: { item: 0 } }]);
}

/** Creates the page for a code that was sent, and makes the execution wait. */
async function waitForCode(context: IExecuteFunctions, sent: IDataObject): Promise<INodeExecutionData[][]> {
  const maskId = String(sent.maskId);
  const created = await createPage(context, maskId);
  if (!created.ok) throw apiError(context, created.failure, 0);
  const pageUrl = String((created.body.data as IDataObject).url);
  storeSentCode(context, {
    maskId,
    to: text(context, 'to', 0).trim(),
    maskedTo: String(sent.to),
    pageUrl,
    channel: text(context, 'channel', 0),
    options: context.getNodeParameter('options', 0, {}),
  });
  const page = redirectPage(pageUrl);
  // For a webhook that responds with a Respond to Webhook node.
  await context.sendResponse({ body: page, headers: { 'content-type': CODE_PAGE_TYPE }, statusCode: 200 });
  // For a webhook that responds with the first binary entry of the last node. When the wait ends, n8n discards it.
  const data = await context.helpers.prepareBinaryData(Buffer.from(page), 'code.html', CODE_PAGE_TYPE);
  const items = context.getInputData();
  await context.putExecutionToWait(new Date(Date.now() + waitSeconds(context) * 1000));
  prepareTimeOut(context, items);
  return [items.map((item) => ({ ...item, binary: { ...item.binary, data } }))];
}

/** Creates the error for an item. `recipient`: the recipient, if the item has several. */
function apiError(context: IExecuteFunctions, failure: Failure, itemIndex: number, recipient?: string): NodeApiError {
  const { message } = failure;
  return new NodeApiError(context.getNode(), asErrorResponse(failure), {
    // An agent passes only the message to its model.
    message: context.getNode().type.endsWith('Tool') ? `${message}. ${adviceFor(failure)}` : message,
    description: `Item ${itemIndex}${recipient === undefined ? '' : `, ${recipient}`}: ${adviceFor(failure)}`,
    itemIndex,
  });
}

export class Passbell implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Passbell',
    name: 'passbell',
    icon: { light: 'file:../../icons/passbell.svg', dark: 'file:../../icons/passbell.dark.svg' },
    group: ['output'],
    version: [1, 1.1, 1.2],
    defaultVersion: 1.2,
    // The operation, in words.
    subtitle:
      '={{ ({ cancel: "Cancel Message", getStatus: "Get Message Status", getAll: "Get Many Messages", getUsage: "Get Usage", sendOrder: "Send Order Notification", sendInvoice: "Send Invoice Notification", send: "Send Code", sendCodeAndWait: "Send Code and Wait for Response", verify: "Verify Code", verifyToken: "Verify Token", revoke: "Revoke Session" })[$parameter.operation] }}',
    description:
      'Send and verify one-time passcodes, check session tokens, and notify customers about orders and invoices',
    defaults: { name: 'Passbell' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: OUTPUTS,
    webhooks: (['GET', 'POST'] as const).map((httpMethod) => ({
      name: 'default',
      httpMethod,
      responseMode: 'onReceived',
      responseData: '',
      path: '={{ $nodeId }}',
      restartWebhook: true,
      isFullPath: true,
    })),
    credentials: [{ name: 'passbellApi', required: true, testedBy: 'testCredential' }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Code', value: 'otp' },
          { name: 'Message', value: 'message' },
          { name: 'Notification', value: 'notification' },
          { name: 'Session', value: 'session' },
          { name: 'Usage', value: 'usage' },
        ],
        default: 'otp',
      },
      ...messageProperties,
      ...notificationProperties,
      ...otpProperties,
      ...sessionProperties,
      ...usageProperties,
    ],
  };

  methods = { credentialTest: { testCredential } };

  webhook = codePageWebhook;

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const output: INodeExecutionData[] = [];
    const notVerified: INodeExecutionData[] = [];
    let isFailed = false;
    const waits = this.getNodeParameter('operation', 0) === SEND_AND_WAIT;
    if (waits && this.getInputData().length > 1) return failWait(this, tooManyItems(this));
    const branches = this.getNodeParameter('ifNotVerified', 0, 'fail') === 'branch';
    // An agent reads the first output only.
    const isTool = this.getNode().type.endsWith('Tool');

    // Sequentially, so that a failure that stops the workflow prevents the sends of later items.
    for (let item = 0; item < this.getInputData().length; item++) {
      for await (const result of runItem(this, item)) {
        if (result.ok) {
          output.push(...result.items.map((json) => ({ json, pairedItem: { item } })));
          continue;
        }
        const { failure, recipient } = result;
        const { code, message, retryAfterSeconds, attemptsLeft } = failure;
        if (branches && NOT_VERIFIED.includes(code)) {
          const json = { verified: false, reason: code, message, retryAfterSeconds, attemptsLeft };
          (isTool ? output : notVerified).push({ json, pairedItem: { item } });
        } else if (this.continueOnFail()) {
          // With any other key, n8n would treat the item as a success.
          const details = { code, retryAfterSeconds, ...(recipient !== undefined && { to: recipient }) };
          output.push({ json: { error: message, message: adviceFor(failure), details }, pairedItem: { item } });
          isFailed = true;
        } else {
          throw apiError(this, failure, item, recipient);
        }
      }
    }
    if (!waits) return branches && !isTool ? [output, notVerified] : [output];
    if (isFailed) return toOutput(this, 'Not Verified', output);
    return waitForCode(this, output[0]!.json).catch((error: unknown) => failWait(this, error));
  }
}
