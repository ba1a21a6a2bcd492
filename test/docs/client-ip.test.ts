/** All samples that send a code pass the end user's IP address, which the fraud guard needs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { curlSend, nodeProgram, phpProgram, pythonProgram } from '../../backend/src/dashboard/connect/snippets.js';
import { readGuides } from '../../backend/src/modules/docs/guides.js';
import { root } from '../support/process.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => void (passbell = await startService()));
afterAll(() => passbell.stop());

const SEND = /auth\/sendotp|\.sendOtp\(/;

/** Returns the samples that send a code, without those that contain `clientIp`. */
function withoutClientIp(samples: readonly string[]): readonly string[] {
  const sends = samples.filter((sample) => SEND.test(sample));
  expect(sends.length).toBeGreaterThan(0);
  return sends.filter((sample) => !sample.includes('clientIp'));
}

const read = async (path: string) => (await fetch(`${passbell.url}${path}`)).text();

it('the code blocks of all guides pass clientIp', () => {
  const blocks = readGuides().flatMap(({ text }) => text.match(/^```\w+\n[\s\S]*?^```$/gm) ?? []);
  expect(withoutClientIp(blocks)).toEqual([]);
});

it.each(['express', 'flask', 'nextjs'])('the example %s passes clientIp', (name) => {
  const files = readdirSync(join(root, 'examples', name), { withFileTypes: true, recursive: true })
    .filter((file) => file.isFile() && /\.(mjs|jsx?|py)$/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'));
  expect(withoutClientIp(files)).toEqual([]);
});

it('the programs on the Connect pages pass clientIp', () => {
  const values = { serviceUrl: passbell.url, appKey: 'pk_', to: 'ana@example.com' };
  expect(withoutClientIp([curlSend, nodeProgram, phpProgram, pythonProgram].map((snippet) => snippet(values)))).toEqual(
    [],
  );
});

it('the API reference passes clientIp in all languages', async () => {
  const page = await read('/docs/api/otp');
  const section = page.slice(page.indexOf('id="sendOtp"'));
  const [, request] = />Request<([\s\S]*?)>Reply</.exec(section)!;
  const samples = request!.replaceAll('<wbr>', '').match(/<pre[\s\S]*?<\/pre>/g)!;
  expect(samples).toHaveLength(5);
  expect(withoutClientIp(samples)).toEqual([]);
});

it('the request in llms.txt passes clientIp', async () => {
  const requests = (await read('/llms.txt')).match(/`POST \/api\/v1\S+` with `\{[^`]+\}`/g)!;
  expect(withoutClientIp(requests)).toEqual([]);
});

it.each([
  'docs/quick-start.md',
  'docs/send-and-verify.md',
  'docs/going-live.md',
  'clients/node/README.md',
  'clients/python/README.md',
])('%s explains clientIp', (file) => {
  expect(readFileSync(join(root, file), 'utf8')).toMatch(
    /`clientIp`[\s\S]{0,80}IP address|IP address[\s\S]{0,80}`clientIp`/,
  );
});
