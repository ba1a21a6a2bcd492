// Generated from backend/openapi/manage.yaml by `npm run generate`. Do not edit.

export interface paths {
  '/applications': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List applications, oldest first */
    get: operations['listApplications'];
    put?: never;
    /** Create an application */
    post: operations['createApplication'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get an application with all its settings */
    get: operations['getApplication'];
    /**
     * Create an application with an ID of your choice, or change it
     * @description The reply contains `appSecret` only if the request created the application.
     */
    put: operations['putApplication'];
    post?: never;
    /**
     * Delete an application
     * @description All data of the application is erased after 7 days.
     */
    delete: operations['deleteApplication'];
    options?: never;
    head?: never;
    /**
     * Change settings of an application
     * @description Running servers apply the change within 2 seconds. Changes to limits, test recipients, two-factor, the challenge, `silentSeconds` and `verifiedElsewhere` require the right `own`.
     */
    patch: operations['updateApplication'];
    trace?: never;
  };
  '/applications/{application}/restore': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Restore an application within 7 days of its deletion */
    post: operations['restoreApplication'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Create a new App Secret */
    post: operations['rotateAppSecret'];
    /** Revoke all App Secrets except the newest one */
    delete: operations['revokeOldAppSecrets'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/webhooks': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List webhooks, oldest first */
    get: operations['listWebhooks'];
    put?: never;
    /** Create a webhook */
    post: operations['createWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/webhooks/{webhook}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a webhook with its latest calls */
    get: operations['getWebhook'];
    /**
     * Create a webhook with an ID of your choice, or change its events
     * @description The reply contains `secret` only if the request created the webhook. The URL of a webhook cannot be changed.
     */
    put: operations['putWebhook'];
    post?: never;
    /** Delete a webhook and its pending events */
    delete: operations['deleteWebhook'];
    options?: never;
    head?: never;
    /** Change the events of a webhook, or pause or resume it */
    patch: operations['updateWebhook'];
    trace?: never;
  };
  '/applications/{application}/webhooks/{webhook}/secret': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Create a new signing secret
     * @description Until the old secret expires, it signs `Passbell-Signature`, and `webhook-signature` contains a signature with each secret. Accept both secrets during this time.
     */
    post: operations['rotateWebhookSecret'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/webhooks/{webhook}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Send a sample event */
    post: operations['testWebhook'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/webhooks/{webhook}/resend': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Send the event of an earlier call again, with the same ID */
    post: operations['resendEvent'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/templates': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the custom texts of an application */
    get: operations['listTemplates'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/templates/{template}/{channel}/{language}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a custom text, or the built-in text */
    get: operations['getTemplate'];
    /** Set a custom text */
    put: operations['putTemplate'];
    post?: never;
    /** Restore the built-in text */
    delete: operations['deleteTemplate'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/fraud/settings': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get the settings of the fraud guard */
    get: operations['getFraudSettings'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /** Change settings of the fraud guard */
    patch: operations['updateFraudSettings'];
    trace?: never;
  };
  '/applications/{application}/fraud/scopes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List paused, challenged and allowed scopes, with the reasons */
    get: operations['listFraudScopes'];
    put?: never;
    /** Pause, resume or allow messages */
    post: operations['changeFraudScope'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/users/find': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Find a person by phone number, email address or user ID
     * @description This is a POST request, so that no URL contains a recipient. The other operations identify the person by `user`.
     */
    post: operations['findUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/users/{user}/{change}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** End all sessions of a person, unlock the person after wrong codes, or turn off two-factor */
    post: operations['changeUser'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/applications/{application}/test-codes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test code
     * @description Sends a real code with the channels, providers, prices and limits of the application. All keys of an account
     *     together can send at most 5 test codes in 10 minutes, and 20 in a day. The code is never returned.
     */
    post: operations['sendTestCode'];
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
    /** List messages, including refused ones, newest first */
    get: operations['listMessages'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/messages/{messageId}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** Get a message and its delivery state */
    get: operations['getMessage'];
    put?: never;
    post?: never;
    /** Cancel a scheduled message */
    delete: operations['cancelMessage'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/messages/{messageId}/retry': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /** Send a failed message again */
    post: operations['retryMessage'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/explanations': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Explain what happened to one message or code, or to the latest messages to a recipient
     * @description Returns each message with its timeline, the reason why the message did not arrive, and what to do. Send exactly one parameter. The
     *     request is a POST, so that no URL contains a recipient.
     */
    post: operations['explainMessages'];
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
    /** Get counts and costs, by day, channel and country */
    get: operations['getUsage'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/suppressions': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the suppressed email addresses
     * @description Returns at most 100,000 addresses.
     */
    get: operations['listSuppressions'];
    put?: never;
    /** Suppress email addresses */
    post: operations['importSuppressions'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/suppressions/remove': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Remove the suppression of an email address
     * @description This is a POST request, so that no URL contains a recipient.
     */
    post: operations['removeSuppression'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/erasures': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Erase all data that is stored about a phone number or email address
     * @description This cannot be undone.
     */
    post: operations['eraseRecipient'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/provider-types': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the types of providers that the account may add, and their settings */
    get: operations['listProviderTypes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/providers': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List providers with their states
     * @description Keys without the right `own` get empty settings.
     */
    get: operations['listProviders'];
    put?: never;
    /**
     * Add a provider
     * @description Checks the credentials, unless this is only possible with a message. Without a successful check, the provider is not used until a test message has succeeded.
     */
    post: operations['createProvider'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/providers/{provider}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Get a provider
     * @description Keys without the right `own` get empty settings.
     */
    get: operations['getProvider'];
    /**
     * Add a provider with an ID of your choice, or change it
     * @description Settings that you omit do not change.
     */
    put: operations['putProvider'];
    post?: never;
    /** Remove a provider from the account and from all routes */
    delete: operations['deleteProvider'];
    options?: never;
    head?: never;
    /**
     * Change a provider
     * @description New credentials are checked, unless this is only possible with a message.
     */
    patch: operations['updateProvider'];
    trace?: never;
  };
  '/providers/{provider}/test': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Check the credentials of a provider
     * @description If `to` is set, also sends a test message to this recipient.
     */
    post: operations['testProvider'];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/routes': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List routes */
    get: operations['listRoutes'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/routes/{channel}/{country}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Set a route */
    put: operations['putRoute'];
    post?: never;
    /** Remove a route */
    delete: operations['deleteRoute'];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/prices': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List the prices of messages */
    get: operations['listPrices'];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/prices/{channel}': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /** Replace the prices of a channel */
    put: operations['putPrices'];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  '/audit': {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** List changes, newest first */
    get: operations['listAuditEntries'];
    put?: never;
    post?: never;
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
    Webhook: {
      webhookId: string;
      url: string;
      events: components['schemas']['EventName'][];
      /** @description Unix time in seconds. */
      createdTime: number;
      /** @description Number of failed requests since the last successful one. */
      failures: number;
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
    /**
     * Format: date-time
     * @example 2026-01-31T15:04:05Z
     */
    Time: string;
    /** @description Value for `after`, to get the next page. Omitted on the last page. */
    Next: string;
    SentEvent: {
      eventId: string;
    };
    ApplicationSettings: {
      /** @description name that recipients see in messages */
      name?: string;
      /**
       * @description active or inactive; requests from an inactive application are rejected
       * @enum {string}
       */
      status?: 'active' | 'inactive';
      /** @description origins, hosts, *.hosts, IP addresses or networks that may call the API; empty allows every caller */
      authorizedEndpoints?: string[];
      /** @description channels for phone numbers, in this order: one or more of SMS, WHATSAPP, VOICE; landlines get a call only if you list VOICE */
      channels?: string[];
      /** @description ISO codes of the countries to send to; empty allows all */
      countries?: string[];
      /** @description ISO codes of countries that you serve, so that the fraud guard allows calls and more messages there */
      servedCountries?: string[];
      /** @description default language of messages, such as en or de; "" for English */
      language?: string;
      /** @description test recipients and their fixed codes; no messages are sent to them */
      testRecipients?: {
        [key: string]: string;
      };
      /** @description allow the two-factor widget; turn it off if the application does not use two-factor */
      twoFactorWidget?: boolean;
      /** @description require a userToken, signed by your server, in every call of the two-factor widget */
      strictTwoFactor?: boolean;
      /** @description whether your site verifies codes itself; if so, the fraud guard only limits how many codes are sent, unless the codes of more than 10% of the recipients of the last 14 days were reported or verified */
      verifiedElsewhere?: boolean;
      /**
       * @description challenge for suspicious requests: altcha is a proof of work from this server; turnstile and hcaptcha need the keys of the vendor
       * @enum {string}
       */
      challenge?: 'off' | 'altcha' | 'turnstile' | 'hcaptcha';
      /** @description site key of the vendor */
      challengeSiteKey?: string;
      /** @description secret key of the vendor; never returned */
      challengeSecret?: string;
      /** @description send a code again with the next provider or channel if it is neither entered nor reported as delivered within this many seconds; costs a second message; 15 to 600, or 0 for off; default 0 */
      silentSeconds?: number;
      /** @description send no notifications to phone numbers between these local times, such as 22:00-08:00, in any time zone of their country; "" for none */
      quietHours?: string;
      /** @description host name of the site on which codes are entered; browsers fill in codes from an SMS only on this host; "" for none */
      webOtpHost?: string;
      /** @description hash of the Android app that reads codes from an SMS (SMS Retriever), 11 characters; "" for none */
      androidAppHash?: string;
      /** @description design of the two-factor widget: title, logoUrl, theme, accentColor, backgroundColor, textColor, radius, language, texts; other values do not change */
      design?: Record<string, never>;
      /** @description limits by name, such as sendsPerDay for --sends-per-day in the README; other limits do not change */
      limits?: {
        [key: string]: number;
      };
    };
    Application: {
      appKey: string;
      /** @description The ID with which the application was created. */
      id?: string;
      name: string;
      /** @enum {string} */
      status: 'active' | 'inactive';
      accountEmail: string;
      /** @enum {string} */
      accountStatus: 'active' | 'inactive' | 'blocked';
      authorizedEndpoints: string[];
      channels: string[];
      countries: string[];
      servedCountries: string[];
      language: string;
      limits: {
        [key: string]: number;
      };
      /** @description Without the right `own`, the recipients are masked and the codes are empty. */
      testRecipients: {
        [key: string]: string;
      };
      twoFactorWidget: boolean;
      strictTwoFactor: boolean;
      verifiedElsewhere: boolean;
      challenge: string;
      challengeSiteKey: string;
      silentSeconds: number;
      quietHours: string;
      webOtpHost: string;
      androidAppHash: string;
      design: components['schemas']['WidgetDesign'];
      createdAt: components['schemas']['Time'];
      /** Format: date-time */
      lastUsedAt: string | null;
      /**
       * Format: date-time
       * @description When the data of the deleted application is erased.
       */
      deleteAt?: string;
      version: string;
    };
    CreatedApplication: components['schemas']['Application'] & {
      /** @description Shown only once. */
      appSecret?: string;
    };
    CreatedWebhook: {
      webhookId: string;
      url: string;
      events: components['schemas']['EventName'][];
      /** @description Shown only once. */
      secret?: string;
    };
    /** @enum {string} */
    Channel: 'SMS' | 'WHATSAPP' | 'VOICE' | 'EMAIL';
    Template: {
      template: string;
      channel: components['schemas']['Channel'];
      language: string;
      subject: string | null;
      text: string;
      /** @description False for the built-in text. */
      custom: boolean;
      version: string;
    };
    FraudSettings: {
      verifiedElsewhere: boolean;
      settings: {
        name: string;
        /** @description The value in effect: the bound, if the stored value is looser. */
        value: number;
        default: number;
        /** @description The loosest value that the account may set. */
        bound: string;
        text: string;
      }[];
      version: string;
    };
    FraudScopes: {
      scopes: {
        scope: string;
        key: string;
        /** @enum {string} */
        state: 'paused' | 'challenged' | 'allowed';
        rule: string;
        /**
         * Format: date-time
         * @description When the state ends. Omitted for challenges, which end when the attack stops, and for states that last until someone changes them.
         */
        untilAt?: string;
        reason: string;
      }[];
    };
    EndUser: {
      /** @description Identifies the person in the other operations. */
      user: string;
      /** @description The phone number or email address, partially masked. */
      to: string;
      users: {
        userId: string;
        verified: boolean;
        createdAt: components['schemas']['Time'];
        lastVerifiedAt: components['schemas']['Time'];
      }[];
      /** @description The latest codes, newest first. */
      codes: {
        channel: components['schemas']['Channel'];
        /** @enum {string} */
        state: 'verified' | 'waiting' | 'expired' | 'replaced' | 'canceled';
        sentAt: components['schemas']['Time'];
      }[];
      twoFactor: boolean;
      /**
       * Format: date-time
       * @description When the lock after wrong codes ends.
       */
      lockedUntilAt?: string;
    };
    OwnedMessage: {
      appKey: string;
      message: components['schemas']['Message'];
    };
    ExplainedMessage: components['schemas']['OwnedMessage'] & {
      /** @description Why the message has not arrived; omitted if it was sent and no failure is known. */
      reason?: string;
      /** @description What to do. */
      fix?: string;
      code?: components['schemas']['CodeStatus'];
      /** @description What happened to the message, oldest first. */
      timeline: {
        /** @description The step, such as `accepted`, `attemptFailed`, `fallback`, `sent`, `reported`, `expired` or `neverAccepted`. */
        step: string;
        at?: components['schemas']['Time'];
        channel?: components['schemas']['Channel'];
        provider?: string;
        reason?: string;
        /** @enum {string} */
        report?: 'delivered' | 'undelivered';
        /** @description Number of consecutive attempts with this result. */
        times?: number;
        /** @description The provider's own error code. */
        errorCode?: string;
        /** @description Link to the provider's documentation of the error. */
        link?: string;
        /** @description The reply of the provider, without recipients, content and secrets. */
        reply?: string;
      }[];
    };
    TestCode: {
      maskId: string;
      /** @description Empty for test recipients, because nothing is sent to them. */
      messageId: string;
      state: components['schemas']['MessageState'];
      /** @description The recipient, partially masked. */
      to: string;
      attempts: {
        authType: components['schemas']['AuthType'];
        success: boolean;
        message: string;
      }[];
      /** @description A decimal number such as 0.0075. */
      charge: string;
      currency: string;
      /** @description Whether the code went to the dev inbox instead of a provider. */
      devInbox: boolean;
    };
    /** @description Settings by name. An empty string removes a setting; secrets are never returned. */
    ProviderSettings: {
      [key: string]: string;
    };
    Provider: {
      id: string;
      type: string;
      name: string;
      enabled: boolean;
      /** @description Whether a check or a test message has succeeded. Otherwise, routes skip the provider. */
      verified: boolean;
      /** @description Whether environment variables configure the provider. */
      readOnly: boolean;
      /** @description `live`, `not verified` or `off`, or `failing since …` with the time and the cause. */
      state: string;
      channels: components['schemas']['Channel'][];
      settings: {
        [key: string]: string;
      };
      /** @description Names of the secret settings that have a value. */
      secrets: string[];
      /** @description The URL for delivery reports. Contains a secret. */
      callbackUrl?: string;
      /** @description The URL for messages from recipients. Contains a secret. */
      inboundUrl?: string;
      version: string;
    };
    TestResult: {
      /** @description Whether the test succeeded; null if the credentials cannot be checked without a message. */
      ok: boolean | null;
      reason?: string;
      providerId?: string;
    };
    RouteEntry: {
      /** @description Provider ID. */
      provider: string;
      weight?: number;
      price?: number;
    };
    Route: {
      channel: components['schemas']['Channel'];
      country: string;
      /** @enum {string} */
      mode: 'ordered' | 'automatic';
      providers: components['schemas']['RouteEntry'][];
      version: string;
    };
    ChannelPrices: {
      channel: components['schemas']['Channel'];
      prices: {
        [key: string]: string;
      };
      /** @description Whether the prices come from PRICES_FILE. */
      readOnly: boolean;
      version: string;
    };
  };
  responses: {
    /** @description The reason for the rejection. */
    Failure: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        'application/json': components['schemas']['Failure'];
      };
    };
  };
  parameters: {
    /** @description App Key of the application, or the ID with which you created it */
    application: string;
    /** @description webhook ID, as shown by `passbell webhook list`, or the ID with which you created it */
    webhook: string;
    /** @description channel: SMS, WHATSAPP, VOICE or EMAIL */
    channel: components['schemas']['Channel'];
    /** @description provider ID, as shown by `passbell provider list`, or the ID with which you created it */
    provider: string;
    /** @description ID of a message */
    messageId: string;
    /** @description only items of the application with this App Key */
    ofApplication: string;
    /** @description The value of `next` in the previous reply */
    after: string;
    /** @description Maximum number of items */
    limit: number;
    /** @description Only items from this time on */
    from: components['schemas']['Time'];
    /** @description Only items before this time */
    to: components['schemas']['Time'];
  };
  requestBodies: {
    NewApplication: {
      content: {
        'application/json': components['schemas']['ApplicationSettings'] & Record<string, never>;
      };
    };
    ApplicationSettings: {
      content: {
        'application/json': components['schemas']['ApplicationSettings'];
      };
    };
    NewWebhook: {
      content: {
        'application/json': {
          /**
           * Format: uri
           * @description URL that receives the events
           */
          url: string;
          /** @description events to send */
          events: components['schemas']['EventName'][];
        };
      };
    };
    NewProvider: {
      content: {
        'application/json': {
          /** @description A type from the list of provider types. */
          type: string;
          /** @description Name of the provider in lists and messages. */
          name: string;
          /** @description Whether the provider sends messages. */
          enabled?: boolean;
          settings?: components['schemas']['ProviderSettings'];
        };
      };
    };
    Rotation: {
      content: {
        'application/json': {
          /**
           * @description hours for which the old secret stays valid; 0 revokes it immediately
           * @default 24
           */
          graceHours?: number;
        };
      };
    };
  };
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  listApplications: {
    parameters: {
      query?: {
        /** @description The value of `next` in the previous reply */
        after?: components['parameters']['after'];
        /** @description Maximum number of items */
        limit?: components['parameters']['limit'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              applications: components['schemas']['Application'][];
              next?: components['schemas']['Next'];
            };
          };
        };
      };
    };
  };
  createApplication: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: components['requestBodies']['NewApplication'];
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['CreatedApplication'];
          };
        };
      };
    };
  };
  getApplication: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Application'];
          };
        };
      };
    };
  };
  putApplication: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['NewApplication'];
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['CreatedApplication'];
          };
        };
      };
    };
  };
  deleteApplication: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Application'];
          };
        };
      };
    };
  };
  updateApplication: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['ApplicationSettings'];
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Application'];
          };
        };
      };
    };
  };
  restoreApplication: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Application'];
          };
        };
      };
    };
  };
  rotateAppSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody?: components['requestBodies']['Rotation'];
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              appKey: string;
              /** @description Shown only once. */
              appSecret: string;
              oldSecretValidUntil: components['schemas']['Time'];
            };
          };
        };
      };
    };
  };
  revokeOldAppSecrets: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Application'];
          };
        };
      };
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              webhooks: components['schemas']['Webhook'][];
            };
          };
        };
      };
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['NewWebhook'];
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['CreatedWebhook'];
          };
        };
      };
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description webhook ID, as shown by `passbell webhook list`, or the ID with which you created it */
        webhook: components['parameters']['webhook'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              webhookId: string;
              url: string;
              events: components['schemas']['EventName'][];
              createdTime: number;
              failures: number;
              paused: boolean;
              /** @description Number of events that are waiting to be sent. */
              pending: number;
              /** @description The latest calls, newest first. */
              calls: {
                callId: number;
                eventId: string;
                attempt: number;
                /** @description The HTTP status; null if there was no reply. */
                status: number | null;
                reply: string;
                calledAt: components['schemas']['Time'];
              }[];
            };
          };
        };
      };
    };
  };
  putWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description webhook ID, as shown by `passbell webhook list`, or the ID with which you created it */
        webhook: components['parameters']['webhook'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['NewWebhook'];
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['CreatedWebhook'];
          };
        };
      };
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description webhook ID, as shown by `passbell webhook list`, or the ID with which you created it */
        webhook: components['parameters']['webhook'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              webhookId: string;
            };
          };
        };
      };
    };
  };
  updateWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description webhook ID, as shown by `passbell webhook list`, or the ID with which you created it */
        webhook: components['parameters']['webhook'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Events to send. */
          events?: components['schemas']['EventName'][];
          /** @description Whether the webhook is paused. The events of a paused webhook wait for at most 24 hours. */
          paused?: boolean;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Webhook'];
          };
        };
      };
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description webhook ID, as shown by `passbell webhook list`, or the ID with which you created it */
        webhook: components['parameters']['webhook'];
      };
      cookie?: never;
    };
    requestBody?: components['requestBodies']['Rotation'];
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              webhookId: string;
              /** @description Shown only once. */
              secret: string;
              oldSecretValidUntil: components['schemas']['Time'];
            };
          };
        };
      };
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description webhook ID, as shown by `passbell webhook list`, or the ID with which you created it */
        webhook: components['parameters']['webhook'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description event to send */
          event: components['schemas']['EventName'];
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['SentEvent'];
          };
        };
      };
    };
  };
  resendEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description webhook ID, as shown by `passbell webhook list`, or the ID with which you created it */
        webhook: components['parameters']['webhook'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description ID of the earlier call */
          callId: number;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['SentEvent'];
          };
        };
      };
    };
  };
  listTemplates: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              templates: components['schemas']['Template'][];
            };
          };
        };
      };
    };
  };
  getTemplate: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description name of the template, as shown by `passbell template list` */
        template: string;
        /** @description channel: SMS, WHATSAPP, VOICE or EMAIL */
        channel: components['parameters']['channel'];
        /** @description language of the text */
        language: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Template'];
          };
        };
      };
    };
  };
  putTemplate: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description name of the template, as shown by `passbell template list` */
        template: string;
        /** @description channel: SMS, WHATSAPP, VOICE or EMAIL */
        channel: components['parameters']['channel'];
        /** @description language of the text */
        language: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description the text, in Liquid; for voice calls, one sentence per line */
          text: string;
          /** @description subject of an email */
          subject?: string | null;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Template'];
          };
        };
      };
    };
  };
  deleteTemplate: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description name of the template, as shown by `passbell template list` */
        template: string;
        /** @description channel: SMS, WHATSAPP, VOICE or EMAIL */
        channel: components['parameters']['channel'];
        /** @description language of the text */
        language: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Template'];
          };
        };
      };
    };
  };
  getFraudSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['FraudSettings'];
          };
        };
      };
    };
  };
  updateFraudSettings: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Values by name. `null` restores the default. */
          settings: {
            [key: string]: number | null;
          };
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['FraudSettings'];
          };
        };
      };
    };
  };
  listFraudScopes: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['FraudScopes'];
          };
        };
      };
    };
  };
  changeFraudScope: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description scope to change: application, country or prefix
           * @enum {string}
           */
          scope: 'application' | 'country' | 'prefix';
          /**
           * @description A country such as DE, or a prefix such as +491512345. Empty for the whole application.
           * @default
           */
          key?: string;
          /**
           * @description pause, resume, allow or allowForEver; allowForEver is only for prefixes
           * @enum {string}
           */
          action: 'pause' | 'resume' | 'allow' | 'allowForEver';
          /**
           * @description Number of days that `allow` lasts.
           * @default 1
           */
          days?: number;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['FraudScopes'];
          };
        };
      };
    };
  };
  findUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description phone number, email address or user ID */
          person: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['EndUser'];
          };
        };
      };
    };
  };
  changeUser: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
        /** @description the `user` that a search returned */
        user: string;
        /** @description the change to make: end-sessions, unlock or reset-two-factor */
        change: 'end-sessions' | 'unlock' | 'reset-two-factor';
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['EndUser'];
          };
        };
      };
    };
  };
  sendTestCode: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description App Key of the application, or the ID with which you created it */
        application: components['parameters']['application'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description phone number with its country code, or email address */
          to: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['TestCode'];
          };
        };
      };
    };
  };
  listMessages: {
    parameters: {
      query?: {
        /** @description only items of the application with this App Key */
        app?: components['parameters']['ofApplication'];
        /** @description only messages in this state */
        state?: components['schemas']['MessageState'];
        /** @description only messages on this channel */
        channel?: components['schemas']['Channel'];
        /** @description only messages with this `reference` */
        reference?: string;
        /** @description Only items from this time on */
        from?: components['parameters']['from'];
        /** @description Only items before this time */
        to?: components['parameters']['to'];
        /** @description The value of `next` in the previous reply */
        after?: components['parameters']['after'];
        /** @description Maximum number of items */
        limit?: components['parameters']['limit'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              messages: components['schemas']['OwnedMessage'][];
              next?: components['schemas']['Next'];
            };
          };
        };
      };
    };
  };
  getMessage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description ID of a message */
        messageId: components['parameters']['messageId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['OwnedMessage'];
          };
        };
      };
    };
  };
  cancelMessage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description ID of a message */
        messageId: components['parameters']['messageId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['OwnedMessage'];
          };
        };
      };
    };
  };
  retryMessage: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description ID of a message */
        messageId: components['parameters']['messageId'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['OwnedMessage'];
          };
        };
      };
    };
  };
  explainMessages: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description phone number with its country code, or email address */
          recipient?: string;
          /** @description ID of a message */
          messageId?: string;
          /** @description the `maskId` from the reply to a send request */
          maskId?: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              messages: components['schemas']['ExplainedMessage'][];
              /** @description Why the list is empty; otherwise omitted. */
              note?: string;
            };
          };
        };
      };
    };
  };
  getUsage: {
    parameters: {
      query?: {
        /** @description only items of the application with this App Key */
        app?: components['parameters']['ofApplication'];
        /** @description first day (default: the first day of the month that contains the last day) */
        from?: string;
        /** @description last day (default: today) */
        to?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              usage: {
                appKey: string | null;
                day: string;
                channel: components['schemas']['Channel'];
                country: string;
                currency: string;
                sent: number;
                delivered: number;
                undelivered: number;
                failed: number;
                codes: number;
                verified: number;
                /** @description A decimal number such as 0.0075. */
                cost: string;
              }[];
            };
          };
        };
      };
    };
  };
  listSuppressions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              suppressions: {
                address: string;
                /** @enum {string} */
                reason: 'hardBounce' | 'complaint' | 'softBounces' | 'manual';
                source: string;
                details: string | null;
                since: components['schemas']['Time'];
              }[];
            };
          };
        };
      };
    };
  };
  importSuppressions: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description email addresses */
          addresses: string[];
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              added: number;
            };
          };
        };
      };
    };
  };
  removeSuppression: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description email address */
          address: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              address: string;
            };
          };
        };
      };
    };
  };
  eraseRecipient: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description phone number with its country code, or email address */
          recipient: string;
          /** @description erase only in this application (default: in all applications) */
          app?: string;
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              /** @description Number of erased items by kind. */
              erased: {
                [key: string]: number;
              };
              /** @description App Keys of the applications in which the recipient is still a test recipient. */
              testRecipientOf: string[];
            };
          };
        };
      };
    };
  };
  listProviderTypes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              types: {
                type: string;
                title: string;
                description: string;
                channels: components['schemas']['Channel'][];
                fields: {
                  [key: string]: unknown;
                }[];
              }[];
            };
          };
        };
      };
    };
  };
  listProviders: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              providers: components['schemas']['Provider'][];
            };
          };
        };
      };
    };
  };
  createProvider: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: components['requestBodies']['NewProvider'];
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Provider'];
          };
        };
      };
    };
  };
  getProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description provider ID, as shown by `passbell provider list`, or the ID with which you created it */
        provider: components['parameters']['provider'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Provider'];
          };
        };
      };
    };
  };
  putProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description provider ID, as shown by `passbell provider list`, or the ID with which you created it */
        provider: components['parameters']['provider'];
      };
      cookie?: never;
    };
    requestBody: components['requestBodies']['NewProvider'];
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Provider'];
          };
        };
      };
    };
  };
  deleteProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description provider ID, as shown by `passbell provider list`, or the ID with which you created it */
        provider: components['parameters']['provider'];
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              id: string;
            };
          };
        };
      };
    };
  };
  updateProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description provider ID, as shown by `passbell provider list`, or the ID with which you created it */
        provider: components['parameters']['provider'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Name of the provider in lists and messages. */
          name?: string;
          /** @description Whether the provider sends messages. */
          enabled?: boolean;
          settings?: components['schemas']['ProviderSettings'];
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Provider'];
          };
        };
      };
    };
  };
  testProvider: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description provider ID, as shown by `passbell provider list`, or the ID with which you created it */
        provider: components['parameters']['provider'];
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        'application/json': {
          /** @description Your own phone number or email address. */
          to?: string;
          /** @description channel of the test message */
          channel?: components['schemas']['Channel'];
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              credentials: components['schemas']['TestResult'];
              message?: components['schemas']['TestResult'];
            };
          };
        };
      };
    };
  };
  listRoutes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              routes: components['schemas']['Route'][];
            };
          };
        };
      };
    };
  };
  putRoute: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description channel: SMS, WHATSAPP, VOICE or EMAIL */
        channel: components['parameters']['channel'];
        /** @description ISO country code, or * for all other countries */
        country: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /**
           * @description `automatic` prefers the provider whose codes are entered most often
           * @default ordered
           * @enum {string}
           */
          mode?: 'ordered' | 'automatic';
          /** @description providers in the order in which they are tried */
          providers: components['schemas']['RouteEntry'][];
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['Route'];
          };
        };
      };
    };
  };
  deleteRoute: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description channel: SMS, WHATSAPP, VOICE or EMAIL */
        channel: components['parameters']['channel'];
        /** @description ISO country code, or * for all other countries */
        country: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              channel: components['schemas']['Channel'];
              country: string;
            };
          };
        };
      };
    };
  };
  listPrices: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              currency: string;
              channels: components['schemas']['ChannelPrices'][];
            };
          };
        };
      };
    };
  };
  putPrices: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        /** @description channel: SMS, WHATSAPP, VOICE or EMAIL */
        channel: components['parameters']['channel'];
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        'application/json': {
          /** @description Prices by ISO country code, or * for all other countries, such as { "IN": "0.0042" }. */
          prices: {
            [key: string]: string;
          };
        };
      };
    };
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: components['schemas']['ChannelPrices'];
          };
        };
      };
    };
  };
  listAuditEntries: {
    parameters: {
      query?: {
        /** @description Only items from this time on */
        from?: components['parameters']['from'];
        /** @description Only items before this time */
        to?: components['parameters']['to'];
        /** @description The value of `next` in the previous reply */
        after?: components['parameters']['after'];
        /** @description Maximum number of items */
        limit?: components['parameters']['limit'];
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done. */
      200: {
        headers: {
          [name: string]: unknown;
        };
        content: {
          'application/json': {
            /** @constant */
            success: true;
            message: string;
            data: {
              entries: {
                id: number;
                actor: string;
                action: string;
                subject: string;
                changes: {
                  name: string;
                  before: string;
                  after: string;
                }[];
                createdAt: components['schemas']['Time'];
              }[];
              next?: components['schemas']['Next'];
            };
          };
        };
      };
    };
  };
}
