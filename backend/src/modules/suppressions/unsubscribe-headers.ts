/** The headers with which mail programs offer to unsubscribe (RFC 2369 and RFC 8058). */
import { canBeStopped } from './opt-out.js';
import type { OptOutsService } from './opt-outs-service.js';

/** `baseUrl`: the public service URL; undefined if recipients cannot reach this service. RFC 8058 requires https. */
export function createUnsubscribeHeaders(baseUrl: string | undefined, { tokenOf }: Pick<OptOutsService, 'tokenOf'>) {
  return function unsubscribeHeaders(message: {
    readonly applicationId: number;
    readonly template: string;
    readonly recipient: string;
  }): Readonly<Record<string, string>> {
    const { applicationId, template, recipient: address } = message;
    if (!baseUrl?.toLowerCase().startsWith('https:') || !canBeStopped(template)) return {};
    return {
      'List-Unsubscribe': `<${baseUrl}/unsubscribe?token=${tokenOf({ applicationId, address })}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
  };
}
