/** Sends and verifies codes. better-auth's table `verification` stores the `maskId` of each recipient's latest code. */
import { APIError, getIP } from 'better-auth/api';
import type { PhoneNumberOptions } from 'better-auth/plugins';
import type { Passbell, PassbellError } from 'passbell';

export type Context = NonNullable<Parameters<PhoneNumberOptions['sendOTP']>[1]>;

export interface Recipient {
  readonly to: string;
  /** What the code is for. A code is only valid for its own purpose. */
  readonly purpose: string;
}

interface Stored {
  readonly maskId: string;
  /** better-auth's own code, which replaces the user's code in requests to better-auth. */
  readonly secret?: string | undefined;
  /** Hash of the code, stored after Passbell has accepted the code. */
  readonly accepted?: string;
}

export interface CodeOptions {
  readonly otpLength?: number | undefined;
  /** Validity of a code in seconds. */
  readonly expiresIn?: number | undefined;
}

export interface Codes {
  /** Sends a code. `secret` is better-auth's own code. */
  send(ctx: Context, recipient: Recipient, secret?: string): Promise<void>;
  /**
   * Verifies a code. Throws if the code is wrong. Returns the `secret` that was passed to `send`. Without a secret, a
   * code is accepted only once.
   */
  verify(ctx: Context, recipient: Recipient, otp: string): Promise<string | undefined>;
}

const DEFAULT_SECONDS = 300;
/**
 * How long rows are stored after their code has expired, so that a late code is reported as expired instead of wrong.
 */
const ROW_MS = 3_600_000;

const wrongCode = () => new APIError('BAD_REQUEST', { code: 'INVALID_OTP', message: 'Invalid OTP' });

/**
 * Converts the error of a failed call to an HTTP error, and throws it. The reply contains no details about errors that
 * the user cannot resolve; better-auth logs these errors.
 */
function fail(error: unknown): never {
  if ((error as Error).name !== 'PassbellError') throw error;
  const { code, message, field, retryAfterSeconds } = error as PassbellError;
  if (retryAfterSeconds !== undefined) {
    const headers = { 'Retry-After': String(retryAfterSeconds) };
    throw new APIError('TOO_MANY_REQUESTS', { code, message, retryAfterSeconds }, headers);
  }
  if (['to', 'otp'].includes(field ?? '') || code === 'INVALID_OTP' || code === 'OTP_EXPIRED')
    throw new APIError('BAD_REQUEST', { code, message });
  const reply = { code, message: 'Codes are not available. Try again later.' };
  throw Object.assign(new APIError('INTERNAL_SERVER_ERROR', reply), { cause: error });
}

async function hash(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Buffer.from(bytes).toString('hex');
}

/**
 * Returns the end user's IP address for the fraud guard, as better-auth determines it: its setting `advanced.ipAddress`
 * names the headers and proxies to trust. Undefined if there is no address that can be trusted.
 */
function clientIpOf({ request, headers, context }: Context): { clientIp?: string } {
  const source = request ?? headers;
  const clientIp = source && getIP(source, context.options);
  return clientIp ? { clientIp } : {};
}

export function createCodes(passbell: Passbell, { otpLength, expiresIn = DEFAULT_SECONDS }: CodeOptions): Codes {
  const expiry = Math.max(1, Math.round(expiresIn / 60));
  const identifierOf = ({ to, purpose }: Recipient) => `passbell-${purpose}-${to}`;

  async function find({ context }: Context, recipient: Recipient): Promise<Stored | undefined> {
    const row = await context.internalAdapter.findVerificationValue(identifierOf(recipient));
    return row ? (JSON.parse(row.value) as Stored) : undefined;
  }

  async function update({ context }: Context, recipient: Recipient, stored: Stored): Promise<void> {
    const value = JSON.stringify(stored);
    await context.internalAdapter.updateVerificationByIdentifier(identifierOf(recipient), { value });
  }

  async function remove({ context }: Context, recipient: Recipient): Promise<void> {
    await context.internalAdapter.deleteVerificationByIdentifier(identifierOf(recipient));
  }

  return {
    async send(ctx, recipient, secret) {
      const length = otpLength === undefined ? {} : { otpLength };
      const { maskId, expireTime } = await passbell
        .sendOtp({ to: recipient.to, expiry, ...length, ...clientIpOf(ctx) })
        .catch(async (error: unknown) => {
          // better-auth has already created a new code of its own, but the code that was sent earlier stays valid, unless it
          // was used.
          const stored = await find(ctx, recipient);
          if (stored?.accepted !== undefined) await remove(ctx, recipient);
          else if (stored) await update(ctx, recipient, { ...stored, secret });
          return fail(error);
        });
      await remove(ctx, recipient);
      await ctx.context.internalAdapter.createVerificationValue({
        identifier: identifierOf(recipient),
        value: JSON.stringify({ maskId, secret } satisfies Stored),
        expiresAt: new Date(expireTime * 1000 + ROW_MS),
      });
    },

    async verify(ctx, recipient, otp) {
      const stored = await find(ctx, recipient);
      if (!stored) throw wrongCode();
      const { maskId, secret, accepted } = stored;
      const digest = await hash(`${maskId}${otp}`);
      if (accepted === undefined) {
        await passbell.verifyOtp({ maskId, otp }).catch(fail);
        // better-auth may still reject the request, for example because the password is too short, so the code stays
        // valid for the next request.
        if (secret === undefined) await remove(ctx, recipient);
        else await update(ctx, recipient, { maskId, secret, accepted: digest });
      } else if (accepted !== digest) {
        await remove(ctx, recipient);
        throw wrongCode();
      }
      return secret;
    },
  };
}
