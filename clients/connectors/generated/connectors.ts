// Generated from backend/openapi/connectors.yaml by `npm run generate`. Do not edit.

/** Choices of fields, as a label by value. */
export const CHOICES = {
  channels: { EMAIL: 'Email', SMS: 'SMS', VOICE: 'Voice Call', WHATSAPP: 'WhatsApp' },
  languages: {
    ar: 'Arabic',
    nl: 'Dutch',
    en: 'English',
    fr: 'French',
    de: 'German',
    it: 'Italian',
    pl: 'Polish',
    pt: 'Portuguese (Brazil)',
    es: 'Spanish',
  },
  states: {
    canceled: 'Canceled',
    delivered: 'Delivered',
    expired: 'Expired',
    failed: 'Failed',
    queued: 'Queued',
    refused: 'Refused',
    scheduled: 'Scheduled',
    sending: 'Sending',
    sent: 'Sent',
    undelivered: 'Undelivered',
  },
} as const;

/** Fields of steps. `parameter` is the name in the API if it differs. */
export const FIELDS = {
  to: { label: 'To', help: 'One phone number with its country code, or one email address.', sample: '+14155550123' },
  recipients: {
    label: 'To',
    parameter: 'to',
    help: 'One or more phone numbers with their country code, or email addresses, separated by commas. Each recipient gets a separate message.',
    sample: '+14155550123',
  },
  channel: {
    label: 'Channel',
    parameter: 'authWay',
    help: "If empty, an email address gets an email. For a phone number, the application's channels are tried in order.",
    choices: 'channels',
  },
  otpLength: { label: 'Code Length', help: 'Number of digits, from 4 to 10. The default is 6.', sample: '6' },
  expiry: {
    label: 'Valid For (Minutes)',
    help: 'Minutes until the code expires, from 1 to 1440. The default is 5.',
    sample: '5',
  },
  ownCode: {
    label: 'Own Code',
    parameter: 'otp',
    help: 'Your own code, with 4 to 10 letters or digits. If empty, Passbell generates a code, which is safer.',
  },
  language: {
    label: 'Language',
    help: "Language of the message. If empty, the application's language is used.",
    choices: 'languages',
  },
  clientIp: {
    label: 'Client IP',
    help: 'IP address of the person who requested the code. The fraud guard pauses codes requested from an IP address if too few of them are entered.',
    sample: '198.51.100.7',
  },
  recipient: {
    label: 'Recipient',
    parameter: 'to',
    help: 'Phone number or email address that the code was sent to. The newest code is checked.',
    sample: '+14155550123',
  },
  maskId: {
    label: 'Verification ID',
    help: 'Verification ID that Send Code returned. Fill it in instead of Recipient to check only the code of that step.',
  },
  code: { label: 'Code', parameter: 'otp', help: 'The code that the person entered.', sample: '042137' },
  templateType: { label: 'Template', help: 'Message to send.' },
  sendAt: {
    label: 'Send At',
    help: "When to send the message, at most 30 days from now. If empty, the message is sent at once. The application's quiet hours can postpone the message.",
  },
  reference: {
    label: 'Reference',
    help: 'Your own reference, such as an order number, for finding the message later. At most 64 characters.',
    sample: 'A-1001',
  },
  attachmentUrl: {
    label: 'Attachment URL',
    help: 'Link to a PDF of at most 5 MB. Emails contain the PDF as an attachment. WhatsApp messages contain it as a document if the provider has a template for it. In other messages, the link fills in an empty Invoice Link or Order Details Link.',
    sample: 'https://shop.example/invoices/17.pdf',
  },
  redirectUrl: {
    label: 'Redirect URL',
    help: 'Page to open after the person enters the correct code. If empty, the person sees a page that they can close.',
    sample: 'https://shop.example/verified',
  },
  waitMinutes: {
    label: 'Limit Wait Time (Minutes)',
    help: 'How long to wait for the code. The default is 15 minutes.',
    sample: '15',
  },
  idempotencyKey: {
    label: 'Idempotency Key',
    help: 'A message with the same key and the same content is sent only once in 24 hours.',
    sample: 'order-A-1001-shipped',
  },
  messageId: { label: 'Message ID', help: 'The Message ID that a step returned when it sent the message.' },
  session: { label: 'Session Token', parameter: 'token', help: 'The session token that Verify Code returned.' },
  from: {
    label: 'First Day',
    help: 'First day, in the time zone of the account. The default is 29 days before the last day.',
    sample: '2026-01-01',
  },
  until: {
    label: 'Last Day',
    parameter: 'to',
    help: 'Last day, in the time zone of the account. The default is today.',
    sample: '2026-01-31',
  },
} as const;

