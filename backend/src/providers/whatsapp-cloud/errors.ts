/** Errors of the WhatsApp Cloud API. */
import { httpFailure } from '../http-failure.js';
import { ProviderError, type FailureDetails, type FailureKind } from '../provider.js';

type Rule = readonly [codes: readonly number[], kind: FailureKind, concerns: ProviderError['concerns'], reason: string];

const RULES: readonly Rule[] = [
  [[0, 190], 'permanent', 'provider', 'WhatsApp rejected the access token; create a new one'],
  [[3, 10, 200, 299, 131005], 'permanent', 'provider', 'the access token has no permission to send messages'],
  [
    [33, 133010, 131045],
    'permanent',
    'provider',
    'the phone number ID does not exist, or is not registered with WhatsApp',
  ],
  [[368, 131031], 'permanent', 'provider', 'WhatsApp has restricted the account'],
  [[131042], 'permanent', 'provider', 'the WhatsApp account has a problem with its payment method'],
  [[131057], 'transient', 'provider', 'the WhatsApp account is under maintenance'],
  [[4, 80007, 130429, 131048, 133016], 'transient', 'provider', 'the WhatsApp account has reached its rate limit'],
  [[131056], 'transient', 'message', 'too many WhatsApp messages to this recipient'],
  [[2, 131016, 133004], 'transient', 'provider', 'WhatsApp is not available'],
  [[1, 131000], 'unknown', 'provider', 'WhatsApp reports an internal error'],
  [[131026, 131021], 'permanent', 'message', 'this number cannot receive WhatsApp messages'],
  [
    [130472, 131049],
    'permanent',
    'route',
    'WhatsApp did not deliver this message, because it limits marketing messages',
  ],
  [[131050], 'permanent', 'message', 'the recipient has opted out of these messages'],
  [[131030], 'permanent', 'route', 'a test number can only send to the recipients that are listed in the app'],
  [[130497], 'permanent', 'route', 'the WhatsApp account may not send to this country'],
  [[100, 131008, 131009], 'permanent', 'route', 'WhatsApp rejected a parameter of the message'],
  [[131047], 'permanent', 'route', 'WhatsApp requires an approved template for this message'],
  [[132000, 132012, 132018], 'permanent', 'route', 'the variables do not match the WhatsApp template'],
  [[132001], 'permanent', 'route', 'the WhatsApp template does not exist in this language'],
  [[132007, 132015, 132016], 'permanent', 'route', 'WhatsApp has paused or rejected the template'],
];

const PERMISSION_CODES: readonly [from: number, to: number] = [200, 299];

export const ERROR_PAGE =
  'https://developers.facebook.com/documentation/business-messaging/whatsapp/support/error-codes';

function ruleOf(code: number | undefined): Rule | undefined {
  if (code === undefined) return undefined;
  const isPermission = code >= PERMISSION_CODES[0] && code <= PERMISSION_CODES[1];
  return RULES.find(([codes]) => codes.includes(isPermission ? 200 : code));
}

const OPTED_OUT = 131050;

export function codeDetails(code: number): FailureDetails {
  if (!ruleOf(code)) return { code: `${code}` };
  const details = { code: `${code}`, link: ERROR_PAGE };
  return code === OPTED_OUT ? { ...details, optedOut: true } : details;
}

/** Converts an error reply. Without a rule for the error code, the HTTP status decides. */
export function toProviderError(status: number, code: number | undefined, retryAfterSeconds?: number): ProviderError {
  const rule = ruleOf(code);
  const label = code ?? status;
  const wait = (kind: string) => (kind === 'transient' ? retryAfterSeconds : undefined);
  if (rule) {
    const [, kind, concerns, reason] = rule;
    return new ProviderError(kind, `${reason} (${label})`, wait(kind), concerns);
  }
  const { kind, concerns } = httpFailure(status);
  const reason = {
    transient: 'the WhatsApp account has reached its rate limit',
    unknown: 'WhatsApp is having problems',
    permanent: 'WhatsApp rejected the message',
  }[kind];
  return new ProviderError(kind, `${reason} (${label})`, wait(kind), concerns);
}
