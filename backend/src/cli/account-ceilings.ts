import type { Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import { isPause, type AccountCeilings, type CeilingsChange } from '../modules/applications/account-ceilings.js';
import type { ApplicationLimits } from '../modules/applications/application-limits.js';
import { MAX_LIMIT } from '../modules/applications/setting-values.js';
import { boundText, fraudSettingNamed } from '../modules/fraud/fraud-settings.js';
import { LIMIT_NAMES, LIMIT_OPTIONS } from './application-view.js';
import { addAction, addCommand, OperatorError, type Context } from './context.js';
import { fraudNumber } from './fraud-settings.js';
import { formatBlock } from './output.js';
import { accountEmail, wholeNumber } from './parse.js';

const MAX_CEILING = 1_000_000_000;

type CeilingName = Exclude<keyof AccountCeilings, 'limits' | 'fraud'>;

const CEILING_OPTIONS: Readonly<Record<CeilingName, readonly [option: string, meaning: string]>> = {
  applications: ['applications', 'applications of the account'],
  messagesPerDay: ['messages-per-day', 'messages per UTC day'],
  spendPerDay: ['spend-per-day', 'message costs per UTC day, in whole currency units'],
  recipientPer10Minutes: ['recipient-per-10-minutes', 'messages to one recipient in ten minutes'],
  recipientPerDay: ['recipient-per-day', 'messages to one recipient in a day'],
};
const CEILING_NAMES = Object.keys(CEILING_OPTIONS) as CeilingName[];

/** Returns the name of the option that sets a limit's ceiling: `burst-per-second` → `max-burst-per-second`. */
const ceilingOption = (name: keyof ApplicationLimits): string =>
  `${isPause(name) ? 'min' : 'max'}-${LIMIT_OPTIONS[name][0]}`;

/** Returns the property in which commander stores an option: `max-burst-per-second` → `maxBurstPerSecond`. */
const propertyOf = (option: string): string => option.replace(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());

function changeOf(options: Readonly<Record<string, unknown>>): CeilingsChange {
  const presentValues = <N extends string>(names: readonly N[], optionOf: (name: N) => string) =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = options[propertyOf(optionOf(name))];
        return value === undefined ? [] : [[name, value as number]];
      }),
    );
  const limits = presentValues(LIMIT_NAMES, ceilingOption);
  return {
    ...presentValues(CEILING_NAMES, (name) => CEILING_OPTIONS[name][0]),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
  };
}

const boundOf = (name: string, value: number): string => boundText(fraudSettingNamed(name), value);

function ceilingsBlock(email: string, ceilings: AccountCeilings, applications: number): string {
  const ceilingText = (value: number): string => (value === 0 ? 'no ceiling' : value.toLocaleString('en'));
  return formatBlock([
    ['Account', `${email}, with ${applications} ${applications === 1 ? 'application' : 'applications'}`],
    ...CEILING_NAMES.map((name) => [CEILING_OPTIONS[name][0], ceilingText(ceilings[name])] as const),
    ...LIMIT_NAMES.map((name) => [ceilingOption(name), ceilingText(ceilings.limits[name])] as const),
    ...Object.entries(ceilings.fraud).map(([name, value]) => [`fraud ${name}`, boundOf(name, value)] as const),
  ]);
}

interface Options extends Readonly<Record<string, unknown>> {
  readonly email: string;
  readonly fraud?: Readonly<Record<string, number | undefined>>;
}

export function addAccountCeilings(account: Command, context: Context): void {
  const description =
    'show or change the ceilings of an account, which its owners cannot exceed; running servers apply the change within 2 seconds';
  const examples = [
    '--email owner@shop.example',
    '--email owner@shop.example --messages-per-day 50000 --spend-per-day 500',
    '--email owner@shop.example --max-burst-per-minute 5000',
    '--email owner@shop.example --fraud spendBudget=100 --fraud prefixUnverified=20',
  ];
  const command = addCommand(account, 'ceilings', description, examples);
  command.requiredOption('--email <EMAIL>', 'email address of the account', accountEmail);
  for (const name of CEILING_NAMES)
    command.option(
      `--${CEILING_OPTIONS[name][0]} <N>`,
      `${CEILING_OPTIONS[name][1]}; 0 = no ceiling`,
      wholeNumber(0, MAX_CEILING),
    );
  for (const name of LIMIT_NAMES) {
    const bound = isPause(name) ? 'shortest' : 'highest';
    const text = `${bound} value that applications of the account can set: ${LIMIT_OPTIONS[name][1]}; 0 = any`;
    command.option(`--${ceilingOption(name)} <N>`, text, wholeNumber(0, MAX_LIMIT));
  }
  command.option(
    '--fraud <NAME=NUMBER>',
    'loosest value that its applications can choose for a fraud guard setting (see "fraud settings"); NAME=any removes the bound; repeatable',
    fraudNumber('any'),
  );
  addAction(command, context, async ({ email, fraud: bounds, ...options }: Options) => {
    const { applications, fraud } = await context.core();
    const accountId = await applications.service.accountId(email);
    if (accountId === undefined) throw new OperatorError(`there is no account ${email}`);
    const change = changeOf(options);
    if (bounds) await fraud.settings.setBounds(OPERATOR, accountId, bounds);
    if (Object.keys(change).length > 0) await applications.service.setCeilings(OPERATOR, accountId, change);
    const { ceilings, applications: count } = (await applications.service.ceilings(email))!;
    return { data: { email, ...ceilings }, text: ceilingsBlock(email, ceilings, count) };
  });
}
