/** Generates the scripts for voice calls (TwiML). */
import type VoiceResponse from 'twilio/lib/twiml/VoiceResponse.js';

/** Text for a voice call. The sentences are read in order, with pauses between them. */
export interface Speech {
  readonly sentences: readonly string[];
  /** Includes the accent, such as `en-US`. */
  readonly language: string;
}

/** How long a call waits for a key press after each prompt. */
const KEY_SECONDS = 5;

/** Matches a code: single characters, separated by commas. */
const SPELLED_CODE = /^\S(?:, \S)+$/u;

/** Replaces control characters and lone surrogates with spaces, because XML does not allow them. */
const toXmlText = (text: string): string => text.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ' ');

async function newResponse(): Promise<VoiceResponse> {
  const { default: sdk } = await import('twilio');
  return new sdk.twiml.VoiceResponse();
}

/** Returns a script that reads all sentences twice, so that people can write them down. */
export async function speechScript({ sentences, language }: Speech): Promise<string> {
  const response = await newResponse();
  const say = (text: string) => {
    response.say({ language: language as 'en-US' }, toXmlText(text));
    response.pause({ length: 1 });
  };
  for (let round = 0; round < 2; round++) {
    // Reads each character of a code with a separate element, which adds pauses. Not every voice supports SSML.
    for (const sentence of sentences) (SPELLED_CODE.test(sentence) ? sentence.split(', ') : [sentence]).forEach(say);
    response.pause({ length: 1 });
  }
  return response.toString();
}

/**
 * Returns a script that asks twice for a key press, and continues with the script at `url`. Hangs up if no key is
 * pressed.
 */
export async function keyPromptScript(prompt: string, language: string, url: string): Promise<string> {
  const response = await newResponse();
  // An empty `finishOnKey` accepts every key, including #, which ends the input by default.
  const gather = response.gather({
    input: ['dtmf'],
    numDigits: 1,
    finishOnKey: '',
    timeout: KEY_SECONDS,
    action: url,
    method: 'POST',
  });
  gather.say({ language: language as 'en-US' }, toXmlText(prompt));
  gather.pause({ length: KEY_SECONDS });
  gather.say({ language: language as 'en-US' }, toXmlText(prompt));
  return response.toString();
}
