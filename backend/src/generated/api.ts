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
      maskId: string;
      /** @description Unix seconds. */
      createdTime: number;
      /** @description Unix seconds. */
      expireTime: number;
      /** @description Unix seconds. */
      expiretime: number;
      charge: string;
      currency: string;
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
      | 'COOLDOWN'
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
}
