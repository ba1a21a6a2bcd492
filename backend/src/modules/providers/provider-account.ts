/** A provider: a vendor account, with its settings and credentials. */
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { ExpectedError } from '../../platform/expected-error.js';
import { parseUrl } from '../../platform/url.js';
import type { ProviderField, ProviderSettings, ProviderType } from '../../providers/provider-type.js';
import { providerType } from '../../providers/provider-types.js';

export interface StoredProvider {
  readonly id: string;
  readonly accountId: number;
  readonly type: string;
  readonly name: string;
  /** The fields that are not secret. */
  readonly settings: ProviderSettings;
  /** Sealed {@link ProviderSecrets}. */
  readonly secretsSealed: string;
  readonly enabled: boolean;
  /** When a check or a test message succeeded with these credentials; null if none did. Only then it sends messages. */
  readonly verifiedAt: number | null;
  readonly createdAt: number;
}

/** Removes the time of the verification, which does not concern the provider's connections. */
export const withoutVerification = ({ verifiedAt: _verifiedAt, ...stored }: StoredProvider) => stored;

export interface ProviderSecrets {
  readonly fields: ProviderSettings;
  /** Secret in the URL for delivery reports. */
  readonly callbackKey: string;
}

/** Returns the channels of a provider that cannot be opened: all that it may have been set up for. */
export const possibleChannels = (type: string): readonly ChannelName[] => providerType(type)?.channels ?? CHANNELS;

/** Encryption context for a provider's secrets, which cannot be decrypted with another provider's id. */
export const secretsContext = (id: string): string => `provider:${id}`;

/** Problems by field name, such as `is missing`. */
export type FieldProblems = Readonly<Record<string, string>>;

/** A provider cannot be stored as requested. The message states the reason. */
export class ProviderSettingsError extends ExpectedError {
  constructor(
    message: string,
    readonly problems: FieldProblems = {},
  ) {
    super(message);
  }
}

/** The problem of a required field without a value. */
export const MISSING = 'is missing';

const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 20_000;

const isUrl = (value: string): boolean => {
  const url = parseUrl(value);
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
};

function kindProblem({ kind, choices = [] }: ProviderField, value: string): string | undefined {
  if (kind !== 'multiline' && /\p{Cc}/u.test(value)) return 'must not contain control characters';
  if (kind === 'number' && !/^\d{1,9}$/.test(value)) return 'must be a whole number';
  if (kind === 'boolean' && !['true', 'false'].includes(value)) return 'must be true or false';
  if (kind === 'choice' && !choices.includes(value)) return `must be one of ${choices.join(', ')}`;
  if (kind === 'url' && !isUrl(value))
    return 'must be a URL that starts with http:// or https://, without a username or password';
  if (kind === 'email' && !/^[^\r\n@]*@[^\r\n]+$/.test(value)) return 'must be an email address';
  return undefined;
}

function fieldProblem(field: ProviderField, value: string | undefined, isOperator: boolean): string | undefined {
  if (value === undefined) return field.required ? MISSING : undefined;
  if (field.operatorOnly && !isOperator) return 'can only be set by the operator';
  if (value.length > MAX_VALUE_LENGTH) return 'is too long';
  return kindProblem(field, value) ?? field.problem?.(value);
}

/** The problem with the first of several fields, of which at least one needs a value. */
function oneOfProblem({ oneOf = [] }: ProviderType, settings: ProviderSettings): readonly [string, string][] {
  const [first, ...others] = oneOf;
  if (first === undefined || oneOf.some((name) => settings[name] !== undefined)) return [];
  return [[first, `${MISSING}, and so are ${others.join(', ')}; at least one of them is required`]];
}

/** Throws a {@link ProviderSettingsError} unless the values are valid. Never repeats a value, which may be secret. */
export function assertSettings(type: ProviderType, settings: ProviderSettings, isOperator: boolean): void {
  const unknown = Object.keys(settings).find((name) => !type.fields.some((field) => field.name === name));
  if (unknown !== undefined) throw new ProviderSettingsError(`${type.title} has no setting ${unknown}`);
  const values = type.fields.map(
    (field) => [field.name, fieldProblem(field, settings[field.name], isOperator)] as const,
  );
  const combinations = type.problems?.(withDefaults(type, settings)) ?? [];
  const problems = new Map<string, string>();
  for (const [name, problem] of [...values, ...combinations, ...oneOfProblem(type, settings)])
    if (problem !== undefined && !problems.has(name)) problems.set(name, problem);
  const [first] = problems;
  if (first) throw new ProviderSettingsError(first.join(' '), Object.fromEntries(problems));
}

export function assertName(name: string): void {
  if (name.trim() === '' || name.length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name))
    throw new ProviderSettingsError(`the name must have between 1 and ${MAX_NAME_LENGTH} characters`, {
      name: `must have between 1 and ${MAX_NAME_LENGTH} characters`,
    });
}

export function withDefaults({ fields }: ProviderType, settings: ProviderSettings): ProviderSettings {
  const defaults = fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
  return { ...Object.fromEntries(defaults), ...settings };
}

/** Whether the settings differ in a field that decides which account at which server sends the messages. */
export function differInCredentials({ fields }: ProviderType, a: ProviderSettings, b: ProviderSettings): boolean {
  const credentials = fields.filter(
    (field) => field.secret || field.required || field.kind === 'url' || field.connects,
  );
  return credentials.some(({ name }) => a[name] !== b[name]);
}

/** Merges `change` into the settings. An empty value removes the field. */
export function mergeSettings(before: ProviderSettings, change: ProviderSettings): ProviderSettings {
  return Object.fromEntries(Object.entries({ ...before, ...change }).filter(([, value]) => value !== ''));
}

export function splitSecrets({ fields }: ProviderType, settings: ProviderSettings) {
  const secretNames = new Set(fields.filter(({ secret }) => secret).map(({ name }) => name));
  const pick = (isSecret: boolean): ProviderSettings =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => secretNames.has(name) === isSecret));
  return { plain: pick(false), secret: pick(true) };
}

/** Matches URLs in text fields, which may be templates. */
const URL_START = /^\s*https?:/i;

/**
 * Returns the values for the audit log. Secrets, long texts, and the path and query of URLs are left out, because they
 * may contain a key.
 */
export function auditableSettings({ fields }: ProviderType, settings: ProviderSettings): ProviderSettings {
  const shown = fields.flatMap(({ name, kind, secret }): [string, string][] => {
    const value = settings[name];
    if (value === undefined || secret || kind === 'multiline') return [];
    return [[name, kind === 'url' || URL_START.test(value) ? (parseUrl(value)?.origin ?? '') : value]];
  });
  return Object.fromEntries(shown);
}
