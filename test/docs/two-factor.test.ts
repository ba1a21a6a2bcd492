/** The samples of docs/two-factor.md create valid userTokens. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { USER_TOKEN_SAMPLES } from '../../backend/src/modules/twofactor/user-token-samples.js';
import { createPage, userToken } from '../support/authenticator.js';
import { root } from '../support/process.js';
import { itWithProgram } from '../support/program.js';
import { freshMail, startService } from '../support/service.js';

const page = readFileSync(join(root, 'docs/two-factor.md'), 'utf8');
const sample = (language: string): string => page.match(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``))![1]!;
const quote = (text: string) => JSON.stringify(text);

/** The command that runs each sample with its two inputs and prints the token. */
const LANGUAGES: Record<string, (secret: string, email: string) => [program: string, ...args: string[]]> = {
  js: (secret, email) => [
    process.execPath,
    '--input-type=module',
    '-e',
    `const appSecret = ${quote(secret)}, email = ${quote(email)};\n${sample('js')}\nconsole.log(userToken)`,
  ],
  python: (secret, email) => [
    'python3',
    '-c',
    `app_secret = ${quote(secret)}\nemail = ${quote(email)}\n${sample('python')}\nprint(user_token)`,
  ],
  php: (secret, email) => [
    'php',
    '-r',
    `$appSecret = ${quote(secret)}; $email = ${quote(email)};\n${sample('php')}\necho $userToken;`,
  ],
};

function checkSample(language: string): void {
  const secret = 'sk_of-the-sample';
  const email = 'ana@example.com';
  const [program, ...args] = LANGUAGES[language]!(secret, email);
  const env = { PATH: process.env.PATH };
  const token = execFileSync(program, args, { encoding: 'utf8', env }).trim();
  const expires = Number(token.split('.')[0]);
  expect(token).toBe(userToken(secret, email, expires));
  expect(Math.abs(expires - Date.now() / 1000 - 600)).toBeLessThan(60);
}

it('the JavaScript sample creates a valid token', () => checkSample('js'));
(await itWithProgram('python3'))('the Python sample creates a valid token', () => checkSample('python'));
(await itWithProgram('php', 'php-cli'))('the PHP sample creates a valid token', () => checkSample('php'));

it('the dashboard offers the same samples', () => {
  const languages = USER_TOKEN_SAMPLES.map(({ language }) => language);
  expect(languages).toEqual(['Node.js', 'PHP', 'Python']);
  const documented = ['js', 'php', 'python'].map((language) => sample(language).replace(/^\s*(\/\/|#) .*\n/, ''));
  expect(USER_TOKEN_SAMPLES.map(({ code }) => `${code}\n`)).toEqual(documented);
});

it('the example token is correct', () => {
  expect(page).toContain(userToken('sk_example', 'ana@example.com', 1_800_000_000));
});

it('the service accepts such a token', async () => {
  const passbell = await startService();
  try {
    const identity = freshMail();
    const token = userToken(passbell.keys.appSecret, identity, passbell.clock.now() / 1000 + 600);
    const body = await createPage(passbell, identity).call('authstate', { userToken: token });
    expect(body).toMatchObject({ success: true });
  } finally {
    await passbell.stop();
  }
});
