import { ProviderError, type Provider } from './provider.js';
import { SEARCH_LIMIT, type Twilio } from './twilio.js';

/** `sender` is a phone number or name in the Twilio account, or a messaging service, which selects the number. */
export function createTwilioSmsProvider(
  twilio: Twilio,
  sender: { readonly from: string } | { readonly messagingServiceSid: string },
): Provider {
  return {
    channel: 'SMS',
    name: 'Twilio',
    async send({ id, to, content }) {
      if (content.kind !== 'text') throw new ProviderError('permanent', 'this content is not a text message');
      return twilio.create((sdk) =>
        sdk.messages.create({ ...sender, to, body: content.text, ...twilio.callbackFor(id) }),
      );
    },
    async find({ to, content }, since) {
      if (content.kind !== 'text') return undefined;
      // Uses `includes`, because Twilio adds a prefix to texts from trial accounts.
      return twilio.find(
        (sdk) => sdk.messages.list({ to, limit: SEARCH_LIMIT }),
        since,
        ({ body }) => body.includes(content.text),
      );
    },
    close: () => twilio.close(),
  };
}
