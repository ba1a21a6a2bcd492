/** WhatsApp through Twilio. */
import { ChannelError, type Channel } from './channel.js';
import type { Twilio as Sdk } from 'twilio';
import { LATEST, type Twilio } from './twilio.js';

export interface WhatsAppOptions {
  /** E.164 number of the WhatsApp sender. */
  readonly from: string;
  /** Approved template that takes the content's variables; a content without variables goes as plain text. */
  readonly contentSid?: string | undefined;
}

export function createTwilioWhatsAppChannel(twilio: Twilio, { from, contentSid }: WhatsAppOptions): Channel {
  return {
    name: 'WHATSAPP',
    provider: 'Twilio',
    async send({ to, content }) {
      if (content.kind !== 'text') throw new ChannelError('permanent', 'this content is not a text message');
      const { text, variables } = content;
      const body =
        contentSid !== undefined && variables !== undefined
          ? { contentSid, contentVariables: numbered(variables) }
          : { body: text };
      return twilio.create((sdk) => sdk.messages.create({ from: `whatsapp:${from}`, to: `whatsapp:${to}`, ...body }));
    },
    async find({ to, content }, since) {
      if (content.kind !== 'text') return undefined;
      const list = (sdk: Sdk) => sdk.messages.list({ to: `whatsapp:${to}`, limit: LATEST });
      // A template's own words are Twilio's; its variables are ours.
      const parts = contentSid === undefined ? [content.text] : (content.variables ?? [content.text]);
      return twilio.find(list, since, ({ body }) => parts.every((part) => body.includes(part)));
    },
    close: () => twilio.close(),
  };
}

/** `{"1": …, "2": …}`: templates count their variables from one. */
function numbered(variables: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(variables.map((value, index) => [String(index + 1), value])));
}
