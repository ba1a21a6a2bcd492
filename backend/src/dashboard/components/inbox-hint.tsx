import type { Provider } from '../../providers/provider.js';

/**
 * Explains where to find emailed codes while no mail server is configured. Contains no link, because the URL has a key.
 */
export const InboxHint = ({ emailProvider }: { emailProvider: Provider | undefined }) =>
  emailProvider?.standIn ? (
    <p class="quiet small">
      No mail server is configured, so the code is in the dev inbox. Open it at the address that Passbell printed when
      it started.
    </p>
  ) : null;
