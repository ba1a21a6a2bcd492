/** The output of a send: the service's results, and the fields of the successful one at the top level. */
import type { Bundle, OutputFields, ZObject } from 'zapier-platform-core';
import { FIELDS } from './generated/connectors.js';
import { hasReference, runKey } from './run-key.js';
import { call } from './service.js';

export interface SendResult {
  readonly success: boolean;
  readonly message: string;
  readonly to: string;
  readonly authType: string;
  readonly maskId: string;
  readonly messageId: string;
  readonly createdTime: number;
  readonly sendTime?: number;
  readonly expireTime: number;
  readonly charge: string;
  readonly currency: string;
}

export interface SendEnvelope {
  readonly isTried: number;
  readonly isSent: number;
  readonly results: readonly SendResult[];
}

/** Unix seconds as ISO 8601 in UTC. */
export const isoTime = (seconds: number | string): string => new Date(Number(seconds) * 1000).toISOString();

const resultFields = [
  { key: 'success', label: 'Accepted', type: 'boolean' },
  { key: 'message', label: 'Message', type: 'string' },
  { key: 'to', label: 'Masked Recipient', type: 'string' },
  { key: 'authType', label: 'Channel', type: 'string' },
  { key: 'maskId', label: 'Verification ID', type: 'string' },
  { key: 'messageId', label: 'Message ID', type: 'string' },
  { key: 'createdTime', label: 'Created At', type: 'datetime' },
  { key: 'expireTime', label: 'Expires At', type: 'datetime' },
  { key: 'charge', label: 'Charge', type: 'number' },
  { key: 'currency', label: 'Currency', type: 'string' },
] satisfies OutputFields;

/** Names of the service's times, which are in Unix seconds. */
const TIMES = ['createdTime', 'expireTime', 'verifiedTime', 'lockedUntilTime', 'verifiedAt', 'since', 'until'];

/**
 * Converts the service's times to ISO 8601, and its charges to numbers, which Zapier can calculate with. The names stay
 * the same, because existing Zaps use them.
 */
export const withTypes = (data: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (TIMES.includes(name)) return [name, isoTime(value as number | string)];
      return [name, name === 'charge' ? Number(value) : value];
    }),
  );

/** Omits duplicate spellings, and deviceInfo, which describes Zapier's servers. */
const lineItem = (result: SendResult): object =>
  withTypes(Object.fromEntries(resultFields.map(({ key }) => [key, result[key as keyof SendResult]])));

/** Adds top-level fields, because later steps that need a single value cannot use line items. */
function sendOutput({ isTried, isSent, results }: SendEnvelope, alreadySent: boolean) {
  const sent = results.find(({ success }) => success) ?? results[0]!;
  return {
    alreadySent,
    maskId: sent.maskId,
    messageId: sent.messageId,
    authType: sent.authType,
    createdAt: isoTime(sent.createdTime),
    ...(sent.sendTime === undefined ? {} : { sendAt: isoTime(sent.sendTime) }),
    expiresAt: isoTime(sent.expireTime),
    isTried,
    isSent,
    results: results.map(lineItem),
  };
}

/**
 * How long the same message without a Reference is not sent again. Shorter than a day, so that a daily message that is a
 * little early is sent.
 */
const REPEAT_SECONDS = 20 * 3600;

/** Sends a message once per run, and returns its output. */
export async function send(z: ZObject, bundle: Bundle, path: string, body: object) {
  const request = (earlier?: number) =>
    call<SendEnvelope>(z, bundle, {
      path,
      body,
      idempotencyKey: runKey(bundle, path, body, earlier),
      expects: { 'data.results.0.maskId': 'string', 'data.results.0.to': 'string' },
      labels: { otp: FIELDS.ownCode.label },
    });
  let { data, repeated = false } = await request();
  const { createdTime } = data.results[0]!;
  if (repeated && !hasReference(bundle) && createdTime < Date.now() / 1000 - REPEAT_SECONDS)
    ({ data, repeated = false } = await request(createdTime));
  return sendOutput(data, repeated);
}

export const sendOutputFields: OutputFields = [
  { key: 'alreadySent', label: 'Already Sent', type: 'boolean' },
  { key: 'maskId', label: 'Verification ID', type: 'string' },
  { key: 'messageId', label: 'Message ID', type: 'string' },
  { key: 'authType', label: 'Channel', type: 'string' },
  { key: 'createdAt', label: 'Created At', type: 'datetime' },
  { key: 'expiresAt', label: 'Expires At', type: 'datetime' },
  { key: 'isTried', label: 'Attempts', type: 'integer' },
  { key: 'isSent', label: 'Accepted Attempts', type: 'integer' },
  { key: 'results', label: 'Results', children: resultFields },
];

export const sendSample = sendOutput(
  {
    isTried: 1,
    isSent: 1,
    results: [
      {
        success: true,
        message: 'sent',
        to: '+1*******123',
        authType: 'Sms',
        maskId: '0f8fad5bd9cb469fa16570867728950e',
        messageId: '7c9e6679742540deb1b4c7f1f8a6b2d3',
        createdTime: 1772704800,
        expireTime: 1772705100,
        charge: '0.0000',
        currency: 'usd',
      },
    ],
  },
  false,
);
