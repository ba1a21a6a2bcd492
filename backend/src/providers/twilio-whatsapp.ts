/** WhatsApp through Twilio. */
import { ChannelError, type Channel, type Content } from './provider.js';
import type { Twilio as Sdk } from 'twilio';
import { LATEST, type Twilio } from './twilio.js';

export interface WhatsAppOptions {
  /** E.164 number of the WhatsApp sender. */
  readonly from: string;
  /** Approved template for codes; a content that has no approved template goes as plain text. */
  readonly contentSid?: string | undefined;
  /** Approved templates for notifications, by `name` or `name.language`. */
  readonly templateSids?: Readonly<Record<string, string>> | undefined;
}

type Text = Extract<Content, { kind: 'text' }>;

export function createTwilioWhatsAppChannel(
  twilio: Twilio,
  { from, contentSid, templateSids = {} }: WhatsAppOptions,
): Channel {
  /** The approved template that takes the content's variables. */
  function sidFor({ template, language, variables }: Text): string | undefined {
    if (variables === undefined) return undefined;
    return template === undefined ? contentSid : (templateSids[`${template}.${language}`] ?? templateSids[template]);
  }

  return {
    name: 'WHATSAPP',
    provider: 'Twilio',
    async send({ id, to, content }) {
      if (content.kind !== 'text') throw new ChannelError('permanent', 'this content is not a text message');
      const sid = sidFor(content);
      const { text, variables = [] } = content;
      const body = sid === undefined ? { body: text } : { contentSid: sid, contentVariables: numbered(variables) };
      const addresses = { from: `whatsapp:${from}`, to: `whatsapp:${to}` };
      return twilio.create((sdk) => sdk.messages.create({ ...addresses, ...body, ...twilio.callbackFor(id) }));
    },
    async find({ to, content }, since) {
      if (content.kind !== 'text') return undefined;
      const list = (sdk: Sdk) => sdk.messages.list({ to: `whatsapp:${to}`, limit: LATEST });
      // A template's own words are Twilio's; its variables are ours.
      const parts = sidFor(content) === undefined ? [content.text] : (content.variables ?? []);
      return twilio.find(list, since, ({ body }) => parts.every((part) => body.includes(part)));
    },
    close: () => twilio.close(),
  };
}

/** `{"1": …, "2": …}`: templates count their variables from one. */
function numbered(variables: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(variables.map((value, index) => [String(index + 1), value])));
}
