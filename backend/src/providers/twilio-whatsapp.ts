import { ProviderError, type Content, type Provider } from './provider.js';
import { SEARCH_LIMIT, type Twilio } from './twilio.js';

/**
 * `contentSid` is the approved template for codes. `templateSids` are the approved templates for notifications, by
 * `name` or `name.language`. Content without an approved template is sent as plain text.
 */
export function createTwilioWhatsAppProvider(
  twilio: Twilio,
  from: string,
  contentSid?: string,
  templateSids: Readonly<Record<string, string>> = {},
): Provider {
  function sidFor({ template, language, variables }: Extract<Content, { kind: 'text' }>): string | undefined {
    if (variables === undefined) return undefined;
    return template === undefined ? contentSid : (templateSids[`${template}.${language}`] ?? templateSids[template]);
  }

  return {
    channel: 'WHATSAPP',
    name: 'Twilio',
    async send({ id, to, content }) {
      if (content.kind !== 'text') throw new ProviderError('permanent', 'this content is not a text message');
      const sid = sidFor(content);
      const { text, variables = [], document } = content;
      const media = document ? { mediaUrl: [document.link] } : {};
      const body =
        sid === undefined ? { body: text, ...media } : { contentSid: sid, contentVariables: numbered(variables) };
      const addresses = { from: `whatsapp:${from}`, to: `whatsapp:${to}` };
      return twilio.create((sdk) => sdk.messages.create({ ...addresses, ...body, ...twilio.callbackFor(id) }));
    },
    async find({ to, content }, since) {
      if (content.kind !== 'text') return undefined;
      // The text of an approved template is stored only by Twilio, so only the variables can be compared.
      const parts = sidFor(content) === undefined ? [content.text] : (content.variables ?? []);
      return twilio.find(
        (sdk) => sdk.messages.list({ to: `whatsapp:${to}`, limit: SEARCH_LIMIT }),
        since,
        ({ body }) => parts.every((part) => body.includes(part)),
      );
    },
    close: () => twilio.close(),
  };
}

/** `['a', 'b']` → `{"1":"a","2":"b"}` */
function numbered(variables: readonly string[]): string {
  return JSON.stringify(Object.fromEntries(variables.map((value, index) => [String(index + 1), value])));
}
