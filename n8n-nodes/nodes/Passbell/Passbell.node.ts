import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeApiError,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { adviceFor } from '../shared/failure';
import { asErrorResponse } from '../shared/transport';
import { runItem } from './run-item';
import { messageProperties } from './resources/message';
import { notificationProperties } from './resources/notification';
import { NOT_VERIFIED, otpProperties } from './resources/otp';
import { sessionProperties } from './resources/session';

/** Two outputs where a person's code may be wrong and that is no error, else one. */
const OUTPUTS =
  `={{ $parameter.resource === "otp" && $parameter.operation === "verify" && $parameter.ifNotVerified !== "fail"
  ? [{ type: "${NodeConnectionTypes.Main}", displayName: "Verified" }, { type: "${NodeConnectionTypes.Main}", displayName: "Not Verified" }]
  : [{ type: "${NodeConnectionTypes.Main}" }] }}` as const;

export class Passbell implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Passbell',
    name: 'passbell',
    icon: { light: 'file:../../icons/passbell.svg', dark: 'file:../../icons/passbell.dark.svg' },
    group: ['output'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Send and verify one-time passcodes, check session tokens, and notify people of orders and invoices',
    defaults: { name: 'Passbell' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: OUTPUTS,
    credentials: [{ name: 'passbellApi', required: true }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: [
          { name: 'Message', value: 'message' },
          { name: 'Notification', value: 'notification' },
          { name: 'OTP', value: 'otp' },
          { name: 'Session', value: 'session' },
        ],
        default: 'otp',
      },
      ...messageProperties,
      ...notificationProperties,
      ...otpProperties,
      ...sessionProperties,
    ],
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const done: INodeExecutionData[] = [];
    const notVerified: INodeExecutionData[] = [];
    const branches = this.getNodeParameter('ifNotVerified', 0, 'fail') === 'branch';
    // An agent reads the first output only.
    const isTool = this.getNode().type.endsWith('Tool');

    // One after the other: a failure that stops the workflow leaves the items after it unsent.
    for (let item = 0; item < this.getInputData().length; item++) {
      const outcome = await runItem(this, item);
      if (outcome.ok) {
        done.push({ json: outcome.body, pairedItem: { item } });
        continue;
      }
      const { failure } = outcome;
      const { code, message, retryAfterSeconds } = failure;
      if (branches && NOT_VERIFIED.includes(code)) {
        const json = { verified: false, reason: code, message, retryAfterSeconds };
        (isTool ? done : notVerified).push({ json, pairedItem: { item } });
      } else if (this.continueOnFail()) {
        // No other key beside these three, or n8n takes the item for a success.
        const json = { error: message, message: adviceFor(failure), details: { code, retryAfterSeconds } };
        done.push({ json, pairedItem: { item } });
      } else {
        throw new NodeApiError(this.getNode(), asErrorResponse(failure), {
          // A model is told the message only.
          message: isTool ? `${message}. ${adviceFor(failure)}` : message,
          description: `Item ${item}: ${adviceFor(failure)}`,
          itemIndex: item,
        });
      }
    }
    return branches && !isTool ? [done, notVerified] : [done];
  }
}
