// Generated from backend/openapi/openapi.yaml by `npm run generate`. Do not edit.

export interface components {
  schemas: {
    SendOtpRequest: {
      /** @description A phone number with country code, or an email address. */
      to: string;
      /** @description The channel: SMS, WHATSAPP, VOICE (or voicecall, call) or EMAIL, in upper or lower case. By default, email addresses get an email. For phone numbers, the application's channels are tried in order. */
      authWay?: string;
      /**
       * @description Number of digits in the generated code. Ignored if `otp` is set.
       * @default 6
       */
      otpLength?: number;
      /**
       * @description Minutes until the code expires.
       * @default 5
       */
      expiry?: number;
      /** @description Your own code of 4 to 10 letters or digits. A JSON number is converted to its digits. */
      otp?: string | number;
      /** @description Language of the message: en, de, fr, es, pt (Brazilian), pl, it, nl or ar. A country, as in es-MX, is ignored. With auto, messages to a phone number are in the language of its country. If the language is missing or not supported, the application's language is used, or English if it has none. */
      language?: string;
      reference?: components['schemas']['Reference'];
      /** @description The end user's IPv4 or IPv6 address. The fraud guard pauses codes requested from an address if too few of them are entered. Only a keyed hash is stored. */
      clientIp?: string;
      /** @description The answer to the challenge from an earlier reply with the code `CHALLENGE_REQUIRED`. Each answer works only once, even if the request did not require a challenge. */
      challenge?: string;
    };
    /** @description Requires `maskId` or `to`. If both are given, `to` and `authWay` are ignored. */
    VerifyOtpRequest: {
      /** @description The `maskId` from the reply to sendotp. Required unless `to` is given. */
      maskId?: string;
      /** @description The recipient, instead of `maskId`. Checks the newest code that was sent to this recipient and has not expired. Letter case is ignored, but plus-tags and dots in email addresses are not. If there is no code, the reply is `INVALID_OTP`, and limits on wrong codes still apply, so that replies do not reveal whether a code was sent. */
      to?: string;
      /** @description With `to`: checks the newest code sent on this channel. Codes that were sent without `authWay` belong to the first channel that was tried. */
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
    CodePageRequest: {
      /** @description The `maskId` from the reply to sendotp. The page shows the masked recipient of this code. */
      maskId: string;
      /** @description URL of your server (http or https). It should be hard to guess, because anyone who knows it can send the same requests as the page. Addresses in private networks are rejected unless the operator allows them. */
      callbackUrl: string;
      /** @description Number of seconds until the page expires, at most 30 days. */
      expiresIn: number;
      /** @description The channels on which the page offers to send a new code. Without this parameter, your program chooses the channel of a new code. */
      channels?: ('SMS' | 'WHATSAPP' | 'VOICE' | 'EMAIL')[];
      /** @description Language of the page. Without this parameter, the application's language is used, or English if it has none. */
      language?: string;
    };
    /** @description Requires `maskId` or `to`. If both are given, `to` is ignored. */
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
    TokenRequest: {
      /** @description A session token from verifyotp. */
      token: string;
    };
    VerifyTokenRequest: {
      token: components['schemas']['TokenRequest']['token'];
      /**
       * @description The kind of token to accept. Tokens of the other kind are rejected.
       * @default login
       * @enum {string}
       */
      purpose?: 'login' | 'two-factor';
    };
    ResetTwoFactorRequest: {
      identity: components['schemas']['TwoFactorRequest']['identity'];
    };
    TwoFactorRequest: {
      /** @description The origin of the embedding page. */
      domainUrl: string;
      /** @description The App Key. */
      appKey: string;
      /** @description The user's email address. Letter case is ignored. */
      identity: string;
      /** @description Confirms who the user is. Your server signs it with the App Secret. `<expires>.sign-in.<signature>` is for pages that the user sees before the second factor. `<expires>.<signature>` also replaces the code that is required to turn off or replace the second factor, so use it only on pages after the second factor. */
      userToken?: string;
      /** @description A random secret of at least 128 bits that this browser stores. It proves that two calls come from the same browser. The widget creates and sends this secret itself. */
      browserNonce?: string;
    };
    WebhookRequest: {
      /** @description URL of your server (http or https), without a username and password. Addresses in private networks are rejected unless the operator allows them. */
      url: string;
      /** @description The names of the events to send. */
      events: components['schemas']['EventName'][];
    };
    /** @description Your own reference, such as an order number: 1 to 64 printable ASCII characters that neither start nor end with a space. Messages, codes and events contain it, and `GET /messages` can search for it. It need not be unique. It is erased with the recipient's data. */
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
      limit?: number;
      /** @description The value of `next` from the previous page. */
      after?: string;
    };
    UsageRequest: {
      /** @description First day, by default 29 days before `to`. Days are in the account's time zone, which is UTC by default. */
      from?: string;
      /** @description Last day, by default today. */
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
    OrderNotificationRequest: {
      to: components['schemas']['SendOtpRequest']['to'];
      authWay?: components['schemas']['SendOtpRequest']['authWay'];
      /** @description Name or alias of an order template, such as `order_shipped`. Case, spaces, dashes and underscores are ignored. */
      templateType: string;
      variables?: components['schemas']['OrderVariables'];
      /** @description Link to a PDF of at most 5 MB. For an email, Passbell downloads the PDF before it replies, and attaches it. On WhatsApp, the recipient gets the PDF as a document if the provider has a template with a document header. Other messages use `attachmentUrl` as the link to the invoice or order, unless `variables` contains such a link. */
      attachmentUrl?: string;
      language?: components['schemas']['SendOtpRequest']['language'];
      /** @description When to send the notification: an ISO 8601 time with a time zone, or Unix time in seconds. At most 30 days from now. A time in the last 5 minutes means now; earlier times are rejected. The application's quiet hours can postpone the notification. */
      sendAt?: string | number;
      reference?: components['schemas']['Reference'];
    };
    InvoiceNotificationRequest: {
      to: components['schemas']['SendOtpRequest']['to'];
      authWay?: components['schemas']['SendOtpRequest']['authWay'];
      /** @description Name or alias of an invoice template, such as `invoice_generated`. Case, spaces, dashes and underscores are ignored. */
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
       */
      customerName?: string | number | boolean;
      /**
       * Order ID
       * @description Order number that is shown to the customer.
       */
      orderId?: string | number | boolean;
      /**
       * Order Total
       * @description Order total with its currency code.
       */
      orderTotal?: string | number | boolean;
      /**
       * Amount
       * @description Amount with its currency code.
       */
      amount?: string | number | boolean;
      /**
       * Status
       * @description Order status in a few words.
       */
      status?: string | number | boolean;
      /**
       * Cancellation Reason
       * @description Why the order was canceled.
       */
      cancelReason?: string | number | boolean;
      /**
       * Failure Reason
       * @description Why the payment, the delivery or the refund failed.
       */
      failureReason?: string | number | boolean;
      /**
       * Payment Method
       * @description How the customer pays or paid.
       */
      paymentMethod?: string | number | boolean;
      /**
       * Payment Link
       * @description Link to a page where the customer can pay.
       */
      retryPaymentLink?: string;
      /**
       * Tracking Number
       * @description Carrier's tracking number.
       */
      trackingNo?: string | number | boolean;
      /**
       * Estimated Delivery
       * @description Expected date or time of arrival.
       */
      estimatedDelivery?: string | number | boolean;
      /**
       * Courier Name
       * @description Name of the person who delivers the order.
       */
      deliveryAgentName?: string | number | boolean;
      /**
       * Refunded Amount
       * @description Refunded amount with its currency code.
       */
      refundedAmount?: string | number | boolean;
      /**
       * Refund Method
       * @description Account or card that receives the refund.
       */
      refundMethod?: string | number | boolean;
      /**
       * Refund ID
       * @description ID of the refund, as shown to the customer.
       */
      refundId?: string | number | boolean;
      /**
       * Expected Credit Date
       * @description Expected date of the refund.
       */
      expectedCreditDate?: string | number | boolean;
      /**
       * Order Details Link
       * @description Link to a page where the customer can view the order.
       */
      orderDetailsLink?: string;
      /**
       * Transaction ID
       * @description ID of the payment.
       */
      transactionId?: string | number | boolean;
      /**
       * Tracking Link
       * @description Link to the tracking page.
       */
      trackingLink?: string;
      /**
       * Feedback Link
       * @description Link to a page where the customer can rate the order.
       */
      feedbackLink?: string;
      /**
       * Support Link
       * @description Link to your support page.
       */
      supportLink?: string;
      /**
       * Retry Link
       * @description Link to a page where the customer can retry the payment or arrange another delivery.
       */
      retryUrl?: string;
      /**
       * Update Message
       * @description The update, in one sentence.
       */
      updateMessage?: string | number | boolean;
      /**
       * Order Date
       * @description When the order was placed.
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
       */
      invoiceNumber?: string | number | boolean;
      /**
       * Amount
       * @description Invoice amount with its currency code.
       */
      amount?: string | number | boolean;
      /**
       * Invoice Link
       * @description Link to a page where the customer can view the invoice.
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
      /** @description The parameter that caused the error. */
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
    /** @description Problems that did not make the request fail, such as unknown parameters. Omitted if there are none. */
    Warnings: string[];
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
      browser: string;
      os: string;
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
      timezone: string;
    };
    NotificationReply: {
      /** @constant */
      success: true;
      message: string;
      warnings?: components['schemas']['Warnings'];
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
        appKey: string;
        /** @description Name of the application. */
        name: string;
        /** @description Language of the application's messages; empty for English. */
        language: string;
        design: components['schemas']['WidgetDesign'];
      };
    };
    MessageReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'message found';
      data: components['schemas']['Message'];
    };
    CanceledReply: {
      /** @constant */
      success: true;
      /** @constant */
      message: 'message canceled';
      data: components['schemas']['Message'];
    };
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
      /** @description `otp`, or the name of a notification template. */
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
    RecentEventsReply: {
      /** @constant */
      success: true;
      message: string;
      warnings?: components['schemas']['Warnings'];
      data: {
        events: components['schemas']['WebhookEvent'][];
      };
    };
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
}
