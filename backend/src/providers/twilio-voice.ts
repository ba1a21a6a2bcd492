import { ProviderError, type Provider } from './provider.js';
import { keyPromptScript, speechScript } from './twilio-speech.js';
import { SEARCH_LIMIT, type Twilio } from './twilio.js';

/**
 * `from` is the caller's E.164 number. `language` includes the accent, such as `en-US`. With `askForKey`, calls ask for
 * a key press before they read a code, unless Twilio cannot reach this service.
 */
export function createTwilioVoiceProvider(twilio: Twilio, from: string, language: string, askForKey = true): Provider {
  return {
    channel: 'VOICE',
    name: 'Twilio',
    async send({ id, to, content }) {
      if (content.kind !== 'speech') throw new ProviderError('permanent', 'this content is not speech');
      const { sentences, keyPrompt } = content;
      const speech = { sentences, language: content.language ?? language };
      const url = askForKey && keyPrompt !== undefined ? twilio.speechUrl(id, speech) : undefined;
      const twiml = url ? await keyPromptScript(keyPrompt!, speech.language, url) : await speechScript(speech);
      return twilio.create((sdk) => sdk.calls.create({ from, to, twiml, ...twilio.callbackFor(id) }));
    },
    async find({ to }, since) {
      // Twilio does not store the text of calls, so every call from `from` to the recipient matches.
      return twilio.find((sdk) => sdk.calls.list({ to, from, limit: SEARCH_LIMIT }), since);
    },
    close: () => twilio.close(),
  };
}
