/** The programs that the dashboard's Connect pages show run as they are shown, against the running service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SECRET_PLACEHOLDER } from '../../backend/src/dashboard/connect/snippets.js';
import { signIn } from '../support/dashboard.js';
import { aptInstall, findProgram, thisMachine } from '../support/servers/find.js';
import { NO_SEND_LIMITS, startService, type TestService } from '../support/service.js';

/** A machine that installs PHP first needs minutes. */
const INSTALL_MS = 10 * 60_000;

const folder = mkdtempSync(join(tmpdir(), 'passbell-connect-'));
let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  await passbell.service.applications.update(passbell.keys.appKey, NO_SEND_LIMITS);
});
afterAll(async () => {
  await passbell.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Everything that the page of a tool offers to copy, in order, and whom it is sent to. */
async function offered(tool: string): Promise<{ snippets: string[]; to: string }> {
  const owner = await signIn(passbell, 'owner', { email: `o'${tool}@shop.example` });
  const { html } = await owner.get(`/applications/${passbell.keys.appKey}/connect/${tool}`);
  const unescape = (text: string) =>
    text
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&');
  const blocks = [...html.matchAll(/<pre[^>]*><code>([\s\S]*?)<\/code>/g)];
  return { snippets: blocks.map(([, code]) => unescape(code!)), to: owner.person!.email };
}

const withSecret = (command: string): string => command.replace(SECRET_PLACEHOLDER, passbell.keys.appSecret);

/** Runs a command as a person does, who enters the code when it has arrived. */
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
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`it ended with ${code}: ${output}`);
  return output;
}

it('curl', async () => {
  const { snippets, to } = await offered('curl');
  const [secret, check, send, variables, verify] = snippets;
  const shell = async (...lines: string[]) => JSON.parse(await run(lines.join('\n')));
  const given = withSecret(secret!);
  expect(await shell(given, check!)).toEqual({ success: true, message: 'authenticated successfully' });
  const sent = await shell(given, send!);
  expect(sent).toMatchObject({ success: true, data: { isSent: 1 } });
  const filled = variables!.replace('…', sent.data.results[0].maskId).replace('…', await passbell.codeFor(to));
  expect(await shell(given, filled, verify!)).toMatchObject({ success: true, message: 'verified' });
});

it('Node', async () => {
  const { snippets, to } = await offered('node');
  const [program, command] = snippets;
  writeFileSync(join(folder, 'send-code.mjs'), program!);
  expect(await run(withSecret(command!), { to })).toMatch(/verified USR-/);
  await expect(run(command!, { to })).rejects.toThrow('invalid clientId or clientSecret');
});

it(
  'PHP',
  async () => {
    const { isRoot, hasApt } = thisMachine();
    if (!findProgram('php') && isRoot && hasApt) await aptInstall('php-cli');
    if (!findProgram('php'))
      throw new Error('This test needs PHP and found none. Run: sudo apt-get install -y php-cli');
    const { snippets, to } = await offered('php');
    const [program, command] = snippets;
    writeFileSync(join(folder, 'send-code.php'), program!);
    expect(await run(withSecret(command!), { to })).toMatch(/verified USR-/);
    await expect(run(command!, { to })).rejects.toThrow('invalid clientId or clientSecret');
  },
  INSTALL_MS,
);
