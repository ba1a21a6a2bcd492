/** Definitions of all settings. `.env.example` and the settings table in the README are generated from them. */
import { readFileSync } from 'node:fs';
import ipaddr from 'ipaddr.js';
import { TEMPLATES } from '../contract/generated/templates.js';
import { parseDatabaseUrl } from '../db/database-url.js';
import { ExpectedError } from '../expected-error.js';
import { CHANNEL_CONCURRENCY } from '../queue/queue.js';
import { parseRedisUrl } from '../redis-address.js';
import {
  certificates,
  dnsServers,
  integer,
  list,
  matching,
  oneOf,
  pemFile,
  perChannel,
  text,
  url,
} from './config-values.js';
import { readPrices } from './prices-file.js';

export interface Setting<T = unknown> {
  readonly parse: (text: string) => T;
  readonly default?: string;
  readonly meaning: string;
  readonly secret?: boolean;
}

/** Parses contacts for security.txt: addresses as in `mailto:security@shop.example`, or pages. */
function securityContacts(value: string): string[] {
  const contacts = list(value);
  if (contacts.length === 0 || !contacts.every((contact) => /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(contact)))
    throw new Error(
      'must list addresses as in mailto:security@shop.example, or pages as in https://shop.example/security',
    );
  return contacts;
}

const e164 = matching(/^\+[1-9]\d{6,14}$/, 'a phone number such as +14155550100');

/** Rejects short keys, because an attacker who guesses a key can crack stored code hashes. */
function secretKeys(value: string): string[] {
  const keys = list(value);
  if (keys.length === 0 || keys.some((key) => key.length < 32))
    throw new Error('must be keys of at least 32 characters, newest first, separated by commas');
  return keys;
}

/** Parses approved templates by name, with an optional language: `order_shipped=HX…,order_shipped.de=HX…`. */
export function contentSids(value: string): Readonly<Record<string, string>> {
  const entries = list(value).map((item) => /^([a-z_]+)(\.[a-z]{2})?=(HX[0-9a-fA-F]{32})$/.exec(item));
  if (entries.some((entry) => entry === null || !Object.hasOwn(TEMPLATES, entry[1]!)))
    throw new Error(
      'must list names of notification templates, optionally with a language, each with =HX and 32 hex digits',
    );
  return Object.fromEntries(entries.map((entry) => [`${entry![1]}${entry![2] ?? ''}`, entry![3]!]));
}

function databaseUrl(value: string): string {
  const trimmed = value.replace(/(?<!\/)\/+$/, '');
  parseDatabaseUrl(trimmed);
  return trimmed;
}

