/** The client, with a method for each API operation that requires the App Secret. */
import {
  createHttp,
  pause,
  serverUrl,
  type CallOptions,
  type Http,
  type HttpOptions,
  type ReplyMeta,
  type Request,
  type SendOptions,
} from './http.js';
import { PassbellError } from './errors.js';
import { createTokenVerifier, type TokenClaims, type TokenOptions } from './tokens.js';
import type * as Types from './types.js';

export interface PassbellOptions extends HttpOptions {
  /**
   * The service's `BASE_URL`, if `baseUrl` is a different URL. `verifyTokenLocally` compares it with the token's
   * issuer.
   */
  readonly issuer?: string | undefined;
}

export interface WaitOptions extends CallOptions {
  /**
   * The state to wait for: `sent` when a provider has accepted the message, `delivered` when it has reported the
   * delivery, which many providers never do.
   */
  readonly until?: 'sent' | 'delivered' | undefined;
  /** Time limit for all calls together, in milliseconds. The default is one minute. With 0, there is one call. */
  readonly waitMs?: number | undefined;
}

const WAIT_MS = 60_000;
/** Pauses between the calls of `waitFor`, the first and the longest. */
const POLL_MS = 250;
/** Maximum delay of a timer. Longer delays make a timer fire at once, or are rejected. */
const MAX_TIMER_MS = 2 ** 31 - 1;
const MAX_POLL_MS = 5000;

const newKey = (): string => crypto.randomUUID();

/** `{ limit: 5 }` → `?limit=5` */
function query(request: object): string {
  const entries = Object.entries(request).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? `?${new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))}` : '';
}

/** A result, with metadata about the call. `meta` is not enumerable: JSON and comparisons leave it out. */
export type WithMeta<Data> = Data & { readonly meta: ReplyMeta };

