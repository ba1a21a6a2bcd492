import { cookies } from 'next/headers';
import { Passbell } from 'passbell';

const { PASSBELL_URL: baseUrl, APP_KEY: appKey, APP_SECRET: appSecret, NODE_ENV } = process.env;

let client;
/** Creates the client on the first request, because the settings are not available during the build. */
export const passbell = () => (client ??= new Passbell({ baseUrl, appKey, appSecret }));

/** Scripts cannot read these cookies, and browsers do not send them with forms from other sites. */
export const COOKIE = { httpOnly: true, sameSite: 'lax', secure: NODE_ENV === 'production' };

/** Returns the user; undefined if nobody is logged in. */
export async function currentUser() {
  const session = (await cookies()).get('session')?.value;
  if (!session) return undefined;
  return passbell()
    .verifyToken(session)
    .catch(({ code }) => {
      if (!['INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED'].includes(code)) throw new Error(code);
    });
}

export const redirectTo = (path) => new Response(null, { status: 303, headers: { Location: path } });

const MESSAGES = {
  INVALID_OTP: 'This code is wrong.',
  MISSING_PARAMETERS: 'This code is wrong.',
  OTP_EXPIRED: 'This code has expired. Send another one.',
  to: 'Enter a phone number with its country code, or an email address.',
};

/** Redirects to the form, which shows the error. Rethrows errors that the user cannot resolve. */
export function redirectWithError(step, error) {
  const { field, retryAfterSeconds = '' } = error;
  const name = field === 'to' ? field : error.code;
  if (!MESSAGES[name] && !retryAfterSeconds) throw error;
  return redirectTo(`/login?step=${step}&error=${name}&seconds=${retryAfterSeconds}`);
}

export function messageOf(error, seconds) {
  const wait =
    error === 'COOLDOWN' ? 'A code was already sent. You can send another one' : 'Too many attempts. Try again';
  return MESSAGES[error] ?? (seconds && `${wait} in ${Number(seconds)} seconds.`);
}
