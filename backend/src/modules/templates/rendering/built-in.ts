/** The service's own texts in the form of an application's: what somebody starts from who wants other words. */
import type { ChannelName } from '../../../providers/provider.js';
import { TEMPLATES, VARIABLES } from '../../../platform/contract/generated/templates.js';
import { mentioned, type Language, type TemplateName, type VariableName } from './language.js';
import { ended, variablesOf } from './notification.js';
import { validity } from './otp.js';
import type { OverrideText } from './override.js';

/** `{name}` of our texts as Liquid has it. */
const liquid = (text: string): string => text.replace(/\{(\w+)\}/g, '{{ $1 }}');

/** A piece of a message, and the variables without which it is left out. */
interface Piece {
  readonly text: string;
  readonly needs: readonly string[];
}

const piece = ({ text, needs }: Piece): string =>
  needs.length === 0 ? text : `{% if ${needs.join(' and ')} %}${text}{% endif %}`;
const before = (space: string, pieces: readonly Piece[]): string =>
  pieces.map(({ text, needs }) => piece({ text: `${space}${text}`, needs })).join('');

/** Ends a sentence, unless a variable does, which may have an end of its own. */
const closed = (text: string): string => (text.endsWith('}}') && text.startsWith('{{') ? text : ended(text));

interface Pieces {
  readonly greeting: Piece;
  readonly sentences: readonly Piece[];
  readonly facts: readonly Piece[];
  readonly links: readonly Piece[];
}

function piecesOf(template: TemplateName, language: Language): Pieces {
  const required: readonly string[] = TEMPLATES[template].required;
  const optional = (names: readonly string[]) => names.filter((name) => !required.includes(name));
  const { sentences } = language.templates[template];
  const said = new Set(['customerName', ...sentences.flatMap(mentioned)]);
  const others = variablesOf(template).filter((name) => !said.has(name));
  const labelled = (link: boolean): Piece[] =>
    others
      .filter((name) => VARIABLES[name].link === link)
      .map((name: VariableName) => ({ text: `${language.labels[name]}: {{ ${name} }}`, needs: optional([name]) }));
  return {
    greeting: { text: liquid(language.greeting), needs: ['customerName'] },
    sentences: sentences.map((text) => ({ text: closed(liquid(text)), needs: optional(mentioned(text)) })),
    facts: labelled(false),
    links: labelled(true),
  };
}

/** A blank line before pieces, where there are any. */
function gap(pieces: readonly Piece[]): string {
  if (pieces.length === 0) return '';
  if (pieces.some(({ needs }) => needs.length === 0)) return '\n';
  return `{% if ${pieces.flatMap(({ needs }) => needs).join(' or ')} %}\n{% endif %}`;
}

const withEnd = ({ text, needs }: Piece): Piece => ({ text: `${text}.`, needs });

function notification(template: TemplateName, channel: ChannelName, language: Language): OverrideText {
  const { greeting, sentences, facts, links } = piecesOf(template, language);
  switch (channel) {
    case 'SMS': {
      const words = [greeting, ...sentences, ...facts.map(withEnd), ...links];
      return { subject: null, text: `{{ application }}:${before(' ', words)}` };
    }
    case 'WHATSAPP': {
      const blocks = [facts, links].map((block) => `${gap(block)}${before('\n', block)}`).join('');
      return { subject: null, text: `{{ application }}\n${before('\n', [greeting, ...sentences])}${blocks}` };
    }
    case 'VOICE': {
      const caller = { text: liquid(language.caller), needs: [] };
      const lines = [greeting, caller, ...sentences, ...facts.map(withEnd)];
      return { subject: null, text: lines.map(piece).join('\n') };
    }
    case 'EMAIL': {
      const body = before(' ', sentences).trim();
      const lines = [piece(greeting), body, ...facts.map(piece), ...links.map(piece)];
      return { subject: liquid(language.templates[template].subject), text: lines.join('\n') };
    }
  }
}

/** Minutes whose plural form stands for all: what a code is valid for unless the caller says otherwise. */
const USUAL_MINUTES = 5;

function otp(channel: ChannelName, language: Language): OverrideText {
  const { otp: words } = language;
  const usual = validity(language, USUAL_MINUTES).replace(String(USUAL_MINUTES), '{{ minutes }}');
  const one = words.validity.one && liquid(words.validity.one);
  const valid = one ? `{% if minutes == "1" %}${one}{% else %}${usual}{% endif %}` : usual;
  if (channel === 'VOICE') return { subject: null, text: `${liquid(words.speech)}\n{{ code }}` };
  const advice = `${valid} ${words.warning}`;
  if (channel !== 'EMAIL') return { subject: null, text: `${liquid(words.message)} ${advice}` };
  return {
    subject: liquid(words.subject),
    text: [liquid(words.mail), '{{ code }}', advice, words.ignore].join('\n\n'),
  };
}

/** The text of a template that says what the built-in one does. */
export function builtInText(template: string, channel: ChannelName, language: Language): OverrideText {
  return template === 'otp' ? otp(channel, language) : notification(template as TemplateName, channel, language);
}
