// Generated from backend/openapi/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
  '/auth/authentication': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Check API credentials
     * @description No message is sent.
     */
    get: operations['validateCredentials'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/application': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the application that the API credentials belong to */
    get: operations['getApplication'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/sendotp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Send a code (parameters in the query string) */
    get: operations['sendOtpByQuery'];
    put?: never;
    /** Send a code */
    post: operations['sendOtp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/verifyotp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Verify a code (parameters in the query string) */
    get: operations['verifyOtpByQuery'];
    put?: never;
    /**
     * Verify a code and get a session token
     * @description A code works once. Send an `Idempotency-Key` so that you can safely repeat a call whose reply was lost: for 24 hours, a repeated call returns the same successful reply. Without a key, you can repeat the call for one minute if the connection was closed before the reply was sent.
     */
    post: operations['verifyOtp'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/otp/{maskId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the state of a code
     * @description The reply does not contain the code. You can look up a code until 7 days after it has expired.
     */
    get: operations['getOtp'];
    put?: never;
    post?: never;
    /**
     * Cancel a code
     * @description A canceled code can no longer be verified. You can safely repeat this call. The call changes nothing if the code was already verified or has expired: check `state` in the reply. A message that is waiting to be sent is canceled, and costs nothing. If the message is being sent, the attempt in progress is the last one: if a provider accepts the message, it is charged, and `messageState` becomes `sent`. A message that a provider has already accepted is not sent again on any channel. The recipient's cooldown continues.
     */
    delete: operations['cancelOtp'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/codepages': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a page on which a person enters a code
     * @description For programs that send a code and wait until the person enters it. The page uses the name, the language and the colors of the application, and expires after `expiresIn` seconds. Each action of the person is sent to `callbackUrl` as a POST request with JSON: `{"action": "open"}`, `{"action": "verify", "code": "123456"}`, `{"action": "resend", "channel": "SMS"}` or `{"action": "cancel"}`. Your program replies with status 200 and JSON. `{"state": "waiting"}` shows the form again. This reply can contain a `notice` (`wrong`, `locked`, `resent`, `wait` or `problem`), `seconds` for `locked` and `wait`, `attemptsLeft` for `wrong`, and a new `callbackUrl` after a new code has been sent. `{"state": "verified"}`, with an optional `redirectUrl`, and `{"state": "canceled"}` end the page. A reply with status 404, 409 or 410 also ends the page. The page does not verify codes: your program calls `/auth/verifyotp` with the `maskId`.
     */
    post: operations['createCodePage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/reportverified': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report a code that your site verified itself
     * @description For sites that verify codes without `/auth/verifyotp`. The fraud guard needs these reports to count how many people enter their codes, and to exempt these people from its pauses. Report a code as soon as your server has verified it, at most 24 hours after this application sent it. The report ends the recipient's cooldown. Reporting the code again changes nothing. The state of the code does not change, and no session token is issued. For details, see the guide “Fraud guard”.
     */
    post: operations['reportVerified'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/verifytoken': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Get the user that a session token belongs to
     * @description Without `purpose`, only login tokens from `/auth/verifyotp` are valid. Tokens from the two-factor widget require `purpose: two-factor`. Anyone with the public App Key can get a token from the widget, unless the application requires a `userToken`. Such a token proves who the user is only if `verified` is true in the reply.
     */
    post: operations['verifyToken'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/revokesession': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Revoke a session
     * @description Takes effect immediately. You can safely repeat this call.
     */
    post: operations['revokeSession'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/auth/reset2fa': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Turn off two-factor for a user who has lost their authenticator app
     * @description Call this operation only from your server.
     */
    post: operations['resetTwoFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authserviceclient/authstate': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check whether two-factor is on for an identity
     * @description Also returns the widget's design.
     */
    post: operations['twoFactorState'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authserviceclient/enable2fa': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start an enrollment
     * @description Returns the QR code. Calls with the `browserNonce` or the `maskId` of a pending enrollment return the same secret until `expireTime`. Any other call starts a new enrollment. The first correct code that is sent to verifyotp turns two-factor on and cancels the other enrollments. Until then, nothing changes. If two-factor is already on, proof is required: `otp`, a code verified with this `browserNonce` in the last 10 minutes, or a `userToken` that replaces a code.
     */
    post: operations['enableTwoFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authserviceclient/verifyotp': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Verify a code from the authenticator app, or a recovery code */
    post: operations['verifyTwoFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/authserviceclient/disable2fa': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Turn off two-factor
     * @description Requires proof: `otp`, a code verified with the same `browserNonce` in the last 10 minutes, or a `userToken` that replaces a code. Without proof, the reply is the same for every identity.
     */
    post: operations['disableTwoFactor'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/notifications/order': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an order notification from a template
     * @description A repeated notification (same recipient, template, variables and `sendAt`) is rejected for 30 seconds by
     *     default, unless the first one has definitely failed. Email addresses with different plus-tags are different recipients.
     *
     *     With `sendAt`, or during the quiet hours of the application, the notification is stored and sent later. It
     *     counts toward limits and budgets immediately, and its charge is `0.0000` until it is sent. Cancel it with
     *     `DELETE /messages/{id}`. A newer notification to the same recipient about the same order, payment or refund
     *     replaces a scheduled one if both have the same template, or if the newer one is due no later than the scheduled
     *     one. The templates `feedback_request` and `order_update` neither replace notifications nor are replaced.
     */
    post: operations['sendOrderNotification'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/notifications/invoice': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an invoice notification from a template
     * @description A repeated notification (same recipient, template, variables and `sendAt`) is rejected for 30 seconds by
     *     default, unless the first one has definitely failed. Email addresses with different plus-tags are different recipients.
     *
     *     With `sendAt`, or during the quiet hours of the application, the notification is stored and sent later. It
     *     counts toward limits and budgets immediately, and its charge is `0.0000` until it is sent. Cancel it with
     *     `DELETE /messages/{id}`. A newer notification to the same recipient about the same invoice replaces a scheduled
     *     one if both have the same template, or if the newer one is due no later than the scheduled one.
     */
    post: operations['sendInvoiceNotification'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/messages': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the application's messages, newest first
     * @description Each message includes its delivery status.
     */
    get: operations['listMessages'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/usage': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the application's message counts and costs by day and channel */
    get: operations['getUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/messages/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a message's delivery status */
    get: operations['getMessage'];
    put?: never;
    post?: never;
    /**
     * Cancel a scheduled notification
     * @description You can safely repeat this call. The daily budgets are refunded if the notification was accepted on the same UTC day. No webhook event is sent.
     */
    delete: operations['cancelMessage'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the application's webhooks
     * @description The reply does not contain the signing secrets.
     */
    get: operations['listWebhooks'];
    put?: never;
    /**
     * Create a webhook
     * @description The reply contains the signing secret, which is shown only once.
     */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks/recent': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get the application's latest events of one type
     * @description Returns the events in the format of webhooks, for workflow editors that show sample events. The application does not need a webhook. On a busy server, older events may be missing.
     */
    get: operations['listRecentEvents'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/webhooks/{id}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a webhook and its pending events
     * @description You can safely repeat this call.
     */
    delete: operations['removeWebhook'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface webhooks {
  event: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * The request that your server receives
     * @description Respond with 2xx within 5 seconds. First verify `Passbell-Signature`: compute the HMAC-SHA256 of `t`, a dot and the raw body, with your secret as the key. Compare the hex-encoded result with `v1` in constant time, and reject a `t` that is more than a few minutes old. Alternatively, verify the three `webhook-…` headers with a library for [Standard Webhooks](https://www.standardwebhooks.com).
     */
    post: operations['receiveEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export interface components {
  schemas: {
    IdempotencyKey: string;
    /**
     * @example {
     *       "to": "+14155550123",
     *       "authWay": "SMS",
     *       "clientIp": "198.51.100.7"
     *     }
     */
    SendOtpRequest: {
      /**
       * @description A phone number with country code, or an email address.
       * @example +14155550123
       * @example ana@example.com
       */
      to: string;
      /**
       * @description The channel: SMS, WHATSAPP, VOICE (or voicecall, call) or EMAIL, in upper or lower case. By default, email addresses get an email. For phone numbers, the application's channels are tried in order.
       * @example SMS
       */
      authWay?: string;
      /**
       * @description Number of digits in the generated code. Ignored if `otp` is set.
       * @default 6
       */
      otpLength: number;
      /**
       * @description Minutes until the code expires.
       * @default 5
       */
      expiry: number;
      /** @description Your own code of 4 to 10 letters or digits. A JSON number is converted to its digits. */
      otp?: string | number;
      /**
       * @description Language of the message: en, de, fr, es, pt (Brazilian), pl, it, nl or ar. A country, as in es-MX, is ignored. With auto, messages to a phone number are in the language of its country. If the language is missing or not supported, the application's language is used, or English if it has none.
       * @example en
       */
      language?: string;
      reference?: components['schemas']['Reference'];
      /**
       * Format: ip
       * @description The end user's IPv4 or IPv6 address. The fraud guard pauses codes requested from an address if too few of them are entered. Only a keyed hash is stored.
       * @example 198.51.100.7
       */
      clientIp?: string;
      /** @description The answer to the challenge from an earlier reply with the code `CHALLENGE_REQUIRED`. Each answer works only once, even if the request did not require a challenge. */
      challenge?: string;
    };
    /**
     * @description Requires `maskId` or `to`. If both are given, `to` and `authWay` are ignored.
     * @example {
     *       "maskId": "0123456789abcdef0123456789abcdef",
     *       "otp": "123456"
     *     }
     */
    VerifyOtpRequest: {
      /** @description The `maskId` from the reply to sendotp. Required unless `to` is given. */
      maskId?: string;
      /**
       * @description The recipient, instead of `maskId`. Checks the newest code that was sent to this recipient and has not expired. Letter case is ignored, but plus-tags and dots in email addresses are not. If there is no code, the reply is `INVALID_OTP`, and limits on wrong codes still apply, so that replies do not reveal whether a code was sent.
       * @example +14155550123
       * @example ana@example.com
       */
      to?: string;
      /**
       * @description With `to`: checks the newest code sent on this channel. Codes that were sent without `authWay` belong to the first channel that was tried.
       * @example SMS
       */
      authWay?: string;
      /** @description The code that the user entered. Spaces and dashes are ignored, and leading zeros of a JSON number are restored. */
      otp: string | number;
    } & (
      | {
          maskId: string;
        }
      | {
          to: string;
        }
    );
    /**
     * @example {
     *       "maskId": "0123456789abcdef0123456789abcdef",
     *       "callbackUrl": "https://shop.example/waiting/7",
     *       "expiresIn": 900
     *     }
     */
    CodePageRequest: {
      /** @description The `maskId` from the reply to sendotp. The page shows the masked recipient of this code. */
      maskId: string;
      /**
       * Format: uri
       * @description URL of your server (http or https). It should be hard to guess, because anyone who knows it can send the same requests as the page. Addresses in private networks are rejected unless the operator allows them.
       * @example https://shop.example/waiting/7
       */
      callbackUrl: string;
      /**
       * @description Number of seconds until the page expires, at most 30 days.
       * @example 900
       */
      expiresIn: number;
      /** @description The channels on which the page offers to send a new code. Without this parameter, your program chooses the channel of a new code. */
      channels?: ('SMS' | 'WHATSAPP' | 'VOICE' | 'EMAIL')[];
      /**
       * @description Language of the page. Without this parameter, the application's language is used, or English if it has none.
       * @example en
       */
      language?: string;
    };
    /**
     * @description Requires `maskId` or `to`. If both are given, `to` is ignored.
     * @example {
     *       "maskId": "0123456789abcdef0123456789abcdef"
     *     }
     */
    ReportVerifiedRequest: {
      maskId?: components['schemas']['VerifyOtpRequest']['maskId'];
      /** @description The recipient, instead of `maskId`. Reports the newest code that was sent to this recipient. */
      to?: string;
    } & (
      | {
          maskId: string;
        }
      | {
          to: string;
        }
    );
    /**
     * @example {
     *       "token": "eyJhbGciOiJFUzI1NiJ9.…"
     *     }
     */
    TokenRequest: {
      /** @description A session token from verifyotp. */
      token: string;
    };
    /**
     * @example {
     *       "token": "eyJhbGciOiJFUzI1NiJ9.…"
     *     }
     */
    VerifyTokenRequest: {
      token: components['schemas']['TokenRequest']['token'];
      /**
       * @description The kind of token to accept. Tokens of the other kind are rejected.
       * @default login
       * @enum {string}
       */
      purpose: 'login' | 'two-factor';
    };
    /**
     * @example {
     *       "identity": "ana@example.com"
     *     }
     */
    ResetTwoFactorRequest: {
      identity: components['schemas']['TwoFactorRequest']['identity'];
    };
    /**
     * @example {
     *       "domainUrl": "https://shop.example",
     *       "appKey": "pk_6137f77c464a2493a12173d3a69b4eeb",
     *       "identity": "ana@example.com"
     *     }
     */
    TwoFactorRequest: {
      /**
       * @description The origin of the embedding page.
       * @example https://shop.example
       */
      domainUrl: string;
      /** @description The App Key. */
      appKey: string;
      /**
       * @description The user's email address. Letter case is ignored.
       * @example ana@example.com
       */
      identity: string;
      /** @description Confirms who the user is. Your server signs it with the App Secret. `<expires>.sign-in.<signature>` is for pages that the user sees before the second factor. `<expires>.<signature>` also replaces the code that is required to turn off or replace the second factor, so use it only on pages after the second factor. */
      userToken?: string;
      /** @description A random secret of at least 128 bits that this browser stores. It proves that two calls come from the same browser. The widget creates and sends this secret itself. */
      browserNonce?: string;
    };
    /**
     * @example {
     *       "domainUrl": "https://shop.example",
     *       "appKey": "pk_6137f77c464a2493a12173d3a69b4eeb",
     *       "identity": "ana@example.com"
     *     }
     */
    EnableTwoFactorRequest: {
      domainUrl: components['schemas']['TwoFactorRequest']['domainUrl'];
      appKey: components['schemas']['TwoFactorRequest']['appKey'];
      identity: components['schemas']['TwoFactorRequest']['identity'];
      userToken?: components['schemas']['TwoFactorRequest']['userToken'];
      browserNonce?: components['schemas']['TwoFactorRequest']['browserNonce'];
      /** @description The `maskId` of an earlier call, to get its pending enrollment again. */
      maskId?: string;
      /** @description Proof: a code from the authenticator app, or a recovery code. */
      otp?: string | number;
    };
    /**
     * @example {
     *       "domainUrl": "https://shop.example",
     *       "appKey": "pk_6137f77c464a2493a12173d3a69b4eeb",
     *       "identity": "ana@example.com",
     *       "otp": "123456"
     *     }
     */
    DisableTwoFactorRequest: {
      domainUrl: components['schemas']['TwoFactorRequest']['domainUrl'];
      appKey: components['schemas']['TwoFactorRequest']['appKey'];
      identity: components['schemas']['TwoFactorRequest']['identity'];
      userToken?: components['schemas']['TwoFactorRequest']['userToken'];
      browserNonce?: components['schemas']['TwoFactorRequest']['browserNonce'];
      /** @description Proof: a code from the authenticator app, or a recovery code. */
      otp?: string | number;
    };
    /**
     * @example {
     *       "domainUrl": "https://shop.example",
     *       "appKey": "pk_6137f77c464a2493a12173d3a69b4eeb",
     *       "identity": "ana@example.com",
     *       "otp": "123456"
     *     }
     */
    VerifyTwoFactorRequest: {
      domainUrl: components['schemas']['TwoFactorRequest']['domainUrl'];
      appKey: components['schemas']['TwoFactorRequest']['appKey'];
      identity: components['schemas']['TwoFactorRequest']['identity'];
      userToken?: components['schemas']['TwoFactorRequest']['userToken'];
      browserNonce?: components['schemas']['TwoFactorRequest']['browserNonce'];
      /** @description The `maskId` from enable2fa, to confirm this enrollment. Without it, the code is checked first against the active second factor, if there is one, and then against the pending enrollment of this `browserNonce`. Without a `browserNonce`, the latest enrollments from this IP address are checked instead. */
      maskId?: string;
      /** @description The 6 digits from the authenticator app, or a recovery code. Spaces and dashes are ignored, and leading zeros of a JSON number are restored. */
      otp: string | number;
    };
    /**
     * @example {
     *       "url": "https://shop.example/passbell-events",
     *       "events": [
     *         "message.failed",
     *         "otp.verified"
     *       ]
     *     }
     */
    WebhookRequest: {
      /**
       * Format: uri
       * @description URL of your server (http or https), without a username and password. Addresses in private networks are rejected unless the operator allows them.
       * @example https://shop.example/passbell-events
       */
      url: string;
      /** @description The names of the events to send. */
      events: components['schemas']['EventName'][];
    };
    /**
     * @description Your own reference, such as an order number: 1 to 64 printable ASCII characters that neither start nor end with a space. Messages, codes and events contain it, and `GET /messages` can search for it. It need not be unique. It is erased with the recipient's data.
     * @example A-1001
     */
    Reference: string;
    ListMessagesRequest: {
      /** @description Only messages to this phone number or email address. */
      to?: string;
      /** @description Only messages on this channel: SMS, WHATSAPP, VOICE or EMAIL. */
      authWay?: string;
      /**
       * @description Only messages in this state.
       * @enum {string}
       */
      state?:
        | 'scheduled'
        | 'queued'
        | 'sending'
        | 'sent'
        | 'delivered'
        | 'undelivered'
        | 'failed'
        | 'expired'
        | 'canceled'
        | 'refused';
      /** @description Only messages with this `reference`. */
      reference?: string;
      /**
       * @description Maximum number of messages in the reply.
       * @default 20
       */
      limit: number;
      /** @description The value of `next` from the previous page. */
      after?: string;
    };
    UsageRequest: {
      /**
       * @description First day, by default 29 days before `to`. Days are in the account's time zone, which is UTC by default.
       * @example 2026-01-01
       */
      from?: string;
      /**
       * @description Last day, by default today.
       * @example 2026-01-31
       */
      to?: string;
    };
    RecentEventsRequest: {
      /** @enum {string} */
      event:
        | 'message.accepted'
        | 'message.delivered'
        | 'message.failed'
        | 'otp.verified'
        | 'otp.locked'
        | 'otp.canceled'
        | 'fraud.paused'
        | 'fraud.refused'
        | 'recipient.opted_out'
        | 'recipient.opted_in';
    };
    /**
     * @example {
     *       "to": "+14155550123",
     *       "authWay": "SMS",
     *       "templateType": "order_shipped",
     *       "variables": {
     *         "customerName": "Ana Silva",
     *         "orderId": "A-1001",
     *         "trackingLink": "https://track.example/1Z999AA10123456784"
     *       }
     *     }
     */
    OrderNotificationRequest: {
      to: components['schemas']['SendOtpRequest']['to'];
      authWay?: components['schemas']['SendOtpRequest']['authWay'];
      /**
       * @description Name or alias of an order template, such as `order_shipped`. Case, spaces, dashes and underscores are ignored.
       * @example order_shipped
       */
      templateType: string;
      variables?: components['schemas']['OrderVariables'];
      /**
       * Format: uri
       * @description Link to a PDF of at most 5 MB. For an email, Passbell downloads the PDF before it replies, and attaches it. On WhatsApp, the recipient gets the PDF as a document if the provider has a template with a document header. Other messages use `attachmentUrl` as the link to the invoice or order, unless `variables` contains such a link.
       * @example https://shop.example/invoices/17.pdf
       */
      attachmentUrl?: string;
      language?: components['schemas']['SendOtpRequest']['language'];
      /**
       * @description When to send the notification: an ISO 8601 time with a time zone, or Unix time in seconds. At most 30 days from now. A time in the last 5 minutes means now; earlier times are rejected. The application's quiet hours can postpone the notification.
       * @example 2027-01-15T09:00:00+01:00
       */
      sendAt?: string | number;
      reference?: components['schemas']['Reference'];
    };
    /**
     * @example {
     *       "to": "ana@example.com",
     *       "templateType": "invoice_generated",
     *       "variables": {
     *         "customerName": "Ana Silva",
     *         "invoiceNumber": "INV-2026-17",
     *         "amount": "$120.00",
     *         "invoiceUrl": "https://shop.example/invoices/17"
     *       }
     *     }
     */
    InvoiceNotificationRequest: {
      to: components['schemas']['SendOtpRequest']['to'];
      authWay?: components['schemas']['SendOtpRequest']['authWay'];
      /**
       * @description Name or alias of an invoice template, such as `invoice_generated`. Case, spaces, dashes and underscores are ignored.
       * @example invoice_generated
       */
      templateType: string;
      variables?: components['schemas']['InvoiceVariables'];
      attachmentUrl?: components['schemas']['OrderNotificationRequest']['attachmentUrl'];
      language?: components['schemas']['SendOtpRequest']['language'];
      sendAt?: components['schemas']['OrderNotificationRequest']['sendAt'];
      reference?: components['schemas']['Reference'];
    };
    /**
     * @description Values of the template's variables, by name.
     * @default {}
     */
    OrderVariables: {
      /**
       * Customer Name
       * @description Customer's name, used in the greeting.
       * @example Ana Silva
       */
      customerName?: string | number | boolean;
      /**
       * Order ID
       * @description Order number that is shown to the customer.
       * @example A-1001
       */
      orderId?: string | number | boolean;
      /**
       * Order Total
       * @description Order total with its currency code.
       * @example USD 64.80
       */
      orderTotal?: string | number | boolean;
      /**
       * Amount
       * @description Amount with its currency code.
       * @example USD 59.90
       */
      amount?: string | number | boolean;
      /**
       * Status
       * @description Order status in a few words.
       * @example Packed
       */
      status?: string | number | boolean;
      /**
       * Cancellation Reason
       * @description Why the order was canceled.
       * @example Out of stock
       */
      cancelReason?: string | number | boolean;
      /**
       * Failure Reason
       * @description Why the payment, the delivery or the refund failed.
       * @example Card declined
       */
      failureReason?: string | number | boolean;
      /**
       * Payment Method
       * @description How the customer pays or paid.
       * @example Visa ending in 4242
       */
      paymentMethod?: string | number | boolean;
      /**
       * Payment Link
       * Format: uri
       * @description Link to a page where the customer can pay.
       * @example https://shop.example/pay/A-1001
       */
      retryPaymentLink?: string;
      /**
       * Tracking Number
       * @description Carrier's tracking number.
       * @example 1Z999AA10123456784
       */
      trackingNo?: string | number | boolean;
      /**
       * Estimated Delivery
       * @description Expected date or time of arrival.
       * @example 2026-03-05
       */
      estimatedDelivery?: string | number | boolean;
      /**
       * Courier Name
       * @description Name of the person who delivers the order.
       * @example Sam
       */
      deliveryAgentName?: string | number | boolean;
      /**
       * Refunded Amount
       * @description Refunded amount with its currency code.
       * @example USD 19.90
       */
      refundedAmount?: string | number | boolean;
      /**
       * Refund Method
       * @description Account or card that receives the refund.
       * @example Visa ending in 4242
       */
      refundMethod?: string | number | boolean;
      /**
       * Refund ID
       * @description ID of the refund, as shown to the customer.
       * @example R-2002
       */
      refundId?: string | number | boolean;
      /**
       * Expected Credit Date
       * @description Expected date of the refund.
       * @example 2026-03-10
       */
      expectedCreditDate?: string | number | boolean;
      /**
       * Order Details Link
       * Format: uri
       * @description Link to a page where the customer can view the order.
       * @example https://shop.example/orders/A-1001
       */
      orderDetailsLink?: string;
      /**
       * Transaction ID
       * @description ID of the payment.
       * @example T-3003
       */
      transactionId?: string | number | boolean;
      /**
       * Tracking Link
       * Format: uri
       * @description Link to the tracking page.
       * @example https://track.example/1Z999AA10123456784
       */
      trackingLink?: string;
      /**
       * Feedback Link
       * Format: uri
       * @description Link to a page where the customer can rate the order.
       * @example https://shop.example/rate/A-1001
       */
      feedbackLink?: string;
      /**
       * Support Link
       * Format: uri
       * @description Link to your support page.
       * @example https://shop.example/help
       */
      supportLink?: string;
      /**
       * Retry Link
       * Format: uri
       * @description Link to a page where the customer can retry the payment or arrange another delivery.
       * @example https://shop.example/retry/A-1001
       */
      retryUrl?: string;
      /**
       * Update Message
       * @description The update, in one sentence.
       * @example Your parcel is ready at the pick-up point.
       */
      updateMessage?: string | number | boolean;
      /**
       * Order Date
       * @description When the order was placed.
       * @example 2026-03-01
       */
      orderDate?: string | number | boolean;
    };
    /**
     * @description Values of the template's variables, by name.
     * @default {}
     */
    InvoiceVariables: {
      customerName?: components['schemas']['OrderVariables']['customerName'];
      /**
       * Invoice Number
       * @description Number on the invoice.
       * @example INV-2026-17
       */
      invoiceNumber?: string | number | boolean;
      /**
       * Amount
       * @description Invoice amount with its currency code.
       * @example USD 120.00
       */
      amount?: string | number | boolean;
      /**
       * Invoice Link
       * Format: uri
       * @description Link to a page where the customer can view the invoice.
       * @example https://shop.example/invoices/17
       */
      invoiceUrl?: string;
    };
    /** @enum {string} */
    OrderTemplate:
      | 'order_placed'
      | 'order_confirmed'
      | 'order_processing'
      | 'order_shipped'
      | 'order_out_for_delivery'
      | 'order_delivered'
      | 'order_delayed'
      | 'delivery_failed'
      | 'order_cancelled'
      | 'order_returned'
      | 'payment_success'
      | 'payment_pending'
      | 'payment_failed'
      | 'refund_initiated'
      | 'refund_completed'
      | 'refund_failed'
      | 'feedback_request'
      | 'order_update';
    /** @enum {string} */
    InvoiceTemplate:
      'invoice_generated' | 'invoice_reminder' | 'invoice_overdue' | 'invoice_paid' | 'invoice_cancelled';
    Success: {
      /** @constant */
      success: true;
      message: string;
      warnings?: components['schemas']['Warnings'];
    };
    /**
     * @example {
     *       "success": false,
     *       "message": "Too many codes for this recipient. Try again in 30 seconds",
     *       "code": "COOLDOWN",
     *       "hint": "Enter the code that was already sent, or wait before you request another one.",
     *       "retryAfterSeconds": 30,
     *       "docs": "https://otp.example/docs/errors#COOLDOWN"
     *     }
     */
    Failure: {
      /**
       * @description Whether the call succeeded.
       * @constant
       */
      success: false;
      /** @description Human-readable description of the error. */
      message: string;
      code: components['schemas']['ErrorCode'];
      /** @description Human-readable advice on how to fix the error. */
      hint: string;
      /**
       * @description The parameter that caused the error.
       * @example to
       */
      field?: string;
      /** @description The value of `field` in the request, shortened. Recipients are masked, and secrets are omitted. */
      received?: string;
      /** @description Link to the description of the error code. */
      docs?: string;
      warnings?: components['schemas']['Warnings'];
      /** @description Seconds to wait before the same call can succeed. */
      retryAfterSeconds?: number;
      /** @description After a wrong code, the number of attempts left before the verification is locked. Entering the same wrong code twice in a row counts as one attempt. */
      attemptsLeft?: number;
      /** @description After the last allowed attempt, the number of seconds for which the verification is locked. Unlike `retryAfterSeconds`, this field does not mean that the same call can succeed later. */
      lockedForSeconds?: number;
      data?: components['schemas']['SendEnvelope'];
      challenge?: components['schemas']['Challenge'];
    };
    /** @description With `CHALLENGE_REQUIRED`: a challenge for the person's browser. Send the same request again with the answer in `challenge`. */
    Challenge: {
      /** @enum {string} */
      kind: 'altcha' | 'turnstile' | 'hcaptcha';
      altcha?: components['schemas']['AltchaChallenge'];
      /** @description With `turnstile` and `hcaptcha`: the site key of the widget. */
      siteKey?: string;
    };
    /** @description With `altcha`: a signed proof of work (ALTCHA, version 2). It expires after 10 minutes. */
    AltchaChallenge: {
      parameters: {
        [key: string]: unknown;
      };
      signature: string;
    };
    /**
     * @description Problems that did not make the request fail, such as unknown parameters. Omitted if there are none.
     * @example [
     *       "channel is not a parameter of this call and was ignored. Did you mean authWay?"
     *     ]
     */
    Warnings: string[];
    /**
     * @example {
     *       "success": true,
     *       "message": "OTP sent successfully",
     *       "data": {
     *         "isTried": 1,
     *         "isSent": 1,
     *         "results": [
     *           {
     *             "success": true,
     *             "message": "sent",
     *             "to": "+1415*****23",
     *             "authType": "Sms",
     *             "authtype": "Sms",
     *             "maskId": "3f2a9c0b51d84e7e96a1c0ffee123456",
     *             "messageId": "9b1de0a7c4f24b6d8e2f7a6543210fed",
     *             "createdTime": 1800000000,
     *             "expireTime": 1800000300,
     *             "expiretime": 1800000300,
     *             "charge": "0.0079",
     *             "currency": "usd"
     *           }
     *         ]
     *       }
     *     }
     */
    SendOtpReply: {
      /** @constant */
      success: true;
      message: string;
      warnings?: components['schemas']['Warnings'];
      data: components['schemas']['SendEnvelope'];
    };
    SendEnvelope: {
      /** @description Number of channels that were tried. */
      isTried: number;
      /** @description Number of channels on which the message was sent or queued. */
      isSent: number;
      results: components['schemas']['SendResult'][];
    };
    SendResult: {
      success: boolean;
      message: string;
      /** @description The recipient, partially masked. */
      to: string;
      authType: components['schemas']['AuthType'];
      /**
       * @description The same as `authType`, for programs that use the earlier spelling.
       * @enum {string}
       */
      authtype: 'Email' | 'Sms' | 'WHATSAPP' | 'Voice';
      /** @description Identifies the send request. To verify the code, pass this ID or the recipient (`to`) to verifyotp. */
      maskId: string;
      /** @description ID of the message, for `GET /messages/{id}`. Empty for test recipients, because nothing is sent to them. */
      messageId: string;
      /** @description Unix time in seconds. */
      createdTime: number;
      /** @description Unix time in seconds when a scheduled notification is sent; omitted if it is sent immediately. */
      sendTime?: number;
      /** @description Unix time in seconds when the code expires, or when Passbell stops retrying a notification. */
      expireTime: number;
      /** @description The same as `expireTime`, for programs that use the earlier spelling. */
      expiretime: number;
      charge: components['schemas']['Charge'];
      currency: components['schemas']['Currency'];
      deviceInfo?: components['schemas']['DeviceInfo'];
    };
    /** @description The device that sent the request, as far as the request identifies it. Unknown values are empty. */
    DeviceInfo: {
      ipAddress: string;
      /** @example Chrome 126.0.0.0 */
      browser: string;
      /** @example Windows 10 */
      os: string;
      /** @example desktop */
      device: string;
      /** @description ISO 3166 code. */
      country: string;
      state: string;
      city: string;
      postal: string;
      /** @description Latitude and longitude, separated by a comma. */
      location: string;
      /** @description Name of the internet provider or organization. */
      org: string;
      /** @example Europe/Lisbon */
      timezone: string;
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "notification sent successfully",
     *       "status": "NotificationsSent",
     *       "data": {
     *         "isTried": 1,
     *         "isSent": 1,
     *         "results": [
     *           {
     *             "success": true,
     *             "message": "sent",
     *             "to": "+1415*****23",
     *             "authType": "Sms",
     *             "authtype": "Sms",
     *             "maskId": "3f2a9c0b51d84e7e96a1c0ffee123456",
     *             "messageId": "9b1de0a7c4f24b6d8e2f7a6543210fed",
     *             "createdTime": 1800000000,
     *             "expireTime": 1800086400,
     *             "expiretime": 1800086400,
     *             "charge": "0.0079",
     *             "currency": "usd"
     *           }
     *         ]
     *       }
     *     }
     */
    NotificationReply: {
      /** @constant */
      success: true;
      message: string;
      warnings?: components['schemas']['Warnings'];
      /** @constant */
      status: 'NotificationsSent';
      data: components['schemas']['SendEnvelope'];
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "application found",
     *       "data": {
     *         "appKey": "pk_6137f77c464a2493a12173d3a69b4eeb",
     *         "name": "My shop",
     *         "language": "en",
     *         "design": {
     *           "title": "",
     *           "logoUrl": "",
     *           "theme": "auto",
     *           "accentColor": "",
     *           "backgroundColor": "",
     *           "textColor": "",
     *           "radius": 8,
     *           "language": "",
     *           "texts": {}
     *         }
     *       }
     *     }
     */
    ApplicationReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'application found';
      data: {
        /** @example pk_6137f77c464a2493a12173d3a69b4eeb */
        appKey: string;
        /**
         * @description Name of the application.
         * @example Shop
         */
        name: string;
        /**
         * @description Language of the application's messages; empty for English.
         * @example en
         */
        language: string;
        design: components['schemas']['WidgetDesign'];
      };
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "message found",
     *       "data": {
     *         "messageId": "9b1de0a7c4f24b6d8e2f7a6543210fed",
     *         "maskId": "3f2a9c0b51d84e7e96a1c0ffee123456",
     *         "state": "delivered",
     *         "authType": "Sms",
     *         "to": "+1415*****23",
     *         "template": "otp",
     *         "attempts": [
     *           {
     *             "authType": "Sms",
     *             "provider": "Twilio",
     *             "success": true,
     *             "message": "sent"
     *           },
     *           {
     *             "authType": "WHATSAPP",
     *             "provider": "Meta",
     *             "success": false,
     *             "message": "this number cannot receive WhatsApp messages (131026)",
     *             "status": 400,
     *             "code": "131026",
     *             "link": "https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes",
     *             "reply": "{\"error\":{\"code\":131026,\"message\":\"Message undeliverable\"}}"
     *           }
     *         ],
     *         "charge": "0.0079",
     *         "currency": "usd",
     *         "createdTime": 1800000000,
     *         "finishedTime": 1800000001,
     *         "deliveredTime": 1800000004
     *       }
     *     }
     */
    MessageReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'message found';
      data: components['schemas']['Message'];
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "message canceled",
     *       "data": {
     *         "messageId": "9b1de0a7c4f24b6d8e2f7a6543210fed",
     *         "maskId": "9b1de0a7c4f24b6d8e2f7a6543210fed",
     *         "state": "canceled",
     *         "authType": "Sms",
     *         "to": "+1415*****23",
     *         "template": "order_shipped",
     *         "attempts": [],
     *         "charge": "0.0000",
     *         "currency": "usd",
     *         "createdTime": 1800000000,
     *         "sendTime": 1800086400,
     *         "finishedTime": 1800000060
     *       }
     *     }
     */
    CanceledReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'message canceled';
      data: components['schemas']['Message'];
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "messages",
     *       "data": {
     *         "messages": [
     *           {
     *             "messageId": "9b1de0a7c4f24b6d8e2f7a6543210fed",
     *             "maskId": "3f2a9c0b51d84e7e96a1c0ffee123456",
     *             "state": "delivered",
     *             "authType": "Sms",
     *             "to": "+1415*****23",
     *             "template": "order_shipped",
     *             "attempts": [
     *               {
     *                 "authType": "Sms",
     *                 "provider": "Twilio",
     *                 "success": true,
     *                 "message": "sent"
     *               }
     *             ],
     *             "charge": "0.0079",
     *             "currency": "usd",
     *             "createdTime": 1800000000,
     *             "finishedTime": 1800000001,
     *             "deliveredTime": 1800000004
     *           }
     *         ],
     *         "next": "9b1de0a7c4f24b6d8e2f7a6543210fed"
     *       }
     *     }
     */
    MessagesReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'messages';
      warnings?: components['schemas']['Warnings'];
      data: {
        messages: components['schemas']['Message'][];
        /** @description Value for `after`, to get the next page. */
        next?: string;
      };
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "usage",
     *       "data": {
     *         "from": "2026-01-01",
     *         "to": "2026-01-31",
     *         "usage": [
     *           {
     *             "day": "2026-01-31",
     *             "authType": "Sms",
     *             "sent": 120,
     *             "delivered": 112,
     *             "undelivered": 3,
     *             "failed": 2,
     *             "codes": 80,
     *             "verified": 74,
     *             "charge": "0.9480",
     *             "currency": "usd"
     *           }
     *         ]
     *       }
     *     }
     */
    UsageReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'usage';
      warnings?: components['schemas']['Warnings'];
      data: {
        /** @description First day. */
        from: string;
        /** @description Last day. */
        to: string;
        usage: components['schemas']['DailyUsage'][];
      };
    };
    DailyUsage: {
      /** @description Day in the time zone of the account. */
      day: string;
      authType: components['schemas']['AuthType'];
      /** @description Number of messages that a provider accepted. */
      sent: number;
      /** @description Number of messages that the provider reported as delivered. */
      delivered: number;
      /** @description Number of messages that the provider reported as undelivered. */
      undelivered: number;
      /** @description Number of messages that failed or expired. */
      failed: number;
      /** @description Number of codes that were sent. */
      codes: number;
      /** @description Number of verified codes, counted on the day on which they were sent. */
      verified: number;
      charge: components['schemas']['Charge'];
      currency: components['schemas']['Currency'];
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "code found",
     *       "data": {
     *         "maskId": "3f2a9c0b51d84e7e96a1c0ffee123456",
     *         "state": "pending",
     *         "to": "+1415*****23",
     *         "authType": "Sms",
     *         "messageId": "9b1de0a7c4f24b6d8e2f7a6543210fed",
     *         "messageState": "delivered",
     *         "createdTime": 1800000000,
     *         "expireTime": 1800000300,
     *         "attemptsLeft": 5
     *       }
     *     }
     */
    CodeStatusReply: {
      /** @constant */
      success: true;
      /**
       * @description `code canceled` in the reply to DELETE if the code is now canceled, otherwise `code found`.
       * @enum {unknown}
       */
      message: 'code found' | 'code canceled';
      data: components['schemas']['CodeStatus'];
    };
    CodeStatus: {
      maskId: string;
      /**
       * @description `pending`: can be verified. `locked`: cannot be verified for `lockedForSeconds` seconds because of too many wrong codes. `canceled`: your program canceled the code, or another code of the recipient was verified.
       * @enum {unknown}
       */
      state: 'pending' | 'verified' | 'locked' | 'expired' | 'canceled';
      /** @description The recipient, partially masked. */
      to: string;
      authType: components['schemas']['AuthType'];
      /** @description Empty for test recipients, because nothing is sent to them. */
      messageId: string;
      messageState?: components['schemas']['MessageState'];
      /** @description The `reference` of the send request; omitted if there was none. */
      reference?: string;
      /** @description Unix time in seconds. */
      createdTime: number;
      /** @description Unix time in seconds when the code expires. */
      expireTime: number;
      /** @description Unix time in seconds when the code was verified. */
      verifiedTime?: number;
      /** @description For a pending code, the number of attempts left before the verification is locked. Omitted if there is no limit. */
      attemptsLeft?: number;
      /** @description For a locked code, the number of seconds until it can be verified again. */
      lockedForSeconds?: number;
    };
    Message: {
      messageId: string;
      /** @description The `maskId` from the reply to the send request; empty for refused messages and for messages sent by older versions of Passbell. */
      maskId: string;
      state: components['schemas']['MessageState'];
      authType: components['schemas']['AuthType'];
      /** @description The recipient, partially masked. */
      to: string;
      /**
       * @description `otp`, or the name of a notification template.
       * @example order_shipped
       */
      template: string;
      /** @description The `reference` of the send request; omitted if there was none. */
      reference?: string;
      /** @description Finished attempts, by channel and provider. The successful attempt is listed first. */
      attempts: {
        authType: components['schemas']['AuthType'];
        /** @description Name of the provider; omitted if none was called. */
        provider?: string;
        success: boolean;
        message: string;
        /** @description Why an accepted message was not delivered, according to the provider. */
        undelivered?: string;
        /** @description HTTP status, or reply code of the mail server; omitted if the provider accepted the message or did not reply. */
        status?: number;
        /** @description The provider's own error code, from its reply or delivery report. */
        code?: string;
        /** @description Link to the provider's documentation of this error; omitted for codes that Passbell does not know. */
        link?: string;
        /** @description The provider's reply to a failed attempt, up to 4,096 bytes. The recipient, the content, credentials and long tokens are replaced with `••••`. Omitted after the recipient's data has been erased, and in older attempts if the replies exceed 16 KB in total. */
        reply?: string;
      }[];
      charge: components['schemas']['Charge'];
      currency: components['schemas']['Currency'];
      /** @description Unix time in seconds. */
      createdTime: number;
      /** @description Unix time in seconds for which the message was scheduled; omitted if it was sent immediately. */
      sendTime?: number;
      /** @description Unix time in seconds when a provider accepted the message, or when the message failed, expired, was canceled or was refused. */
      finishedTime?: number;
      /** @description The `messageId` of the newer message that replaced this one; omitted if no message did. */
      replacedBy?: string;
      /** @description Unix time in seconds when the provider reported the delivery. */
      deliveredTime?: number;
      /** @description Why the message was refused; omitted in all other states. */
      refusal?: {
        code: components['schemas']['ErrorCode'];
        message: string;
        /** @description What to do. */
        hint: string;
        /** @description Unix time in seconds when the request can be repeated; omitted if a setting must be changed first. */
        untilTime?: number;
      };
    };
    /**
     * @description `scheduled`: waiting for its `sendTime`. `queued`: waiting to be sent. `sending`: being sent. `sent`: accepted by a provider. `delivered` and `undelivered`: reported by the provider. `failed`: no provider confirmed that it accepted the message; if only the confirmation was lost, a later report changes the state to `sent`. A message that did not arrive can return to `queued` to be sent by another provider or channel. `expired`: not sent before its expiry time. `canceled`: canceled, or replaced by a newer message, before it was sent. The message of a code is also `canceled` if the code was canceled, or if this or another code of the recipient was verified first. `refused`: not sent, because of a limit, the fraud guard, the country list, a suppression, an opt-out or a missing provider.
     * @enum {string}
     */
    MessageState:
      | 'scheduled'
      | 'queued'
      | 'sending'
      | 'sent'
      | 'delivered'
      | 'undelivered'
      | 'failed'
      | 'expired'
      | 'canceled'
      | 'refused';
    /** @description Total price of all sends that providers accepted; "0.0000" if there are none. */
    Charge: string;
    /** @description ISO 4217 code in lowercase. */
    Currency: string;
    /**
     * @description The channel of the message.
     * @enum {string}
     */
    AuthType: 'Email' | 'Sms' | 'WHATSAPP' | 'Voice';
    /** @enum {string} */
    EventName:
      | 'message.accepted'
      | 'message.delivered'
      | 'message.failed'
      | 'otp.verified'
      | 'otp.locked'
      | 'otp.canceled'
      | 'fraud.paused'
      | 'fraud.refused'
      | 'recipient.opted_out'
      | 'recipient.opted_in';
    /**
     * @example {
     *       "success": true,
     *       "message": "webhook created",
     *       "data": {
     *         "webhookId": "WHK-5d41402abc4b2a76b9719d911017c592",
     *         "url": "https://shop.example/passbell-events",
     *         "events": [
     *           "message.failed",
     *           "otp.verified"
     *         ],
     *         "secret": "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
     *       }
     *     }
     */
    WebhookReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'webhook created';
      warnings?: components['schemas']['Warnings'];
      data: {
        webhookId: components['schemas']['Webhook']['webhookId'];
        url: components['schemas']['Webhook']['url'];
        events: components['schemas']['Webhook']['events'];
        /** @description Secret that signs the events. It also works with libraries for Standard Webhooks, and is shown only once. */
        secret: string;
      };
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "webhooks",
     *       "data": {
     *         "webhooks": [
     *           {
     *             "webhookId": "WHK-5d41402abc4b2a76b9719d911017c592",
     *             "url": "https://shop.example/passbell-events",
     *             "events": [
     *               "message.failed",
     *               "otp.verified"
     *             ],
     *             "createdTime": 1800000000,
     *             "failures": 0
     *           }
     *         ]
     *       }
     *     }
     */
    WebhooksReply: {
      /** @constant */
      success: true;
      message: string;
      data: {
        webhooks: components['schemas']['Webhook'][];
      };
    };
    Webhook: {
      webhookId: string;
      url: string;
      events: components['schemas']['EventName'][];
      /** @description Unix time in seconds. */
      createdTime: number;
      /** @description Number of failed requests since the last successful one. */
      failures: number;
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "recent events",
     *       "data": {
     *         "events": [
     *           {
     *             "id": "EVT-7215ee9c7d9dc229d2921a40e899ec5f",
     *             "event": "otp.verified",
     *             "createdTime": 1800000060,
     *             "data": {
     *               "maskId": "3f2a9c0b51d84e7e96a1c0ffee123456",
     *               "userId": "USR-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4",
     *               "channel": "sms",
     *               "identityType": "phone",
     *               "to": "+1415*****23",
     *               "verifiedTime": 1800000060
     *             }
     *           }
     *         ]
     *       }
     *     }
     */
    RecentEventsReply: {
      /** @constant */
      success: true;
      message: string;
      warnings?: components['schemas']['Warnings'];
      data: {
        events: components['schemas']['WebhookEvent'][];
      };
    };
    /**
     * @example {
     *       "id": "EVT-7215ee9c7d9dc229d2921a40e899ec5f",
     *       "event": "message.accepted",
     *       "createdTime": 1800000001,
     *       "data": {
     *         "messageId": "9b1de0a7c4f24b6d8e2f7a6543210fed",
     *         "maskId": "3f2a9c0b51d84e7e96a1c0ffee123456",
     *         "authType": "Sms",
     *         "to": "+1415*****23",
     *         "state": "sent",
     *         "template": "otp",
     *         "charge": "0.0079",
     *         "currency": "usd",
     *         "message": "sent"
     *       }
     *     }
     */
    WebhookEvent:
      | components['schemas']['MessageEvent']
      | components['schemas']['VerifiedEvent']
      | components['schemas']['LockedEvent']
      | components['schemas']['CanceledEvent']
      | components['schemas']['FraudPausedEvent']
      | components['schemas']['FraudRefusedEvent']
      | components['schemas']['OptOutEvent'];
    /** @description Identifies the event. Retries have the same ID. */
    EventId: string;
    /** @description Unix time in seconds. */
    EventTime: number;
    /**
     * @description Present only in test events.
     * @constant
     */
    TestEvent: true;
    MessageEvent: {
      id: components['schemas']['EventId'];
      /** @enum {unknown} */
      event: 'message.accepted' | 'message.delivered' | 'message.failed';
      createdTime: components['schemas']['EventTime'];
      test?: components['schemas']['TestEvent'];
      data: components['schemas']['MessageEventData'];
    };
    VerifiedEvent: {
      id: components['schemas']['EventId'];
      /** @enum {unknown} */
      event: 'otp.verified';
      createdTime: components['schemas']['EventTime'];
      test?: components['schemas']['TestEvent'];
      data: components['schemas']['VerifiedEventData'];
    };
    LockedEvent: {
      id: components['schemas']['EventId'];
      /** @enum {unknown} */
      event: 'otp.locked';
      createdTime: components['schemas']['EventTime'];
      test?: components['schemas']['TestEvent'];
      data: components['schemas']['LockedEventData'];
    };
    CanceledEvent: {
      id: components['schemas']['EventId'];
      /** @enum {unknown} */
      event: 'otp.canceled';
      createdTime: components['schemas']['EventTime'];
      test?: components['schemas']['TestEvent'];
      data: components['schemas']['CodeEventData'];
    };
    FraudPausedEvent: {
      id: components['schemas']['EventId'];
      /** @enum {unknown} */
      event: 'fraud.paused';
      createdTime: components['schemas']['EventTime'];
      test?: components['schemas']['TestEvent'];
      data: components['schemas']['FraudPausedEventData'];
    };
    FraudRefusedEvent: {
      id: components['schemas']['EventId'];
      /** @enum {unknown} */
      event: 'fraud.refused';
      createdTime: components['schemas']['EventTime'];
      test?: components['schemas']['TestEvent'];
      data: components['schemas']['FraudRefusedEventData'];
    };
    OptOutEvent: {
      id: components['schemas']['EventId'];
      /** @enum {unknown} */
      event: 'recipient.opted_out' | 'recipient.opted_in';
      createdTime: components['schemas']['EventTime'];
      test?: components['schemas']['TestEvent'];
      data: components['schemas']['OptOutEventData'];
    };
    MessageEventData: {
      messageId: string;
      /** @description The `maskId` from the reply to the send request. */
      maskId: string;
      authType: components['schemas']['AuthType'];
      /** @description The recipient, partially masked. */
      to: string;
      /** @enum {unknown} */
      state: 'sent' | 'delivered' | 'undelivered' | 'failed' | 'expired';
      /** @description `otp`, or the name of a notification template. */
      template: string;
      /** @description The `reference` of the send request; omitted if there was none. */
      reference?: string;
      charge?: components['schemas']['Charge'];
      currency?: components['schemas']['Currency'];
      /** @description Human-readable description of the result. */
      message: string;
    };
    VerifiedEventData: {
      maskId: string;
      userId: string;
      /** @enum {unknown} */
      channel: 'sms' | 'whatsapp' | 'voice' | 'email';
      /** @enum {unknown} */
      identityType: 'phone' | 'email';
      /** @description The identity, partially masked. */
      to: string;
      /** @description The `reference` of the send request; omitted if there was none. */
      reference?: string;
      /** @description Unix time in seconds. */
      verifiedTime: number;
    };
    CodeEventData: {
      maskId: string;
      /**
       * @description The first channel on which the code was sent.
       * @enum {unknown}
       */
      channel: 'sms' | 'whatsapp' | 'voice' | 'email';
      /** @enum {unknown} */
      identityType: 'phone' | 'email';
      /** @description The recipient, partially masked. */
      to: string;
      /** @description The `reference` of the send request; omitted if there was none. */
      reference?: string;
    };
    LockedEventData: {
      maskId: string;
      /**
       * @description The first channel on which the code was sent.
       * @enum {unknown}
       */
      channel: 'sms' | 'whatsapp' | 'voice' | 'email';
      /** @enum {unknown} */
      identityType: 'phone' | 'email';
      /** @description The recipient, partially masked. */
      to: string;
      /** @description The `reference` of the send request; omitted if there was none. */
      reference?: string;
      /** @description Unix time in seconds until which the code cannot be verified. After the third lock, this is the time at which the code expires. */
      lockedUntilTime: number;
    };
    FraudPausedEventData: {
      /** @description The App Key. */
      appKey: string;
      /** @description Name of the application. */
      application: string;
      /**
       * @description What is paused. `address`: codes requested from one IP address. `newCountries`: all countries in which few codes have been verified so far. `burst`: all codes for ten minutes. `solved`: codes to a country that are requested with a solved challenge. `application`: all messages of the application except emails; only people can start this pause. Pauses by people also apply to recipients who were verified recently; other pauses do not.
       * @enum {unknown}
       */
      scope: 'prefix' | 'address' | 'country' | 'newCountries' | 'burst' | 'solved' | 'application';
      /** @description First digits of the paused numbers, such as +491512345, or the ISO 3166 code of the paused country. `served` if `newCountries` is paused for the countries that the application lists. Otherwise empty. */
      key: string;
      /**
       * @description The rule that paused the messages; `person` if a person paused them.
       * @enum {unknown}
       */
      rule: 'prefix' | 'address' | 'country' | 'newCountries' | 'burst' | 'solved' | 'person';
      /** @description Level of the pause. It rises with each consecutive pause, and pauses at a higher level last longer. */
      level: number;
      /** @description Whether messages are sent if the request contains a solved challenge. */
      isChallenged: boolean;
      /** @description The reason in one or two sentences. */
      reason: string;
      /** @description Number of recipients who were sent a code after `since`; 0 for a pause by a person. */
      sent: number;
      /** @description Number of these recipients who entered their code. */
      verified: number;
      /** @description Start of the period that the rule evaluated, as Unix time in seconds; null for a pause by a person. */
      since: number | null;
      /** @description Unix time in seconds when the pause ends; null if a person must end the pause, or if messages need a challenge. */
      until: number | null;
    };
    /**
     * @description Why the fraud guard refuses a message. `recipient`: too many codes in a row that were not entered; `voice`: a call to a person who has not entered a code, in a country that the application does not list, and in which few people were verified; `notifications`: too many messages to such people in such a country; `person`: a pause that a person started. The other rules are named after the scope that they check.
     * @enum {unknown}
     */
    FraudRule:
      | 'recipient'
      | 'voice'
      | 'prefix'
      | 'address'
      | 'country'
      | 'newCountries'
      | 'burst'
      | 'solved'
      | 'notifications'
      | 'person';
    FraudRefusedEventData: {
      /** @description The App Key. */
      appKey: string;
      /** @description Name of the application. */
      application: string;
      /** @description The UTC day on which the messages were refused. */
      day: string;
      /** @description Number of messages that the fraud guard has refused on this day so far. */
      messages: number;
      /** @description Number of different recipients of these messages. */
      people: number;
      /** @description Counts by rule and country, highest first. */
      refusals: {
        rule: components['schemas']['FraudRule'];
        /** @description ISO 3166 code; empty for numbers without a country. */
        country: string;
        messages: number;
        /** @description Number of recipients whose first refused message of the day is among these messages. */
        people: number;
        /** @description Whether the application serves the country: it lists the country, or people there enter codes. */
        isServed: boolean;
      }[];
    };
    OptOutEventData: {
      /** @description The App Key. */
      appKey: string;
      /** @description Name of the application. */
      application: string;
      authType: components['schemas']['AuthType'];
      /** @description The recipient, partially masked. */
      to: string;
      /**
       * @description How the recipient opted out or in: with a reply such as STOP, through the opt-out list of the provider, or with the link in an email.
       * @enum {unknown}
       */
      source: 'reply' | 'provider' | 'unsubscribe';
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "page created",
     *       "data": {
     *         "url": "https://otp.example/code?page=k1.AbC…",
     *         "expireTime": 1772366400
     *       }
     *     }
     */
    CodePageReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'page created';
      warnings?: components['schemas']['Warnings'];
      data: {
        /** @description URL of the page. Open it in the person's browser. */
        url: string;
        /** @description Unix time in seconds when the page stops working. */
        expireTime: number;
      };
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "verified",
     *       "status": "verified",
     *       "data": {
     *         "tokenType": "Bearer",
     *         "token": "eyJhbGciOiJFUzI1NiJ9.…",
     *         "expiresIn": 1800,
     *         "user": {
     *           "email": "",
     *           "phone": "+14155550123",
     *           "userId": "USR-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4",
     *           "userApplicationId": 1
     *         }
     *       }
     *     }
     */
    VerifyOtpReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'verified';
      warnings?: components['schemas']['Warnings'];
      /** @constant */
      status: 'verified';
      data: components['schemas']['SessionToken'];
    };
    SessionToken: {
      /** @constant */
      tokenType: 'Bearer';
      /** @description A JWT (ES256). */
      token: string;
      /** @description Seconds until the token expires. */
      expiresIn: number;
      user: {
        /** @description The user's email address; empty for a phone number. */
        email: string;
        /** @description The user's phone number; empty for an email address. */
        phone: string;
        /** @description ID of the user. The letter case of an email address does not change it. */
        userId: string;
        /** @description Sequential number of the user in the application, starting at 1. */
        userApplicationId: number;
      };
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "token is valid",
     *       "data": {
     *         "userId": "USR-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4",
     *         "identities": {
     *           "identityType": "phone",
     *           "identityValue": "+1415*****23",
     *           "channel": "sms",
     *           "verified": true,
     *           "verifiedAt": "1800000060"
     *         }
     *       }
     *     }
     */
    VerifyTokenReply: {
      /** @constant */
      success: true;
      message: string;
      warnings?: components['schemas']['Warnings'];
      data: {
        userId: string;
        identities: {
          /** @enum {unknown} */
          identityType: 'phone' | 'email';
          /** @description The identity, partially masked. */
          identityValue: string;
          /** @enum {unknown} */
          channel: 'sms' | 'whatsapp' | 'voice' | 'email' | 'totp';
          /** @description Whether the identity is confirmed: the user entered a code that was sent to it or, for `totp`, your server signed a `userToken`. If false, only a second factor was checked, and `userId` is not the ID that a code sent to the identity would return. */
          verified: boolean;
          /** @description Unix time in seconds, as a string. */
          verifiedAt: string;
        };
      };
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "2FA is not enabled",
     *       "IsTOtpVerified": false,
     *       "design": {
     *         "title": "",
     *         "logoUrl": "",
     *         "theme": "auto",
     *         "accentColor": "",
     *         "backgroundColor": "",
     *         "textColor": "",
     *         "radius": 8,
     *         "language": "",
     *         "texts": {}
     *       }
     *     }
     */
    TwoFactorStateReply: {
      /** @constant */
      success: true;
      message: string;
      /** @description Whether two-factor is on. */
      IsTOtpVerified: boolean;
      design: components['schemas']['WidgetDesign'];
    };
    WidgetDesign: {
      /**
       * @description Heading of the widget.
       * @default
       */
      title: string;
      /** @default  */
      logoUrl: string;
      /**
       * @default auto
       * @enum {string}
       */
      theme: 'auto' | 'light' | 'dark';
      /** @description Color of buttons and focus outlines. */
      accentColor: components['schemas']['Color'];
      backgroundColor: components['schemas']['Color'];
      textColor: components['schemas']['Color'];
      /**
       * @description Corner radius in CSS pixels.
       * @default 8
       */
      radius: number;
      /** @default  */
      language: string;
      /**
       * @description Your own widget texts, by name.
       * @default {}
       */
      texts: {
        [key: string]: string;
      };
    };
    /** @default  */
    Color: string;
    /**
     * @example {
     *       "success": true,
     *       "message": "scan the QR code with an authenticator app, then enter its code",
     *       "QRCoder": "data:image/png;base64,iVBORw0KGgo…",
     *       "accountUri": "otpauth://totp/My%20shop:ana%40example.com?secret=…",
     *       "manualKey": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
     *       "maskId": "3f2a9c0b51d84e7e96a1c0ffee123456",
     *       "expireTime": 1800000600
     *     }
     */
    EnableTwoFactorReply: {
      /** @constant */
      success: true;
      message: string;
      /** @description The QR code for an authenticator app, as a PNG. */
      QRCoder: string;
      /** @description Content of the QR code, for an app on the same device. */
      accountUri: string;
      /** @description The key in the QR code, for manual entry (base32; SHA-1, 6 digits, 30 seconds). */
      manualKey: string;
      /** @description Identifies this enrollment in verifyotp. */
      maskId: string;
      /** @description Unix time in seconds when the QR code expires. */
      expireTime: number;
    };
    /**
     * @example {
     *       "success": true,
     *       "message": "verified",
     *       "data": {
     *         "tokenType": "Bearer",
     *         "token": "eyJhbGciOiJFUzI1NiIsInR5cCI6InR3by1mYWN0b3Irand0In0.…",
     *         "expiresIn": 1800,
     *         "user": {
     *           "email": "ana@example.com",
     *           "phone": "",
     *           "userId": "USR-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4",
     *           "userApplicationId": 1
     *         },
     *         "recoveryCodesLeft": 10
     *       }
     *     }
     */
    VerifyTwoFactorReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'verified';
      data: {
        tokenType: components['schemas']['SessionToken']['tokenType'];
        /** @description A two-factor token (JWT, ES256), for verifytoken with `purpose` `two-factor`. */
        token: string;
        expiresIn: components['schemas']['SessionToken']['expiresIn'];
        user: components['schemas']['SessionToken']['user'];
        /** @description Number of unused recovery codes. */
        recoveryCodesLeft: number;
        /** @description Returned only once, after the first correct code of an enrollment. Each recovery code works once. */
        recoveryCodes?: string[];
      };
    };
    /**
     * @description Identifies the error for programs. Codes never change, but messages can.
     * @enum {string}
     */
    ErrorCode:
      | 'MISSING_CREDENTIALS'
      | 'INVALID_CREDENTIALS'
      | 'APPLICATION_INACTIVE'
      | 'USER_INACTIVE'
      | 'ACCOUNT_BLOCKED'
      | 'INVALID_ENDPOINT'
      | 'TOO_MANY_FAILED_AUTHENTICATIONS'
      | 'MISSING_PARAMETERS'
      | 'INVALID_PARAMETER'
      | 'MISSING_RECIPIENT'
      | 'INVALID_RECIPIENT'
      | 'COUNTRY_NOT_ALLOWED'
      | 'NUMBER_NOT_ALLOWED'
      | 'INVALID_AUTH_WAY'
      | 'CHANNEL_NOT_CONFIGURED'
      | 'UNKNOWN_TEMPLATE'
      | 'MISSING_TEMPLATE_VARIABLES'
      | 'RECIPIENT_SUPPRESSED'
      | 'RECIPIENT_OPTED_OUT'
      | 'ATTACHMENT_REJECTED'
      | 'COOLDOWN'
      | 'DUPLICATE_NOTIFICATION'
      | 'NOTIFICATION_LIMIT'
      | 'BURST_LIMIT'
      | 'RECIPIENT_LIMIT'
      | 'APPLICATION_DAILY_LIMIT'
      | 'ACCOUNT_DAILY_LIMIT'
      | 'FRAUD_SUSPECTED'
      | 'CHALLENGE_REQUIRED'
      | 'SEND_FAILED'
      | 'MESSAGE_NOT_FOUND'
      | 'MESSAGE_NOT_SCHEDULED'
      | 'INVALID_OTP'
      | 'OTP_EXPIRED'
      | 'OTP_LOCKED'
      | 'INVALID_TOKEN'
      | 'TOKEN_EXPIRED'
      | 'TOKEN_REVOKED'
      | 'INVALID_USER_TOKEN'
      | 'USER_TOKEN_EXPIRED'
      | 'USER_TOKEN_REQUIRED'
      | 'PROOF_REQUIRED'
      | 'WIDGET_OFF'
      | 'TWO_FACTOR_BLOCKED'
      | 'ENROLMENT_EXPIRED'
      | 'TOO_MANY_CALLS'
      | 'INVALID_WEBHOOK_URL'
      | 'INVALID_EVENTS'
      | 'TOO_MANY_WEBHOOKS'
      | 'INVALID_IDEMPOTENCY_KEY'
      | 'IDEMPOTENCY_KEY_REUSED'
      | 'IDEMPOTENCY_IN_FLIGHT'
      | 'MALFORMED_JSON'
      | 'BODY_TOO_LARGE'
      | 'HEADERS_TOO_LARGE'
      | 'MALFORMED_REQUEST'
      | 'FORBIDDEN'
      | 'EDIT_CONFLICT'
      | 'METHOD_NOT_ALLOWED'
      | 'NOT_FOUND'
      | 'OVERLOADED'
      | 'SERVICE_UNAVAILABLE'
      | 'INTERNAL_ERROR';
  };
  responses: {
    /** @description The reason for the rejection, with its own HTTP status. Returned for unknown paths and malformed requests, and for all failures if the header `Prefer` of the request contained `http-status`. */
    Failure: {
      headers: {
        'X-Request-Id': components['headers']['requestId'];
        'Retry-After': components['headers']['retryAfter'];
        'Preference-Applied': components['headers']['preferenceApplied'];
        'RateLimit-Remaining': components['headers']['rateLimitRemaining'];
        'RateLimit-Reset': components['headers']['rateLimitReset'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'];
      };
    };
    /** @description Sent (or queued), or the reason for the rejection. */
    SendOtp: {
      headers: {
        'Idempotent-Replayed': components['headers']['idempotentReplayed'];
        'X-Request-Id': components['headers']['requestId'];
        'Retry-After': components['headers']['retryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['SendOtpReply'] | components['schemas']['Failure'];
      };
    };
    /** @description Sent (or queued), or the reason for the rejection. */
    Notification: {
      headers: {
        'Idempotent-Replayed': components['headers']['idempotentReplayed'];
        'X-Request-Id': components['headers']['requestId'];
        'Retry-After': components['headers']['retryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['NotificationReply'] | components['schemas']['Failure'];
      };
    };
    /** @description Verified, or the reason for the rejection. */
    VerifyOtp: {
      headers: {
        'Idempotent-Replayed': components['headers']['idempotentReplayed'];
        'X-Request-Id': components['headers']['requestId'];
        'Retry-After': components['headers']['retryAfter'];
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['VerifyOtpReply'] | components['schemas']['Failure'];
      };
    };
  };
  parameters: {
    /** @description If you repeat an accepted request with the same key within 24 hours, nothing is sent again, and you get the first reply. This also applies to the reply `SEND_FAILED`: to try again, use a new key. Rejected requests are not stored: a repeated request is checked again. */
    idempotencyKey: components['schemas']['IdempotencyKey'];
    /** @description If you verify the same code again with the same key within 24 hours, you get the same reply, with the same session token (its signature may differ). Failed verifications are not stored: a repeated request is checked again. */
    verificationKey: components['schemas']['IdempotencyKey'];
  };
  requestBodies: never;
  headers: {
    /** @description `true` if this is the reply to an earlier request with the same `Idempotency-Key`. Nothing was sent or verified again. */
    idempotentReplayed: 'true';
    /** @description Identifies the request in the server's log. The value is the request's own `X-Request-Id` if it consists of 8 to 36 letters, digits, dots, dashes and underscores, and otherwise a random UUID. */
    requestId: string;
    /** @description The same as `retryAfterSeconds` in the body. */
    retryAfter: number;
    /** @description Present if the header `Prefer` of the request contained `http-status`. */
    preferenceApplied: 'http-status';
    /** @description Number of requests that the limit still allows. Always 0, because the limit has been exceeded. */
    rateLimitRemaining: 0;
    /** @description Number of seconds until the limit allows another request. */
    rateLimitReset: number;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  validateCredentials: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The credentials are valid, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "message": "authenticated successfully"
           *     }
           */
          'application/json': components['schemas']['Success'] | components['schemas']['Failure'];
        };
      };
    };
  };
  getApplication: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The application, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['ApplicationReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  sendOtpByQuery: {
    parameters: {
      query: {
        to: components['schemas']['SendOtpRequest']['to'];
        authWay?: components['schemas']['SendOtpRequest']['authWay'];
        otpLength?: components['schemas']['SendOtpRequest']['otpLength'];
        expiry?: components['schemas']['SendOtpRequest']['expiry'];
        otp?: components['schemas']['SendOtpRequest']['otp'];
        language?: components['schemas']['SendOtpRequest']['language'];
        clientIp?: components['schemas']['SendOtpRequest']['clientIp'];
      };
      header?: {
        /** @description If you repeat an accepted request with the same key within 24 hours, nothing is sent again, and you get the first reply. This also applies to the reply `SEND_FAILED`: to try again, use a new key. Rejected requests are not stored: a repeated request is checked again. */
        'Idempotency-Key'?: components['parameters']['idempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['SendOtp'];
    };
  };
  sendOtp: {
    parameters: {
      query?: never;
      header?: {
        /** @description If you repeat an accepted request with the same key within 24 hours, nothing is sent again, and you get the first reply. This also applies to the reply `SEND_FAILED`: to try again, use a new key. Rejected requests are not stored: a repeated request is checked again. */
        'Idempotency-Key'?: components['parameters']['idempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['SendOtpRequest'];
      };
    };
    responses: {
      200: components['responses']['SendOtp'];
    };
  };
  verifyOtpByQuery: {
    parameters: {
      query: {
        maskId?: components['schemas']['VerifyOtpRequest']['maskId'];
        to?: components['schemas']['VerifyOtpRequest']['to'];
        authWay?: components['schemas']['VerifyOtpRequest']['authWay'];
        otp: components['schemas']['VerifyOtpRequest']['otp'];
      };
      header?: {
        /** @description If you verify the same code again with the same key within 24 hours, you get the same reply, with the same session token (its signature may differ). Failed verifications are not stored: a repeated request is checked again. */
        'Idempotency-Key'?: components['parameters']['verificationKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      200: components['responses']['VerifyOtp'];
    };
  };
  verifyOtp: {
    parameters: {
      query?: never;
      header?: {
        /** @description If you verify the same code again with the same key within 24 hours, you get the same reply, with the same session token (its signature may differ). Failed verifications are not stored: a repeated request is checked again. */
        'Idempotency-Key'?: components['parameters']['verificationKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VerifyOtpRequest'];
      };
    };
    responses: {
      200: components['responses']['VerifyOtp'];
    };
  };
  getOtp: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The `maskId` from the reply to sendotp. */
        maskId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The state of the code, or an error if this application did not send it. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CodeStatusReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  cancelOtp: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The `maskId` from the reply to sendotp. */
        maskId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The state of the code, or an error if this application did not send it. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "message": "code canceled",
           *       "data": {
           *         "maskId": "3f2a9c0b51d84e7e96a1c0ffee123456",
           *         "state": "canceled",
           *         "to": "+1415*****23",
           *         "authType": "Sms",
           *         "messageId": "9b1de0a7c4f24b6d8e2f7a6543210fed",
           *         "messageState": "delivered",
           *         "createdTime": 1800000000,
           *         "expireTime": 1800000300
           *       }
           *     }
           */
          'application/json': components['schemas']['CodeStatusReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  createCodePage: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['CodePageRequest'];
      };
    };
    responses: {
      /** @description The page, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CodePageReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  reportVerified: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ReportVerifiedRequest'];
      };
    };
    responses: {
      /** @description The report was counted, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "message": "verification counted"
           *     }
           */
          'application/json': components['schemas']['Success'] | components['schemas']['Failure'];
        };
      };
    };
  };
  verifyToken: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VerifyTokenRequest'];
      };
    };
    responses: {
      /** @description The verified identity, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VerifyTokenReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  revokeSession: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TokenRequest'];
      };
    };
    responses: {
      /** @description The session was revoked, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "message": "session revoked"
           *     }
           */
          'application/json': components['schemas']['Success'] | components['schemas']['Failure'];
        };
      };
    };
  };
  resetTwoFactor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['ResetTwoFactorRequest'];
      };
    };
    responses: {
      /** @description The second factor is deleted, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "message": "2FA reset"
           *     }
           */
          'application/json': components['schemas']['Success'] | components['schemas']['Failure'];
        };
      };
    };
  };
  twoFactorState: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['TwoFactorRequest'];
      };
    };
    responses: {
      /** @description The state. For an unknown identity, two-factor is off. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['TwoFactorStateReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  enableTwoFactor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['EnableTwoFactorRequest'];
      };
    };
    responses: {
      /** @description The data for an authenticator app, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['EnableTwoFactorReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  verifyTwoFactor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['VerifyTwoFactorRequest'];
      };
    };
    responses: {
      /** @description Verified, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['VerifyTwoFactorReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  disableTwoFactor: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['DisableTwoFactorRequest'];
      };
    };
    responses: {
      /** @description Two-factor is off, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "message": "2FA disabled"
           *     }
           */
          'application/json': components['schemas']['Success'] | components['schemas']['Failure'];
        };
      };
    };
  };
  sendOrderNotification: {
    parameters: {
      query?: never;
      header?: {
        /** @description If you repeat an accepted request with the same key within 24 hours, nothing is sent again, and you get the first reply. This also applies to the reply `SEND_FAILED`: to try again, use a new key. Rejected requests are not stored: a repeated request is checked again. */
        'Idempotency-Key'?: components['parameters']['idempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['OrderNotificationRequest'];
      };
    };
    responses: {
      200: components['responses']['Notification'];
    };
  };
  sendInvoiceNotification: {
    parameters: {
      query?: never;
      header?: {
        /** @description If you repeat an accepted request with the same key within 24 hours, nothing is sent again, and you get the first reply. This also applies to the reply `SEND_FAILED`: to try again, use a new key. Rejected requests are not stored: a repeated request is checked again. */
        'Idempotency-Key'?: components['parameters']['idempotencyKey'];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['InvoiceNotificationRequest'];
      };
    };
    responses: {
      200: components['responses']['Notification'];
    };
  };
  listMessages: {
    parameters: {
      query?: {
        to?: components['schemas']['ListMessagesRequest']['to'];
        authWay?: components['schemas']['ListMessagesRequest']['authWay'];
        state?: components['schemas']['ListMessagesRequest']['state'];
        reference?: components['schemas']['ListMessagesRequest']['reference'];
        limit?: components['schemas']['ListMessagesRequest']['limit'];
        after?: components['schemas']['ListMessagesRequest']['after'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description A page of messages. The last page has no `next`. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MessagesReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  getUsage: {
    parameters: {
      query?: {
        from?: components['schemas']['UsageRequest']['from'];
        to?: components['schemas']['UsageRequest']['to'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description At most 366 days, oldest first. Days without messages are left out. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['UsageReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  getMessage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The `messageId` from the reply to the send request. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The message, or an error if this application has no message with this ID. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['MessageReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  cancelMessage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The `messageId` from the reply to the send request. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The canceled message, or an error if it is no longer scheduled. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['CanceledReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhooks, oldest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhooksReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookRequest'];
      };
    };
    responses: {
      /** @description The webhook, which takes effect within 2 seconds, or the reason for the rejection. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['WebhookReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  listRecentEvents: {
    parameters: {
      query: {
        event: components['schemas']['RecentEventsRequest']['event'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description At most 10, newest first. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['RecentEventsReply'] | components['schemas']['Failure'];
        };
      };
    };
  };
  removeWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The `webhookId` of the webhook. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The webhook no longer exists. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          /**
           * @example {
           *       "success": true,
           *       "message": "webhook deleted"
           *     }
           */
          'application/json': components['schemas']['Success'] | components['schemas']['Failure'];
        };
      };
    };
  };
  receiveEvent: {
    parameters: {
      query?: never;
      header: {
        /** @description Time and signature of this attempt: `t=…,v1=…`. */
        'Passbell-Signature': string;
        /** @description The event's `id`, as in the body. */
        'Passbell-Event-Id': components['schemas']['EventId'];
        /** @description The `id` in the body. It is the same for every attempt. */
        'webhook-id': components['schemas']['EventId'];
        /** @description Time of this attempt, as Unix time in seconds. */
        'webhook-timestamp': string;
        /** @description `v1,` followed by the base64-encoded HMAC-SHA256 of the ID, a dot, the timestamp, a dot and the raw body. The key is your secret without `whsec_`, decoded from base64. While a new secret replaces the old one, the header contains a signature with each of them, separated by a space. */
        'webhook-signature': string;
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': components['schemas']['WebhookEvent'];
      };
    };
    responses: {
      /** @description Received. The response body is ignored. Passbell retries after any other status. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
