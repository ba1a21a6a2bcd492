/** The service's client endpoints. Every call returns a reply, even if the service is unreachable. */
import { browserNonce } from './browser-nonce.js';
import type { Design } from './design.js';
import { logError } from './developer.js';
import type { Settings } from './settings.js';

export interface Reply {
  readonly success: boolean;
  readonly message: string;
  readonly code?: string;
  readonly retryAfterSeconds?: number;
}

export interface StateReply extends Reply {
  readonly IsTOtpVerified?: boolean;
  readonly design?: Design;
}

export interface EnrolReply extends Reply {
  /** `data:image/png;base64,…` */
  readonly QRCoder?: string;
  /** The content of the QR code: `otpauth://totp/…` */
  readonly accountUri?: string;
  readonly manualKey?: string;
  readonly maskId?: string;
}

export interface VerifyReply extends Reply {
  readonly data?: Readonly<Record<string, unknown>> & {
    readonly recoveryCodes?: readonly string[];
    readonly recoveryCodesLeft?: number;
  };
}

export interface Api {
  state(): Promise<StateReply>;
  enable(): Promise<EnrolReply>;
  verify(otp: string, maskId?: string): Promise<VerifyReply>;
  /** `otp` is required if the service replied with PROOF_REQUIRED. */
  disable(otp?: string): Promise<Reply>;
}

/** Error code of the widget, in addition to the codes of the service. */
export const UNREACHABLE = 'UNREACHABLE';

/** Longer than any request of the service takes. */
const TIMEOUT_MS = 15_000;

export function createApi({ api, appKey, identity, userToken }: Settings): Api {
  const common = { domainUrl: location.origin, appKey, identity, userToken, browserNonce: browserNonce() };

  async function post<R extends Reply>(name: string, parameters: Record<string, string | undefined> = {}): Promise<R> {
    const url = `${api}/authserviceclient/${name}`;
    const body = JSON.stringify({ ...common, ...parameters });
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body,
        credentials: 'omit',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const reply = (await response.json()) as R;
      if (typeof reply?.success !== 'boolean') throw new Error('the reply is not from this service');
      if (!reply.success) logError(`${name}: ${reply.message} (${reply.code ?? 'no code'})`);
      return reply;
    } catch (error) {
      logError(
        `${name}: ${url} did not respond. Check that it is reachable, that the application's allow-list contains ` +
          `${location.origin}, and that connect-src in the page's Content-Security-Policy allows it.`,
        error,
      );
      return { success: false, message: 'the service cannot be reached', code: UNREACHABLE } as R;
    }
  }

  return {
    state: () => post('authstate'),
    enable: () => post('enable2fa'),
    verify: (otp, maskId) => post('verifyotp', { otp, maskId }),
    disable: (otp) => post('disable2fa', { otp }),
  };
}
