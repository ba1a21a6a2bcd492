import type { Command } from 'commander';
import type { Core } from '../core.js';
import { printableJson } from '../platform/control-characters.js';

export interface Context {
  /** Returns the core. The first call opens it. */
  core(): Promise<Core>;
  now(): number;
  out(text: string): void;
  err(text: string): void;
}

/** An expected failure of a command. The message tells the operator the reason. */
export class OperatorError extends Error {}

const COMMAND = 'npm run --silent passbell --';

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

/**
 * Adds examples to the help of a command, and a reference to the help to its errors. Examples omit the name of the
 * command.
 */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const call = `${COMMAND} ${pathOf(command)}`.trim();
  return command
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${`${call} ${example}`.trim()}\n`).join('')}`)
    .showHelpAfterError(`See: ${call} --help`);
}

export const addCommand = (parent: Command, name: string, description: string, examples: readonly string[]): Command =>
  withExamples(parent.command(name).description(description), examples);

/**
 * Adds an action and the option `--json`. Prints the `text` of the result, or with `--json` its `data` as one line of
 * JSON.
 */
export function addAction<Args extends unknown[]>(
  command: Command,
  context: Context,
  action: (...args: Args) => Promise<{ data: unknown; text: string }>,
): void {
  command.option('--json', 'print JSON and nothing else').action(async (...args: unknown[]) => {
    const { data, text } = await action(...(args as Args));
    context.out(`${command.opts().json ? printableJson(data) : text}\n`);
  });
}
