/** The requests, keys and failure texts of the Node-RED nodes. */
import { PassbellError } from '../../../clients/node/src/errors.js';
import { ADVICE, FIELDS, OPERATIONS } from '../../../clients/connectors/generated/connectors.js';
import { keyOf, requestOf, variableNames } from '../../../clients/connectors/operations.js';
import { failureOf } from '../../../clients/node-red/src/failure.js';
import { ERRORS } from '../../../backend/src/platform/contract/generated/errors.js';

it('a request has the names of the API, whole numbers as numbers, and no empty fields', () => {
  const inputs = { to: 14155550123, channel: 'SMS', expiry: '10', otpLength: '', ownCode: '0421', clientIp: undefined };
  expect(requestOf('send', inputs)).toEqual({ to: '14155550123', authWay: 'SMS', expiry: 10, otp: '0421' });
});

it('a message has the reference of the node, also a number', () => {
  const inputs = { to: 'ana@example.com', reference: 1001 };
  for (const name of ['send', 'wait', 'notifyOrder', 'notifyInvoice'] as const)
    expect(requestOf(name, inputs)).toEqual({ to: 'ana@example.com', reference: '1001' });
});

it('a code is verified by its Verification ID, if there is one', () => {
  expect(requestOf('verify', { code: 42137, recipient: '+14155550123', maskId: 'f0' })).toEqual({
    otp: 42137,
    maskId: 'f0',
  });
  expect(requestOf('verify', { code: '1', recipient: '+14155550123' })).toEqual({ otp: '1', to: '+14155550123' });
});

it('the key is the same only for the same node, message and content', () => {
  const keys = [
    keyOf('sk_1', 'node', 'message', { to: 'a' }),
    keyOf('sk_1', 'other', 'message', { to: 'a' }),
    keyOf('sk_1', 'node', 'other', { to: 'a' }),
    keyOf('sk_1', 'node', 'message', { to: 'b' }),
    keyOf('sk_2', 'node', 'message', { to: 'a' }),
  ];
  expect(keyOf('sk_1', 'node', 'message', { to: 'a' })).toBe(keys[0]);
  expect(new Set(keys).size).toBe(5);
});

it('variables of other templates are left out', () => {
  expect(variableNames('invoice_paid')).toEqual(['invoiceNumber', 'customerName', 'amount', 'invoiceUrl']);
  expect(variableNames('unknown')).toContain('orderId');
});

it('failures name the fields of the node, and have advice in the words of Node-RED', () => {
  const error = new PassbellError('INVALID_PARAMETER', 'otp must be 4 to 10 letters or digits', { field: 'otp' });
  expect(failureOf('send', error)).toMatchObject({
    error: 'Own Code must be 4 to 10 letters or digits',
    field: 'Own Code',
  });
  for (const code of Object.keys(ADVICE))
    expect(failureOf('send', new PassbellError(code, 'x')).message).toMatch(/^[A-Z][^{}]+\.$/);
});

/** Failures of operations that the no-code hosts do not have. */
const ELSEWHERE =
  /MALFORMED|HEADERS_TOO_LARGE|IDEMPOTENCY_KEY|USER_TOKEN|PROOF_REQUIRED|ENROLMENT_EXPIRED|WIDGET_OFF|TWO_FACTOR|FORBIDDEN|EDIT_CONFLICT|INVALID_RECIPIENT|NUMBER_NOT_ALLOWED|CHANNEL_NOT_CONFIGURED|UNKNOWN_TEMPLATE|FRAUD_SUSPECTED|NOTIFICATION_LIMIT/;

it('the shared description has advice for each failure, and describes each field', () => {
  const missing = Object.keys(ERRORS).filter((code) => !(code in ADVICE) && !ELSEWHERE.test(code));
  expect(missing).toEqual([]);
  const used = new Set(Object.values(OPERATIONS).flatMap(({ required, optional }) => [...required, ...optional]));
  // n8n and Zapier send notifications to several recipients.
  expect(Object.keys(FIELDS).filter((name) => !used.has(name as never))).toEqual(['recipients']);
});
