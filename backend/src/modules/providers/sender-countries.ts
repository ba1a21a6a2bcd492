/** Countries of the numbers that providers send from. The fraud guard trusts these countries more than others. */
import type { ProviderSettings } from '../../providers/provider-type.js';
import { parseRecipient } from '../recipients/recipient.js';
import type { StoredProvider } from './provider-account.js';

/**
 * Settings that contain a number or a sender name. The home country is the country of the SMS number, if there is one.
 */
const SENDER_FIELDS = ['smsFrom', 'from', 'voiceFrom', 'whatsappFrom'];

/** Returns the country of a number with or without a leading `+`; undefined for sender names and short codes. */
function countryOf(sender: string): string | undefined {
  if (!/^\+?\d{8,15}$/.test(sender)) return undefined;
  return parseRecipient(sender.startsWith('+') ? sender : `+${sender}`)?.country;
}

const sendingCountries = (settings: ProviderSettings): string[] =>
  SENDER_FIELDS.flatMap((name) => countryOf(settings[name] ?? '') ?? []);

export type SenderCountries = ReturnType<typeof createSenderCountries>;

/** `environment`: the settings of providers configured by environment variables, which come first. */
export function createSenderCountries(environment: readonly ProviderSettings[]) {
  const fixed = environment.flatMap(sendingCountries);
  let operators: readonly string[] = fixed;
  let byAccount: ReadonlyMap<number, readonly string[]> = new Map();

  return {
    update(stored: readonly StoredProvider[], allowed: ReadonlySet<number>, operator: number | undefined): void {
      const of = (id: number | undefined) =>
        stored.flatMap(({ accountId, enabled, settings }) =>
          accountId === id && enabled ? sendingCountries(settings) : [],
        );
      operators = [...new Set([...fixed, ...of(operator)])];
      byAccount = new Map([...allowed].map((id) => [id, [...new Set([...of(id), ...operators])]]));
    },

    /** Returns an account's sender countries, from its own providers first. The first country is the home country. */
    of: (accountId: number): readonly string[] => byAccount.get(accountId) ?? operators,
  };
}
