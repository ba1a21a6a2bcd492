/** Detects from the settings whether other people may reach this process, and restricts the dev inbox if so. */
import { isLoopback, type Config } from './config.js';

/** Returns the names of the settings that suggest that this is not a developer's machine. */
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
 * Returns who may open the dev inbox. `local`: anyone on this machine, but messages from the dashboard require the key
 * in the URL. `secret`: only people who have the key, because other people may reach this process.
 */
export function devInboxAccess(config: Config): 'off' | 'local' | 'secret' {
  if (config.DEV_INBOX === 'force') return 'secret';
  return config.DEV_INBOX === 'on' && productionSettings(config).length === 0 ? 'local' : 'off';
}
