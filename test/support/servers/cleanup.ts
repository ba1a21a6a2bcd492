/**
 * Runs a clean-up command when this process ends, even if it is killed. A detached shell stores the command and waits
 * for the end of its standard input, which only this process has open for writing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { waiting } from '../wait.js';

export interface Cleanup {
  /** Sets the command: one line for a POSIX shell. */
  setCommand(command: string): void;
  /** Runs the command now and waits for it to finish. */
  run(): Promise<void>;
}

const WAIT_FOR_END_OF_INPUT = 'trap "" HUP INT TERM; while IFS= read -r line; do command=$line; done; eval "$command"';

export const shellQuote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function createCleanup(): Cleanup {
  // Runs in a separate process group, so that Ctrl-C in the terminal does not end it.
  const shell = spawn('/bin/sh', ['-c', WAIT_FOR_END_OF_INPUT], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = once(shell, 'exit');
  // The shell and its input must not keep this process alive.
  shell.unref();
  (shell.stdin as Socket).unref();
  shell.stdin.on('error', () => {});
  return {
    setCommand: (command) => void shell.stdin.write(`${command}\n`),
    async run() {
      shell.ref();
      shell.stdin.end();
      await waiting('the clean-up shell', ended);
    },
  };
}
