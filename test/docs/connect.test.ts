/** Runs the programs on the dashboard's Connect pages against the service, exactly as shown. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRET_PLACEHOLDER } from '../../backend/src/dashboard/connect/snippets.js';
import { signIn } from '../support/dashboard.js';
import { aptInstall, findProgram, thisMachine } from '../support/servers/find.js';
import { NO_SEND_LIMITS, startService, type TestService } from '../support/service.js';
import { waiting } from '../support/wait.js';

const folder = mkdtempSync(join(tmpdir(), 'passbell-connect-'));
let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_SEND_LIMITS);
});
afterAll(async () => {
  await passbell.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the texts that the buttons of a tool's code blocks copy, in order, and the recipient of the test code. */
async function snippetsOf(tool: string): Promise<{ snippets: string[]; to: string }> {
  const owner = await signIn(passbell, 'owner', { email: `o'${tool}@shop.example` });
  const { html } = await owner.get(`/applications/${passbell.keys.appKey}/connect/${tool}`);
  const unescape = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  const blocks = [...html.matchAll(/class="copy-block[^"]*">[^]*? data-copy="([^"]*)"/g)];
  return { snippets: blocks.map(([, code]) => unescape(code!)), to: owner.person!.email };
}

const withSecret = (command: string): string => command.replace(SECRET_PLACEHOLDER, passbell.keys.appSecret);

/** Runs a command, and enters the code when it asks for one. */
async function run(
  command: string,
  { env = {}, to }: { env?: Record<string, string>; to?: string } = {},
): Promise<string> {
  const child = spawn('sh', ['-c', command], { cwd: folder, env: { PATH: process.env.PATH, ...env } });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    if (to && output.endsWith('Code: ')) void passbell.codeFor(to).then((code) => child.stdin.write(`${code}\n`));
  });
  const [code] = (await waiting('the end of the command', once(child, 'close'))) as [number];
  if (code !== 0) throw new Error(`the command exited with ${code}: ${output}`);
  return output;
}

it('the curl commands work as shown', async () => {
  const { snippets, to } = await snippetsOf('curl');
  const [secret, check, send, verify] = snippets;
  const shell = async (...lines: string[]) => JSON.parse(await run(lines.join('\n')));
  const setSecret = withSecret(secret!);
  expect(await shell(setSecret, check!)).toEqual({ success: true, message: 'authenticated successfully' });
  const sent = await shell(setSecret, send!);
  expect(sent).toMatchObject({ success: true, data: { isSent: 1 } });
  const filled = verify!
    .replace('MASK_ID_FROM_REPLY', sent.data.results[0].maskId)
    .replace('RECEIVED_CODE', await passbell.codeFor(to));
  expect(await shell(setSecret, filled)).toMatchObject({ success: true, message: 'verified' });
});

it('the Node program works as shown', async () => {
  const { snippets, to } = await snippetsOf('node');
  const [secret, program, command] = snippets;
  writeFileSync(join(folder, 'send-code.mjs'), program!);
  expect(await run(`${withSecret(secret!)}\n${command}`, { to })).toMatch(/verified USR-/);
  await expect(run(`${secret}\n${command}`, { to })).rejects.toThrow('invalid clientId or clientSecret');
});

it('the PHP program works as shown', async () => {
  const { isRoot, hasApt } = thisMachine();
  if (!findProgram('php') && isRoot && hasApt) await aptInstall('php-cli');
  if (!findProgram('php')) throw new Error('This test needs PHP and found none. Run: sudo apt-get install -y php-cli');
  const { snippets, to } = await snippetsOf('php');
  const [secret, program, command] = snippets;
  writeFileSync(join(folder, 'send-code.php'), program!);
  expect(await run(`${withSecret(secret!)}\n${command}`, { to })).toMatch(/verified USR-/);
  await expect(run(`${secret}\n${command}`, { to })).rejects.toThrow('invalid clientId or clientSecret');
});

it('the Python program works as shown', async () => {
  const { snippets, to } = await snippetsOf('python');
  const [secret, program, command] = snippets;
  writeFileSync(join(folder, 'send_code.py'), program!);
  expect(await run(`${withSecret(secret!)}\n${command}`, { to })).toMatch(/verified USR-/);
  await expect(run(`${secret}\n${command}`, { to })).rejects.toThrow('invalid clientId or clientSecret');
});
