/** Creates providers that send messages through a gateway's HTTP API, according to a definition. */
import type { ChannelName } from '../../platform/contract/channels.js';
import { createExchange, ExchangeError, type HttpReply, type HttpRequest } from '../../platform/http/exchange.js';
import { emailOf } from '../email.js';
import { transportError } from '../http-failure.js';
import { ProviderError, type OutgoingMessage, type Provider } from '../provider.js';
import type { CredentialsCheck, ProviderContext } from '../provider-type.js';
import { compileCondition } from './conditions.js';
import { DefinitionError, type CheckDefinition, type GatewayDefinition, type LookUpDefinition } from './definition.js';
import { HIDDEN, hidePlaceholders, PLACEHOLDER } from './hidden.js';
import { compileOutcome, factsOf } from './outcome.js';
import { compilePath } from './paths.js';
import { createRegexpMeter } from './regexp-time.js';
import { compileReports } from './reports.js';
import { compileRequest } from './request.js';
import { createSlots } from './slots.js';
import { RenderError, type Values } from './templates.js';
import { valuesOf } from './values.js';

export interface GatewaySettings {
  /** Values that templates can use in addition to message values. */
  readonly values: Values;
  /** Names of the values that are secret. */
  readonly secretNames: readonly string[];
  /** The vendor's template ids by template name, with an optional language: `otp`, `otp.de`, `order_shipped`. */
  readonly templateIds: Readonly<Record<string, string>>;
}

type Sent = { readonly providerId: string };
type GatewayContext = Pick<
  ProviderContext,
  'name' | 'clock' | 'timeoutMs' | 'publicOnly' | 'addresses' | 'callbackUrl' | 'onReply'
>;

/**
 * Compiles all parts of a definition. Throws a {@link DefinitionError} if it is not valid. `documentation`: the vendor's
 * page that explains errors.
 */
export function compileGateway(definition: GatewayDefinition, documentation?: string) {
  const authentication = definition.authentication ?? { type: 'none' };
  const { check, lookUp, reports } = definition;
  const { usesVendorIds, reportsByProviderId } = reportIds(definition);
  return {
    definition,
    buildRequest: compileRequest(definition, authentication),
    outcomeOf: compileOutcome(definition, documentation),
    lookUp: lookUp && compileLookUp(definition, lookUp),
    check: check && compileCheck(definition, check),
    readReports: reports && compileReports(usesVendorIds ? reports : { ...reports, id: '' }),
    usesVendorIds,
    reportsByProviderId,
  };
}

/** Returns how reports are matched to messages. Throws a {@link DefinitionError} if they cannot be matched. */
export function reportIds(definition: Pick<GatewayDefinition, 'url' | 'headers' | 'body' | 'id' | 'reports'>) {
  const { reports } = definition;
  const usesVendorIds = replyAndReportsHaveId(definition);
  const reportsByProviderId = reports !== undefined && !reports.messageId && !usesCallbackUrl(definition);
  if (reportsByProviderId && !usesVendorIds)
    throw new DefinitionError(
      "needs the message ID in both the reply and the report, Passbell's message ID in the report, or {{ callbackUrl }} in the request",
    );
  return { usesVendorIds, reportsByProviderId };
}

export type CompiledGateway = ReturnType<typeof compileGateway>;

/**
 * Whether the vendor's message id can be stored: both the reply and the reports contain it, or there are no reports. If
 * not, Passbell's id is stored instead, because a report only counts for a message with the same id.
 */
const replyAndReportsHaveId = ({ id, reports }: Pick<GatewayDefinition, 'id' | 'reports'>): boolean =>
  reports === undefined || Boolean(id && reports.id);

/** Compiles a GET request with the same headers as for messages and, by default, the same authentication. */
function compileGet(
  definition: GatewayDefinition,
  { url, authentication }: Pick<CheckDefinition, 'url' | 'authentication'>,
) {
  const request = { method: 'GET', url, headers: definition.headers ?? {}, encoding: 'query' } as const;
  return compileRequest(request, authentication ?? definition.authentication ?? { type: 'none' });
}

const compileLookUp = (definition: GatewayDefinition, { url, found, id }: LookUpDefinition) => ({
  buildRequest: compileGet(definition, { url }),
  isFound: compileCondition(found),
  readId: compilePath(id),
});

const compileCheck = (definition: GatewayDefinition, check: CheckDefinition) => ({
  buildRequest: compileGet(definition, check),
  isValid: compileCondition(check.success),
});

/** Converts errors of rendering and sending a request. Returns other errors unchanged. */
function toProviderError(error: unknown): unknown {
  if (error instanceof RenderError) return new ProviderError('permanent', error.message, undefined, 'route');
  return error instanceof ExchangeError ? transportError('the provider', error) : error;
}

