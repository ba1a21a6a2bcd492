/** WhatsApp through Twilio. */
import { ChannelError, type Channel } from './channel.js';
import type { Twilio } from './twilio.js';

export interface WhatsAppOptions {
  /** E.164 number of the WhatsApp sender. */
  readonly from: string;
  /** Approved template that takes the content's variables; a content without variables goes as plain text. */
  readonly contentSid?: string | undefined;
}

export function createTwilioWhatsAppChannel(twilio: Twilio, { from, contentSid }: WhatsAppOptions): Channel {
  return {
    name: 'WHATSAPP',
    async send({ to, content }) {
      if (content.kind !== 'text') throw new ChannelError('permanent', 'this content is not a text message');
      const { text, variables } = content;
      const body =
        contentSid !== undefined && variables !== undefined
          ? { contentSid, contentVariables: numbered(variables) }
          : { body: text };
      return twilio.create((sdk) => sdk.messages.create({ from: `whatsapp:${from}`, to: `whatsapp:${to}`, ...body }));
    },
    close: () => twilio.close(),
  };
}

/** `{"1": …, "2": …}`: templates count their variables from one. */
function numbered(variables: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(variables.map((value, index) => [String(index + 1), value])));
}
