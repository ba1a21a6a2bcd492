/** Templates by name, in the language of a message, with an application's own text where it has one. */
import type { ChannelName, Content } from '../../../providers/provider.js';
import { TEMPLATES } from '../../../platform/contract/generated/templates.js';
import type { Language, TemplateName } from './language.js';
import { chooseLanguage, languageOf } from './languages.js';
import { renderNotification, shownValues, variablesOf } from './notification.js';
import { renderOtp, spelled } from './otp.js';
import { renderOverride, type OverrideText } from './override.js';
import { oneLine } from './text.js';

/** A message's variables as text, `application`, and what {@link messageLanguage} tells. */
export type MessageVariables = Readonly<Record<string, string>>;

/** An application's own text in a language, if it has one. */
export type FindOverride = (language: string) => OverrideText | undefined;

/** Everything that has texts: the code, and the notifications. */
export const TEMPLATE_NAMES: readonly string[] = ['otp', ...Object.keys(TEMPLATES)];

const isNotification = (template: string): template is TemplateName => Object.hasOwn(TEMPLATES, template);

/** Variables that a text of a template can use. */
export const templateVariables = (template: string): string[] => [
  'application',
  ...(isNotification(template) ? variablesOf(template) : ['code', 'minutes']),
];

/** Calls nobody named a language for speak that of the settings, everything else English. */
function spokenLanguage(channel: ChannelName, language = '', voiceLanguage = ''): Language {
  return channel === 'VOICE' ? languageOf(language, voiceLanguage) : languageOf(language);
}

/** The accent of a call; undefined where that of the settings fits the language. */
function accent(language: Language, voiceLanguage = ''): string | undefined {
  return chooseLanguage(voiceLanguage) === language.code ? undefined : language.voice;
}

/**
 * A message's content for a channel. Throws for a template that does not exist, and an `OverrideError` for a text of the
 * application's that comes to nothing.
 */
export function render(
  template: string,
  channel: ChannelName,
  variables: MessageVariables,
  findOverride: FindOverride = () => undefined,
): Content {
  const { language: wanted, voiceLanguage, ...rest } = variables;
  const { application = '', ...values } = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [name, oneLine(value)]),
  );
  const language = spokenLanguage(channel, wanted, voiceLanguage);
  const own = findOverride(language.code);
  if (!isNotification(template)) {
    if (template !== 'otp') throw new Error(`no template ${template}`);
    const { code = '', minutes } = values;
    const content = renderOtp(channel, {
      code,
      minutes: Number(minutes),
      application,
      language: wanted,
      voiceLanguage,
    });
    const shown = { ...values, code: channel === 'VOICE' ? spelled(code) : code, application };
    return own ? inPlaceOf(content, renderOverride(channel, language, own, shown)) : content;
  }
  const content = renderNotification(template, channel, language, { application, values });
  const shown = { ...(channel === 'VOICE' ? shownValues(channel, language, values) : values), application };
  const chosen = own ? inPlaceOf(content, renderOverride(channel, language, own, shown)) : content;
  return chosen.kind === 'speech' ? { ...chosen, language: accent(language, voiceLanguage) } : chosen;
}

/** The words of one content with what a provider's approved template needs of the other. */
function inPlaceOf(content: Content, own: Content): Content {
  return content.kind === 'text' && own.kind === 'text' ? { ...content, text: own.text } : own;
}