/** Operations with the method of the Node client, and the names of their fields. */
export const OPERATIONS = {
  send: {
    label: 'Send Code',
    help: 'Sends a verification code by SMS, WhatsApp, voice call or email.',
    method: 'sendOtp',
    required: ['to'],
    optional: ['channel', 'otpLength', 'expiry', 'ownCode', 'language', 'clientIp', 'reference', 'idempotencyKey'],
  },
  verify: {
    label: 'Verify Code',
    help: 'Checks the code that a person entered. A correct code starts a session.',
    method: 'verifyOtp',
    required: ['code'],
    optional: ['recipient', 'maskId'],
  },
  wait: {
    label: 'Send Code and Wait for Response',
    help: 'Sends a code, and waits until the person enters it on a page of your Passbell server.',
    method: 'sendOtp',
    required: ['to'],
    optional: [
      'channel',
      'waitMinutes',
      'redirectUrl',
      'otpLength',
      'expiry',
      'language',
      'clientIp',
      'reference',
      'idempotencyKey',
    ],
  },
  notifyOrder: {
    label: 'Send Order Notification',
    help: 'Sends a message about an order, such as a shipping notice.',
    method: 'sendOrderNotification',
    required: ['to', 'templateType'],
    optional: ['channel', 'language', 'sendAt', 'reference', 'attachmentUrl', 'idempotencyKey'],
  },
  notifyInvoice: {
    label: 'Send Invoice Notification',
    help: 'Sends a message about an invoice, such as a reminder.',
    method: 'sendInvoiceNotification',
    required: ['to', 'templateType'],
    optional: ['channel', 'language', 'sendAt', 'reference', 'attachmentUrl', 'idempotencyKey'],
  },
  verifyToken: {
    label: 'Verify Token',
    help: 'Finds the user that a session token belongs to. Fails if the token is no longer valid.',
    method: 'verifyToken',
    required: ['session'],
    optional: [],
  },
  revoke: {
    label: 'Revoke Session',
    help: 'Ends a session immediately. Its token is then rejected.',
    method: 'revokeSession',
    required: ['session'],
    optional: [],
  },
  cancel: {
    label: 'Cancel Scheduled Message',
    help: 'Cancels a notification that is still scheduled.',
    method: 'cancelMessage',
    required: ['messageId'],
    optional: [],
  },
  usage: {
    label: 'Find Usage',
    help: 'Finds the number of messages and codes, and their cost, by day and channel.',
    method: 'getUsage',
    required: [],
    optional: ['from', 'until'],
  },
} as const;

export const EVENTS = {
  'otp.verified': { label: 'Code Verified', help: 'A person enters the correct code.' },
  'otp.locked': { label: 'Code Locked', help: 'A code is locked after too many wrong codes.' },
  'otp.canceled': { label: 'Code Canceled', help: 'A code is canceled with the API.' },
  'message.accepted': { label: 'Message Accepted', help: 'A provider accepts a code or a notification.' },
  'message.delivered': {
    label: 'Message Delivered',
    help: 'A provider reports that a code or a notification was delivered. Mail servers (SMTP) and many mobile networks never report delivery.',
  },
  'message.failed': {
    label: 'Message Failed',
    help: 'A code or a notification cannot be delivered, or expires before a provider accepts it.',
  },
  'fraud.paused': {
    label: 'Messages Paused for Fraud',
    help: 'The fraud guard or a person pauses messages, or messages now need a challenge.',
  },
  'fraud.refused': {
    label: 'Messages Refused for Fraud',
    help: 'The fraud guard refuses messages. This event happens once for each UTC day with refused messages.',
  },
  'recipient.opted_out': {
    label: 'Recipient Opted Out',
    help: 'A recipient opts out of order notifications on a channel, for example with the reply STOP.',
  },
  'recipient.opted_in': {
    label: 'Recipient Opted In',
    help: 'A recipient allows order notifications on a channel again.',
  },
} as const;

