/** The countries of the numbers that providers send from, which the fraud guard trusts more than others. */
import type { ProviderSettings } from '../../providers/provider-type.js';
import { parseRecipient } from '../recipients/recipient.js';
import type { StoredProvider } from './provider-account.js';

/** Settings that contain a number or a sender name. The number for SMS decides on the home country. */
const SENDER_FIELDS = ['smsFrom', 'from', 'voiceFrom', 'whatsappFrom'];

/** The country of a number, also without the leading `+`; undefined for sender names and short codes. */
function countryOf(sender: string): string | undefined {
  if (!/^\+?\d{8,15}$/.test(sender)) return undefined;
  return parseRecipient(sender.startsWith('+') ? sender : `+${sender}`)?.country;
}

const countriesIn = (settings: ProviderSettings): string[] =>
  SENDER_FIELDS.flatMap((name) => countryOf(settings[name] ?? '') ?? []);

export type SenderCountries = ReturnType<typeof createSenderCountries>;

/** `environment`: the settings of the providers of the environment, which come first. */
export function createSenderCountries(environment: readonly ProviderSettings[]) {
  const fixed = environment.flatMap(countriesIn);
  let operators: readonly string[] = fixed;
  let byAccount: ReadonlyMap<number, readonly string[]> = new Map();

  return {
    update(stored: readonly StoredProvider[], allowed: ReadonlySet<number>, operator: number | undefined): void {
      const of = (id: number | undefined) =>
        stored.flatMap(({ accountId, enabled, settings }) =>
          accountId === id && enabled ? countriesIn(settings) : [],
        );
      operators = [...new Set([...fixed, ...of(operator)])];
      byAccount = new Map([...allowed].map((id) => [id, [...new Set([...of(id), ...operators])]]));
    },

    /** The countries for an account, its own providers first. The first country is the home country. */
    of: (accountId: number): readonly string[] => byAccount.get(accountId) ?? operators,
  };
}
