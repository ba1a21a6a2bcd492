/** SMS through Twilio. */
import { ChannelError, type Channel } from './channel.js';
import type { Twilio } from './twilio.js';

/** Who an SMS comes from: a number or name of the account, or a messaging service that picks one. */
export type SmsSender = { readonly from: string } | { readonly messagingServiceSid: string };

export function createTwilioSmsChannel(twilio: Twilio, sender: SmsSender): Channel {
  return {
    name: 'SMS',
    async send({ to, content }) {
      if (content.kind !== 'text') throw new ChannelError('permanent', 'this content is not a text message');
      return twilio.create((sdk) => sdk.messages.create({ ...sender, to, body: content.text }));
    },
    close: () => twilio.close(),
  };
}
