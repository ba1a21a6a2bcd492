/** What every command works with. */
import type { Command } from 'commander';
import type { Service } from '../compose.js';

export interface Context {
  /** The service on the database of the settings; opened when a command first needs it. */
  service(): Promise<Service>;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Standard output: what the person asked for and nothing else. */
  out(text: string): void;
  /** Standard error. */
  err(text: string): void;
}

/** A command could not do what it was asked to, for a reason that its text tells the operator. */
export class OperatorError extends Error {}

/** How the command is called in a checkout. */
const CALL = 'npm run --silent passbell --';

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}`.trim() : '';
}

/** Gives a command examples, and its errors the way to them. Each example is what follows the command's own name. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const call = `${CALL} ${pathOf(command)}`.trim();
  return command
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${`${call} ${example}`.trim()}\n`).join('')}`)
    .showHelpAfterError(`See: ${call} --help`);
}
