/** SMS through Twilio. */
import { ChannelError, type Channel } from './provider.js';
import type { Twilio as Sdk } from 'twilio';
import { LATEST, type Twilio } from './twilio.js';

/** Who an SMS comes from: a number or name of the account, or a messaging service that picks one. */
export type SmsSender = { readonly from: string } | { readonly messagingServiceSid: string };

export function createTwilioSmsChannel(twilio: Twilio, sender: SmsSender): Channel {
  return {
    name: 'SMS',
    provider: 'Twilio',
    async send({ id, to, content }) {
      if (content.kind !== 'text') throw new ChannelError('permanent', 'this content is not a text message');
      return twilio.create((sdk) =>
        sdk.messages.create({ ...sender, to, body: content.text, ...twilio.callbackFor(id) }),
      );
    },
    async find({ to, content }, since) {
      if (content.kind !== 'text') return undefined;
      // Trial accounts put words of their own in front.
      const list = (sdk: Sdk) => sdk.messages.list({ to, limit: LATEST });
      return twilio.find(list, since, ({ body }) => body.includes(content.text));
    },
    close: () => twilio.close(),
  };
}
