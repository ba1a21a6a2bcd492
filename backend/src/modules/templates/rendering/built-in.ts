/** Converts the built-in texts to Liquid, as a starting point for an application's own texts. */
import type { ChannelName } from '../../../platform/contract/channels.js';
import { TEMPLATES } from '../../../platform/contract/generated/templates.js';
import { isNotification, type OverrideText, type TemplateName, type VariableName } from '../template.js';
import { findPlaceholders, type Language } from './language.js';
import { labeledVariables, LOCAL_VARIABLES, withFullStop } from './notification.js';

const output = (name: string): string => (LOCAL_VARIABLES.includes(name) ? `{{ ${name} | local }}` : `{{ ${name} }}`);

/** `{name}` → `{{ name }}`, and `{amount}` → `{{ amount | local }}`. */
const toLiquid = (text: string): string => text.replace(/\{(\w+)\}/g, (_all, name: string) => output(name));

/** A part of a message. It is left out unless all variables in `needs` have a value. */
interface Piece {
  readonly text: string;
  readonly needs: readonly string[];
}

const conditional = ({ text, needs }: Piece): string =>
  needs.length === 0 ? text : `{% if ${needs.join(' and ')} %}${text}{% endif %}`;
const joinWithPrefix = (space: string, pieces: readonly Piece[]): string =>
  pieces.map(({ text, needs }) => conditional({ text: `${space}${text}`, needs })).join('');

/** Adds a full stop, unless the whole text is a variable, because its value may already end with a full stop. */
const punctuated = (text: string): string => (text.endsWith('}}') && text.startsWith('{{') ? text : withFullStop(text));

function piecesOf(template: TemplateName, language: Language) {
  const required: readonly string[] = TEMPLATES[template].required;
  const optional = (names: readonly string[]) => names.filter((name) => !required.includes(name));
  const labeled = (name: VariableName): Piece => ({
    text: `${language.labels[name]}${language.colon} ${output(name)}`,
    needs: optional([name]),
  });
  const sentence = (text: string): Piece => ({
    text: punctuated(toLiquid(text)),
    needs: optional(findPlaceholders(text)),
  });
  const { facts, links } = labeledVariables(template, language);
  return {
    greeting: { text: toLiquid(language.greeting), needs: ['customerName'] },
    sentences: language.templates[template].sentences.map(sentence),
    facts: facts.map(labeled),
    links: links.map(labeled),
  };
}

/** A blank line that is rendered only if at least one of the pieces is rendered. */
function blankLineBefore(pieces: readonly Piece[]): string {
  if (pieces.length === 0) return '';
  if (pieces.some(({ needs }) => needs.length === 0)) return '\n';
  return `{% if ${pieces.flatMap(({ needs }) => needs).join(' or ')} %}\n{% endif %}`;
}

const appendFullStop = ({ text, needs }: Piece): Piece => ({ text: `${text}.`, needs });

function notificationText(template: TemplateName, channel: ChannelName, language: Language): OverrideText {
  const { greeting, sentences, facts, links } = piecesOf(template, language);
  switch (channel) {
    case 'SMS': {
      const pieces = [greeting, ...sentences, ...facts.map(appendFullStop), ...links];
      return { subject: null, text: `{{ application }}${language.colon}${joinWithPrefix(' ', pieces)}` };
    }
    case 'WHATSAPP': {
      const blocks = [facts, links].map((block) => `${blankLineBefore(block)}${joinWithPrefix('\n', block)}`).join('');
      return { subject: null, text: `{{ application }}\n${joinWithPrefix('\n', [greeting, ...sentences])}${blocks}` };
    }
    case 'VOICE': {
      const caller = { text: toLiquid(language.caller), needs: [] };
      const lines = [greeting, caller, ...sentences, ...facts.map(appendFullStop)];
      return { subject: null, text: lines.map(conditional).join('\n') };
    }
    case 'EMAIL': {
      const body = joinWithPrefix(' ', sentences).trim();
      const lines = [conditional(greeting), body, ...facts.map(conditional), ...links.map(conditional)];
      return { subject: toLiquid(language.templates[template].subject), text: lines.join('\n') };
    }
  }
}

/** Selects the sentence about the validity by the plural form of `minutes`. Forms with the same sentence are combined. */
function validityLiquid({ validity }: Language['otp']): string {
  const { other, ...forms } = validity;
  const branches = Object.entries(forms)
    .filter(([, text]) => text !== other)
    .map(([form, text]) => `{% when "${form}" %}${toLiquid(text)}`);
  return `{% case minutes | plural %}${branches.join('')}{% else %}${toLiquid(other)}{% endcase %}`;
}

function otpText(channel: ChannelName, language: Language): OverrideText {
  const { otp: texts } = language;
  if (channel === 'VOICE') return { subject: null, text: `${toLiquid(texts.speech)}\n{{ code }}` };
  const advice = `${validityLiquid(texts)} ${texts.warning}`;
  if (channel !== 'EMAIL') return { subject: null, text: `${toLiquid(texts.message)} ${advice}` };
  return {
    subject: toLiquid(texts.subject),
    text: [toLiquid(texts.email), '{{ code }}', advice, texts.ignore].join('\n\n'),
  };
}

export const builtInText = (template: string, channel: ChannelName, language: Language): OverrideText =>
  isNotification(template) ? notificationText(template, channel, language) : otpText(channel, language);
