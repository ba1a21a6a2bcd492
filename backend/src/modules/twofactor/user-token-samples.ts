/** The email address in the samples, which the reader must replace. */
export const SAMPLE_EMAIL = 'ana@example.com';

/**
 * Code samples for the site's server that create sign-in tokens: userTokens that do not replace a code. A test compares
 * the samples with docs/two-factor.md and runs them.
 */
export const USER_TOKEN_SAMPLES: readonly { readonly language: string; readonly code: string }[] = [
  {
    language: 'Node.js',
    code: `import { createHmac } from 'node:crypto';
const appSecret = process.env.APP_SECRET;
const email = 'ana@example.com';
const hmac = (key, text) =>
  createHmac('sha256', key).update(text).digest('hex');
const expires = Math.floor(Date.now() / 1000) + 600;
const key = hmac(appSecret, 'passbell user token');
const signature = hmac(key, \`\${email}\\n\${expires}\\nsign-in\`);
const userToken = \`\${expires}.sign-in.\${signature}\`;`,
  },
  {
    language: 'PHP',
    code: `$appSecret = getenv('APP_SECRET');
$email = 'ana@example.com';
$expires = time() + 600;
$key = hash_hmac('sha256', 'passbell user token', $appSecret);
$signature = hash_hmac('sha256', "$email\\n$expires\\nsign-in", $key);
$userToken = "$expires.sign-in.$signature";`,
  },
  {
    language: 'Python',
    code: `import hashlib, hmac, os, time
app_secret = os.environ["APP_SECRET"]
email = "ana@example.com"

def sign(key, text):
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()

expires = int(time.time()) + 600
key = sign(app_secret, "passbell user token")
signature = sign(key, f"{email}\\n{expires}\\nsign-in")
user_token = f"{expires}.sign-in.{signature}"`,
  },
];
