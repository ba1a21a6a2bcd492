/** What the service would answer the widget of a person who does not exist: one sample of each reply of the contract. */
import type { components } from '../../platform/contract/generated/api.js';
import { ERRORS } from '../../platform/contract/generated/errors.js';
import { qrCode } from '../../modules/twofactor/qr-code.js';
import { accountUri } from '../../modules/twofactor/totp.js';

type Schemas = components['schemas'];

/** Nobody: the domain is reserved for examples, the key opens nothing, and the token has no signature. */
export const SAMPLE_PERSON = 'ana@shop.example';
const KEY = 'ZXAMPLEZXAMPLEZXAMPLEZXAMPLEZXAM';
const MASK_ID = '0'.repeat(32);
const TOKEN = 'sample.sample.sample';
const LOCK_SECONDS = 754;

const RECOVERY_CODES = 'ABCDEFGHIJ'.split('').map((letter) => `${letter}MPLE-CODE${letter}`);

/** `design` comes with the state, and is the preview's own. */
export async function previewSamples() {
  const uri = accountUri({ secret: KEY, issuer: 'Your shop', label: SAMPLE_PERSON });
  const state = (on: boolean): Omit<Schemas['TwoFactorStateReply'], 'design'> => ({
    success: true,
    message: on ? '2FA is enabled' : '2FA is not enabled',
    IsTOtpVerified: on,
  });
  const enable: Schemas['EnableTwoFactorReply'] = {
    success: true,
    message: 'scan the QR code with an authenticator app, then enter its code',
    QRCoder: await qrCode(uri),
    accountUri: uri,
    manualKey: KEY,
    maskId: MASK_ID,
    expireTime: 4_102_444_800,
  };
  const session: Schemas['VerifyTwoFactorReply']['data'] = {
    tokenType: 'Bearer',
    token: TOKEN,
    expiresIn: 1800,
    user: { email: SAMPLE_PERSON, phone: '', userId: `USR-${'x'.repeat(32)}`, userApplicationId: 1 },
    recoveryCodesLeft: RECOVERY_CODES.length,
  };
  const verified = (data: typeof session): Schemas['VerifyTwoFactorReply'] => ({
    success: true,
    message: 'verified',
    data,
  });
  const failed = (code: keyof typeof ERRORS, retryAfterSeconds?: number): Schemas['Failure'] => ({
    success: false,
    message: ERRORS[code].message.replace('{retryAfterSeconds}', String(retryAfterSeconds)),
    code,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
  return {
    off: state(false),
    on: state(true),
    enable,
    verified: verified(session),
    enrolled: verified({ ...session, recoveryCodes: RECOVERY_CODES }),
    disabled: { success: true, message: '2FA disabled' } as const,
    wrong: failed('INVALID_OTP'),
    locked: failed('OTP_LOCKED', LOCK_SECONDS),
    broken: failed('INTERNAL_ERROR'),
  };
}