/** Creates a provider, and a function that returns its request without sending it. Opens no connection. */
export function createGateway(
  channel: ChannelName,
  compiled: CompiledGateway,
  settings: GatewaySettings,
  context: GatewayContext,
) {
  const { definition } = compiled;
  const { clock, publicOnly, callbackUrl } = context;
  const exchange = createExchange(context.addresses ?? { allowPrivate: !publicOnly });
  const run = createSlots({ clock, isOperators: !publicOnly, perSecond: definition.perSecond });
  const timeoutMs = Math.min(context.timeoutMs, (definition.timeoutSeconds ?? Infinity) * 1000);
  const withRegexpTime = createRegexpMeter(clock, !publicOnly);
  const { number = 'plus', needsTemplate = false, sign } = definition;

  function messageValues(message: OutgoingMessage, values: Values = settings.values): Values {
    if (channel === 'EMAIL') return { ...values, messageId: message.id, email: emailOf(message) };
    const options = {
      number,
      needsTemplate,
      templateIds: settings.templateIds,
      callbackUrl: callbackUrl?.(message.id),
    };
    return { ...values, ...valuesOf(message, options) };
  }

  async function sendRequest(build: () => HttpRequest): Promise<HttpReply> {
    try {
      const request = build();
      return await exchange.send((await sign?.(request, settings.values, clock.now())) ?? request, timeoutMs);
    } catch (error) {
      throw toProviderError(error);
    }
  }

  const sent = ({ id }: OutgoingMessage, vendorId = id): Sent => ({
    providerId: compiled.usesVendorIds ? vendorId : id,
  });

  async function send(message: OutgoingMessage): Promise<Sent> {
    const reply = await run(() => sendRequest(() => compiled.buildRequest(messageValues(message))));
    context.onReply?.(reply);
    const { providerId } = withRegexpTime((time) => compiled.outcomeOf(reply, clock.now(), time));
    return sent(message, providerId);
  }

  async function find(message: OutgoingMessage, since: number): Promise<Sent | undefined> {
    const { buildRequest, isFound, readId } = compiled.lookUp!;
    const values = () => ({ ...messageValues(message), since: new Date(since).toISOString() });
    const reply = await run(() => sendRequest(() => buildRequest(values())));
    const [isKnown, facts] = withRegexpTime((time) => {
      const read = factsOf(reply, time);
      return [isFound(read), read] as const;
    });
    if (isKnown) return sent(message, readId(facts.json));
    if (reply.status === 404 || (reply.status >= 200 && reply.status < 300 && facts.json !== undefined))
      return undefined;
    throw new ProviderError('transient', `the provider did not report whether it has the message (${reply.status})`);
  }

  /** Checks the credentials as {@link GatewayDefinition.check} describes. Sends no message. */
  async function check(): Promise<CredentialsCheck> {
    const { buildRequest, isValid } = compiled.check!;
    try {
      const reply = await sendRequest(() => buildRequest(settings.values));
      context.onReply?.(reply);
      if (withRegexpTime((time) => isValid(factsOf(reply, time)))) return { ok: true };
      const rejected = reply.status === 401 || reply.status === 403;
      return {
        ok: false,
        reason: `the provider ${rejected ? 'rejected' : 'did not confirm'} the credentials (${reply.status})`,
      };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { ok: false, reason: error.reason };
    }
  }

  /** Returns the request that would send the message, with secrets replaced by `••••`. */
  function dryRun(message: OutgoingMessage): HttpRequest {
    // The request is built without the secrets, so that they cannot appear in it in any encoding.
    const values = messageValues(message, {
      ...settings.values,
      ...Object.fromEntries(settings.secretNames.map((name) => [name, PLACEHOLDER])),
    });
    const [address, query] = String(values.callbackUrl).split('?');
    const callback = query === undefined ? address : `${address}?key=${PLACEHOLDER}`;
    try {
      const request = hidePlaceholders(compiled.buildRequest({ ...values, callbackUrl: callback }));
      return sign ? { ...request, headers: { ...request.headers, Authorization: HIDDEN } } : request;
    } catch (error) {
      throw toProviderError(error);
    }
  }

  const provider: Provider = {
    channel,
    name: context.name,
    ...(compiled.reportsByProviderId ? { reportsByProviderId: true } : {}),
    send,
    ...(compiled.lookUp ? { find } : {}),
    close: exchange.close,
  };
  return { provider, check, dryRun };
}

/** Whether the request contains the message's callback URL, which identifies the message in delivery reports. */
const usesCallbackUrl = ({ url, headers, body }: Pick<GatewayDefinition, 'url' | 'headers' | 'body'>): boolean =>
  JSON.stringify([url, headers, body]).includes('callbackUrl');
