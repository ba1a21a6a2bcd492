import { isoTime } from '../../platform/clock.js';
import type { ErasureService } from '../erasure/erasure-service.js';
import { SettingError } from '../settings/bounded-setting.js';
import type { SuppressionsService } from '../suppressions/suppressions-service.js';
import { accountOf, found, type Actions } from './action.js';
import type { OwnApplications } from './own-applications.js';

export function createRecipientActions(
  suppressions: SuppressionsService,
  erasure: ErasureService,
  own: OwnApplications,
) {
  return {
    async listSuppressions(call) {
      const stored = await suppressions.list(call.actor, accountOf(call), '', true);
      const views = stored.map(({ address, reason, source, details, createdAt }) => ({
        address,
        reason,
        source,
        details,
        since: isoTime(createdAt),
      }));
      return { suppressions: views };
    },

    async importSuppressions(call, { addresses }) {
      const lines = addresses.map((address) => address.replace(/[\r\n,;\t]/g, ' '));
      const list = ['Address', ...lines].join('\n');
      const { added, wrongLines } = await suppressions.importList(call.actor, accountOf(call), list);
      if (wrongLines.length > 0)
        throw new SettingError(
          'addresses',
          `These items are not email addresses: ${wrongLines
            .slice(0, 10)
            .map((line) => line - 1)
            .join(', ')}.`,
        );
      return { added };
    },

    async removeSuppression(call, { address }) {
      found(await suppressions.remove(call.actor, accountOf(call), address), 'suppressed address like this');
      return { address };
    },

    async eraseRecipient(call, { recipient, app }) {
      const result = await erasure.erase(call.actor, await own(call, app), recipient);
      if (!result)
        throw new SettingError(
          'recipient',
          'This is neither a phone number with its country code nor an email address.',
        );
      return { erased: { ...result.erased }, testRecipientOf: result.testRecipientOf.map(({ appKey }) => appKey) };
    },
  } satisfies Partial<Actions>;
}
