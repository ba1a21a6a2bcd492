/** The steps of a full cycle for each kind of server: send, verify and token. A step throws on an unexpected reply. */

const JSON_TYPE = 'Content-Type: application/json\r\nAccept: application/json\r\n';

/** Starts at a random number, so that no recipient repeats across runs. */
let counter = Math.floor(Math.random() * 50_000_000);

/** Number of phone number prefixes. Several are used because the fraud guard counts by prefix. Coprime to 7919. */
const PREFIXES = 30;

const freshPhone = () => {
  const n = counter++;
  const prefix = String((n * 7919) % PREFIXES).padStart(4, '0');
  return `+49151${prefix}${String(Math.floor(n / PREFIXES) % 10_000).padStart(4, '0')}`;
};
const freshEmail = () => `bench-${counter++}@example.com`;

/** A six-digit code derived from the recipient. */
const codeOf = (recipient) => String(100_000 + (Number(recipient.replace(/\D/g, '').slice(-7)) % 900_000));

function parseReply(reply, isExpected) {
  if (reply.status === 200) {
    const body = JSON.parse(reply.body);
    if (isExpected(body)) return body;
  }
  throw new Error(`unexpected reply ${reply.status}: ${reply.body.slice(0, 200)}`);
}

/** Passbell and the baselines, which accept the same requests. */
function passbell({ headers }) {
  const lines = JSON_TYPE + headers;
  return {
    steps: ['send', 'verify'],
    async send(connection) {
      const to = freshPhone();
      const code = codeOf(to);
      const body = JSON.stringify({ to, authWay: 'SMS', otp: code });
      const reply = await connection.request('POST', '/api/v1/auth/sendotp', lines, body);
      const { data } = parseReply(reply, (it) => it.success === true && it.data.results[0].maskId.length === 32);
      return { maskId: data.results[0].maskId, code };
    },
    async verify(connection, { maskId, code }) {
      const body = JSON.stringify({ maskId, otp: code });
      const reply = await connection.request('POST', '/api/v1/auth/verifyotp', lines, body);
      parseReply(reply, (body) => body.success === true && body.data.token.split('.').length === 3);
    },
  };
}

const COOKIE_HEADER = /\r\nset-cookie: *([^;\r]+)/gi;
const CODE_HEADER = /\r\nx-code: *(\w+)/i;

/** better-auth: emails or texts a code, signs in with the code, and gets a JWT for the session. */
function betterAuth({ by, token, origin }) {
  const lines = `${JSON_TYPE}Origin: ${origin}\r\n`;
  const phone = by === 'phone';
  const path = phone
    ? { send: '/api/auth/phone-number/send-otp', verify: '/api/auth/phone-number/verify' }
    : { send: '/api/auth/email-otp/send-verification-otp', verify: '/api/auth/sign-in/email-otp' };
  return {
    steps: token === 'cookie' ? ['send', 'verify'] : ['send', 'verify', 'token'],
    async send(connection) {
      const to = phone ? freshPhone() : freshEmail();
      const body = phone ? { phoneNumber: to } : { email: to, type: 'sign-in' };
      const reply = await connection.request('POST', path.send, lines, JSON.stringify(body));
      parseReply(reply, (it) => it.success === true || it.message === 'code sent');
      const code = CODE_HEADER.exec(reply.head)?.[1];
      if (!code) throw new Error('the reply has no code');
      return { to, code };
    },
    async verify(connection, sent) {
      const { to, code } = sent;
      const body = phone ? { phoneNumber: to, code } : { email: to, otp: code };
      const reply = await connection.request('POST', path.verify, lines, JSON.stringify(body));
      parseReply(reply, (it) => typeof it.token === 'string' && typeof it.user.id === 'string');
      sent.cookie = [...reply.head.matchAll(COOKIE_HEADER)].map(([, pair]) => pair).join('; ');
      if (token === 'cookie' && !/session_data=[\w-]+\.[\w-]+\.[\w-]+/.test(sent.cookie))
        throw new Error('the reply has no JWT');
    },
    async token(connection, { cookie }) {
      const reply = await connection.request('GET', '/api/auth/token', `Cookie: ${cookie}\r\n`);
      parseReply(reply, (body) => body.token.split('.').length === 3);
    },
  };
}

export const stepsOf = (target) => (target.kind === 'better-auth' ? betterAuth(target) : passbell(target));
