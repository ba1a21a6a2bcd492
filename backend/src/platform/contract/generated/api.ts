// Generated from backend/openapi/openapi.yaml by `npm run generate`. Do not edit.

export interface paths {
  '/auth/authentication': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Tells whether a key pair is valid and its application active; sends nothing. */
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
    /** Names the application of a key pair, for connections that people tell apart. */
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
    /** Sends a one-time passcode (parameters in the query string). */
    get: operations['sendOtpByQuery'];
    put?: never;
    /** Sends a one-time passcode. */
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
    /** Verifies a one-time passcode (parameters in the query string). */
    get: operations['verifyOtpByQuery'];
    put?: never;
    /** Verifies a one-time passcode and answers with a session token. */
    post: operations['verifyOtp'];
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
     * Reports that a person entered a code that your site checked itself.
     * @description For sites that check codes without `/auth/verifyotp`. The fraud guard needs to know how many people enter their codes, and whom it must never refuse. Report the code of a message that this application has sent within the last 24 hours, once your server knows that it is right; reporting it again changes nothing. The code itself stays unverified: no session token is issued. See `docs/fraud.md`.
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
     * Tells whose identity is behind a session token.
     * @description Without `purpose`, only login tokens are valid, which `/auth/verifyotp` issues. Tokens of the two-factor widget need `purpose: two-factor`. Anyone with the public App Key can get such a token, so it never proves who the user is.
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
    /** Ends a session at once; ending it again succeeds as well. */
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
    /** Turns two-factor off for an identity that lost its authenticator; from the site's own server. */
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
    /** Tells whether two-factor is on for an identity, and how the widget looks. */
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
     * Begins an enrolment and answers its QR code; where two-factor is on already, with a proof.
     * @description A call with the `browserNonce` or the `maskId` of a pending enrolment gets the same secret until `expireTime`; any other call starts an enrolment of its own. The first correct code at verifyotp turns two-factor on and ends the other enrolments; until then nothing changes. If two-factor is already on, a proof is required: `otp`, a code verified with this `browserNonce` in the last 10 minutes, or a `userToken` that replaces a code.
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
    /** Verifies a code of the authenticator app, or a recovery code. */
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
     * Turns two-factor off; needs a proof.
     * @description The proof is one of `otp`, a code verified with the same `browserNonce` in the last 10 minutes, or a `userToken` that replaces a code. Without one the reply is the same for every identity.
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
     * Sends a message about an order, made from a template.
     * @description The same notification (recipient, template and variables) again within 30 seconds is refused, unless the first
     *     one has surely failed. Mail addresses that differ in a plus-tag are different recipients.
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
     * Sends a message about an invoice, made from a template.
     * @description The same notification (recipient, template and variables) again within 30 seconds is refused, unless the first
     *     one has surely failed. Mail addresses that differ in a plus-tag are different recipients.
     */
    post: operations['sendInvoiceNotification'];
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
    /** Tells how a message of this application goes. */
    get: operations['getMessage'];
    put?: never;
    post?: never;
    delete?: never;
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
    /** Lists the application's webhooks, without their secrets. */
    get: operations['listWebhooks'];
    put?: never;
    /** Subscribes an address to events; the reply shows its signing secret, once. */
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
     * The application's last events of a kind, in the form that webhooks send; also when there is no webhook.
     * @description For editors that show samples. Events that lie far back on a busy server may be missing.
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
    /** Ends a webhook, with what waits to be sent to it; ending it again succeeds as well. */
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
     * What your server is sent.
     * @description Answer 2xx within 5 seconds. Check `Passbell-Signature` before anything else: compute HMAC-SHA256 with your secret as the key over `t`, a dot and the body as it came, compare the hex with `v1` in constant time, and refuse a `t` that is more than some minutes old.
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
    SendOtpRequest: {
      /**
       * @description A phone number with country code, or an e-mail address.
       * @example +14155550123
       * @example ana@example.com
       */
      to: string;
      /**
       * @description The channel: SMS, WHATSAPP, VOICE (also voicecall, call) or EMAIL, whatever the case. Without it an e-mail address gets EMAIL and a phone number the application's channels in order, until one of them accepts.
       * @example SMS
       */
      authWay?: string;
      /**
       * @description Digits of the generated code. Ignored when `otp` is given.
       * @default 6
       */
      otpLength: number;
      /**
       * @description Minutes until the code expires.
       * @default 5
       */
      expiry: number;
      /** @description A code of your own, 4 to 10 letters or digits. A JSON number is taken as its digits. */
      otp?: string | number;
      /**
       * @description Language of the message, such as en, de, pl or ar; a country may follow. Without it, or with one that the service does not speak, the application's language, else English.
       * @example en
       */
      language?: string;
      /**
       * Format: ip
       * @description The network address of the person who asked for the code, IPv4 or IPv6. The fraud guard limits what one address can use up. Only a keyed hash is stored, for 25 hours.
       * @example 198.51.100.7
       */
      clientIp?: string;
    };
    VerifyOtpRequest: {
      /** @description From the reply to the send. */
      maskId: string;
      /** @description The code the user entered. Spaces and dashes are dropped; a JSON number gets its leading zeros back. */
      otp: string | number;
    };
    /** @description Needs `maskId` or `to`. `to` is ignored if both are given. */
    ReportVerifiedRequest: {
      maskId?: components['schemas']['VerifyOtpRequest']['maskId'];
      /** @description The recipient, in place of `maskId`. The last code that was sent to it counts. */
      to?: string;
    };
    TokenRequest: {
      /** @description A session token from verify. */
      token: string;
    };
    VerifyTokenRequest: {
      token: components['schemas']['TokenRequest']['token'];
      /**
       * @description The kind of token to accept. A token of the other kind is invalid.
       * @default login
       * @enum {string}
       */
      purpose: 'login' | 'two-factor';
    };
    ResetTwoFactorRequest: {
      identity: components['schemas']['TwoFactorRequest']['identity'];
    };
    TwoFactorRequest: {
      /**
       * @description The origin of the embedding page.
       * @example https://shop.example
       */
      domainUrl: string;
      /** @description The App Key. */
      appKey: string;
      /**
       * @description The user's e-mail address, whatever its case.
       * @example ana@example.com
       */
      identity: string;
      /** @description Confirms who the user is. Signed by the site's server with the App Secret. `<expires>.sign-in.<signature>` is for pages that the user sees before the second factor. `<expires>.<signature>` also replaces the code that turning two-factor off or replacing it needs, so it is only for pages after the second factor. */
      userToken?: string;
      /** @description A random secret that this browser stores, at least 128 bits. It proves that two calls come from the same browser; the widget sends its own. */
      browserNonce?: string;
    };
    EnableTwoFactorRequest: {
      domainUrl: components['schemas']['TwoFactorRequest']['domainUrl'];
      appKey: components['schemas']['TwoFactorRequest']['appKey'];
      identity: components['schemas']['TwoFactorRequest']['identity'];
      userToken?: components['schemas']['TwoFactorRequest']['userToken'];
      browserNonce?: components['schemas']['TwoFactorRequest']['browserNonce'];
      /** @description From an earlier call, to see its enrolment again while it is pending. */
      maskId?: string;
      /** @description A code of the authenticator app, or a recovery code, as a proof. */
      otp?: string | number;
    };
    DisableTwoFactorRequest: {
      domainUrl: components['schemas']['TwoFactorRequest']['domainUrl'];
      appKey: components['schemas']['TwoFactorRequest']['appKey'];
      identity: components['schemas']['TwoFactorRequest']['identity'];
      userToken?: components['schemas']['TwoFactorRequest']['userToken'];
      browserNonce?: components['schemas']['TwoFactorRequest']['browserNonce'];
      /** @description A code of the authenticator app, or a recovery code, as a proof. */
      otp?: string | number;
    };
    VerifyTwoFactorRequest: {
      domainUrl: components['schemas']['TwoFactorRequest']['domainUrl'];
      appKey: components['schemas']['TwoFactorRequest']['appKey'];
      identity: components['schemas']['TwoFactorRequest']['identity'];
      userToken?: components['schemas']['TwoFactorRequest']['userToken'];
      browserNonce?: components['schemas']['TwoFactorRequest']['browserNonce'];
      /** @description From enable2fa: the code is for this enrolment. Without it the code is for two-factor where it is on, else for the enrolment of this `browserNonce` or, without one, for those that this network address started last. */
      maskId?: string;
      /** @description The 6 digits of the authenticator app, or a recovery code. Spaces and dashes are dropped; a JSON number gets its leading zeros back. */
      otp: string | number;
    };
    WebhookRequest: {
      /**
       * Format: uri
       * @description Address of your server, http or https, without user and password. It must not lead to a private network unless the operator allows it.
       * @example https://shop.example/passbell-events
       */
      url: string;
      /** @description What to be told of. */
      events: components['schemas']['EventName'][];
    };
    RecentEventsRequest: {
      /** @enum {string} */
      event: 'message.delivered' | 'message.failed' | 'otp.verified' | 'fraud.paused';
    };
    OrderNotificationRequest: {
      to: components['schemas']['SendOtpRequest']['to'];
      authWay?: components['schemas']['SendOtpRequest']['authWay'];
      /**
       * @description Name of a template, as in OrderTemplate, or one of its aliases. Case, spaces, dashes and underscores do not matter.
       * @example order_shipped
       */
      templateType: string;
      variables?: components['schemas']['OrderVariables'];
      language?: components['schemas']['SendOtpRequest']['language'];
    };
    InvoiceNotificationRequest: {
      to: components['schemas']['SendOtpRequest']['to'];
      authWay?: components['schemas']['SendOtpRequest']['authWay'];
      /**
       * @description Name of a template, as in InvoiceTemplate, or one of its aliases. Case, spaces, dashes and underscores do not matter.
       * @example invoice_generated
       */
      templateType: string;
      variables?: components['schemas']['InvoiceVariables'];
      language?: components['schemas']['SendOtpRequest']['language'];
    };
    /** @default {} */
    OrderVariables: {
      /**
       * Customer Name
       * @description Name that the message greets.
       * @example Ana Silva
       */
      customerName?: string | number | boolean;
      /**
       * Order ID
       * @description Number of the order as the customer knows it.
       * @example A-1001
       */
      orderId?: string | number | boolean;
      /**
       * Order Total
       * @description Total of the order with its currency.
       * @example $59.90
       */
      orderTotal?: string | number | boolean;
      /**
       * Amount
       * @description Amount that the message is about with its currency.
       * @example $59.90
       */
      amount?: string | number | boolean;
      /**
       * Status
       * @description State of the order in a few words.
       * @example Packed
       */
      status?: string | number | boolean;
      /**
       * Cancel Reason
       * @description Why the order was cancelled.
       * @example Out of stock
       */
      cancelReason?: string | number | boolean;
      /**
       * Failure Reason
       * @description Why the payment or the delivery failed.
       * @example Card declined
       */
      failureReason?: string | number | boolean;
      /**
       * Payment Method
       * @description How the order is or was paid.
       * @example Visa ending in 4242
       */
      paymentMethod?: string | number | boolean;
      /**
       * Retry Payment Link
       * Format: uri
       * @description Page where the customer can pay again.
       * @example https://shop.example/pay/A-1001
       */
      retryPaymentLink?: string;
      /**
       * Tracking Number
       * @description Number of the parcel at the carrier.
       * @example 1Z999AA10123456784
       */
      trackingNo?: string | number | boolean;
      /**
       * Estimated Delivery
       * @description When the order is expected to arrive.
       * @example 2026-03-05
       */
      estimatedDelivery?: string | number | boolean;
      /**
       * Delivery Agent Name
       * @description Who brings the order.
       * @example Sam
       */
      deliveryAgentName?: string | number | boolean;
      /**
       * Refunded Amount
       * @description Amount of the refund with its currency.
       * @example $19.90
       */
      refundedAmount?: string | number | boolean;
      /**
       * Refund Method
       * @description Where the refund goes.
       * @example Visa ending in 4242
       */
      refundMethod?: string | number | boolean;
      /**
       * Refund ID
       * @description Number of the refund.
       * @example R-2002
       */
      refundId?: string | number | boolean;
      /**
       * Expected Credit Date
       * @description When the refund is expected to arrive.
       * @example 2026-03-10
       */
      expectedCreditDate?: string | number | boolean;
      /**
       * Order Details Link
       * Format: uri
       * @description Page that shows the order.
       * @example https://shop.example/orders/A-1001
       */
      orderDetailsLink?: string;
      /**
       * Transaction ID
       * @description Number of the payment.
       * @example T-3003
       */
      transactionId?: string | number | boolean;
      /**
       * Tracking Link
       * Format: uri
       * @description Page that follows the parcel.
       * @example https://track.example/1Z999AA10123456784
       */
      trackingLink?: string;
      /**
       * Feedback Link
       * Format: uri
       * @description Page where the customer can rate the order.
       * @example https://shop.example/rate/A-1001
       */
      feedbackLink?: string;
      /**
       * Support Link
       * Format: uri
       * @description Page where the customer finds help.
       * @example https://shop.example/help
       */
      supportLink?: string;
      /**
       * Retry URL
       * Format: uri
       * @description Page where the customer can try again.
       * @example https://shop.example/retry/A-1001
       */
      retryUrl?: string;
      /**
       * Update Message
       * @description News about the order in a sentence.
       * @example Your parcel waits at the pick-up point.
       */
      updateMessage?: string | number | boolean;
      /**
       * Order Date
       * @description When the order was placed.
       * @example 2026-03-01
       */
      orderDate?: string | number | boolean;
    };
    /** @default {} */
    InvoiceVariables: {
      customerName?: components['schemas']['OrderVariables']['customerName'];
      /**
       * Invoice Number
       * @description Number of the invoice.
       * @example INV-2026-17
       */
      invoiceNumber?: string | number | boolean;
      /**
       * Amount
       * @description Amount of the invoice with its currency.
       * @example $120.00
       */
      amount?: string | number | boolean;
      /**
       * Invoice Link
       * Format: uri
       * @description Page or file of the invoice.
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
    };
    Failure: {
      /** @constant */
      success: false;
      /** @description For people. */
      message: string;
      code: components['schemas']['ErrorCode'];
      /** @description What to do next. */
      hint?: string;
      /** @description Seconds to wait before the same call can succeed. */
      retryAfterSeconds?: number;
      data?: components['schemas']['SendEnvelope'];
    };
    SendOtpReply: {
      /** @constant */
      success: true;
      message: string;
      data: components['schemas']['SendEnvelope'];
    };
    SendEnvelope: {
      /** @description Channels tried. */
      isTried: number;
      /** @description Channels that accepted the message. */
      isSent: number;
      results: components['schemas']['SendResult'][];
    };
    SendResult: {
      success: boolean;
      message: string;
      /** @description The recipient */
      to: string;
      authType: components['schemas']['AuthType'];
      authtype: components['schemas']['AuthType'];
      /** @description Identifies the send; of a notification there is nothing to verify with it. */
      maskId: string;
      /** @description For `GET /messages/{id}`; "" for a test recipient, to whom nothing is sent. */
      messageId: string;
      /** @description Unix seconds. */
      createdTime: number;
      /** @description Unix seconds at which the code expires, or a notification that could not be delivered is given up. */
      expireTime: number;
      /** @description Unix seconds. */
      expiretime: number;
      charge: components['schemas']['Charge'];
      currency: components['schemas']['Currency'];
      deviceInfo?: components['schemas']['DeviceInfo'];
    };
    /** @description Who asked for an order notification, from the request itself; "" where it is not known. */
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
      /** @description Operator of the network. */
      org: string;
      /** @example Europe/Lisbon */
      timezone: string;
    };
    NotificationReply: {
      /** @constant */
      success: true;
      message: string;
      /** @constant */
      status: 'NotificationsSent';
      data: components['schemas']['SendEnvelope'];
    };
    ApplicationReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'application found';
      data: {
        /** @example pk_6137f77c464a2493a12173d3a69b4eeb */
        appKey: string;
        /**
         * @description As its operator calls it.
         * @example Shop
         */
        name: string;
      };
    };
    MessageReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'message found';
      data: components['schemas']['Message'];
    };
    Message: {
      messageId: string;
      /** @description Of the reply to the send; "" for a message of an older version. */
      maskId: string;
      state: components['schemas']['MessageState'];
      authType: components['schemas']['AuthType'];
      /** @description The recipient, masked in part. */
      to: string;
      /**
       * @description `otp`, or the name of a notification.
       * @example order_shipped
       */
      template: string;
      /** @description Channels that were tried to the end, the one that succeeded first. */
      attempts: {
        authType: components['schemas']['AuthType'];
        success: boolean;
        message: string;
      }[];
      charge: components['schemas']['Charge'];
      currency: components['schemas']['Currency'];
      /** @description Unix seconds. */
      createdTime: number;
      /** @description Unix seconds at which a provider took it, or it failed or expired. */
      finishedTime?: number;
      /** @description Unix seconds at which the provider reported its delivery. */
      deliveredTime?: number;
    };
    /**
     * @description `queued` waits, `sending` is with a worker, `sent` was accepted by a provider; then, where the provider reports it, `delivered` or `undelivered`. `failed` was accepted by no provider as far as is known (where only its answer was lost, a report makes it `sent` later), `expired` was dropped because it was too late.
     * @enum {string}
     */
    MessageState: 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'expired';
    /** @description Price of what a provider accepted; "0.0000" for anything else. */
    Charge: string;
    /** @description ISO 4217 code in lower case. */
    Currency: string;
    /** @enum {string} */
    AuthType: 'Email' | 'Sms' | 'WHATSAPP' | 'Voice';
    /** @enum {string} */
    EventName: 'message.delivered' | 'message.failed' | 'otp.verified' | 'fraud.paused';
    WebhookReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'webhook created';
      data: {
        webhookId: components['schemas']['Webhook']['webhookId'];
        url: components['schemas']['Webhook']['url'];
        events: components['schemas']['Webhook']['events'];
        /** @description Signs what is sent; shown only now. */
        secret: string;
      };
    };
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
      /** @description Unix seconds. */
      createdTime: number;
      /** @description Calls that failed since the last one that succeeded. */
      failures: number;
    };
    RecentEventsReply: {
      /** @constant */
      success: true;
      message: string;
      data: {
        events: components['schemas']['WebhookEvent'][];
      };
    };
    WebhookEvent: {
      /** @description Names the event; the same at every attempt. */
      id: string;
      event: components['schemas']['EventName'];
      /** @description Unix seconds. */
      createdTime: number;
      data:
        | components['schemas']['MessageEventData']
        | components['schemas']['VerifiedEventData']
        | components['schemas']['FraudPausedEventData'];
    };
    MessageEventData: {
      messageId: string;
      /** @description Of the reply to the send. */
      maskId: string;
      authType: components['schemas']['AuthType'];
      /** @description The recipient */
      to: string;
      /** @enum {unknown} */
      state: 'sent' | 'undelivered' | 'failed' | 'expired';
      /** @description otp, or the name of a notification template. */
      template: string;
      charge?: components['schemas']['Charge'];
      currency?: components['schemas']['Currency'];
      /** @description How it went. */
      message: string;
    };
    VerifiedEventData: {
      maskId: string;
      userId: string;
      /** @enum {unknown} */
      channel: 'sms' | 'whatsapp' | 'voice' | 'email';
      /** @enum {unknown} */
      identityType: 'phone' | 'email';
      /** @description The identity, masked in part. */
      to: string;
      /** @description Unix seconds. */
      verifiedTime: number;
    };
    FraudPausedEventData: {
      /** @description The App Key. */
      appKey: string;
      /** @description Name of the application. */
      application: string;
      /**
       * @description What is paused. `application`: all countries in which few codes were verified so far (R4), or all recipients (R6, person). Recipients who were verified before (R0) are never paused.
       * @enum {unknown}
       */
      scope: 'prefix' | 'country' | 'application';
      /** @description Start of the paused numbers, such as +491512345, or ISO 3166 code of the country; empty for an application. */
      key: string;
      /**
       * @description R6: the limit on the cost of a day.
       * @enum {unknown}
       */
      rule: 'R3' | 'R4' | 'R6' | 'person';
      /** @description Pauses in a row of this prefix or country by R3 and R4, of which the fourth lasts until a person acts. */
      level: number;
      /** @description One sentence. */
      reason: string;
      /** @description Recipients who were sent a code since then; 0 for a person. */
      sent: number;
      /** @description How many of them entered it. */
      verified: number;
      /** @description Unix seconds, from which on the rule counted; null for a person. */
      since: number | null;
      /** @description Unix seconds; null until a person acts. */
      until: number | null;
      /** @description Cost of the day, for R6. */
      spend?: components['schemas']['Charge'];
      /** @description Limit on the cost of the day, for R6. */
      limit?: components['schemas']['Charge'];
      currency?: components['schemas']['Currency'];
    };
    VerifyOtpReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'verified';
      /** @constant */
      status: 'verified';
      data: components['schemas']['SessionToken'];
    };
    SessionToken: {
      /** @constant */
      tokenType: 'Bearer';
      /** @description A JWT (ES256). */
      token: string;
      /** @description Seconds. */
      expiresIn: number;
      user: {
        /** @description "" for a phone number. */
        email: string;
        /** @description "" for an e-mail address. */
        phone: string;
        userId: string;
        userApplicationId: number;
      };
    };
    VerifyTokenReply: {
      /** @constant */
      success: true;
      message: string;
      data: {
        userId: string;
        identities: {
          /** @enum {unknown} */
          identityType: 'phone' | 'email';
          /** @description Masked in part. */
          identityValue: string;
          /** @enum {unknown} */
          channel: 'sms' | 'whatsapp' | 'voice' | 'email' | 'totp';
          /** @description Whether somebody knows that the address is the user's: a code sent there came back or, for totp, the site's server signed a userToken. False tells of a second factor only; `userId` is then not that of a code sent to the address. */
          verified: boolean;
          /** @description Unix seconds */
          verifiedAt: string;
        };
      };
    };
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
      /** @description Buttons and focus. */
      accentColor: components['schemas']['Color'];
      backgroundColor: components['schemas']['Color'];
      textColor: components['schemas']['Color'];
      /**
       * @description Of the corners in CSS pixels.
       * @default 8
       */
      radius: number;
      /** @default  */
      language: string;
      /**
       * @description Texts of the widget by their name there, instead of its own.
       * @default {}
       */
      texts: {
        [key: string]: string;
      };
    };
    /** @default  */
    Color: string;
    EnableTwoFactorReply: {
      /** @constant */
      success: true;
      message: string;
      /** @description The QR code for an authenticator app, as a PNG. */
      QRCoder: string;
      /** @description What the QR code says, for an app on the same device. */
      accountUri: string;
      /** @description The same key to type in (base32; SHA-1, 6 digits, 30 seconds). */
      manualKey: string;
      /** @description Names this enrolment at verifyotp. */
      maskId: string;
      /** @description Unix seconds; then the QR code is of no use any more. */
      expireTime: number;
    };
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
        /** @description How many are not used yet. */
        recoveryCodesLeft: number;
        /** @description Shown once, after the first good code of an enrolment. Each works once. */
        recoveryCodes?: string[];
      };
    };
    /** @enum {string} */
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
      | 'COOLDOWN'
      | 'DUPLICATE_NOTIFICATION'
      | 'BURST_LIMIT'
      | 'RECIPIENT_LIMIT'
      | 'ACCOUNT_DAILY_LIMIT'
      | 'FRAUD_SUSPECTED'
      | 'SEND_FAILED'
      | 'MESSAGE_NOT_FOUND'
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
      | 'METHOD_NOT_ALLOWED'
      | 'NOT_FOUND'
      | 'OVERLOADED'
      | 'SERVICE_UNAVAILABLE'
      | 'INTERNAL_ERROR';
  };
  responses: {
    /** @description Sent (or queued), or the reason why not. */
    SendOtp: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['SendOtpReply'] | components['schemas']['Failure'];
      };
    };
    /** @description Sent (or queued), or the reason why not. */
    Notification: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['NotificationReply'] | components['schemas']['Failure'];
      };
    };
    /** @description Verified, or the reason why not. */
    VerifyOtp: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['VerifyOtpReply'] | components['schemas']['Failure'];
      };
    };
  };
  parameters: {
    /** @description The same key with the same request within 24 hours gives the first reply again and sends nothing. */
    idempotencyKey: components['schemas']['IdempotencyKey'];
  };
  requestBodies: never;
  headers: never;
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
      /** @description Authenticated, or the reason why not. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
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
      /** @description The application, or the reason why not. */
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
        /** @description The same key with the same request within 24 hours gives the first reply again and sends nothing. */
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
        /** @description The same key with the same request within 24 hours gives the first reply again and sends nothing. */
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
        maskId: components['schemas']['VerifyOtpRequest']['maskId'];
        otp: components['schemas']['VerifyOtpRequest']['otp'];
      };
      header?: never;
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
      header?: never;
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
      /** @description Counted, or the reason why not. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
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
      /** @description The verified identity, or the reason why the token is refused. */
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
      /** @description Revoked, or the reason why not. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
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
      /** @description Nothing of a second factor is left, or the reason why not. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
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
      /** @description The state; an identity that nobody knows has two-factor off. */
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
      /** @description What an authenticator app needs, or the reason why not. */
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
      /** @description Verified, or the reason why not. */
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
      /** @description Off, or the reason why not. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Success'] | components['schemas']['Failure'];
        };
      };
    };
  };
  sendOrderNotification: {
    parameters: {
      query?: never;
      header?: {
        /** @description The same key with the same request within 24 hours gives the first reply again and sends nothing. */
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
        /** @description The same key with the same request within 24 hours gives the first reply again and sends nothing. */
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
  getMessage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description The `messageId` of the reply to the send. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description The message, or that there is none with this id. */
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
      /** @description Subscribed, or the reason why not. Events from now on, within 2 seconds, are sent. */
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
        /** @description The webhookId. */
        id: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description There is no such webhook any more. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': components['schemas']['Success'] | components['schemas']['Failure'];
        };
      };
    };
  };
  receiveEvent: {
    parameters: {
      query?: never;
      header: {
        'Passbell-Signature': string;
        /** @description The `id` of the body. */
        'Passbell-Event-Id': components['schemas']['WebhookEvent']['id'];
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
      /** @description Taken. The body is not read. Anything else is repeated later. */
      '2XX': {
        headers: {
          [name: string]: unknown;
        };
        content?: never;
      };
    };
  };
}
