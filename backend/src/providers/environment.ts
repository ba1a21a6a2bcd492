/** Providers configured by environment variables. They cannot be changed at run time. */
import { unescape } from 'node:querystring';
import { publicCallbackBase, type Config } from '../platform/config/config.js';
import type { Log } from '../platform/log.js';
import type { Provider } from './provider.js';
import type { CredentialsCheck, ProviderContext, ProviderSettings, Receiver } from './provider-type.js';
import { checkSmtp, createSmtpProvider } from './smtp.js';
import { TWILIO } from './twilio-type.js';

export interface EnvironmentProvider {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** The settings that are not secret, by field name. */
  readonly settings: ProviderSettings;
  /** All settings, including secrets. */
  readonly credentials: ProviderSettings;
  /** The secrets to hide in the provider's replies. */
  readonly secrets: readonly string[];
  readonly providers: readonly Provider[];
  /** Checks the credentials without sending a message. */
  check(): Promise<CredentialsCheck>;
  /** Undefined if the vendor sends no requests. */
  readonly receiver?: Receiver;
}

export type ContextParts = Omit<ProviderContext, 'id' | 'name' | 'callbackUrl' | 'publicOnly'>;

export const ENVIRONMENT_TWILIO = 'environment-twilio';
const ENVIRONMENT_SMTP = 'environment-smtp';

function twilioSettings(config: Config): ProviderSettings {
  const templates = Object.entries(config.TWILIO_WHATSAPP_TEMPLATES ?? {}).map(([name, sid]) => `${name}=${sid}`);
  const settings = {
    accountSid: config.TWILIO_ACCOUNT_SID,
    smsFrom: config.TWILIO_SMS_FROM,
    messagingServiceSid: config.TWILIO_MESSAGING_SERVICE_SID,
    whatsappFrom: config.TWILIO_WHATSAPP_FROM,
    whatsappContentSid: config.TWILIO_WHATSAPP_CONTENT_SID,
    whatsappTemplates: templates.join(',') || undefined,
    voiceFrom: config.TWILIO_VOICE_FROM,
    apiUrl: config.TWILIO_API_URL,
  };
  return Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

function smtpProvider({ SMTP_URL: url, MAIL_FROM: from }: Config, timeoutMs: number, log: Log): EnvironmentProvider[] {
  if (!url || !from) return [];
  const provider = createSmtpProvider(url, from, timeoutMs, log);
  const settings = { host: provider.name, from };
  const check = () => checkSmtp(provider);
  const { name } = provider;
  const credentials = { url, from };
  const { username, password } = new URL(url);
  const secrets = [url, username, password, unescape(username), unescape(password)];
  return [{ id: ENVIRONMENT_SMTP, type: 'smtp', name, settings, credentials, secrets, providers: [provider], check }];
}

/** An account without senders still receives delivery reports of earlier messages. */
function twilioProvider(config: Config, parts: ContextParts): EnvironmentProvider[] {
  const { TWILIO_AUTH_TOKEN: authToken } = config;
  if (authToken === undefined) return [];
  const id = ENVIRONMENT_TWILIO;
  const name = TWILIO.title;
  const baseUrl = publicCallbackBase(config);
  const urlOf = (messageId?: string, path?: string) =>
    [baseUrl, 'callbacks/twilio', messageId ?? (path && '-'), path].filter(Boolean).join('/');
  const callbackUrl = baseUrl === undefined ? undefined : urlOf;
  const context = { ...parts, id, name, publicOnly: false, callbackUrl };
  const shown = twilioSettings(config);
  const settings = { ...shown, authToken };
  const receiver = { type: TWILIO, settings, context, callbackKey: undefined };
  const providers = TWILIO.create(settings, context);
  const check = () => TWILIO.check!(settings, context);
  return [
    {
      id,
      type: TWILIO.name,
      name,
      settings: shown,
      credentials: settings,
      secrets: [authToken],
      providers,
      check,
      receiver,
    },
  ];
}

export const environmentProviders = (config: Config, parts: ContextParts): EnvironmentProvider[] => [
  ...smtpProvider(config, parts.timeoutMs, parts.log),
  ...twilioProvider(config, parts),
];
