/** Fields and sending of both kinds of notifications. */
import {
  defineInputFields,
  type Bundle,
  type OutputFields,
  type PlainInputField,
  type ZObject,
} from 'zapier-platform-core';
import {
  attachmentUrl,
  channel,
  pickInputs,
  language,
  recipients,
  reference,
  sendAt,
  storedReference,
} from './fields.js';
import { FIELDS } from './generated/connectors.js';
import { send, sendOutputFields, sendSample } from './send-result.js';
import { previewField, templateChoices, variableFields, variableNames, type Kind } from './templates.js';

interface Inputs extends Record<string, unknown> {
  readonly templateType?: string;
  readonly language?: string;
}

/** The outcome of the message to one recipient. */
interface RecipientResult {
  readonly to: string;
  readonly accepted: boolean;
  readonly reason: string;
  readonly messageId: string;
}

/** Splits a list of recipients. An empty list has one empty recipient, which the service rejects. */
function splitRecipients(value: unknown): string[] {
  const parts = [value].flat().flatMap((part) => String(part ?? '').split(/[,;\n]/));
  const found = [...new Set(parts.map((part) => part.trim()).filter((part) => part !== ''))];
  return found.length > 0 ? found : [''];
}

const resultOf = (to: string, { messageId }: { messageId: string }): RecipientResult => ({
  to,
  accepted: true,
  reason: '',
  messageId,
});

/** Returns the failure of one recipient. Throws errors that concern all recipients, which Zapier retries or reports. */
const failureOf = (to: string) => (error: unknown) => {
  const { name, message } = error as Error;
  if (name !== 'AppError') throw error;
  const { message: reason } = JSON.parse(message) as { message: string };
  return { error, result: { to, accepted: false, reason, messageId: '' } };
};

const recipientFields = [
  { key: 'to', label: 'Recipient', type: 'string' },
  { key: 'accepted', label: 'Accepted', type: 'boolean' },
  { key: 'reason', label: 'Reason', type: 'string' },
  { key: 'messageId', label: 'Message ID', type: 'string' },
] satisfies OutputFields;

export const notificationOutput: OutputFields = [
  ...sendOutputFields,
  { key: 'sendAt', label: 'Scheduled For', type: 'datetime' },
  { key: 'recipients', label: 'Recipients', children: recipientFields },
];

export const notificationSample = {
  ...sendSample,
  sendAt: sendSample.expiresAt,
  recipients: [{ to: '+14155550123', accepted: true, reason: '', messageId: sendSample.messageId }],
};

export const notificationFields = (kind: Kind) =>
  defineInputFields([
    recipients,
    {
      key: 'templateType',
      label: FIELDS.templateType.label,
      type: 'string',
      required: true,
      choices: templateChoices(kind),
      altersDynamicFields: true,
      helpText: 'Message to send. Its fields appear below.',
    },
    channel,
    { ...language, altersDynamicFields: true },
    sendAt,
    attachmentUrl,
    reference,
    (_z: ZObject, { inputData }: Bundle<Inputs>): PlainInputField[] => [
      ...previewField(inputData.templateType, inputData.language),
      ...variableFields(kind, inputData.templateType),
    ],
  ]);

export const sendNotification = (kind: Kind) => async (z: ZObject, bundle: Bundle<Inputs>) => {
  const path = `/notifications/${kind}`;
  const { inputData } = bundle;
  const body = {
    ...pickInputs(inputData, ['channel', 'templateType', 'language', 'sendAt', 'attachmentUrl']),
    ...storedReference(inputData),
    // Excludes leftover values of a previously selected template.
    variables: pickInputs(inputData, variableNames(kind, inputData.templateType ?? '')),
  };
  const outcomes: { result: RecipientResult; output?: Awaited<ReturnType<typeof send>>; error?: unknown }[] = [];
  for (const to of splitRecipients(inputData.to)) {
    const attempt = send(z, bundle, path, { to, ...body });
    outcomes.push(await attempt.then((output) => ({ output, result: resultOf(to, output) }), failureOf(to)));
  }
  const first = outcomes.find(({ output }) => output)?.output;
  // Without any success, the run fails with the first error.
  if (!first) throw outcomes[0]!.error;
  return { ...first, recipients: outcomes.map(({ result }) => result) };
};
