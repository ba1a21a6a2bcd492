/** Runs the samples of docs/webhooks.md and docs/send-and-verify.md in all languages. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newSecret, signedHeaders } from '../../backend/src/modules/webhooks/webhook.js';
import { root } from '../support/process.js';
import { itWithProgram } from '../support/program.js';
import { freshMail, startService, type Body, type TestService } from '../support/service.js';

const run = promisify(execFile);
const itWithPython = await itWithProgram('python3');
const itWithPhp = await itWithProgram('php', 'php-cli');

/** Returns the first code block in this language that contains `text`. */
function sample(file: string, language: string, text: string): string {
  const page = readFileSync(join(root, 'docs', file), 'utf8');
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code!);
  return blocks.find((code) => code.includes(text))!;
}

/** Runs a program that prints JSON. */
async function outputOf([program, ...args]: readonly string[], env: Record<string, string> = {}): Promise<Body> {
  const { stdout } = await run(program!, args, { env: { PATH: process.env.PATH, ...env } });
  return JSON.parse(stdout);
}

const quote = (text: string): string => JSON.stringify(text);
/** A string literal in PHP, without variables in it. */
const quotePhp = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
const js = (code: string): string[] => [process.execPath, '--input-type=module', '-e', code];

describe('the verification of signatures', () => {
  const body = '{"id":"EVT-1","event":"otp.verified"}';
  const secret = newSecret();
  const signatureAt = (secondsAgo: number): string =>
    signedHeaders([secret], { eventId: 'EVT-1', body }, Math.floor(Date.now() / 1000) - secondsAgo)[
      'Passbell-Signature'
    ]!;

  /** `verify` returns a program that prints whether the signature is valid. */
  async function check(verify: (header: string, body: string, secret: string) => string[]): Promise<void> {
    expect(await outputOf(verify(signatureAt(0), body, secret))).toBe(true);
    expect(await outputOf(verify(signatureAt(400), body, secret))).toBe(false);
    expect(await outputOf(verify(signatureAt(0), body.replace('verified', 'canceled'), secret))).toBe(false);
    expect(await outputOf(verify(signatureAt(0), body, newSecret()))).toBe(false);
    expect(await outputOf(verify('', body, secret))).toBe(false);
  }

  it('works in JavaScript', () => {
    const code = sample('webhooks.md', 'js', 'isPassbell');
    return check((...values) => js(`${code}\nconsole.log(isPassbell(${values.map(quote).join(', ')}))`));
  });

  itWithPython('works in Python', () => {
    const code = sample('webhooks.md', 'python', 'is_passbell');
    return check((header, text, key) => [
      'python3',
      '-c',
      `${code}\nprint(str(is_passbell(${quote(header)}, b${quotePhp(text)}, ${quote(key)})).lower())`,
    ]);
  });

  itWithPhp('works in PHP', () => {
    const code = sample('webhooks.md', 'php', 'isPassbell');
    return check((...values) => [
      'php',
      '-r',
      `${code}\necho json_encode(isPassbell(${values.map(quotePhp).join(', ')}));`,
    ]);
  });
});

describe('the sign-in with a code', () => {
  let passbell: TestService;
  beforeAll(async () => void (passbell = await startService()));
  afterAll(() => passbell.stop());

  /** `start` and `finish` return programs that print the results and the session of the two functions of the sample. */
  async function check(
    language: string,
    start: (code: string, to: string) => string[],
    finish: (code: string, session: Body, otp: string) => string[],
  ): Promise<void> {
    const code = sample('send-and-verify.md', language, 'verifyotp').replace('http://127.0.0.1:3000', passbell.url);
    const env = { APP_KEY: passbell.keys.appKey, APP_SECRET: passbell.keys.appSecret };
    const to = freshMail();
    const [, session] = await outputOf(start(code, to), env);
    expect(session).toEqual({ maskId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    // The second code is too early.
    const [refused] = await outputOf(start(code, to), env);
    expect(refused).toEqual({ problem: expect.stringContaining('Try again'), wait: expect.any(Number) });
    expect(await outputOf(finish(code, session, '000000'), env)).toMatchObject({ problem: 'Invalid OTP' });
    expect(await outputOf(finish(code, session, await passbell.codeFor(to)), env)).toEqual({
      user: expect.objectContaining({ email: to }),
    });
  }

  it('works in JavaScript', () =>
    check(
      'js',
      (code, to) =>
        js(
          `${code}\nconst session = {}; const result = await startSignIn(session, ${quote(to)}, '198.51.100.7');
           console.log(JSON.stringify([result, session]));`,
        ),
      (code, session, otp) =>
        js(`${code}\nconsole.log(JSON.stringify(await finishSignIn(${JSON.stringify(session)}, ${quote(otp)})));`),
    ));

  itWithPython('works in Python', () =>
    check(
      'python',
      (code, to) => [
        'python3',
        '-c',
        `${code}\nsession = {}\nresult = start_sign_in(session, ${quote(to)}, "198.51.100.7")\nprint(json.dumps([result, session]))`,
      ],
      (code, session, otp) => [
        'python3',
        '-c',
        `${code}\nprint(json.dumps(finish_sign_in(${JSON.stringify(session)}, ${quote(otp)})))`,
      ],
    ),
  );

  itWithPhp('works in PHP', () =>
    check(
      'php',
      (code, to) => [
        'php',
        '-r',
        `${code}\n$session = []; $result = startSignIn($session, ${quotePhp(to)}, '198.51.100.7'); echo json_encode([$result, $session]);`,
      ],
      (code, session, otp) => [
        'php',
        '-r',
        `${code}\necho json_encode(finishSignIn(['maskId' => ${quotePhp(session.maskId)}], ${quotePhp(otp)}));`,
      ],
    ),
  );
});
