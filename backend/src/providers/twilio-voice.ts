/** Phone calls through Twilio that speak the message. */
import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';
import { ChannelError, type Channel } from './provider.js';
import type { Twilio as Sdk } from 'twilio';
import { LATEST, type Twilio } from './twilio.js';

export interface VoiceOptions {
  /** E.164 number that calls. */
  readonly from: string;
  /** Accent to speak with, such as `en-US`. */
  readonly language: string;
}

export function createTwilioVoiceChannel(twilio: Twilio, { from, language }: VoiceOptions): Channel {
  return {
    name: 'VOICE',
    provider: 'Twilio',
    async send({ id, to, content }) {
      if (content.kind !== 'speech') throw new ChannelError('permanent', 'this content is not for speaking');
      const { default: sdkModule } = await import('twilio');
      const twiml = script(new sdkModule.twiml.VoiceResponse(), content.sentences, content.language ?? language);
      return twilio.create((sdk) => sdk.calls.create({ from, to, twiml, ...twilio.callbackFor(id) }));
    },
    async find({ to }, since) {
      // Twilio does not keep what a call said: one from this number to that one is taken for it.
      const list = (sdk: Sdk) => sdk.calls.list({ to, from, limit: LATEST });
      return twilio.find(list, since, () => true);
    },
    close: () => twilio.close(),
  };
}

/** Single characters with commas between: a code. */
const SPELLED = /^\S(?:, \S)+$/u;

/** Said twice, since nobody has a pen ready the first time. */
function script(response: VoiceResponse, sentences: readonly string[], language: string): string {
  const say = (text: string) => {
    response.say({ language: language as 'en-US' }, speakable(text));
    response.pause({ length: 1 });
  };
  for (let round = 0; round < 2; round++) {
    for (const sentence of sentences) {
      // Not every voice knows SSML, but every one rests between two verbs: the character, a second, the next.
      if (SPELLED.test(sentence)) sentence.split(', ').forEach(say);
      else say(sentence);
    }
    response.pause({ length: 1 });
  }
  return response.toString();
}

/** XML has no place for control characters and halves of surrogate pairs. */
function speakable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ');
}
