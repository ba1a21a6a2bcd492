/** Decides from the settings whether other people may reach this process, and which pages are then closed. */
import { isLoopback, type Config } from './config.js';

/** Returns the settings that indicate that other people may reach this process. Empty on a developer's machine. */
export function productionSettings(config: Config): (keyof Config)[] {
  const { BASE_URL: baseUrl, HOST: host } = config;
  const signs: Partial<Record<keyof Config, boolean>> = {
    BASE_URL: baseUrl !== undefined && !isLoopback(new URL(baseUrl).hostname),
    HOST: !isLoopback(host),
    TRUST_PROXY: config.TRUST_PROXY !== false,
    REDIS_URL: config.REDIS_URL !== undefined,
    SMTP_URL: config.SMTP_URL !== undefined,
    TWILIO_ACCOUNT_SID: config.TWILIO_ACCOUNT_SID !== undefined,
  };
  return (Object.keys(signs) as (keyof Config)[]).filter((name) => signs[name]);
}

/**
 * `local`: the dev inbox is at `/dev/inbox`; only dashboard messages require the key in its URL. `secret`: all messages
 * require the key, because the operator turned the inbox on although other people may reach it.
 */
export function devInboxAccess(config: Config): 'off' | 'local' | 'secret' {
  if (config.DEV_INBOX === 'force') return 'secret';
  return config.DEV_INBOX === 'on' && productionSettings(config).length === 0 ? 'local' : 'off';
}
