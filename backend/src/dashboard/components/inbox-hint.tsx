import type { Provider } from '../../providers/provider.js';

/** Explains where codes by email are while no mail server is configured. There is no link, because the address has a key. */
export const InboxHint = ({ emailProvider }: { emailProvider: Provider | undefined }) =>
  emailProvider?.standIn ? (
    <p class="quiet small">
      No mail server is configured, so the code is in the dev inbox. Open it at the address that Passbell printed when
      it started.
    </p>
  ) : null;
