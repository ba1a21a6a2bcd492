/**
 * Makes commands from the operations of the management API. Their arguments, options and descriptions follow from its
 * contract: path parameters are arguments, all other parameters are options.
 */
import { uncapitalized } from '../platform/capitalized.js';
import { Option, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import type { DataOf, OperationName, OperationParameter, ParametersOf } from '../modules/manage/operations.js';
import { operationNamed } from '../modules/manage/operations.js';
import { optionOf } from '../modules/settings/bounded-setting.js';
import { accountIdOf, withAccount } from './account-option.js';
import { addAction, addCommand, type Context } from './context.js';
import { list } from '../platform/config/config-values.js';
import { onOff, wholeNumber } from './parse.js';

interface OperationCommand<N extends OperationName> {
  readonly name: string;
  /** By default, the operation's summary. */
  readonly description?: string;
  readonly examples: readonly string[];
  /** Parameters that are options although they are in the path. */
  readonly options?: readonly string[];
  /** Parameters that are arguments although they are not in the path. */
  readonly arguments?: readonly string[];
  /** Returns the part of the result that `--json` prints. By default, all of it. */
  readonly json?: (data: DataOf<N>) => unknown;
  readonly text: (data: DataOf<N>, parameters: ParametersOf<N>) => string;
}

function placeholderOf(name: string, { type, items, 'x-placeholder': given }: OperationParameter): string {
  if (given !== undefined) return given;
  if (type === 'integer') return 'N';
  if (type === 'boolean') return 'on|off';
  if (type === 'array') return items?.enum ? `${optionOf(name).toUpperCase()}...` : 'LIST';
  return optionOf(name).replaceAll('-', '_').toUpperCase();
}

function parameterOption(parameter: string, described: OperationParameter): Option {
  const { type, items, minimum = 0, maximum = 1_000_000, required, description } = described;
  const name = described['x-option'] ?? parameter;
  const option = new Option(`--${optionOf(name)} <${placeholderOf(name, described)}>`, description);
  const choices = described.enum ?? items?.enum;
  if (choices) option.choices(choices);
  else if (type === 'integer') option.argParser(wholeNumber(minimum, maximum));
  else if (type === 'boolean') option.argParser(onOff);
  else if (type === 'array') option.argParser(list);
  const value = described['x-default'] ?? described.default;
  if (value !== undefined) option.default(value);
  return option.makeOptionMandatory(required && value === undefined);
}

export function parametersOf(
  options: ReadonlyMap<string, Option>,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const entries = [...options].map(([name, option]) => [name, values[option.attributeName()]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}

/** Adds the options for an operation's parameters in the query and the body, except `without`. */
export function addOptions(
  command: Command,
  operation: OperationName,
  without: readonly string[] = [],
  options: readonly string[] = [],
): ReadonlyMap<string, Option> {
  const all = Object.entries(operationNamed(operation).parameters);
  const shown = all.filter(
    ([name, { place }]) => options.includes(name) || (place !== 'path' && !without.includes(name)),
  );
  const added = new Map(shown.map(([name, parameter]) => [name, parameterOption(name, parameter)]));
  for (const option of added.values()) command.addOption(option);
  return added;
}

/** Adds arguments for `others` and the path parameters, except `options`. Returns their names. */
function addArguments(
  command: Command,
  operation: OperationName,
  options: readonly string[],
  others: readonly string[],
): string[] {
  const added = Object.entries(operationNamed(operation).parameters).filter(
    ([name, { place }]) => others.includes(name) || (place === 'path' && !options.includes(name)),
  );
  for (const [name, each] of added) command.argument(`<${placeholderOf(name, each)}>`, each.description);
  return added.map(([name]) => name);
}

const isOfApplication = (operation: OperationName): boolean =>
  ['application', 'app'].some((name) => name in operationNamed(operation).parameters);

/** Performs an operation as the operator, for an account unless the parameters name an application. */
export async function perform<N extends OperationName>(
  context: Context,
  operation: N,
  parameters: object,
  account?: string,
): Promise<DataOf<N>> {
  const core = await context.core();
  const accountId = account === undefined ? undefined : await accountIdOf(core, account);
  return core.manage.perform(operation, { actor: OPERATOR, accountId }, parameters);
}

export function addOperation<N extends OperationName>(
  parent: Command,
  context: Context,
  operation: N,
  {
    name,
    examples,
    description,
    options = [],
    arguments: others = [],
    json = (data) => data,
    text,
  }: OperationCommand<N>,
): Command {
  const summary = operationNamed(operation).summary.replace(/\.$/, '');
  const shown = description ?? uncapitalized(summary);
  const command = addCommand(parent, name, shown, examples);
  const names = addArguments(command, operation, options, others);
  const added = addOptions(command, operation, others, options);
  if (!isOfApplication(operation)) withAccount(command);
  addAction(command, context, async (...args: unknown[]) => {
    const values = args[names.length] as Readonly<Record<string, unknown>>;
    const named = Object.fromEntries(names.map((each, n) => [each, args[n]]));
    const parameters = { ...named, ...parametersOf(added, values) } as ParametersOf<N>;
    const data = await perform(context, operation, parameters as object, values.account as string | undefined);
    return { data: json(data), text: text(data, parameters) };
  });
  return command;
}
