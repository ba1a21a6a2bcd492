/** Whose second factor it is, and who asks. */
import { ApiError } from '../../platform/contract/errors.js';
import type { Application } from '../applications/application.js';
import { parseRecipient } from '../recipients/recipient.js';

/** An identity of an application, in lower case: a site that changes its spelling must not lose the second factor. */
export interface Subject {
  readonly applicationId: number;
  readonly identity: string;
}

/** Somebody at a page with the widget. */
export interface Caller {
  readonly application: Application;
  readonly subject: Subject;
  /** The mail address as the site spells it. */
  readonly address: string;
  /** Address, page, User-Agent, and whether vouched: what one browser on one site has in common over its calls. */
  readonly source: string;
  /** Keyed hash of {@link source}. */
  readonly client: string;
  /** Whether the site's server has signed for the user. */
  readonly vouched: boolean;
}

/** The one form of a mail address; throws where it is none. */
export function addressOf(identity: string): string {
  const recipient = parseRecipient(identity);
  if (recipient?.type !== 'email')
    throw new ApiError('INVALID_PARAMETER', { values: { text: 'identity must be an e-mail address' } });
  return recipient.address;
}

export const subjectOf = (application: Application, address: string): Subject => ({
  applicationId: application.id,
  identity: address.toLowerCase(),
});
