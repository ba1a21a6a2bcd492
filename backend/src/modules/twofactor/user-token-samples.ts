/** Code that signs userTokens on the site's server. docs/two-factor.md has the same; a test compares and runs them. */
export const USER_TOKEN_SAMPLES: readonly { readonly language: string; readonly code: string }[] = [
  {
    language: 'Node.js',
    code: `import { createHmac } from 'node:crypto';
const hmac = (key, text) => createHmac('sha256', key).update(text).digest('hex');
const expires = Math.floor(Date.now() / 1000) + 600;
const userToken = \`\${expires}.\${hmac(hmac(appSecret, 'passbell user token'), \`\${email}\\n\${expires}\`)}\`;`,
  },
  {
    language: 'PHP',
    code: `$expires = time() + 600;
$key = hash_hmac('sha256', 'passbell user token', $appSecret);
$userToken = $expires . '.' . hash_hmac('sha256', "$email\\n$expires", $key);`,
  },
  {
    language: 'Python',
    code: `import hashlib, hmac, time
def sign(key, text): return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()
expires = int(time.time()) + 600
key = sign(app_secret, "passbell user token")
user_token = f"{expires}." + sign(key, f"{email}\\n{expires}")`,
  },
];