const isProxy = (item: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(item) || ipaddr.isValid(item) || ipaddr.isValidCIDR(item);

function parseTrustProxy(value: string): boolean | number | string[] {
  if (/^\d{1,2}$/.test(value)) return Number(value);
  if (value.toLowerCase() === 'false') return false;
  const proxies = list(value);
  // Rejects `true`, which would let any client forge its IP address.
  if (proxies.length === 0 || !proxies.every(isProxy))
    throw new Error('must be false, a number of proxies, or a list of their addresses or networks');
  return proxies;
}

export const SETTINGS = {
  PORT: { parse: integer(0, 65535), default: '3000', meaning: 'Port to listen on; 0 selects a free port.' },
  HOST: { parse: text, default: '127.0.0.1', meaning: 'Address to listen on.' },
  BASE_URL: {
    parse: (value) => url('http:', 'https:')(value).replace(/\/api\/v1$/, ''),
    meaning:
      'Public URL of this server, without `/api/v1`. Used in links, as the token issuer (`passbell` if unset), and for delivery reports.',
  },
  DATA_DIR: { parse: text, default: './data', meaning: 'Folder for the SQLite database and the generated key.' },
  DATABASE_URL: {
    parse: databaseUrl,
    secret: true,
    meaning:
      'MySQL 8 or newer, or MariaDB 10.11 or newer, as `mysql://user:password@host:3306/passbell`; SQLite if unset. With several hosts, as in `host1,host2:3307`, Passbell uses the first that accepts writes. `?ssl-mode=REQUIRED` turns on TLS.',
  },
  DATABASE_CA_FILE: {
    parse: certificates,
    meaning: "PEM file with the CA that signed the database server's certificate. Turns on TLS.",
  },
  DATABASE_CERT_FILE: {
    parse: certificates,
    meaning: 'PEM file with the client certificate for the database, if its server requires one.',
  },
  DATABASE_KEY_FILE: {
    parse: pemFile,
    meaning: 'PEM file with the private key for the certificate in `DATABASE_CERT_FILE`.',
  },
  REDIS_URL: {
    parse(value) {
      parseRedisUrl(value);
      return value.replace(/(?<!\/)\/+$/, '');
    },
    secret: true,
    meaning:
      'Redis 6 or newer, or Valkey, for the queue and the rate limits, as `redis://:password@host:6379/0`, `redis+sentinel://:password@host1:26379,host2:26379/name` or `redis+cluster://:password@host1:6379,host2:6379`. `rediss` instead of `redis` turns on TLS. Required with `DATABASE_URL`.',
  },
  REDIS_CA_FILE: {
    parse: certificates,
    meaning:
      "PEM file with the CA that signed the Redis server's certificate, if it is not a public CA. Used with `rediss`.",
  },
  REDIS_CERT_FILE: {
    parse: certificates,
    meaning: 'PEM file with the client certificate for Redis, if its server requires one.',
  },
  REDIS_KEY_FILE: {
    parse: pemFile,
    meaning: 'PEM file with the private key for the certificate in `REDIS_CERT_FILE`.',
  },
  MOVE_DATABASE_URL: {
    parse: databaseUrl,
    secret: true,
    meaning: 'MySQL database to which `passbell move` copies the data, in the same form as `DATABASE_URL`.',
  },
  ROLE: {
    parse: oneOf('all', 'api', 'worker'),
    default: 'all',
    meaning: 'What this process does: `api` serves requests, `worker` delivers messages, and `all` does both.',
  },
  SECRET_KEY: {
    parse: secretKeys,
    secret: true,
    meaning:
      'Encryption key for codes and stored secrets, at least 32 characters. To rotate it, list several keys, newest first, separated by commas. Generated in `DATA_DIR` if unset (SQLite only).',
  },
  SEND_WAIT_MS: {
    parse: integer(0, 30_000),
    default: '3000',
    meaning:
      'How long a send request waits for the first delivery result before it replies `queued`, in milliseconds. With 0, it does not wait.',
  },
  TRUST_PROXY: {
    parse: parseTrustProxy,
    default: 'false',
    meaning:
      'Number of proxies in front of this server, or a list of their addresses. If unset, `X-Forwarded-For` is ignored.',
  },
  LOG_LEVEL: {
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
    default: 'info',
    meaning: 'Minimum log level: fatal, error, warn, info, debug or silent.',
  },
  DEV_INBOX: {
    parse: oneOf('on', 'off', 'force'),
    default: 'on',
    meaning:
      "Inbox at `/dev/inbox` for channels without a provider. `on` works only on a developer's machine. With a public `BASE_URL` or `HOST`, `TRUST_PROXY`, Redis or a provider in the environment (`SMTP_URL`, `TWILIO_ACCOUNT_SID`), use `force`: the inbox address then contains a key, and is printed at startup. Sign-in codes for the dashboard never appear with `force`. With `on`, they appear only at the address with a key.",
  },
  METRICS_TOKEN: {
    parse: matching(/^[\x21-\x7e]{16,}$/, 'at least 16 ASCII characters, without spaces'),
    secret: true,
    meaning:
      "Bearer token that `/metrics` requires. If unset, `/metrics` is open to requests from the same machine on a developer's machine (see `DEV_INBOX`), and closed elsewhere.",
  },
  SECURITY_CONTACT: {
    parse: securityContacts,
    meaning:
      'Contacts for vulnerability reports about this server, as `mailto:security@shop.example` or `https://…`, separated by commas. Published at `/.well-known/security.txt`.',
  },
  SMTP_URL: {
    parse: url('smtp:', 'smtps:'),
    secret: true,
    meaning: 'Mail server, as `smtp://user:password@host:587` or `smtps://…`. Turns on EMAIL.',
  },
  MAIL_FROM: {
    parse: matching(/^[^\r\n@]*@[^\r\n]+$/, 'an email address such as Shop <codes@shop.example>'),
    meaning: 'Sender address of emails. Required with `SMTP_URL`.',
  },
  TWILIO_ACCOUNT_SID: {
    parse: matching(/^AC[0-9a-fA-F]{32}$/, 'AC and 32 hex digits'),
    meaning: 'Twilio account SID.',
  },
  TWILIO_AUTH_TOKEN: { parse: text, secret: true, meaning: 'Twilio auth token.' },
  TWILIO_SMS_FROM: { parse: text, meaning: 'Phone number or sender name for SMS. Turns on SMS.' },
  TWILIO_MESSAGING_SERVICE_SID: {
    parse: matching(/^MG[0-9a-fA-F]{32}$/, 'MG and 32 hex digits'),
    meaning: 'Twilio messaging service for SMS. Replaces `TWILIO_SMS_FROM`.',
  },
  TWILIO_WHATSAPP_FROM: { parse: e164, meaning: 'WhatsApp number to send from. Turns on WHATSAPP.' },
  TWILIO_WHATSAPP_CONTENT_SID: {
    parse: matching(/^HX[0-9a-fA-F]{32}$/, 'HX and 32 hex digits'),
    meaning: 'Approved WhatsApp template for codes. Variable 1 is the code.',
  },
  TWILIO_WHATSAPP_TEMPLATES: {
    parse: contentSids,
    meaning:
      'Approved WhatsApp templates for notifications, as `order_shipped=HX…,order_shipped.de=HX…`. `passbell template list` shows the order of their variables.',
  },
  TWILIO_VOICE_FROM: { parse: e164, meaning: 'Phone number to call from. Turns on VOICE.' },
  TWILIO_API_URL: {
    parse: url('http:', 'https:'),
    meaning: "Replaces the address of Twilio's API, for a proxy or for tests.",
  },
  VOICE_LANGUAGE: {
    parse: matching(
      /^(?:de|en|es|fr|it|nl|pt)-[A-Z]{2}$/,
      'one of de, en, es, fr, it, nl, pt, followed by a country code, such as en-US',
    ),
    default: 'en-US',
    meaning:
      'Language and accent of voice calls, unless the request or the application sets another language: de, en, es, fr, it, nl or pt, followed by a country code, as in `pt-BR`.',
  },
  VOICE_KEY_PRESS: {
    parse: (value) => oneOf('on', 'off')(value) === 'on',
    default: 'on',
    meaning:
      'Ask the listener to press a key before a call reads a code, so that voicemail does not record it: on or off. Requires a public `BASE_URL`, from which Twilio fetches the rest of the call.',
  },
  GEOIP_DATABASE: {
    parse: list,
    meaning:
      "Database files in MaxMind's format, separated by commas, for the location in `deviceInfo`. Loaded at startup.",
  },
  PRICES_FILE: {
    parse: readPrices,
    meaning:
      "JSON file with the price of an SMS segment, a WhatsApp message, a voice call or an email, by country. Loaded at startup. For its channels, the operator's prices in the dashboard are ignored.",
  },
  USER_RETENTION_DAYS: {
    parse: integer(0, 36_500),
    default: '730',
    meaning:
      'Days after the last verification until a user is deleted. A later verification creates a user with a new ID. With 0, users are never deleted.',
  },
  AUDIT_RETENTION_DAYS: {
    parse: integer(0, 36_500),
    default: '730',
    meaning: 'Days until an audit log entry is deleted. With 0, entries are never deleted.',
  },
  WEBHOOKS_ALLOW_PRIVATE: {
    parse: (value) => oneOf('true', 'false')(value) === 'true',
    default: 'false',
    meaning:
      'Allow webhooks and the callback URLs of code pages at, and attachments from, private and loopback addresses. Use this setting only if every application is yours.',
  },
  PROVIDER_TIMEOUT_MS: {
    parse: integer(100, 120_000),
    default: '10000',
    meaning: 'Timeout for a request to a provider, in milliseconds.',
  },
  DNS_SERVERS: {
    parse: dnsServers,
    meaning:
      'DNS servers for the checks of sender domains, as `192.0.2.53` or `192.0.2.53:5353`, separated by commas. If unset, Passbell uses those of the system.',
  },
  CHANNEL_CONCURRENCY: {
    parse: perChannel(1, 1000, CHANNEL_CONCURRENCY),
    default: CHANNEL_CONCURRENCY,
    meaning:
      'Maximum number of messages that one process sends at a time, for each channel: one number for all channels, numbers by channel (`SMS=4,EMAIL=32`), or both (`64,EMAIL=32`).',
  },
  CHANNEL_PER_SECOND: {
    parse: perChannel(0, 10_000, '0'),
    default: '0',
    meaning:
      'Maximum number of messages per second that all processes together send, for each channel: one number for all channels, numbers by channel (`SMS=10,VOICE=1`), or both; 0 means no limit.',
  },
} as const satisfies Record<string, Setting>;

type Settings = typeof SETTINGS;
type Value<S> = S extends { parse: (text: string) => infer T }
  ? S extends { default: string }
    ? T
    : T | undefined
  : never;

export type Config = { readonly [N in keyof Settings]: Value<Settings[N]> };

export class ConfigError extends ExpectedError {
  constructor(readonly problems: string[]) {
    super(`The settings have ${problems.length === 1 ? 'a problem' : 'problems'}:\n- ${problems.join('\n- ')}`);
  }
}

function rawValue(env: NodeJS.ProcessEnv, name: string, setting: Setting, problems: string[]): string | undefined {
  const file = setting.secret ? env[`${name}_FILE`] : undefined;
  if (!file) return env[name]?.trim() || setting.default;
  try {
    const value = readFileSync(file, 'utf8').trim();
    if (value !== '') return value;
    problems.push(`${name}_FILE names an empty file`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    problems.push(`${name}_FILE names a file that cannot be read (${code})`);
  }
  return undefined;
}

const LOOPBACK_HOST = /^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/;

export const isLoopback = (host: string): boolean => LOOPBACK_HOST.test(host);

/** Reports missing settings that other settings require. An invalid setting does not count as missing. */
function missingSettings(values: Readonly<Record<string, unknown>>, presentNames: ReadonlySet<string>): string[] {
  const problems: string[] = [];
  const needs = (name: keyof Config, ...others: (keyof Config)[]) => {
    if (values[name] === undefined) return;
    const missing = others.filter((other) => !presentNames.has(other));
    if (missing.length > 0) problems.push(`${name} needs ${missing.join(' and ')} as well`);
  };
  needs('DATABASE_URL', 'REDIS_URL', 'SECRET_KEY');
  needs('REDIS_URL', 'DATABASE_URL');
  // The certificates are also for the target of a move.
  const database = presentNames.has('MOVE_DATABASE_URL') ? 'MOVE_DATABASE_URL' : 'DATABASE_URL';
  needs('DATABASE_CA_FILE', database);
  needs('DATABASE_CERT_FILE', 'DATABASE_KEY_FILE', database);
  needs('DATABASE_KEY_FILE', 'DATABASE_CERT_FILE');
  needs('REDIS_CA_FILE', 'REDIS_URL');
  needs('REDIS_CERT_FILE', 'REDIS_URL', 'REDIS_KEY_FILE');
  needs('REDIS_KEY_FILE', 'REDIS_CERT_FILE');
  if (values.ROLE !== 'all' && values.ROLE !== undefined) needs('ROLE', 'DATABASE_URL');
  needs('SMTP_URL', 'MAIL_FROM');
  needs('MAIL_FROM', 'SMTP_URL');
  needs('TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN');
  needs('TWILIO_AUTH_TOKEN', 'TWILIO_ACCOUNT_SID');
  const twilioAccount = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'] as const;
  needs('TWILIO_SMS_FROM', ...twilioAccount);
  needs('TWILIO_MESSAGING_SERVICE_SID', ...twilioAccount);
  needs('TWILIO_WHATSAPP_FROM', ...twilioAccount);
  needs('TWILIO_VOICE_FROM', ...twilioAccount);
  needs('TWILIO_WHATSAPP_CONTENT_SID', 'TWILIO_WHATSAPP_FROM');
  needs('TWILIO_WHATSAPP_TEMPLATES', 'TWILIO_WHATSAPP_FROM');
  return problems;
}

/** Reads the settings. Throws a {@link ConfigError}, which never contains secret values. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  const presentNames = new Set<string>();
  for (const [name, setting] of Object.entries(SETTINGS) as [string, Setting][]) {
    const raw = rawValue(env, name, setting, problems);
    if (raw !== undefined) presentNames.add(name);
    try {
      values[name] = raw === undefined ? undefined : setting.parse(raw);
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  problems.push(...missingSettings(values, presentNames));
  if (problems.length > 0) throw new ConfigError(problems);
  return values as unknown as Config;
}

/** Returns the public URL of the service without a trailing slash. `port` is the port on which the server listens. */
export function publicUrl({ BASE_URL: baseUrl, HOST, PORT }: Config, port: number = PORT): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST;
  return baseUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

export const invitationLink = (serviceUrl: string, token: string): string =>
  `${serviceUrl}/dashboard/start?key=${token}`;

export const signInLink = (serviceUrl: string, token: string): string =>
  `${serviceUrl}/dashboard/sign-in/link?key=${token}`;

/** Returns the base URL for callbacks from vendors; undefined for a local URL, which vendors cannot reach. */
export function publicCallbackBase({ BASE_URL: baseUrl }: Pick<Config, 'BASE_URL'>): string | undefined {
  return baseUrl === undefined || isLoopback(new URL(baseUrl).hostname) ? undefined : baseUrl;
}
