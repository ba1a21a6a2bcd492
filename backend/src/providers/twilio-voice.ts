import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import { ProviderError, type Provider } from './provider.js';
import { SEARCH_LIMIT, type Twilio } from './twilio.js';

/** `from` is the E.164 number of the caller, `language` includes the accent, such as `en-US`. */
export function createTwilioVoiceProvider(twilio: Twilio, from: string, language: string): Provider {
  return {
    channel: 'VOICE',
    name: 'Twilio',
    async send({ id, to, content }) {
      if (content.kind !== 'speech') throw new ProviderError('permanent', 'this content is not speech');
      const { default: sdkModule } = await import('twilio');
      const twiml = script(new sdkModule.twiml.VoiceResponse(), content.sentences, content.language ?? language);
      return twilio.create((sdk) => sdk.calls.create({ from, to, twiml, ...twilio.callbackFor(id) }));
    },
    async find({ to }, since) {
      // Twilio does not store the text of a call, so any call between the two numbers matches.
      return twilio.find((sdk) => sdk.calls.list({ to, from, limit: SEARCH_LIMIT }), since);
    },
    close: () => twilio.close(),
  };
}

/** A code: single characters, separated by commas. */
const SPELLED = /^\S(?:, \S)+$/u;

/** Says everything twice, so that people can write it down. */
function script(response: VoiceResponse, sentences: readonly string[], language: string): string {
  const say = (text: string) => {
    // XML does not allow control characters and lone surrogates.
    response.say({ language: language as 'en-US' }, text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' '));
    response.pause({ length: 1 });
  };
  for (let round = 0; round < 2; round++) {
    // Pauses between the characters of a code. Not every voice supports SSML.
    for (const sentence of sentences) (SPELLED.test(sentence) ? sentence.split(', ') : [sentence]).forEach(say);
    response.pause({ length: 1 });
  }
  return response.toString();
}
