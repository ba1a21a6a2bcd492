import type { Command } from 'commander';
import type { Core } from '../core.js';
import { printableJson } from '../platform/control-characters.js';

export interface Context {
  /** Opened when a command first needs it. */
  core(): Promise<Core>;
  now(): number;
  out(text: string): void;
  err(text: string): void;
}

/** Its message explains to the operator why the command failed. */
export class OperatorError extends Error {}

const CALL = 'npm run --silent passbell --';

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

/** Adds examples to the help of a command, and refers to them in errors. Examples start after the name of the command. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const call = `${CALL} ${pathOf(command)}`.trim();
  return command
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${`${call} ${example}`.trim()}\n`).join('')}`)
    .showHelpAfterError(`See: ${call} --help`);
}

export const addCommand = (parent: Command, name: string, description: string, examples: readonly string[]): Command =>
  withExamples(parent.command(name).description(description), examples);

/** Adds `--json` and an action, which prints `data` as one line of JSON with `--json`, else `text`. */
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
