/** Sample API replies for the widget preview. */
import { qrCode } from '../../modules/twofactor/qr-code.js';
import { accountUri } from '../../modules/twofactor/totp.js';
import { ERRORS } from '../../platform/contract/generated/errors.js';
import { WIDGET_TEXTS } from '../../platform/contract/generated/widget.js';
import type { Schemas } from '../../platform/contract/schemas.js';

/** A fictitious user. The sample key and the sample token are not valid for any account. */
export const SAMPLE_PERSON = 'ana@shop.example';

const SAMPLE_KEY = 'ZXAMPLEZXAMPLEZXAMPLEZXAMPLEZXAM';
const SAMPLE_RECOVERY_CODES = [...'ABCDEFGHIJ'].map((letter) => `${letter}MPLE-CODE${letter}`);

/** Returns the sample replies, and the texts of all languages. The two-factor states lack a `design`, which the preview adds. */
export async function previewSamples() {
  const uri = accountUri({ secret: SAMPLE_KEY, issuer: 'Your shop', label: SAMPLE_PERSON });
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
    manualKey: SAMPLE_KEY,
    maskId: '0'.repeat(32),
    expireTime: 4_102_444_800,
  };
  const session: Schemas['VerifyTwoFactorReply']['data'] = {
    tokenType: 'Bearer',
    token: 'sample.sample.sample',
    expiresIn: 1800,
    user: { email: SAMPLE_PERSON, phone: '', userId: `USR-${'x'.repeat(32)}`, userApplicationId: 1 },
    recoveryCodesLeft: SAMPLE_RECOVERY_CODES.length,
  };
  const verified = { success: true, message: 'verified' } as const;
  const failed = (code: keyof typeof ERRORS, retryAfterSeconds?: number): Schemas['Failure'] => ({
    success: false,
    message: ERRORS[code].message.replace('{retryAfterSeconds}', String(retryAfterSeconds)),
    code,
    hint: ERRORS[code].hint,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
  return {
    off: state(false),
    on: state(true),
    enable,
    verified: { ...verified, data: session } satisfies Schemas['VerifyTwoFactorReply'],
    enrolled: { ...verified, data: { ...session, recoveryCodes: SAMPLE_RECOVERY_CODES } },
    disabled: { success: true, message: '2FA disabled' } as const,
    wrong: failed('INVALID_OTP'),
    locked: failed('OTP_LOCKED', 754),
    broken: failed('INTERNAL_ERROR'),
    texts: WIDGET_TEXTS,
  };
}
