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
  '/auth/verifytoken': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Tells whose identity is behind a session token. */
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
  '/notifications/order': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Sends a message about an order, made from a template. */
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
    /** Sends a message about an invoice, made from a template. */
    post: operations['sendInvoiceNotification'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
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
    };
    VerifyOtpRequest: {
      /** @description From the reply to the send. */
      maskId: string;
      /** @description The code the user entered. Spaces and dashes are dropped; a JSON number gets its leading zeros back. */
      otp: string | number;
    };
    TokenRequest: {
      /** @description A session token from verify. */
      token: string;
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
      /** @description Unix seconds. */
      createdTime: number;
      /** @description Unix seconds at which the code expires, or a notification that could not be delivered is given up. */
      expireTime: number;
      /** @description Unix seconds. */
      expiretime: number;
      charge: string;
      currency: string;
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
    /** @enum {string} */
    AuthType: 'Email' | 'Sms' | 'WHATSAPP' | 'Voice';
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
          channel: 'sms' | 'whatsapp' | 'voice' | 'email';
          verified: boolean;
          /** @description Unix seconds */
          verifiedAt: string;
        };
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
      | 'INVALID_AUTH_WAY'
      | 'CHANNEL_NOT_CONFIGURED'
      | 'UNKNOWN_TEMPLATE'
      | 'MISSING_TEMPLATE_VARIABLES'
      | 'COOLDOWN'
      | 'DUPLICATE_NOTIFICATION'
      | 'BURST_LIMIT'
      | 'SEND_FAILED'
      | 'INVALID_OTP'
      | 'OTP_EXPIRED'
      | 'OTP_LOCKED'
      | 'INVALID_TOKEN'
      | 'TOKEN_EXPIRED'
      | 'TOKEN_REVOKED'
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
  sendOtpByQuery: {
    parameters: {
      query: {
        to: components['schemas']['SendOtpRequest']['to'];
        authWay?: components['schemas']['SendOtpRequest']['authWay'];
        otpLength?: components['schemas']['SendOtpRequest']['otpLength'];
        expiry?: components['schemas']['SendOtpRequest']['expiry'];
        otp?: components['schemas']['SendOtpRequest']['otp'];
        language?: components['schemas']['SendOtpRequest']['language'];
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
  verifyToken: {
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
}
