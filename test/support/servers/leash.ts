/**
 * What a process leaves behind is cleaned up when it ends, however it ends: by itself, by Ctrl-C, or killed. A small
 * shell holds the clean-up command and waits for the end of its standard input, which only this process can write to.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';

export interface Leash {
  /** Replaces the command that will run; one line for a POSIX shell. */
  hold(command: string): void;
  /** Runs it now, and waits for its end. */
  release(): Promise<void>;
}

const WAIT_FOR_THE_END = 'trap "" HUP INT TERM; while IFS= read -r line; do command=$line; done; eval "$command"';

/** For the shell, whatever is in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export function createLeash(): Leash {
  // In a group of its own, so that Ctrl-C at the terminal does not reach it.
  const shell = spawn('/bin/sh', ['-c', WAIT_FOR_THE_END], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const ended = once(shell, 'exit');
  // Nothing of this keeps the process alive: its end is what the shell waits for.
  shell.unref();
  (shell.stdin as Socket).unref();
  shell.stdin.on('error', () => {});
  return {
    hold: (command) => void shell.stdin.write(`${command}\n`),
    async release() {
      shell.ref();
      shell.stdin.end();
      await ended;
    },
  };
}
