import type { Provider } from '../../providers/provider.js';
import { useVisit } from './context.js';

/** Shown on pages that ask for an emailed code while the mail server does not respond. */
export const EMAIL_DOWN = "The mail server isn't responding, so the code may arrive late or not at all.";

/** The words “dev inbox” in a sentence, with a link to the messages of applications. */
export function InboxLink() {
  const { inboxPath } = useVisit();
  return inboxPath === undefined ? <>dev inbox</> : <a href={inboxPath}>dev inbox</a>;
}

/**
 * If no mail server is configured, explains that emailed codes are in the dev inbox. Does not link to the dev inbox,
 * because these codes are shown only at the URL that contains a key.
 */
export const InboxHint = ({ emailProvider }: { emailProvider: Provider | undefined }) =>
  emailProvider?.standIn ? (
    <p class="quiet small">
      No mail server is configured, so the code is in the dev inbox. To find the inbox, look for “Dev inbox:” in the
      terminal where Passbell was started, or in the log of its container.
    </p>
  ) : null;
