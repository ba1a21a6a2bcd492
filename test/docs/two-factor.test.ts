/**
 * The samples in docs/two-factor.md create valid sign-in tokens. Without the sign-in parts, they create full tokens.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { USER_TOKEN_SAMPLES } from '../../backend/src/modules/twofactor/user-token-samples.js';
import { createPage, signInToken, userToken } from '../support/authenticator.js';
import { root } from '../support/process.js';
import { itWithProgram } from '../support/program.js';
import { freshMail, startService } from '../support/service.js';

const page = readFileSync(join(root, 'docs/two-factor.md'), 'utf8');
const sample = (language: string): string => page.match(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``))![1]!;
const quote = (text: string) => JSON.stringify(text);

/** The command that runs a sample with its two inputs and prints the token. */
type Command = (code: string, secret: string, email: string) => [program: string, ...args: string[]];
const LANGUAGES: Record<string, Command> = {
  js: (code, secret, email) => [
    process.execPath,
    '--input-type=module',
    '-e',
    `const appSecret = ${quote(secret)}, email = ${quote(email)};\n${code}\nconsole.log(userToken)`,
  ],
  python: (code, secret, email) => [
    'python3',
    '-c',
    `app_secret = ${quote(secret)}\nemail = ${quote(email)}\n${code}\nprint(user_token)`,
  ],
  php: (code, secret, email) => [
    'php',
    '-r',
    `$appSecret = ${quote(secret)}; $email = ${quote(email)};\n${code}\necho $userToken;`,
  ],
};

/** Removes the sign-in parts, so that the sample creates a full token, which replaces a code. */
const withoutSignIn = (code: string): string => code.replace('.sign-in', '').replace('\\nsign-in', '');

function checkSample(language: string): void {
  const secret = 'sk_of-the-sample';
  const email = 'ana@example.com';
  const env = { PATH: process.env.PATH };
  const code = sample(language);
  for (const [variant, expected] of [
    [code, signInToken],
    [withoutSignIn(code), userToken],
  ] as const) {
    const [program, ...args] = LANGUAGES[language]!(variant, secret, email);
    const token = execFileSync(program, args, { encoding: 'utf8', env }).trim();
    const expires = Number(token.split('.')[0]);
    expect(token).toBe(expected(secret, email, expires));
    expect(Math.abs(expires - Date.now() / 1000 - 600)).toBeLessThan(60);
  }
}

it('the JavaScript sample creates a sign-in token and a full token', () => checkSample('js'));
(await itWithProgram('python3'))('the Python sample creates a sign-in token and a full token', () =>
  checkSample('python'),
);
(await itWithProgram('php', 'php-cli'))('the PHP sample creates a sign-in token and a full token', () =>
  checkSample('php'),
);

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
