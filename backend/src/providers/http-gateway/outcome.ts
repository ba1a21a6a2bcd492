/** Reads a gateway's reply: accepted, or the reason and kind of the failure. */
import { parseJson } from '../../platform/json.js';
import { retryAfterSeconds, type HttpReply } from '../../platform/http/exchange.js';
import { httpFailure } from '../http-failure.js';
import { ProviderError } from '../provider.js';
import { compileCondition, compilePattern, type Condition, type Facts, type RegexpTime } from './conditions.js';
import { DefinitionError, type GatewayDefinition } from './definition.js';
import { compilePath, type ReadPath } from './paths.js';

/**
 * - `permanent`: the gateway rejected the message or its recipient, and a retry cannot succeed.
 * - `route`: this gateway cannot send the message, but another one may.
 * - `account`: the gateway sends nothing at the moment, for example because the credentials are wrong or there is no credit left.
 * - `transient`: the message was certainly not sent, and a retry can succeed.
 * - `unknown`: the message may have been sent.
 */
const ERROR_KINDS = {
  permanent: ['permanent', 'message'],
  route: ['permanent', 'route'],
  account: ['permanent', 'provider'],
  transient: ['transient', 'provider'],
  unknown: ['unknown', 'provider'],
} as const;
type ErrorKind = keyof typeof ERROR_KINDS;

interface ErrorRule {
  readonly kind: ErrorKind;
  readonly matches: Condition;
  readonly reason: string | undefined;
}

export interface Outcome {
  /** The vendor's message id; undefined if the reply contains none. */
  readonly providerId: string | undefined;
}

/** Reads `kind: condition => reason`; the reason is optional. */
export function compileRule(text: string): ErrorRule {
  const colon = text.indexOf(':');
  const kind = text.slice(0, Math.max(colon, 0)).trim();
  if (!Object.hasOwn(ERROR_KINDS, kind))
    throw new DefinitionError(
      `contains “${text.trim()}”, which must start with one of ${Object.keys(ERROR_KINDS).join(', ')}, followed by a colon`,
    );
  const rule = text.slice(colon + 1);
  const arrow = /\s=>/.exec(rule)?.index ?? rule.length;
  const reason = rule.slice(arrow + ' =>'.length).trim() || undefined;
  return { kind: kind as ErrorKind, matches: compileCondition(rule.slice(0, arrow)), reason };
}

/** Returns the kind of a failure that no rule matches. */
function kindOf(status: number): ErrorKind {
  const { kind, concerns } = httpFailure(status);
  if (kind !== 'permanent') return kind;
  return concerns === 'provider' ? 'account' : 'route';
}

const DEFAULT_REASONS: Readonly<Record<ErrorKind, string>> = {
  permanent: 'the provider rejected the message',
  route: 'the provider rejected the message',
  account: 'the provider rejected the request; check its address and credentials',
  transient: 'the provider was temporarily unavailable',
  unknown: "the provider's reply does not confirm the message",
};

/** Matches vendors' error codes, such as `15` or `INVALID_SENDER`. Rejects long numbers, which may be phone numbers. */
export const ERROR_CODE = /^(?!.*\d{6})[\w.:-]{1,40}$/;

export function factsOf({ status, text, truncated }: HttpReply, regexpTime: RegexpTime): Facts {
  // The missing part of a truncated reply could change its meaning.
  if (truncated) return { status, text: '', json: undefined, regexpTime };
  return { status, text, json: parseJson(text), regexpTime };
}

/** Compiles a path such as `messages[0].id`, or a regular expression such as `/id=(\w+)/`. */
export function compileId(text: string): (facts: Facts) => string | undefined {
  if (text.trim().startsWith('/')) {
    const find = compilePattern(text);
    return ({ text: reply, regexpTime }) => find(reply, regexpTime);
  }
  const read = compilePath(text);
  return ({ json }) => read(json);
}

/**
 * Returns a function that reads a reply, and throws a {@link ProviderError} unless the message was accepted.
 * `documentation`: the vendor's page, for errors that a rule explains.
 */
export function compileOutcome(
  definition: GatewayDefinition,
  documentation?: string,
): (reply: HttpReply, now: number, regexpTime: RegexpTime) => Outcome {
  const success = definition.success ? compileCondition(definition.success) : undefined;
  const rules = (definition.errors ?? []).map(compileRule);
  const readId = definition.id ? compileId(definition.id) : () => undefined;
  const readCode: ReadPath = definition.errorCode ? compilePath(definition.errorCode) : () => undefined;

  return (reply, now, regexpTime) => {
    const facts = factsOf(reply, regexpTime);
    const { status } = facts;
    // A confirmed message must not be sent again, so `success` is checked before the error rules.
    if (success?.(facts)) return { providerId: readId(facts) };
    const rule = rules.find(({ matches }) => matches(facts));
    if (!success && !rule && status >= 200 && status < 300) return { providerId: readId(facts) };
    const name = rule?.kind ?? kindOf(status);
    const code = readCode(facts.json) ?? '';
    const isCode = ERROR_CODE.test(code);
    const label = isCode ? `${status}, ${code}` : `${status}`;
    const [kind, concerns] = ERROR_KINDS[name];
    const wait = kind === 'transient' ? retryAfterSeconds(reply, now) : undefined;
    const error = new ProviderError(kind, `${rule?.reason ?? DEFAULT_REASONS[name]} (${label})`, wait, concerns);
    const link = rule?.reason === undefined ? undefined : documentation;
    throw error.withDetails({
      status,
      reply: reply.text,
      ...(isCode ? { code } : {}),
      ...(link === undefined ? {} : { link }),
    });
  };
}
