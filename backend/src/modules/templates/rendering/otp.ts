import type { ChannelName } from '../../../platform/contract/channels.js';
import type { Content } from '../../../providers/provider.js';
import { chooseLanguage } from '../language-codes.js';
import type { Autofill } from '../template.js';
import { emailHtml } from './email.js';
import { fill, pluralForm, type Language } from './language.js';
import { languageOf } from './languages.js';
import { withLastLine } from './last-line.js';
import { untrustedLine } from './text.js';

interface OtpVariables {
  readonly code: string;
  readonly minutes: number;
  readonly application: string;
  /** A language tag. English is used if it is missing or not supported. */
  readonly language?: string | undefined;
  /** Default language and accent for voice calls, such as `de-DE`. */
  readonly voiceLanguage?: string | undefined;
  /** For SMS. */
  readonly autofill?: Autofill;
}

function validityText({ code, otp }: Language, minutes: number): string {
  const text = otp.validity[pluralForm(code, minutes)] ?? otp.validity.other;
  return fill(text, { minutes: String(minutes) })!;
}

/** Makes a voice read the characters one by one. */
export const spelledOut = (code: string): string => [...code].join(', ');

function voiceCall({ code, application, language, voiceLanguage = 'en-US' }: OtpVariables): Content {
  const chosen = chooseLanguage(language);
  // Uses the configured accent if it belongs to the selected language.
  const accent = chosen !== undefined && !voiceLanguage.startsWith(chosen) ? languageOf(chosen).voice : undefined;
  const texts = languageOf(chosen, voiceLanguage).otp;
  const [introduction, keyPrompt] = [texts.speech, texts.keyPrompt].map((text) => fill(text, { application })!);
  return { kind: 'speech', sentences: [introduction!, spelledOut(code)], keyPrompt, language: accent };
}

export function renderOtp(channel: ChannelName, variables: OtpVariables): Content {
  const { code, minutes, language: wanted } = variables;
  const application = untrustedLine(variables.application);
  const language = languageOf(wanted);
  const { otp } = language;
  const filled = (text: string) => fill(text, { code, application })!;
  const validity = validityText(language, minutes);
  const advice = `${validity} ${otp.warning}`;
  switch (channel) {
    case 'SMS': {
      const message = filled(otp.message);
      // Shorter ones are used only if the last line needs their place.
      const texts = [`${message} ${advice}`, `${message} ${otp.warning}`, `${message} ${validity}`, message] as const;
      const sms = withLastLine(texts, code, variables.autofill);
      return { kind: 'text', ...sms, variables: [code], language: language.code };
    }
    case 'WHATSAPP':
      return { kind: 'text', text: `${filled(otp.message)} ${advice}`, variables: [code], language: language.code };
    case 'VOICE':
      return voiceCall({ ...variables, application });
    case 'EMAIL': {
      const title = filled(otp.email);
      return {
        kind: 'email',
        subject: filled(otp.subject),
        text: `${title}\n\n    ${code}\n\n${advice}\n\n${otp.ignore}\n`,
        html: emailHtml({ language, application, title, code, paragraphs: [], advice, note: otp.ignore }),
      };
    }
  }
}
