/** The headers with which mail programs offer to unsubscribe (RFC 2369 and RFC 8058). */
import { SECURITY_NOTICE } from '../templates/template.js';
import { canBeStopped } from './opt-out.js';
import type { OptOutsService } from './opt-outs-service.js';

type StoppableMessage = { readonly applicationId: number } & Readonly<Record<'template' | 'recipient', string>>;
type Variables = Readonly<Record<string, string>>;

/** `baseUrl`: the public service URL; undefined if recipients cannot reach this service. RFC 8058 requires https. */
export function createUnsubscribeHeaders(baseUrl: string | undefined, { tokenOf }: Pick<OptOutsService, 'tokenOf'>) {
  /** Returns the URL that stops such emails; undefined if they cannot be stopped. */
  function urlOf({ applicationId, template, recipient: address }: StoppableMessage, variables: Variables) {
    // The second link of a notice turns it off. Only the weekly email has one.
    if (template === SECURITY_NOTICE) return variables.link2;
    return canBeStopped(template) ? `${baseUrl}/unsubscribe?token=${tokenOf({ applicationId, address })}` : undefined;
  }

  return function unsubscribeHeaders(message: StoppableMessage, variables: Variables): Variables {
    const url = urlOf(message, variables);
    if (!baseUrl?.toLowerCase().startsWith('https:') || url === undefined) return {};
    return {
      'List-Unsubscribe': `<${url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    };
  };
}
