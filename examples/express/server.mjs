// A login form with verification codes, and a page for users who are logged in.
import express from 'express';
import { Passbell } from 'passbell';

const { PASSBELL_URL: baseUrl, APP_KEY: appKey, APP_SECRET: appSecret, PORT = 4000, NODE_ENV } = process.env;
const passbell = new Passbell({ baseUrl, appKey, appSecret });

// Scripts cannot read these cookies, and browsers do not send them with forms from other sites.
const cookie = { httpOnly: true, sameSite: 'lax', secure: NODE_ENV === 'production' };

const escape = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = (content, error) => `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Shop</title>
<h1>Shop</h1>
${error ? `<p role="alert">${escape(error)}</p>` : ''}
${content}`;

const sendForm = (to) => `<form method="post" action="/login">
<label>Phone number or email address <input name="to" value="${escape(to)}" autocomplete="tel" required></label>
<button>Send code</button>
</form>`;

// The script solves the challenge, and sends the form again with the answer. Browsers load it from Passbell.
const challengeForm = (to, challenge) => `<form method="post" action="/login">
<input type="hidden" name="to" value="${escape(to)}"><input type="hidden" name="challenge">
<p role="status">Checking your browser …</p>
</form>
<script type="module">
import { solveChallenge } from '${baseUrl}/js/v1/challenge.js';
const form = document.forms[0];
form.elements.challenge.value = await solveChallenge(${JSON.stringify(challenge).replaceAll('<', '\\u003c')}, form);
form.submit();
</script>`;

// The script fills in the code from an SMS that is bound to this site, and sends the form.
const codeForm = `<form method="post" action="/verify">
<label>Code <input name="otp" inputmode="numeric" autocomplete="one-time-code" required></label>
<button>Log in</button>
</form>
<p><a href="/login">Send another code</a></p>
<script>
if ('OTPCredential' in window) {
  const form = document.forms[0];
  const waiting = new AbortController();
  form.addEventListener('submit', () => waiting.abort());
  const fillIn = ({ code }) => {
    form.otp.value = code;
    form.requestSubmit();
  };
  navigator.credentials.get({ otp: { transport: ['sms'] }, signal: waiting.signal }).then(fillIn, () => {});
}
</script>`;

const alreadySent = (seconds) => `A code was already sent. You can send another one in ${seconds} seconds.`;

/** Returns the message to show to the user. Rethrows errors that the user cannot resolve. */
function messageOf(error) {
  if (['INVALID_OTP', 'MISSING_PARAMETERS'].includes(error.code)) return 'This code is wrong.';
  if (error.code === 'OTP_EXPIRED') return 'This code has expired. Send another one.';
  if (error.code === 'COOLDOWN') return alreadySent(error.retryAfterSeconds);
  if (error.retryAfterSeconds) return `Too many attempts. Try again in ${error.retryAfterSeconds} seconds.`;
  if (error.field === 'to') return 'Enter a phone number with its country code, or an email address.';
  throw error;
}

function cookiesOf(request) {
  return Object.fromEntries((request.headers.cookie ?? '').split('; ').map((pair) => pair.split('=')));
}

/** Returns the recipient of the code that this browser requested. */
const recipientOf = (request) => decodeURIComponent(cookiesOf(request).to ?? '');

/** Returns the user; undefined if nobody is logged in. */
async function userOf(request) {
  const { session } = cookiesOf(request);
  if (!session) return undefined;
  try {
    return await passbell.verifyToken(session);
  } catch (error) {
    if (['INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'].includes(error.code)) return undefined;
    throw error;
  }
}

const app = express().use(express.urlencoded());

app.get('/', async (request, response) => {
  const user = await userOf(request);
  if (!user) return response.redirect('/login');
  response.send(
    page(`<p>You are logged in as ${escape(user.identities.identityValue)}.</p>
<form method="post" action="/logout"><button>Log out</button></form>`),
  );
});

app.get('/login', (request, response) => response.send(page(sendForm(recipientOf(request)))));

app.post('/login', async (request, response) => {
  const { to = '', challenge } = request.body ?? {};
  try {
    // Behind a proxy, set Express's `trust proxy`: otherwise, all users appear to have its address.
    const { maskId } = await passbell.sendOtp({ to, clientIp: request.ip, challenge });
    response.cookie('code', maskId, cookie).cookie('to', to, cookie).redirect('/verify');
  } catch (error) {
    if (error.code === 'CHALLENGE_REQUIRED') return response.send(page(challengeForm(to, error.challenge)));
    // The code that this browser requested earlier is still valid.
    if (error.code === 'COOLDOWN' && to === recipientOf(request))
      return response.redirect(`/verify?wait=${error.retryAfterSeconds}`);
    response.status(400).send(page(sendForm(to), messageOf(error)));
  }
});

app.get('/verify', (request, response) => {
  const seconds = Number(request.query.wait);
  response.send(page(codeForm, seconds && alreadySent(seconds)));
});

app.post('/verify', async (request, response) => {
  const { otp = '' } = request.body ?? {};
  const { code: maskId = '' } = cookiesOf(request);
  try {
    const { token, expiresIn } = await passbell.verifyOtp({ maskId, otp });
    response
      .clearCookie('code')
      .clearCookie('to')
      .cookie('session', token, { ...cookie, maxAge: expiresIn * 1000 })
      .redirect('/');
  } catch (error) {
    response.status(400).send(page(codeForm, messageOf(error)));
  }
});

app.post('/logout', async (request, response) => {
  const { session } = cookiesOf(request);
  // The user is logged out here even if the session cannot be revoked.
  if (session) await passbell.revokeSession(session).catch(console.error);
  response.clearCookie('session').redirect('/login');
});

const server = app.listen(PORT, () => console.log(`Open http://127.0.0.1:${server.address().port}`));
