/** Lets sites that check codes themselves report verified codes to the fraud guard. */
import type { Base } from '../../platform/base.js';
import { DAY } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { Application } from '../applications/application.js';
import type { FraudGuard } from '../fraud/fraud-service.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { EndCooldown } from './cooldown.js';
import { recipientLookup } from './recipient-keys.js';
import { isHexId } from '../../platform/crypto.js';
import type { OtpStore } from './otp-store.js';

/**
 * How long a code can be reported. Codes are valid for at most a day, and the fraud guard stores unverified recipients
 * for two days.
 */
const REPORTABLE_MS = DAY;

interface ReportDependencies extends Pick<Base, 'clock' | 'inTransaction'> {
  readonly store: Pick<OtpStore, 'lock' | 'newestMaskId' | 'setCooldownEnded'>;
  readonly messages: Pick<MessagesService, 'settle'>;
  readonly endCooldown: EndCooldown;
  readonly fraud: Pick<FraudGuard, 'countVerified'>;
}

/**
 * Counts a code as verified and ends its recipient's cooldown, at most once. Does not mark it as verified, and
 * does not reset limits or locks. Its message is not sent another way. Throws an {@link ApiError} unless the application has sent the code within the last
 * day.
 */
export type ReportVerified = (application: Application, request: Schemas['ReportVerifiedRequest']) => Promise<void>;

export function createReportVerified({
  store,
  inTransaction,
  messages,
  endCooldown,
  fraud,
  clock,
}: ReportDependencies): ReportVerified {
  async function maskIdOf(application: Application, { maskId, to }: Schemas['ReportVerifiedRequest']) {
    if (maskId !== undefined) return maskId.toLowerCase();
    if (to === undefined)
      throw new ApiError('MISSING_PARAMETERS', { field: 'maskId', values: { field: 'maskId or to' } });
    return store.newestMaskId(application.id, recipientLookup(application, to));
  }

  return async function reportVerified(application, request) {
    // The code is looked up before the transaction starts, so that the lock is the first statement of the
    // transaction. MySQL then reads the rows that concurrent reports of the same recipient have stored.
    const maskId = await maskIdOf(application, request);
    if (maskId === undefined || !isHexId(maskId)) throw new ApiError('MESSAGE_NOT_FOUND');
    const code = await inTransaction(async (trx) => {
      const code = (await store.lock(trx, [maskId])).get(maskId);
      const now = clock.now();
      const isReportable =
        code?.applicationId === application.id && code.recipient !== '' && code.createdAt > now - REPORTABLE_MS;
      if (!isReportable) throw new ApiError('MESSAGE_NOT_FOUND');
      if (!code.cooldownEnded) await store.setCooldownEnded(trx, maskId);
      const messageIds = code.messageId === null ? [] : [code.messageId];
      // The recipient's newest code may not be the one that was entered.
      await (request.maskId === undefined ? messages.settle(trx, [], messageIds) : messages.settle(trx, messageIds));
      await fraud.countVerified(trx, [code], now);
      return code;
    });
    if (!code.cooldownEnded) await endCooldown(code);
  };
}
