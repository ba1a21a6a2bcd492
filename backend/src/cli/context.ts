import { CommanderError, type Command } from 'commander';
import type { Core } from '../core.js';
import type { Config } from '../platform/config/config.js';
import { operatorCommand } from '../platform/config/operator-command.js';
import { printableJson } from '../platform/control-characters.js';
import { ExpectedError } from '../platform/expected-error.js';

export interface Context {
  /**
   * Returns the core. The first call opens the core. Throws a `MissingDatabaseError` if there is no database, unless
   * `create` is true.
   */
  core(options?: { readonly create: boolean }): Promise<Core>;
  /** Reads the settings. Throws if they are not valid. */
  config(): Promise<Config>;
  now(): number;
  out(text: string): void;
  err(text: string): void;
}

/** Ends the description of commands that change what running servers cache. */
export const EFFECTIVE_TEXT = 'running servers apply the change within 2 seconds';

/** An expected error in a command. Its message is printed without a stack trace. */
export class OperatorError extends ExpectedError {}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

const firstExamples = new WeakMap<Command, string>();

/**
 * Adds examples to a command's help, and a hint about `--help` to its error messages. Examples omit the command name.
 */
export function withExamples(command: Command, examples: readonly string[]): Command {
  firstExamples.set(command, examples[0]!);
  const call = `${operatorCommand()} ${pathOf(command)}`.trim();
  return command
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${`${call} ${example}`.trim()}\n`).join('')}`)
    .showHelpAfterError(`See: ${call} --help`);
}

/** Adds the first example of each subcommand to the help of a group of commands. */
export const withSubcommandExamples = (group: Command): Command =>
  withExamples(
    group,
    group.commands.map((command) => `${command.name()} ${firstExamples.get(command)}`.trim()),
  );

export const addCommand = (parent: Command, name: string, description: string, examples: readonly string[]): Command =>
  withExamples(parent.command(name).description(description), examples);

export interface Result {
  readonly data: unknown;
  readonly text: string;
  readonly failed?: boolean;
}

/**
 * Adds an action and the option `--json`. Prints the result's `text`, or with `--json` its `data` as one line of JSON. The
 * exit code is 1 if the result is `failed`, so that scripts can use the command.
 */
export function addAction<Args extends unknown[]>(
  command: Command,
  context: Context,
  action: (...args: Args) => Promise<Result>,
): void {
  command.option('--json', 'output JSON').action(async (...args: unknown[]) => {
    const { data, text, failed } = await action(...(args as Args));
    context.out(`${command.opts().json ? printableJson(data) : text}\n`);
    if (failed) throw new CommanderError(1, 'passbell.failed', '');
  });
}
