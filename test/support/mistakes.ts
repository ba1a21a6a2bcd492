/** Mistakes that callers often make, and the explanations that the replies must contain. */
import { ERRORS } from '../../backend/src/platform/contract/generated/errors.js';

export interface Call {
  method?: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string | undefined>;
}

export const send = (body: unknown): Call => ({ path: '/api/v1/auth/sendotp', body });
const order = (body: object): Call => ({ path: '/api/v1/notifications/order', body: { to: '+14155550123', ...body } });
const MASK_ID = '0123456789abcdef0123456789abcdef';

/** The mistake, the call, and the fields that the reply must contain. */
export const MISTAKES: readonly [string, Call, object][] = [
  [
    'no country code',
    send({ to: '0171 2345678' }),
    {
      field: 'to',
      received: '01** *****78',
      hint: 'The number has no country code. Replace the 0 at the start with + and the country code, such as +49 for Germany.',
    },
  ],
  [
    'letters in the number',
    send({ to: '+1 415 FLOWERS' }),
    { field: 'to', hint: 'Remove the letters. Enter only the digits of the number, such as +14155550123.' },
  ],
  [
    'a name for a number',
    send({ to: 'Ana' }),
    { field: 'to', hint: 'Enter a phone number with its country code, such as +14155550123, or an email address.' },
  ],
  [
    'a number that is too short',
    send({ to: '+49171' }),
    {
      field: 'to',
      hint: 'The number has too few digits. Enter the full number with its country code, such as +14155550123.',
    },
  ],
  [
    'a number that is too long',
    send({ to: '+141555501234567' }),
    { field: 'to', hint: 'The number has too many digits. Enter one number, such as +14155550123.' },
  ],
  [
    'several numbers',
    send({ to: '+14155550123, +14155550124' }),
    { field: 'to', hint: 'Send one request for each recipient. The value contains several.' },
  ],
  [
    'a number without a valid country code',
    send({ to: '+999123456789' }),
    {
      field: 'to',
      hint: 'The number does not begin with a country code. Put the country code first, as in +14155550123.',
    },
  ],
  [
    'a premium-rate number',
    send({ to: '+19005550123' }),
    { code: 'NUMBER_NOT_ALLOWED', field: 'to', hint: 'This is a premium-rate number. Use a mobile number.' },
  ],
  [
    'a phone number for an email',
    send({ to: '+14155550123', authWay: 'EMAIL' }),
    { field: 'to', hint: 'The channel EMAIL needs an email address. Change the recipient, or omit authWay.' },
  ],
  [
    'an email address for an SMS',
    send({ to: 'ana@example.com', authWay: 'SMS' }),
    { field: 'to', hint: 'The channel SMS needs a phone number. Change the recipient, or omit authWay.' },
  ],
  [
    'an email address without a domain',
    send({ to: 'ana@example' }),
    { field: 'to', hint: 'Add the full domain after the @, such as ana@example.com.' },
  ],
  [
    'an email address with a space',
    send({ to: 'ana maria@example.com' }),
    { field: 'to', hint: 'Remove the spaces from the email address.' },
  ],
  [
    'two email addresses',
    send({ to: 'ana@example.com;bo@example.com' }),
    { field: 'to', hint: 'Send one request for each recipient. The value contains several.' },
  ],
  [
    'an array of recipients',
    send({ to: ['+14155550123'] }),
    { code: 'INVALID_RECIPIENT', field: 'to', received: 'an array' },
  ],
  ['no recipient', send({}), { message: 'missing sender address', field: 'to' }],
  [
    'phone instead of to',
    send({ phone: '+14155550123' }),
    { field: 'to', warnings: ['phone is not a parameter of this call and was ignored. Did you mean to?'] },
  ],
  [
    'an unknown channel',
    send({ to: '+14155550123', authWay: 'FAX' }),
    {
      message: 'invalid authWay',
      field: 'authWay',
      received: 'FAX',
      hint: 'Set authWay to SMS, WHATSAPP, VOICE or EMAIL, or omit it.',
    },
  ],
  [
    'a code length of 3',
    send({ to: '+14155550123', otpLength: 3 }),
    { message: 'otpLength must be a whole number from 4 to 10 (digits)', field: 'otpLength', received: '3' },
  ],
  [
    'an expiry in words',
    send({ to: '+14155550123', expiry: '5 minutes' }),
    { message: 'expiry must be a whole number from 1 to 1440 (minutes)', field: 'expiry', received: '5 minutes' },
  ],
  [
    'a code with a symbol',
    send({ to: '+14155550123', otp: '12#4' }),
    { message: 'otp must be 4 to 10 letters or digits', field: 'otp' },
  ],
  ['an invalid address of the user', send({ to: '+14155550123', clientIp: 'localhost' }), { field: 'clientIp' }],
  [
    'a body that is not JSON',
    send('{"to": +14155550123}'),
    { code: 'MALFORMED_JSON', hint: ERRORS.MALFORMED_JSON.hint },
  ],
  ['a body that is a list', send([{ to: '+14155550123' }]), { message: 'the body must be a JSON object' }],
  [
    'a body that is too large',
    send({ to: 'x'.repeat(70_000) }),
    { code: 'BODY_TOO_LARGE', hint: ERRORS.BODY_TOO_LARGE.hint },
  ],
  [
    'no credentials',
    { ...send({}), headers: { clientId: undefined, clientSecret: undefined } },
    { code: 'MISSING_CREDENTIALS', hint: ERRORS.MISSING_CREDENTIALS.hint },
  ],
  [
    'a wrong secret',
    { ...send({}), headers: { clientSecret: 'sk_wrong' } },
    { code: 'INVALID_CREDENTIALS', hint: ERRORS.INVALID_CREDENTIALS.hint },
  ],
  [
    'the wrong method',
    { ...send({ to: '+14155550123' }), method: 'PUT' },
    { message: 'Method not allowed. Use GET and POST', hint: ERRORS.METHOD_NOT_ALLOWED.hint },
  ],
  [
    'a path without /auth',
    { path: '/api/v1/sendotp', body: {} },
    { code: 'NOT_FOUND', hint: 'Did you mean POST /api/v1/auth/sendotp?' },
  ],
  [
    'a path with a dash',
    { path: '/api/v1/auth/send-otp', body: {} },
    { code: 'NOT_FOUND', hint: 'Did you mean POST /api/v1/auth/sendotp?' },
  ],
  [
    'a path without /api/v1',
    { path: '/auth/verifyotp', body: {} },
    { code: 'NOT_FOUND', hint: 'Did you mean POST /api/v1/auth/verifyotp?' },
  ],
  [
    'a mistyped path',
    { path: '/api/v1/notification/order', body: {} },
    { code: 'NOT_FOUND', hint: 'Did you mean POST /api/v1/notifications/order?' },
  ],
  [
    'an unrelated path',
    { method: 'GET', path: '/api/v1/customers' },
    { code: 'NOT_FOUND', hint: ERRORS.NOT_FOUND.hint },
  ],
  [
    'no code to verify',
    { path: '/api/v1/auth/verifyotp', body: { maskId: MASK_ID } },
    { message: 'missing parameters', field: 'otp', hint: 'Add the parameter otp. See /docs for all parameters.' },
  ],
  [
    'neither a maskId nor a recipient of the code',
    { path: '/api/v1/auth/verifyotp', body: { otp: '123456' } },
    {
      message: 'missing parameters',
      field: 'maskId',
      hint: 'Add the parameter maskId or to. See /docs for all parameters.',
    },
  ],
  [
    'neither a maskId nor a recipient of the reported code',
    { path: '/api/v1/auth/reportverified', body: {} },
    { field: 'maskId', hint: 'Add the parameter maskId or to. See /docs for all parameters.' },
  ],
  [
    'a wrong code for a recipient',
    { path: '/api/v1/auth/verifyotp', body: { to: '+14155550123', otp: '123456' } },
    { message: 'Invalid OTP', hint: expect.stringContaining('recipient') },
  ],
  [
    'code instead of otp',
    { path: '/api/v1/auth/verifyotp', body: { maskId: MASK_ID, code: '123456' } },
    { field: 'otp', warnings: ['code is not a parameter of this call and was ignored. Did you mean otp?'] },
  ],
  [
    'an unknown maskId',
    { path: '/api/v1/auth/verifyotp', body: { maskId: MASK_ID, otp: '123456' } },
    { message: 'Invalid OTP', hint: ERRORS.INVALID_OTP.hint },
  ],
  [
    'a token that is none',
    { path: '/api/v1/auth/verifytoken', body: { token: 'abc' } },
    { code: 'INVALID_TOKEN', hint: ERRORS.INVALID_TOKEN.hint },
  ],
  [
    'a mistyped template',
    order({ templateType: 'order_shiped', variables: {} }),
    { field: 'templateType', received: 'order_shiped', hint: 'Did you mean order_shipped?' },
  ],
  [
    'a template of the other kind',
    order({ templateType: 'invoice_paid', variables: {} }),
    { field: 'templateType', hint: 'Send invoice_paid with POST /notifications/invoice.' },
  ],
  [
    'a template without its variables',
    order({ templateType: 'order_shipped', variables: {} }),
    { code: 'MISSING_TEMPLATE_VARIABLES', field: 'variables', hint: ERRORS.MISSING_TEMPLATE_VARIABLES.hint },
  ],
  [
    'a mistyped variable',
    order({ templateType: 'order_shipped', variables: { order_id: '7' } }),
    {
      field: 'variables',
      warnings: ['variables.order_id is not a parameter of this call and was ignored. Did you mean variables.orderId?'],
    },
  ],
  [
    'variables as text',
    order({ templateType: 'order_shipped', variables: 'orderId=7' }),
    { message: 'variables must be an object', field: 'variables' },
  ],
  [
    'a webhook on a private address',
    { path: '/api/v1/webhooks', body: { url: 'ftp://shop.example', events: ['otp.verified'] } },
    { code: 'INVALID_WEBHOOK_URL', field: 'url', hint: ERRORS.INVALID_WEBHOOK_URL.hint },
  ],
  [
    'an unknown event',
    { path: '/api/v1/webhooks', body: { url: 'https://shop.example/hook', events: ['message.sent'] } },
    { code: 'INVALID_EVENTS', field: 'events', hint: ERRORS.INVALID_EVENTS.hint },
  ],
];
