// Generated from backend/openapi/openapi.yaml by `npm run generate`. Do not edit.

export const ERRORS = {
  MISSING_CREDENTIALS: {
    message: 'missing clientId or clientSecret in headers',
    hint: 'Send the App Key in the clientId header and the App Secret in the clientSecret header.',
  },
  INVALID_CREDENTIALS: {
    message: 'invalid clientId or clientSecret',
    hint: "Copy the App Key from the application's Overview page in the dashboard. You can create a new App Secret there.",
  },
  APPLICATION_INACTIVE: {
    message: 'application is inactive',
    hint: 'Activate the application in its settings in the dashboard.',
  },
  USER_INACTIVE: { message: 'user is inactive', hint: 'Ask the operator of this server to activate the account.' },
  ACCOUNT_BLOCKED: {
    message: 'Your account is currently blocked',
    hint: 'Ask the operator of this server why the account is blocked.',
  },
  INVALID_ENDPOINT: {
    message: 'Invalid endpoint',
    hint: "Add the caller's IP address or origin on the application's Allow-list page in the dashboard.",
  },
  TOO_MANY_FAILED_AUTHENTICATIONS: {
    message: 'Too many failed authentications. Try again in {retryAfterSeconds} seconds',
    hint: 'Check clientId and clientSecret before you try again.',
    throttled: true,
  },
  MISSING_PARAMETERS: {
    message: 'missing parameters',
    hint: 'Add the parameter {field}. See /docs for all parameters.',
  },
  INVALID_PARAMETER: {
    message: '{text}',
    hint: 'Correct this value and send the request again. See /docs for all parameters.',
  },
  MISSING_RECIPIENT: {
    message: 'missing sender address',
    hint: 'Add the recipient: set the parameter “to” to a phone number with its country code, such as +14155550123, or to an email address.',
  },
  INVALID_RECIPIENT: {
    message: 'invalid recipient',
    hint: 'Use a phone number with its country code, such as +14155550123, or an email address.',
  },
  COUNTRY_NOT_ALLOWED: {
    message: 'sending to this country is turned off for this application',
    hint: "Add the country to “Send only to” in the application's settings in the dashboard.",
  },
  NUMBER_NOT_ALLOWED: { message: 'invalid recipient', hint: '{text}' },
  INVALID_AUTH_WAY: { message: 'invalid authWay', hint: 'Set authWay to SMS, WHATSAPP, VOICE or EMAIL, or omit it.' },
  CHANNEL_NOT_CONFIGURED: {
    message: '{channel} is not set up on this server',
    hint: 'Use another channel, or ask the operator of this server to set up this channel.',
  },
  UNKNOWN_TEMPLATE: {
    message: 'Unknown templateType. Use one of {names}',
    hint: 'Check the spelling of templateType.',
  },
  MISSING_TEMPLATE_VARIABLES: {
    message: 'missing template variables: {names}',
    hint: 'Add these variables with their values to variables.',
  },
  RECIPIENT_SUPPRESSED: {
    message: 'this email address has been suppressed since {since} because {cause}',
    hint: 'Ask the recipient whether the address is correct. Then remove the address on the Suppressions page of the dashboard, and send again.',
  },
  RECIPIENT_OPTED_OUT: {
    message: 'the recipient has stopped order notifications from this application on this channel',
    hint: 'Codes and invoices are still sent. To allow order notifications again, the recipient can reply START, or open the unsubscribe link in an email and select Undo.',
  },
  ATTACHMENT_REJECTED: {
    message: 'the document at attachmentUrl cannot be attached: {text}',
    hint: 'Nothing was sent. Check that anyone can download the PDF at this address, then repeat the request.',
  },
  COOLDOWN: {
    message: 'Too many codes for this recipient. Try again in {retryAfterSeconds} seconds',
    hint: 'Enter the code that was already sent, or wait before you request another one.',
    throttled: true,
  },
  DUPLICATE_NOTIFICATION: {
    message: 'The same notification was just sent to this recipient. Try again in {retryAfterSeconds} seconds',
    hint: 'The first notification was accepted, so you usually do not need to send it again.',
    throttled: true,
  },
  NOTIFICATION_LIMIT: {
    message: 'Too many notifications {scope}. Try again in {retryAfterSeconds} seconds',
    hint: "Wait, or raise “{setting}” in the application's settings in the dashboard.",
    throttled: true,
  },
  BURST_LIMIT: {
    message: 'Too many sends for this application. Try again in {retryAfterSeconds} seconds',
    hint: "Send more slowly, or raise the limits in the application's settings in the dashboard.",
    throttled: true,
  },
  RECIPIENT_LIMIT: {
    message: 'Too many messages to this recipient. Try again in {retryAfterSeconds} seconds',
    hint: 'Wait before you send to this recipient again.',
    throttled: true,
  },
  APPLICATION_DAILY_LIMIT: {
    message: 'This application has reached its budget for today. Try again in {retryAfterSeconds} seconds',
    hint: "Wait until midnight UTC, or raise “{setting}” in the application's settings in the dashboard.",
    throttled: true,
  },
  ACCOUNT_DAILY_LIMIT: {
    message: 'This account has reached its limit for today. Try again in {retryAfterSeconds} seconds',
    hint: 'Wait, or ask the operator of this server to raise the limit.',
    throttled: true,
  },
  FRAUD_SUSPECTED: {
    message: 'Messages like this one are paused because they look like fraud. Try again in {retryAfterSeconds} seconds',
    hint: '{text}',
    throttled: true,
  },
  CHALLENGE_REQUIRED: {
    message: 'this person must solve a challenge first',
    hint: "Let the person's browser solve the challenge in this reply. Then send the request again with the answer in the parameter “challenge”.",
  },
  SEND_FAILED: {
    message: 'the message could not be sent: {reason}',
    hint: 'Fix the cause, or try another channel or recipient. The dashboard shows each attempt under Messages.',
  },
  MESSAGE_NOT_FOUND: {
    message: 'message not found',
    hint: 'Check the ID. The message must belong to this application. Messages are deleted after 30 days, and codes 7 days after they expire. You can report a code as verified for 24 hours after it was sent.',
  },
  MESSAGE_NOT_SCHEDULED: {
    message: 'message is no longer scheduled',
    hint: 'Only notifications in the state scheduled can be canceled. Look up the message to see its state.',
  },
  INVALID_OTP: {
    message: 'Invalid OTP',
    hint: 'Check the code, and the maskId or recipient that you sent with it. The maskId is in the reply to the request that sent the code.',
  },
  OTP_EXPIRED: { message: 'OTP has expired', hint: 'Send a new code.' },
  OTP_LOCKED: {
    message: 'Too many wrong codes. Try again in {retryAfterSeconds} seconds',
    hint: 'Wait before you try again.',
    throttled: true,
  },
  INVALID_TOKEN: {
    message: 'invalid token',
    hint: 'Ask the user to sign in again. A token is valid only for the application that it was issued for.',
  },
  TOKEN_EXPIRED: { message: 'token has expired', hint: 'Ask the user to sign in again.' },
  TOKEN_REVOKED: { message: 'token revoked', hint: 'Ask the user to sign in again.' },
  INVALID_USER_TOKEN: {
    message: 'invalid userToken',
    hint: "Sign the userToken on your server with this application's App Secret, as the two-factor guide describes.",
  },
  USER_TOKEN_EXPIRED: {
    message: 'The userToken has expired. Reload the page',
    hint: 'Your server must sign a new userToken each time it serves the page.',
  },
  USER_TOKEN_REQUIRED: {
    message: 'this application requires a userToken',
    hint: 'Sign a userToken on your server, and pass it to the widget as data-usertoken.',
  },
  PROOF_REQUIRED: {
    message: 'enter a code from your authenticator app first',
    hint: 'Repeat this call with a current code in the parameter “otp”, or verify a code in this browser first.',
  },
  WIDGET_OFF: {
    message: 'this application does not use the two-factor widget',
    hint: "Turn on the two-factor widget in the application's settings in the dashboard.",
  },
  TWO_FACTOR_BLOCKED: {
    message: 'Too many wrong codes. Use a recovery code, or ask the site to reset two-factor',
    hint: 'A recovery code still works. Your server can also reset two-factor for this user.',
  },
  ENROLMENT_EXPIRED: {
    message: 'This QR code has expired. Request a new one',
    hint: 'Reload the page, and scan the new QR code.',
  },
  TOO_MANY_CALLS: {
    message: 'Too many calls. Try again in {retryAfterSeconds} seconds',
    hint: 'Wait before you try again.',
    throttled: true,
  },
  INVALID_WEBHOOK_URL: {
    message: 'url must be a public http or https URL, without a username and password',
    hint: "Use a URL whose host name exists and can be reached from the internet, such as https://example.com/webhooks. The operator can allow private addresses with WEBHOOKS_ALLOW_PRIVATE. With an open dev inbox (DEV_INBOX=on), a server on a developer's machine also accepts http://localhost.",
  },
  INVALID_EVENTS: {
    message: 'events must be one or more event names',
    hint: 'The names are message.accepted, message.delivered, message.failed, otp.verified, otp.locked, otp.canceled, fraud.paused, fraud.refused, recipient.opted_out and recipient.opted_in.',
  },
  TOO_MANY_WEBHOOKS: {
    message: 'this application already has 50 webhooks',
    hint: 'List the webhooks with GET /webhooks, and delete one that you no longer need.',
  },
  INVALID_IDEMPOTENCY_KEY: {
    message: 'Idempotency-Key must be 1 to 255 visible ASCII characters',
    hint: 'Use an ID that is unique to the request, such as a UUID.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    message: 'this Idempotency-Key was used for another request',
    hint: 'Use a new key for every new request. Reuse a key only to repeat exactly the same request.',
  },
  IDEMPOTENCY_IN_FLIGHT: {
    message:
      'The first request with this Idempotency-Key is still in progress. Try again in {retryAfterSeconds} seconds',
    hint: 'Wait, then repeat the request with the same key to get the reply to the first request.',
    throttled: true,
  },
  MALFORMED_JSON: {
    message: 'the body is not valid JSON',
    hint: 'Check the quotes, commas and brackets. The body must be JSON in UTF-8.',
  },
  BODY_TOO_LARGE: {
    message: 'the body exceeds 64 kB',
    hint: 'Shorten the values. A request needs only a few kilobytes.',
  },
  HEADERS_TOO_LARGE: {
    message: 'the URL or the headers exceed 16 kB',
    hint: 'Send the parameters as a JSON body with POST.',
  },
  MALFORMED_REQUEST: {
    message: 'malformed HTTP request',
    hint: 'Check the HTTP client, or the proxy in front of this server.',
  },
  FORBIDDEN: {
    message: 'this API key does not have the required right',
    hint: 'Use an API key with a higher right in this area. Owners create API keys in the dashboard.',
  },
  EDIT_CONFLICT: {
    message: 'someone else has changed this object, so your change was not saved',
    hint: 'Get the current values, and repeat the change with the current version in If-Match.',
  },
  METHOD_NOT_ALLOWED: { message: 'Method not allowed. Use {allowed}', hint: 'Repeat the request with that method.' },
  NOT_FOUND: {
    message: 'Unknown path. See /docs for all paths',
    hint: 'Check the spelling of the path. All paths of the API begin with /api/v1.',
  },
  OVERLOADED: {
    message: 'Too many messages are waiting. Try again in {retryAfterSeconds} seconds',
    hint: 'Nothing was sent. Wait, then repeat the request.',
    throttled: true,
  },
  SERVICE_UNAVAILABLE: {
    message: 'The service is not available right now. Try again in {retryAfterSeconds} seconds',
    hint: 'Wait, then repeat the request. With an Idempotency-Key, nothing is sent twice.',
    throttled: true,
  },
  INTERNAL_ERROR: {
    message: 'internal error',
    hint: 'Try again. If it fails again, ask the operator of this server to check its log.',
  },
} as const;
