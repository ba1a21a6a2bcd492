/** The one-time passcode, on every channel. */
import type { ChannelName, Content } from '../../../providers/provider.js';
import { fill, type Language } from './language.js';
import { chooseLanguage, languageOf } from './languages.js';
import { mailHtml } from './mail.js';
import { gsm7 } from './gsm7.js';
import { oneLine } from './text.js';

export interface OtpVariables {
  readonly code: string;
  /** Whole minutes that the code was valid for when it was made. */
  readonly minutes: number;
  /** Name of the application that asked for it. */
  readonly application: string;
  /** Of all languages that messages are written in; English without it. */
  readonly language?: string | undefined;
  /** Language and country of a call that nobody named a language for, such as `de-DE`. */
  readonly voiceLanguage?: string | undefined;
}

/** What a call says before the characters in languages that only calls speak; the voice reads those in its own. */
const SPOKEN: Readonly<Record<string, string>> = {
  es: 'Hola. Su código de {application} es:',
  fr: 'Bonjour. Votre code {application} est :',
  it: 'Buongiorno. Il suo codice {application} è:',
  nl: 'Hallo. Uw code voor {application} is:',
  pt: 'Olá. O seu código {application} é:',
};

/** Made once a language: making one takes longer than all the rest of a message. */
const pluralRules = new Map<string, Intl.PluralRules>();

export function validity({ code, otp }: Language, minutes: number): string {
  const rules = pluralRules.get(code) ?? new Intl.PluralRules(code);
  pluralRules.set(code, rules);
  const form = otp.validity[rules.select(minutes)] ?? otp.validity.other;
  return fill(form, { minutes: String(minutes) })!;
}

/** The characters one by one. */
export const spelled = (code: string): string => [...code].join(', ');

function call({ code, application, language, voiceLanguage = 'en-US' }: OtpVariables): Content {
  const chosen = chooseLanguage(language);
  // The accent of the settings fits as long as it is one of the language that is spoken.
  const accent = chosen !== undefined && !voiceLanguage.startsWith(chosen) ? languageOf(chosen).voice : undefined;
  const words = chosen === undefined ? SPOKEN[voiceLanguage.slice(0, 2)] : undefined;
  const introduction = fill(words ?? languageOf(chosen, voiceLanguage).otp.speech, { application })!;
  return { kind: 'speech', sentences: [introduction, spelled(code)], language: accent };
}

export function renderOtp(channel: ChannelName, variables: OtpVariables): Content {
  const { code, minutes, language: wanted } = variables;
  const application = oneLine(variables.application);
  const language = languageOf(wanted);
  const { otp } = language;
  const say = (text: string) => fill(text, { code, application })!;
  const advice = `${validity(language, minutes)} ${otp.warning}`;
  switch (channel) {
    case 'SMS':
      return { kind: 'text', text: gsm7(`${say(otp.message)} ${advice}`) };
    case 'WHATSAPP':
      return { kind: 'text', text: `${say(otp.message)} ${advice}`, variables: [code], language: language.code };
    case 'VOICE':
      return call({ ...variables, application });
    case 'EMAIL': {
      const title = say(otp.mail);
      return {
        kind: 'email',
        subject: say(otp.subject),
        text: `${title}\n\n    ${code}\n\n${advice}\n\n${otp.ignore}\n`,
        html: mailHtml({ language, application, title, code, paragraphs: [], advice, note: otp.ignore }),
      };
    }
  }
}
