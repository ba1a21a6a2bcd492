/** Log entries: JSON for programs, and readable lines on a terminal. */
import { createLog, describeError, logDestination } from '../../backend/src/platform/log.js';

/** Returns what a log writes to a terminal. */
function onTerminal(hasColors: boolean, write: (log: ReturnType<typeof createLog>) => void): string {
  const written: string[] = [];
  const terminal = { isTTY: true, hasColors: () => hasColors, write: (text: string) => void written.push(text) };
  write(createLog('debug', logDestination(terminal)));
  return written.join('');
}

it('writes a readable line to a terminal, with secrets redacted', () => {
  const entry = { channel: 'SMS', attempts: 2, reason: 'no such number', otp: '123456' };
  const text = onTerminal(false, (log) => log.warn(entry, 'delivery attempt failed'));
  expect(text).toMatch(/^\d\d:\d\d:\d\d\.\d{3} WARN {2}delivery attempt failed channel=SMS attempts=2 /);
  expect(text).toMatch(/ reason="no such number" otp=\[redacted\]\n$/);
});

it("writes an error's stack trace below the line, without the error's message", () => {
  const error = Object.assign(new TypeError('+14155550123 is in the way'), { code: 'EBROKEN' });
  const text = onTerminal(false, (log) => log.error({ err: describeError(error) }, 'task failed'));
  const [line, frame] = text.split('\n');
  expect(line).toMatch(/ ERROR task failed type=TypeError reason=EBROKEN$/);
  expect(frame).toMatch(/^ {4}at .+log\.test\.ts/);
  expect(text).not.toContain('4155550123');
});

it('colors the level only if the terminal shows colors', () => {
  expect(onTerminal(true, (log) => log.error('broken'))).toContain('\u001b[31mERROR\u001b[39m broken');
  expect(onTerminal(false, (log) => log.error('broken'))).not.toContain('\u001b');
});

it('writes JSON to a file or a pipe', () => {
  const lines: string[] = [];
  createLog('info', { write: (line) => void lines.push(line) }).info({ channel: 'SMS' }, 'sent');
  expect(JSON.parse(lines.join(''))).toMatchObject({ level: 'info', msg: 'sent', channel: 'SMS' });
});

it('cuts long values, such as the path of a request, at 300 characters and marks the cut', () => {
  const lines: string[] = [];
  const log = createLog('debug', { write: (line) => void lines.push(line) });
  const path = `/${'a'.repeat(15_000)}`;
  log.info({ path }, 'request');
  log.warn({ messageId: path, err: { type: 'Error', reason: path, stack: [path] } }, 'request failed');
  const cut = `/${'a'.repeat(299)}… (15001 characters)`;
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ path: cut }),
    expect.objectContaining({ messageId: cut, err: { type: 'Error', reason: cut, stack: [cut] } }),
  ]);
});
