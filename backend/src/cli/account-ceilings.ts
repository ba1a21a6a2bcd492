import type { Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import type { AccountCeilings, CeilingsChange } from '../modules/applications/account-ceilings.js';
import { ACCOUNT_CEILING_NAMES, ACCOUNT_CEILINGS } from '../modules/applications/account-ceilings.js';
import { LIMIT_NAMES, LIMITS, type ApplicationLimits } from '../modules/applications/application-limits.js';
import { FRAUD_THRESHOLDS, type FraudSetting } from '../modules/fraud/fraud-settings.js';
import { boundText, optionOf, zeroName } from '../modules/settings/bounded-setting.js';
import { addAction, addCommand, OperatorError, type Context } from './context.js';
import { fraudNumber } from './fraud-settings.js';
import { formatBlock } from './output.js';
import { accountEmail, wholeNumber } from './parse.js';

const MAX_CEILING = 1_000_000_000;

const isPause = (name: keyof ApplicationLimits): boolean => LIMITS[name].stricter === 'higher';

/** Returns the name of the option that sets a limit's ceiling: `burst-per-second` → `max-burst-per-second`. */
const ceilingOption = (name: keyof ApplicationLimits): string => `${isPause(name) ? 'min' : 'max'}-${optionOf(name)}`;

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
    ...presentValues(ACCOUNT_CEILING_NAMES, optionOf),
    ...(Object.keys(limits).length > 0 ? { limits } : {}),
  };
}

const boundOf = (name: string, value: number): string => boundText(FRAUD_THRESHOLDS[name as FraudSetting], value);

function ceilingsBlock(email: string, ceilings: AccountCeilings, applications: number): string {
  const ceilingText = (value: number): string => (value === 0 ? 'no ceiling' : value.toLocaleString('en'));
  return formatBlock([
    ['Account', `${email}, with ${applications} ${applications === 1 ? 'application' : 'applications'}`],
    ...ACCOUNT_CEILING_NAMES.map((name) => [optionOf(name), ceilingText(ceilings[name])] as const),
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
    '--email owner@shop.example --fraud prefixUnverified=20 --fraud homeUnverified=50',
  ];
  const command = addCommand(account, 'ceilings', description, examples);
  command.requiredOption('--email <EMAIL>', 'email address of the account', accountEmail);
  for (const name of ACCOUNT_CEILING_NAMES) {
    const text = `${ACCOUNT_CEILINGS[name].text}; 0 = no ceiling`;
    command.option(`--${optionOf(name)} <N>`, text, wholeNumber(0, MAX_CEILING));
  }
  for (const name of LIMIT_NAMES) {
    const bound = isPause(name) ? 'shortest' : 'highest';
    const { text, min, max } = LIMITS[name];
    const zero = zeroName(LIMITS[name]) === 'off' ? 'even if they turn the limit off' : 'also for automatic budgets';
    const help = `${bound} value that applications can set, ${zero}: ${text}; 0 = any value`;
    command.option(`--${ceilingOption(name)} <N>`, help, wholeNumber(min, max));
  }
  command.option(
    '--fraud <NAME=NUMBER>',
    'loosest value that applications of the account can set for a fraud guard setting (see "fraud settings"); NAME=any removes the bound; repeatable',
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