const withMeta = <Data extends object>(data: Data, meta: ReplyMeta): WithMeta<Data> =>
  Object.defineProperty(data, 'meta', { value: meta }) as WithMeta<Data>;

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
    // Errors contain the URL.
    if (/^[^/?#]*\/\/[^/?#]*@/.test(baseUrl))
      throw new TypeError('Passbell: baseUrl must not contain a username or password');
    this.#http = createHttp(options);
    this.#verifyToken = createTokenVerifier({ serverUrl: serverUrl(baseUrl), appKey, issuer, fetch });
  }

  /** Throws if the API credentials are invalid. */
  async validateCredentials(options?: CallOptions): Promise<void> {
    await this.#get('/auth/authentication', options);
  }

  /** Returns the application that the API credentials belong to. */
  async getApplication(options?: CallOptions): Promise<WithMeta<Types.ApplicationInfo>> {
    return this.#get<Types.ApplicationInfo>('/application', options);
  }

  /** Sends a code. To verify the code, pass its `maskId` or the recipient to `verifyOtp`. */
  async sendOtp(request: Types.SendOtpRequest, options?: SendOptions): Promise<WithMeta<Types.Sent>> {
    return this.#send('/auth/sendotp', request, options);
  }

  /**
   * Verifies a code, by `maskId` or by recipient (`to`). A repeated call with the same Idempotency-Key returns the same
   * token.
   */
  async verifyOtp(request: Types.VerifyOtpRequest, options?: SendOptions): Promise<WithMeta<Types.SessionToken>> {
    return this.#postOnce<Types.SessionToken>('/auth/verifyotp', request, options);
  }

  /** Returns the state of a code, without the code. */
  async getOtp(maskId: string, options?: CallOptions): Promise<WithMeta<Types.CodeStatus>> {
    return this.#get<Types.CodeStatus>(`/auth/otp/${encodeURIComponent(maskId)}`, options);
  }

  /** Cancels a code, so that it can never be verified. Changes nothing if it was verified or has expired: check `state`. */
  async cancelOtp(maskId: string, options?: CallOptions): Promise<WithMeta<Types.CodeStatus>> {
    const path = `/auth/otp/${encodeURIComponent(maskId)}`;
    return this.#call<Types.CodeStatus>({ method: 'DELETE', path, repeatable: true }, options);
  }

  /** Reports to the fraud guard that a person entered a code that your site verified itself. */
  async reportVerified(request: Types.ReportVerifiedRequest, options?: CallOptions): Promise<void> {
    await this.#post('/auth/reportverified', request, options, true);
  }

  /** Creates a page on which the person enters a code, for a program that waits for it. */
  async createCodePage(request: Types.CodePageRequest, options?: CallOptions): Promise<WithMeta<Types.CodePage>> {
    return this.#post<Types.CodePage>('/auth/codepages', request, options);
  }

  /** Asks the service whether a token is valid and not revoked. */
  async verifyToken(
    token: string,
    options: CallOptions & TokenOptions = {},
  ): Promise<WithMeta<Types.VerifiedIdentity>> {
    const { purpose = 'login' } = options;
    return this.#post<Types.VerifiedIdentity>('/auth/verifytoken', { token, purpose }, options, true);
  }

  /** Verifies a token without a call, with cached public keys. Does not notice that a token was revoked. */
  async verifyTokenLocally(token: string, options: TokenOptions = {}): Promise<TokenClaims> {
    return this.#verifyToken(token, options);
  }

  /** Revokes a token immediately. */
  async revokeSession(token: string, options?: CallOptions): Promise<void> {
    await this.#post('/auth/revokesession', { token }, options, true);
  }

  /** Turns off two-factor for a user who lost their authenticator app. */
  async resetTwoFactor(identity: string, options?: CallOptions): Promise<void> {
    await this.#post('/auth/reset2fa', { identity }, options);
  }

  async sendOrderNotification(
    request: Types.OrderNotificationRequest,
    options?: SendOptions,
  ): Promise<WithMeta<Types.Sent>> {
    return this.#send('/notifications/order', request, options);
  }

  async sendInvoiceNotification(
    request: Types.InvoiceNotificationRequest,
    options?: SendOptions,
  ): Promise<WithMeta<Types.Sent>> {
    return this.#send('/notifications/invoice', request, options);
  }

  /** Returns a message's delivery status. */
  async getMessage(messageId: string, options?: CallOptions): Promise<WithMeta<Types.Message>> {
    return this.#get<Types.Message>(`/messages/${encodeURIComponent(messageId)}`, options);
  }

  /**
   * Waits until a message is in a state, and resolves to the message, also if the message is in another final state, such as
   * `failed`. Throws `TIMED_OUT` after `waitMs`.
   */
  async waitFor(messageId: string, options: WaitOptions = {}): Promise<WithMeta<Types.Message>> {
    const { until = 'sent', waitMs = WAIT_MS, ...call } = options;
    const waiting = ['scheduled', 'queued', 'sending', ...(until === 'delivered' ? ['sent'] : [])];
    const endsAt = Date.now() + waitMs;
    const limit = waitMs > 0 ? AbortSignal.timeout(Math.min(Math.ceil(waitMs), MAX_TIMER_MS)) : undefined;
    const signals = [call.signal, limit].filter((signal) => signal !== undefined);
    const signal = AbortSignal.any(signals);
    let reason = 'no reply';
    try {
      for (let pollMs = POLL_MS; ; pollMs = Math.min(pollMs * 2, MAX_POLL_MS)) {
        const message = await this.getMessage(messageId, { ...call, signal });
        if (!waiting.includes(message.state)) return message;
        reason = `the message is still ${message.state}`;
        if (!limit) break;
        const leftMs = endsAt - Date.now();
        // The last call starts shortly before the end.
        await pause(Math.min(pollMs, leftMs > POLL_MS ? leftMs - POLL_MS : leftMs), signal);
      }
    } catch (error) {
      if (!limit?.aborted || call.signal?.aborted) throw error;
    }
    throw new PassbellError('TIMED_OUT', `${reason} after ${waitMs} ms`);
  }

  /** Cancels a scheduled notification. Does nothing if it was canceled before. */
  async cancelMessage(messageId: string, options?: CallOptions): Promise<WithMeta<Types.Message>> {
    const path = `/messages/${encodeURIComponent(messageId)}`;
    return this.#call<Types.Message>({ method: 'DELETE', path, repeatable: true }, options);
  }

  /** Returns a page of messages, newest first. Pass `next` as `after` to get the next page. */
  async listMessages(
    request: Types.ListMessagesRequest = {},
    options?: CallOptions,
  ): Promise<WithMeta<Types.MessagePage>> {
    return this.#get<Types.MessagePage>(`/messages${query(request)}`, options);
  }

  /** Returns all messages, newest first: `for await (const message of passbell.iterateMessages())`. */
  async *iterateMessages(
    request: Types.ListMessagesRequest = {},
    options?: CallOptions,
  ): AsyncGenerator<Types.Message, void> {
    for (let { after } = request; ;) {
      const { messages, next } = await this.listMessages({ ...request, after }, options);
      yield* messages;
      if (next === undefined) return;
      after = next;
    }
  }

  /** Returns counts and costs by day and channel, of the last 30 days by default. */
  async getUsage(request: Types.UsageRequest = {}, options?: CallOptions): Promise<WithMeta<Types.Usage>> {
    return this.#get<Types.Usage>(`/usage${query(request)}`, options);
  }

  /** Creates a webhook. Store its `secret`, which is not shown again. */
  async createWebhook(request: Types.WebhookRequest, options?: CallOptions): Promise<WithMeta<Types.CreatedWebhook>> {
    return this.#post<Types.CreatedWebhook>('/webhooks', request, options);
  }

  async listWebhooks(options?: CallOptions): Promise<WithMeta<Types.Webhook[]>> {
    const { webhooks, meta } = await this.#get<Types.Schemas['WebhooksReply']['data']>('/webhooks', options);
    return withMeta(webhooks, meta);
  }

  /** Returns the ten latest events of a type, newest first, even without a webhook. */
  async listRecentEvents<Name extends Types.EventName>(
    event: Name,
    options?: CallOptions,
  ): Promise<WithMeta<Extract<Types.WebhookEvent, { event: Name }>[]>> {
    const path = `/webhooks/recent?event=${event}`;
    const { events, meta } = await this.#get<{ events: Extract<Types.WebhookEvent, { event: Name }>[] }>(path, options);
    return withMeta(events, meta);
  }

  async removeWebhook(webhookId: string, options?: CallOptions): Promise<void> {
    const path = `/webhooks/${encodeURIComponent(webhookId)}`;
    await this.#call({ method: 'DELETE', path, repeatable: true }, options);
  }

  #get<Data extends object>(path: string, options?: CallOptions) {
    return this.#call<Data>({ method: 'GET', path, repeatable: true }, options);
  }

  #post<Data extends object>(path: string, body: unknown, options?: CallOptions, repeatable = false) {
    return this.#call<Data>({ method: 'POST', path, body, repeatable }, options);
  }

  #postOnce<Data extends object>(path: string, body: unknown, options: SendOptions = {}) {
    const { idempotencyKey = newKey() } = options;
    return this.#call<Data>({ method: 'POST', path, body, repeatable: true, idempotencyKey }, options);
  }

  /** Returns the successful result, which is listed first, and all results. */
  async #send(path: string, body: unknown, options?: SendOptions): Promise<WithMeta<Types.Sent>> {
    const { results, meta } = await this.#postOnce<Types.Schemas['SendEnvelope']>(path, body, options);
    return withMeta({ ...results[0]!, results }, meta);
  }

  /** Returns the reply's data; an empty object if the reply has none. */
  async #call<Data extends object>(request: Request, options?: CallOptions): Promise<WithMeta<Data>> {
    const { data = {}, meta } = await this.#http(request, options);
    return withMeta(data as Data, meta);
  }
}
