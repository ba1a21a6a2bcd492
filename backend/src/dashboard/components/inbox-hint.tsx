import type { Provider } from '../../providers/provider.js';

/**
 * If no mail server is configured, explains that emailed codes are in the dev inbox. Does not link to the dev inbox,
 * because its URL contains a key.
 */
export const InboxHint = ({ emailProvider }: { emailProvider: Provider | undefined }) =>
  emailProvider?.standIn ? (
    <p class="quiet small">
      No mail server is configured, so the code is in the dev inbox. Open it at the address that Passbell printed when
      it started.
    </p>
  ) : null;
