/** The options of `npm run simulate:fraud`. */
import { parseArgs } from 'node:util';
import type { GuardedApplication } from '../../backend/src/modules/fraud/fraud.js';
import {
  fraudSettingsOf,
  FRAUD_THRESHOLDS,
  type FraudSettings,
} from '../../backend/src/modules/fraud/fraud-settings.js';
import { checkChange } from '../../backend/src/modules/settings/bounded-setting.js';

export const USAGE = `npm run simulate:fraud -- [OPTIONS]
  Prints the tables of docs/fraud-simulation.md: means of the seeds, without and with a challenge.
    --only A5,A8t          only these scenarios
    --seeds 1,2,3          the seeds
    --set NAME=VALUE       a setting of the fraud guard; can be repeated
    --write                stores the results in test/fraud/figures.json and docs/fraud-simulation.md

npm run simulate:fraud -- --traffic FILE.jsonl [OPTIONS]
  Replays the events of a file ("-": standard input), see docs/fraud-simulation.md.
    --json                 prints each decision as one line of JSON, instead of a summary
    --home DE              the home country
    --countries FR,AT      the listed countries
    --challenge            the application asks for challenges
    --verified-elsewhere   the site checks the codes itself
    --application NAME     the options after it, up to the next --application, apply to this application only
    --set NAME=VALUE       a setting of the fraud guard; can be repeated`;

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const DEFAULTS: GuardedApplication = {
  homeCountry: undefined,
  countries: [],
  hasChallenge: false,
  verifiedElsewhere: false,
};

export interface SimulatorOptions {
  readonly traffic: string | undefined;
  readonly json: boolean;
  readonly write: boolean;
  readonly only: readonly string[] | undefined;
  readonly seeds: readonly number[] | undefined;
  /** Undefined if no setting differs from its default. */
  readonly settings: FraudSettings | undefined;
  readonly applicationOf: (name: string) => GuardedApplication;
}

const listOf = (text: string): string[] => text.split(',').filter((part) => part !== '');

function seedOf(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error('--seeds must be whole numbers, such as 1,2,3');
  return Number(text);
}

function settingsOf(changes: readonly string[]): FraudSettings | undefined {
  if (changes.length === 0) return undefined;
  const entries = changes.map((change): [string, number] => {
    const [name = '', value = ''] = change.split('=');
    return [name, value === '' ? NaN : Number(value)];
  });
  checkChange(FRAUD_THRESHOLDS, Object.fromEntries(entries));
  return fraudSettingsOf(Object.fromEntries(entries));
}

/** Throws an error if an option is unknown or a value is wrong. */
export function parseOptions(args: readonly string[]): SimulatorOptions {
  const { values, tokens } = parseArgs({
    args: [...args],
    tokens: true,
    options: {
      only: { type: 'string' },
      seeds: { type: 'string' },
      set: { type: 'string', multiple: true },
      write: { type: 'boolean' },
      traffic: { type: 'string' },
      json: { type: 'boolean' },
      application: { type: 'string', multiple: true },
      home: { type: 'string', multiple: true },
      countries: { type: 'string', multiple: true },
      challenge: { type: 'boolean', multiple: true },
      'verified-elsewhere': { type: 'boolean', multiple: true },
    },
  });
  const general: Mutable<GuardedApplication> = { ...DEFAULTS };
  const applications = new Map<string, GuardedApplication>();
  let current = general;
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, value = '' } = token;
    if (name === 'application') {
      current = { ...general };
      applications.set(value, current);
    }
    if (name === 'home') current.homeCountry = value;
    if (name === 'countries') current.countries = listOf(value);
    if (name === 'challenge') current.hasChallenge = true;
    if (name === 'verified-elsewhere') current.verifiedElsewhere = true;
  }
  return {
    traffic: values.traffic,
    json: values.json ?? false,
    write: values.write ?? false,
    only: values.only === undefined ? undefined : listOf(values.only),
    seeds: values.seeds === undefined ? undefined : listOf(values.seeds).map(seedOf),
    settings: settingsOf(values.set ?? []),
    applicationOf: (name) => applications.get(name) ?? general,
  };
}
