/** The client, with a method for each API operation that requires the App Secret. */
import { createHttp, serverUrl, type CallOptions, type Http, type HttpOptions, type SendOptions } from './http.js';
import { createTokenVerifier, type TokenClaims, type TokenOptions } from './tokens.js';
import type * as Types from './types.js';

export interface PassbellOptions extends HttpOptions {
  /**
   * The service's `BASE_URL`, if `baseUrl` is a different URL. `verifyTokenLocally` compares it with the token's
   * issuer.
   */
  readonly issuer?: string | undefined;
}

const newKey = (): string => crypto.randomUUID();

/** `{ limit: 5 }` → `?limit=5` */
function query(request: object): string {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}` : '';
}

/** Returns the successful result, which is listed first, and all results. */
function sentOf({ data }: Record<string, unknown>): Types.Sent {
  const { results } = data as Types.Schemas['SendEnvelope'];
  return { ...results[0]!, results };
}

/**
 * Each method resolves to the reply's data, and throws a `PassbellError` if the call fails. For servers only: never use
 * the App Secret in a browser.
 */
export class Passbell {
  readonly #http: Http;
  readonly #verifyToken: ReturnType<typeof createTokenVerifier>;

  constructor(options: PassbellOptions) {
    const { baseUrl, appKey, appSecret, issuer, fetch } = options;
    for (const [name, value] of Object.entries({ baseUrl, appKey, appSecret }))
      if (!value) throw new TypeError(`Passbell: ${name} is missing`);
    this.#http = createHttp(options);
    this.#verifyToken = createTokenVerifier({ serverUrl: serverUrl(baseUrl), appKey, issuer, fetch });
  }

  /** Throws if the API credentials are invalid. */
  async validateCredentials(options?: CallOptions): Promise<void> {
    await this.#get('/auth/authentication', options);
  }

  /** Returns the application that the API credentials belong to. */
  async getApplication(options?: CallOptions): Promise<Types.ApplicationInfo> {
    return (await this.#get('/application', options)).data as Types.ApplicationInfo;
  }

  /** Sends a code. To verify the code, pass its `maskId` or the recipient to `verifyOtp`. */
  async sendOtp(request: Types.SendOtpRequest, options?: SendOptions): Promise<Types.Sent> {
    return this.#send('/auth/sendotp', request, options);
  }

  /**
   * Verifies a code, by `maskId` or by recipient (`to`). A repeated call with the same Idempotency-Key returns the same
   * token.
   */
  async verifyOtp(request: Types.VerifyOtpRequest, options?: SendOptions): Promise<Types.SessionToken> {
    return (await this.#postOnce('/auth/verifyotp', request, options)).data as Types.SessionToken;
  }

  /** Reports to the fraud guard that a person entered a code that your site verified itself. */
  async reportVerified(request: Types.ReportVerifiedRequest, options?: CallOptions): Promise<void> {
    await this.#post('/auth/reportverified', request, options, true);
  }

  /** Asks the service whether a token is valid and not revoked. */
  async verifyToken(token: string, options: CallOptions & TokenOptions = {}): Promise<Types.VerifiedIdentity> {
    const { purpose = 'login' } = options;
    return (await this.#post('/auth/verifytoken', { token, purpose }, options, true)).data as Types.VerifiedIdentity;
  }

  /** Verifies a token without a call, with cached public keys. Does not notice that a token was revoked. */
  async verifyTokenLocally(token: string, options: TokenOptions = {}): Promise<TokenClaims> {
    return this.#verifyToken(token, options);
  }

  /** Revokes a token immediately. */
  async revokeSession(token: string, options?: CallOptions): Promise<void> {
    await this.#post('/auth/revokesession', { token }, options, true);
  }

  /** Turns off two-factor for a user who lost their authenticator. */
  async resetTwoFactor(identity: string, options?: CallOptions): Promise<void> {
    await this.#post('/auth/reset2fa', { identity }, options);
  }

  async sendOrderNotification(request: Types.OrderNotificationRequest, options?: SendOptions): Promise<Types.Sent> {
    return this.#send('/notifications/order', request, options);
  }

  async sendInvoiceNotification(request: Types.InvoiceNotificationRequest, options?: SendOptions): Promise<Types.Sent> {
    return this.#send('/notifications/invoice', request, options);
  }

  /** Returns a message's delivery status. */
  async getMessage(messageId: string, options?: CallOptions): Promise<Types.Message> {
    return (await this.#get(`/messages/${encodeURIComponent(messageId)}`, options)).data as Types.Message;
  }

  /** Returns a page of messages, newest first. Pass `next` as `after` to get the next page. */
  async listMessages(request: Types.ListMessagesRequest = {}, options?: CallOptions): Promise<Types.MessagePage> {
    return (await this.#get(`/messages${query(request)}`, options)).data as Types.MessagePage;
  }

  /** Returns counts and costs by day and channel, of the last 30 days by default. */
  async getUsage(request: Types.UsageRequest = {}, options?: CallOptions): Promise<Types.Usage> {
    return (await this.#get(`/usage${query(request)}`, options)).data as Types.Usage;
  }

  /** Creates a webhook. Store its `secret`, which is not shown again. */
  async createWebhook(request: Types.WebhookRequest, options?: CallOptions): Promise<Types.CreatedWebhook> {
    return (await this.#post('/webhooks', request, options)).data as Types.CreatedWebhook;
  }

  async listWebhooks(options?: CallOptions): Promise<Types.Webhook[]> {
    const { data } = await this.#get('/webhooks', options);
    return (data as Types.Schemas['WebhooksReply']['data']).webhooks;
  }

  /** Returns the ten latest events of a type, newest first, even without a webhook. */
  async listRecentEvents<Name extends Types.EventName>(
    event: Name,
    options?: CallOptions,
  ): Promise<Extract<Types.WebhookEvent, { event: Name }>[]> {
    const { data } = await this.#get(`/webhooks/recent?event=${event}`, options);
    return (data as { events: Extract<Types.WebhookEvent, { event: Name }>[] }).events;
  }

  async removeWebhook(webhookId: string, options?: CallOptions): Promise<void> {
    const path = `/webhooks/${encodeURIComponent(webhookId)}`;
    await this.#http({ method: 'DELETE', path, repeatable: true }, options);
  }

  #get(path: string, options?: CallOptions) {
    return this.#http({ method: 'GET', path, repeatable: true }, options);
  }

  #post(path: string, body: unknown, options?: CallOptions, repeatable = false) {
    return this.#http({ method: 'POST', path, body, repeatable }, options);
  }

  async #send(path: string, body: unknown, options?: SendOptions): Promise<Types.Sent> {
    return sentOf(await this.#postOnce(path, body, options));
  }

  #postOnce(path: string, body: unknown, options: SendOptions = {}) {
    const { idempotencyKey = newKey() } = options;
    return this.#http({ method: 'POST', path, body, repeatable: true, idempotencyKey }, options);
  }
}
