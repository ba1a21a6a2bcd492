/** better-auth's plugins `phoneNumber` and `emailOTP`, with codes that Passbell sends and verifies. */
import { createAuthMiddleware, getSessionFromCtx } from 'better-auth/api';
import { emailOTP, phoneNumber, type EmailOTPOptions, type PhoneNumberOptions } from 'better-auth/plugins';
import type { Passbell } from 'passbell';
import { createCodes, type Context, type Recipient } from './codes.js';

export type PassbellPhoneNumberOptions = Omit<
  PhoneNumberOptions,
  'sendOTP' | 'verifyOTP' | 'sendPasswordResetOTP' | 'allowedAttempts'
>;

/** Accepts only E.164, because different formats of one number would be different users. */
const E164 = /^\+[1-9]\d{6,14}$/;

/** A replacement for `phoneNumber`, with the same endpoints. Use it with `phoneNumberClient`. */
export function passbellPhoneNumber(
  passbell: Passbell,
  options: PassbellPhoneNumberOptions = {},
): ReturnType<typeof phoneNumber> {
  const codes = createCodes(passbell, options);
  return phoneNumber({
    phoneNumberValidator: (number) => E164.test(number),
    ...options,
    sendOTP: ({ phoneNumber: to }, ctx) => codes.send(ctx!, { to, purpose: 'phone' }),
    sendPasswordResetOTP: ({ phoneNumber: to }, ctx) => codes.send(ctx!, { to, purpose: 'phone-reset' }),
    async verifyOTP({ phoneNumber: to, code }, ctx) {
      const purpose = ctx!.path === '/phone-number/reset-password' ? 'phone-reset' : 'phone';
      await codes.verify(ctx!, { to, purpose }, code);
      return true;
    },
  });
}

export type PassbellEmailOTPOptions = Omit<
  EmailOTPOptions,
  'sendVerificationOTP' | 'generateOTP' | 'storeOTP' | 'resendStrategy' | 'allowedAttempts'
>;

/**
 * The purpose of the code, by the path of each endpoint that verifies a code; undefined if the request contains the
 * purpose.
 */
const VERIFYING_PATHS: Readonly<Record<string, string | undefined>> = {
  '/sign-in/email-otp': 'sign-in',
  '/email-otp/check-verification-otp': undefined,
  '/email-otp/verify-email': 'email-verification',
  '/email-otp/reset-password': 'forget-password',
  '/email-otp/request-email-change': 'email-verification',
  '/email-otp/change-email': 'change-email',
};

const SEND_PATH = '/email-otp/send-verification-otp';

/**
 * Length of better-auth's own code. `emailOTP` always verifies its own code, so this code is a secret that is never
 * sent. After Passbell has accepted the user's code, the secret replaces it in the request.
 */
const SECRET_DIGITS = 32;

async function recipientOf(ctx: Context): Promise<Recipient | undefined> {
  const { email, newEmail, type } = ctx.body;
  const purpose = VERIFYING_PATHS[ctx.path] ?? type;
  let to = newEmail;
  if (ctx.path === '/email-otp/request-email-change') to = (await getSessionFromCtx(ctx))?.user.email;
  else if (purpose !== 'change-email') to = email;
  return typeof to === 'string' && typeof purpose === 'string' ? { to: to.toLowerCase(), purpose } : undefined;
}

/** A replacement for `emailOTP`, with the same endpoints. Use it with `emailOTPClient`. */
export function passbellEmailOTP(
  passbell: Passbell,
  options: PassbellEmailOTPOptions = {},
): ReturnType<typeof emailOTP> {
  const codes = createCodes(passbell, options);
  const failures = new WeakMap<object, unknown>();
  const plugin = emailOTP({
    ...options,
    otpLength: SECRET_DIGITS,
    async sendVerificationOTP({ email, otp, type }, ctx) {
      try {
        await codes.send(ctx!, { to: email.toLowerCase(), purpose: type }, otp);
      } catch (error) {
        failures.set(ctx!.context, error);
        throw error;
      }
    },
  });
  const verify = createAuthMiddleware(async (ctx) => {
    const recipient = await recipientOf(ctx as Context);
    // better-auth rejects invalid requests itself.
    if (!recipient || typeof ctx.body.otp !== 'string') return undefined;
    const secret = await codes.verify(ctx as Context, recipient, ctx.body.otp);
    return { context: { body: { ...ctx.body, otp: secret } } };
  });
  /**
   * Reports why a code could not be sent, which better-auth only logs. Not for codes that are only sent to existing
   * users: an error would reveal who is a user.
   */
  const report = createAuthMiddleware(async (ctx) => {
    if (ctx.body?.type === 'sign-in' && !options.disableSignUp && failures.has(ctx.context))
      throw failures.get(ctx.context);
  });
  const before = { matcher: (ctx: { path?: string }) => ctx.path! in VERIFYING_PATHS, handler: verify };
  const after = { matcher: (ctx: { path?: string }) => ctx.path === SEND_PATH, handler: report };
  const hooks = { before: [before], after: [...plugin.hooks.after, after] };
  return { ...plugin, hooks };
}
