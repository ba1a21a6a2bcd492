/**
 * The samples in docs/two-factor.md create valid sign-in tokens. Without the sign-in parts, they create full tokens.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { USER_TOKEN_SAMPLES } from '../../backend/src/modules/twofactor/user-token-samples.js';
import { codeAt, createPage, OTHER_BROWSER, signInToken, userToken } from '../support/authenticator.js';
import { root } from '../support/process.js';
import { itWithProgram } from '../support/program.js';
import { freshMail, startService, type TestService } from '../support/service.js';

const page = readFileSync(join(root, 'docs/two-factor.md'), 'utf8');
/** Returns the first code block in this language that contains `text`. */
function blockWith(language: string, text: string): string {
  const blocks = [...page.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, code]) => code!);
  return blocks.find((code) => code.includes(text))!;
}
const sample = (language: string): string => blockWith(language, 'sign-in');
const quote = (text: string) => JSON.stringify(text);

/** The command that runs a sample and prints the token. */
type Command = (code: string) => [program: string, ...args: string[]];
const LANGUAGES: Record<string, Command> = {
  js: (code) => [process.execPath, '--input-type=module', '-e', `${code}\nconsole.log(userToken)`],
  python: (code) => ['python3', '-c', `${code}\nprint(user_token)`],
  php: (code) => ['php', '-r', `${code}\necho $userToken;`],
};

/** Removes the sign-in parts. The sample then creates a full token, which replaces a code. */
const withoutSignIn = (code: string): string => code.replace('.sign-in', '').replace('\\nsign-in', '');

function checkSample(language: string): void {
  const secret = 'sk_of-the-sample';
  const email = 'ana@example.com';
  const env = { PATH: process.env.PATH, APP_SECRET: secret };
  const code = sample(language);
  for (const [variant, expected] of [
    [code, signInToken],
    [withoutSignIn(code), userToken],
  ] as const) {
    const [program, ...args] = LANGUAGES[language]!(variant);
    const token = execFileSync(program, args, { encoding: 'utf8', env }).trim();
    const expires = Number(token.split('.')[0]);
    expect(token).toBe(expected(secret, email, expires));
    expect(Math.abs(expires - Date.now() / 1000 - 600)).toBeLessThan(300);
  }
}

it('the JavaScript sample creates a sign-in token and a full token', () => checkSample('js'));
(await itWithProgram('python3'))('the Python sample creates a sign-in token and a full token', () =>
  checkSample('python'),
);
const itWithPhp = await itWithProgram('php', 'php-cli');
itWithPhp('the PHP sample creates a sign-in token and a full token', () => checkSample('php'));

it('the dashboard offers the same samples', () => {
  const languages = USER_TOKEN_SAMPLES.map(({ language }) => language);
  expect(languages).toEqual(['Node.js', 'PHP', 'Python']);
  const documented = ['js', 'php', 'python'].map((language) => sample(language).replace(/^\s*(\/\/|#) .*\n/, ''));
  expect(USER_TOKEN_SAMPLES.map(({ code }) => `${code}\n`)).toEqual(documented);
});

it('the example tokens are correct', () => {
  for (const tokenOf of [signInToken, userToken])
    expect(page).toContain(`\`${tokenOf('sk_example', 'ana@example.com', 1_800_000_000)}\``);
});

it('the service accepts sign-in tokens and full tokens', async () => {
  const passbell = await startService();
  try {
    const identity = freshMail();
    for (const tokenOf of [signInToken, userToken]) {
      const token = tokenOf(passbell.keys.appSecret, identity, passbell.clock.now() / 1000 + 600);
      const body = await createPage(passbell, identity).call('authstate', { userToken: token });
      expect(body).toMatchObject({ success: true });
    }
  } finally {
    await passbell.stop();
  }
});

describe('the server code', () => {
  let passbell: TestService;
  beforeAll(async () => void (passbell = await startService()));
  afterAll(() => passbell.stop());

  /** The commands that run a sample, and print the results of its two functions. */
  const PROGRAMS: Record<string, (code: string, email: string, userToken: string, token: string) => string[]> = {
    js: (code, email, userToken, token) => [
      process.execPath,
      '--input-type=module',
      '-e',
      `${code}\nconst results = [await needsCode(${quote(email)}, ${quote(userToken)}), await checkedUserId(${quote(token)})];
       console.log(JSON.stringify([results[0], results[1] ?? null]));`,
    ],
    php: (code, email, userToken, token) => [
      'php',
      '-r',
      `${code}\necho json_encode([needsCode(${quote(email)}, ${quote(userToken)}), checkedUserId(${quote(token)})]);`,
    ],
  };

  async function check(language: string): Promise<void> {
    const { appKey, appSecret } = passbell.keys;
    const code = blockWith(language, 'checkedUserId').replace('https://otp.example', passbell.url);
    const run = promisify(execFile);
    async function results(email: string, token: string): Promise<unknown> {
      const signed = signInToken(appSecret, email, passbell.clock.now() / 1000 + 600);
      const [program, ...args] = PROGRAMS[language]!(code, email, signed, token);
      const env = { PATH: process.env.PATH, APP_KEY: appKey, APP_SECRET: appSecret };
      return JSON.parse((await run(program!, args, { env })).stdout);
    }
    const identity = freshMail();
    expect(await results(identity, 'invalid')).toEqual([false, null]);

    const more = { userToken: signInToken(appSecret, identity, passbell.clock.now() / 1000 + 600) };
    const page = createPage(passbell, identity, { more });
    const { manualKey } = await page.enable();
    const { data } = await page.verify(codeAt(manualKey, passbell.clock.now()));
    expect(await results(identity, data.token)).toEqual([true, data.user.userId]);

    // Without a userToken, nobody has confirmed the address.
    const stranger = await createPage(passbell, freshMail(), { browser: OTHER_BROWSER });
    const planted = await stranger.enable();
    const { data: unconfirmed } = await stranger.verify(codeAt(planted.manualKey, passbell.clock.now()));
    expect(await results(identity, unconfirmed.token)).toEqual([true, null]);
  }

  it('in JavaScript decides whether a code is needed, and checks the token', () => check('js'));
  itWithPhp('in PHP decides whether a code is needed, and checks the token', () => check('php'));
});
