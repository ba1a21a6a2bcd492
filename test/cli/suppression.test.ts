/** `passbell suppression`, with a running server. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freshMail, startService, type TestService } from '../support/service.js';
import { auditLog, json, run } from './command.js';

let server: TestService;
let folder: string;
beforeAll(async () => {
  server = await startService();
  folder = mkdtempSync(join(tmpdir(), 'passbell-suppression-'));
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

function csv(text: string): string {
  const file = join(folder, 'bounced.csv');
  writeFileSync(file, text);
  return file;
}

it('imports, lists and removes addresses, which the running server stops sending to and sends to again', async () => {
  const ana = freshMail();
  const ben = freshMail();
  const file = csv(`address,reason\n${ana},complaint\n${ben}\n`);
  expect(await json(server, 'suppression', 'import', file)).toEqual({ added: 2, wrongLines: [] });
  expect(await json(server, 'suppression', 'import', file)).toMatchObject({ added: 0 });
  expect(await json(server, 'suppression', 'list', '--search', ana)).toMatchObject([
    { address: ana, reason: 'complaint', source: 'operator' },
  ]);
  expect(await server.post('/auth/sendotp', { to: ana })).toMatchObject({ code: 'RECIPIENT_SUPPRESSED' });
  const { out } = await run(server, 'suppression', 'list');
  expect(out).toContain(ben);
  expect((await run(server, 'suppression', 'remove', ana)).out).toBe('Address removed.\n');
  expect(await server.post('/auth/sendotp', { to: ana })).toMatchObject({ success: true });
  const entries = (await auditLog(server)).slice(-2);
  expect(entries).toMatchObject([
    { action: 'suppression.import', subject: '2 email addresses' },
    { action: 'suppression.remove', subject: 'an email address' },
  ]);
  expect(JSON.stringify(entries)).not.toContain(ana);
});

it('imports nothing if a line contains no email address', async () => {
  const ana = freshMail();
  const { code, err } = await run(server, 'suppression', 'import', csv(`${ana}\n+14155550100\nnobody\n`));
  expect([code, err]).toEqual([1, expect.stringContaining('these lines contain no email address: 2, 3')]);
  expect(await json(server, 'suppression', 'list', '--search', ana)).toEqual([]);
});

it('reports an address that is not suppressed, and a file that cannot be read', async () => {
  const removed = await run(server, 'suppression', 'remove', freshMail());
  expect([removed.code, removed.err]).toEqual([1, expect.stringContaining('there is no suppressed address like this')]);
  const imported = await run(server, 'suppression', 'import', join(folder, 'missing.csv'));
  expect([imported.code, imported.err]).toEqual([1, expect.stringContaining('missing.csv')]);
});