/** Advice by error code. Each host replaces the placeholders in braces. */
export const ADVICE = {
  MISSING_CREDENTIALS: 'Check the App Key and the App Secret in {connection}.',
  INVALID_CREDENTIALS: 'Check the App Key and the App Secret in {connection}.',
  TOO_MANY_FAILED_AUTHENTICATIONS: 'Check the App Key and the App Secret in {connection}.',
  APPLICATION_INACTIVE: 'The application is inactive. Activate it in its settings in the Passbell dashboard.',
  USER_INACTIVE: 'The account is inactive. Ask the operator of your Passbell server to activate it.',
  ACCOUNT_BLOCKED: 'The account is blocked. Ask the operator of your Passbell server why.',
  INVALID_ENDPOINT:
    "The application's allow-list does not allow {app}. Add its IP address, or use another application for {app}.",
  MISSING_PARAMETERS: 'Fill in all required fields.',
  INVALID_PARAMETER: 'Correct the field named in the message.',
  MISSING_RECIPIENT: 'Fill in To: a phone number with its country code, or an email address.',
  COUNTRY_NOT_ALLOWED: "Allow the country of this phone number in the application's settings.",
  INVALID_AUTH_WAY: 'Choose SMS, WhatsApp, Voice Call or Email, or leave Channel empty.',
  RECIPIENT_SUPPRESSED:
    'Check the address. If it is correct, remove it from the Suppressions page of the Passbell dashboard.',
  RECIPIENT_OPTED_OUT:
    'The recipient has opted out of order notifications on this channel. Choose another Channel, or leave the recipient out.',
  MISSING_TEMPLATE_VARIABLES: 'Fill in the fields listed in the message.',
  ATTACHMENT_REJECTED: 'Check that Attachment URL links to a PDF of at most 5 MB that anyone can download.',
  COOLDOWN: 'Enter the code that was already sent, or wait before you send another one.',
  DUPLICATE_NOTIFICATION:
    'The same notification was just sent to this recipient. Check whether the {flow} sends it twice.',
  BURST_LIMIT: 'Send more slowly.',
  RECIPIENT_LIMIT: 'Too many messages were sent to this recipient. Check whether a {flow} runs in a loop.',
  APPLICATION_DAILY_LIMIT:
    "The application has reached its budget for today. Raise the budget under Limits in the application's settings.",
  ACCOUNT_DAILY_LIMIT:
    'The account has reached its message limit or its budget for today. Wait, or ask the operator of your Passbell server to raise the limit.',
  CHALLENGE_REQUIRED:
    "A {flow} cannot solve a challenge, because challenges run in the person's browser. Turn off the challenge in the application's settings, or use another application for {app}.",
  SEND_FAILED: "Check the recipient, and the channel's provider on the Passbell server. {retry}",
  INVALID_OTP: 'Ask for the code again, or send a new one. A code works only once.',
  OTP_EXPIRED: 'Send a new code.',
  OTP_LOCKED: 'Too many wrong codes were entered. Wait, or send a new code later.',
  INVALID_TOKEN: '{token} If the token has expired or was revoked, send the person a new code.',
  TOKEN_EXPIRED: 'Send the person a new code.',
  TOKEN_REVOKED: 'Send the person a new code.',
  TOO_MANY_CALLS: 'Wait before you try again.',
  IDEMPOTENCY_IN_FLIGHT: 'The first attempt is still in progress. Try again after the time in the message.',
  INVALID_WEBHOOK_URL:
    'Passbell must be able to reach {app}. Check the public address of {app}, or allow private addresses on the Passbell server (WEBHOOKS_ALLOW_PRIVATE).',
  INVALID_EVENTS: 'Choose at least one event.',
  TOO_MANY_WEBHOOKS: 'If you no longer need one of your {flow}s with a Passbell trigger, turn it off.',
  MESSAGE_NOT_FOUND: 'Use a Message ID that was returned to the same application.',
  MESSAGE_NOT_SCHEDULED: 'Only scheduled messages can be canceled. Look up the message to see what happened to it.',
  BODY_TOO_LARGE: 'Shorten the values of the fields.',
  NOT_FOUND:
    'The server does not know this operation. Check the Base URL, and make sure that the server is up to date.',
  METHOD_NOT_ALLOWED:
    'The server does not know this operation. Check the Base URL, and make sure that the server is up to date.',
  OVERLOADED: 'Try again later.',
  SERVICE_UNAVAILABLE: 'Try again later. {unknown}',
  INTERNAL_ERROR: 'Ask the operator of your Passbell server to check its log.',
  CONNECTION_FAILED: 'Check the Base URL in {connection}, and make sure that the server is running. {unknown}',
  TIMED_OUT: 'The server did not respond in time. {unknown}',
  UNEXPECTED_REPLY:
    'Check the Base URL in {connection}. It must be the address of your Passbell server, such as https://otp.example.com.',
} as const;
