/** Looks up and cancels sent codes. */
import { SECOND } from '../../platform/clock.js';
import { AUTH_TYPES } from '../../platform/contract/auth-types.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import { isHexId } from '../../platform/crypto.js';
import type { Application } from '../applications/application.js';
import { maskRecipient } from '../recipients/recipient.js';
import { canceledEvent } from './code-events.js';
import { attemptsLeft, rejectionOf } from './guess-rules.js';
import { UNMATCHABLE_HASH, type LockedCode, type OtpCode } from './otp-code.js';
import type { VerifyDependencies } from './verify-service.js';

const seconds = (time: number): number => Math.floor(time / SECOND);

function statusOf(code: LockedCode, { settings }: Application, now: number): Schemas['CodeStatus'] {
  const rejection = rejectionOf(code, now);
  const ended = { verified: 'verified', canceled: 'canceled', ended: 'canceled', live: undefined } as const;
  const open = rejection === undefined ? 'pending' : rejection.code === 'OTP_LOCKED' ? 'locked' : 'expired';
  const state = ended[code.state] ?? open;
  const left = attemptsLeft(code, settings.limits, now);
  return {
    maskId: code.maskId,
    state,
    to: maskRecipient(code.recipient),
    authType: AUTH_TYPES[code.channel],
    messageId: code.messageId ?? '',
    ...(code.reference === null ? {} : { reference: code.reference }),
    createdTime: seconds(code.createdAt),
    expireTime: seconds(code.expiresAt),
    ...(code.verifiedAt === null ? {} : { verifiedTime: seconds(code.verifiedAt) }),
    ...(state === 'pending' && left !== undefined ? { attemptsLeft: left } : {}),
    ...(state === 'locked' ? { lockedForSeconds: rejection!.details.retryAfterSeconds! } : {}),
  };
}

/** Returns the id of a code. Malformed ids have the same error as unknown ones. */
function idOf(text: string): string {
  const maskId = text.toLowerCase();
  if (!isHexId(maskId)) throw new ApiError('MESSAGE_NOT_FOUND');
  return maskId;
}

/** Rejects decoys, and codes of other applications or erased recipients, like unknown codes. */
function assertKnown<Code extends OtpCode>(code: Code | undefined, { id }: Application): Code {
  const isKnown = code?.applicationId === id && code.recipient !== '' && code.codeHash !== UNMATCHABLE_HASH;
  if (!isKnown) throw new ApiError('MESSAGE_NOT_FOUND');
  return code;
}

export function createCodeStatus({
  store,
  inTransaction,
  messages,
  outbox,
  clock,
}: Pick<VerifyDependencies, 'store' | 'inTransaction' | 'messages' | 'outbox' | 'clock'>) {
  return {
    /** Returns the id of a code's message; undefined if these applications have no such code. */
    async messageIdOf(applicationIds: readonly number[], maskId: string): Promise<string | undefined> {
      const code = await store.find(maskId.toLowerCase());
      return code && applicationIds.includes(code.applicationId) ? (code.messageId ?? undefined) : undefined;
    },

    async status(application: Application, text: string): Promise<Schemas['CodeStatus']> {
      const code = assertKnown(await store.read(idOf(text)), application);
      return statusOf(code, application, clock.now());
    },

    /**
     * Cancels a code if it can still be verified, and its message if it still waits to be sent. Locks the row, so that a
     * code cannot be both verified and canceled. Returns the state of the code.
     */
    cancel(application: Application, text: string): Promise<Schemas['CodeStatus']> {
      const maskId = idOf(text);
      return inTransaction(async (trx) => {
        const code = assertKnown((await store.lock(trx, [maskId])).get(maskId), application);
        const now = clock.now();
        if (code.state === 'live' && now < code.expiresAt) {
          code.state = 'canceled';
          await store.setCanceled(trx, maskId, now);
          await messages.settle(trx, [], code.messageId === null ? [] : [code.messageId]);
          await outbox.publish(trx, [canceledEvent(code, now)], now);
        }
        return statusOf(code, application, now);
      });
    },
  };
}
