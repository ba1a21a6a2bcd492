/** Providers configured by environment variables. They cannot be changed at run time. */
import { callbackBaseUrl, type Config } from '../platform/config/config.js';
import type { Log } from '../platform/log.js';
import type { Provider } from './provider.js';
import type { ProviderContext, ProviderSettings } from './provider-type.js';
import { createSmtpProvider } from './smtp.js';
import { TWILIO } from './twilio-type.js';

export interface EnvironmentProvider {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  /** The settings that are not secret, by field name. */
  readonly settings: ProviderSettings;
  readonly providers: readonly Provider[];
}

export type ContextParts = Omit<ProviderContext, 'id' | 'name' | 'callbackUrl' | 'publicOnly'>;

export const ENVIRONMENT_TWILIO = 'environment-twilio';
const ENVIRONMENT_SMTP = 'environment-smtp';

/** Returns the callback URL for a message that was sent through the Twilio account of the environment variables. */
export const environmentCallbackUrl =
  (baseUrl: string) =>
  (messageId = '', path?: string): string =>
    `${baseUrl}/callbacks/twilio/${messageId}${path === undefined ? '' : `/${path}`}`;

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
  return [{ id: ENVIRONMENT_SMTP, type: 'smtp', name: provider.name, settings, providers: [provider] }];
}

export function environmentProviders(config: Config, parts: ContextParts): EnvironmentProvider[] {
  const baseUrl = callbackBaseUrl(config);
  const context: ProviderContext = {
    ...{ ...parts, id: ENVIRONMENT_TWILIO, name: TWILIO.title, publicOnly: false },
    callbackUrl: baseUrl === undefined ? undefined : environmentCallbackUrl(baseUrl),
  };
  const settings = twilioSettings(config);
  const providers = TWILIO.create({ ...settings, authToken: config.TWILIO_AUTH_TOKEN ?? '' }, context);
  const twilio = { id: ENVIRONMENT_TWILIO, type: TWILIO.name, name: TWILIO.title, settings, providers };
  return [...smtpProvider(config, parts.timeoutMs, parts.log), ...(providers.length > 0 ? [twilio] : [])];
}
