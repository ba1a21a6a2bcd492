/** Messages about orders and invoices, on every channel: the template's words, then what else is known with its label. */
import type { ChannelName, Content } from '../../../providers/provider.js';
import { TEMPLATES, VARIABLES } from '../../../platform/contract/generated/templates.js';
import { gsm7 } from './gsm7.js';
import { fill, mentioned, type Language, type TemplateName, type VariableName } from './language.js';
import { mailHtml, type Labelled } from './mail.js';
import { spoken } from './speech.js';
import { isolated } from './text.js';

export interface NotificationVariables {
  readonly application: string;
  readonly values: Readonly<Partial<Record<VariableName, string>>>;
}

/** A message before it takes the form of a channel. */
interface Draft {
  readonly greeting: string | undefined;
  readonly sentences: readonly string[];
  readonly facts: readonly Labelled[];
  readonly links: readonly Labelled[];
}

type Values = NotificationVariables['values'];

/** Variables of a template in the order of the catalogue; also the order of an approved WhatsApp template's. */
export function variablesOf(template: TemplateName): VariableName[] {
  const { required, oneOf, optional } = TEMPLATES[template];
  return [...required, ...oneOf, ...optional];
}

function draft(template: TemplateName, language: Language, values: Values): Draft {
  const { sentences } = language.templates[template];
  const said = new Set(['customerName', ...sentences.flatMap(mentioned)]);
  const others = variablesOf(template).filter((name) => values[name] !== undefined && !said.has(name));
  const labelled = (link: boolean): Labelled[] =>
    others
      .filter((name) => VARIABLES[name].link === link)
      .map((name) => ({ label: language.labels[name], value: values[name]! }));
  return {
    greeting: fill(language.greeting, values),
    sentences: sentences.map((text) => fill(text, values)).filter((text) => text !== undefined),
    facts: labelled(false),
    links: labelled(true),
  };
}

const line = ({ label, value }: Labelled): string => `${label}: ${value}`;

/** Ends a sentence that has no end of its own. */
export const ended = (text: string): string => (/[.!?…。؟]["')\]\u2069]*$/u.test(text) ? text : `${text}.`);

/** Values in the form that a channel shows: said in a call, kept together within words that run the other way. */
export function shownValues(channel: ChannelName, { code, direction }: Language, values: Values): Values {
  const entries = Object.entries(values) as [VariableName, string][];
  const change = (name: VariableName, value: string): string => {
    if (channel === 'VOICE') return spoken(name, value, code);
    // Links stay bare, for programs that look for them.
    return direction === 'rtl' && !VARIABLES[name].link ? isolated(value) : value;
  };
  return Object.fromEntries(entries.map(([name, value]) => [name, change(name, value)]));
}

function sms(application: string, { greeting, sentences, facts, links }: Draft): string {
  const texts = [...(greeting ? [greeting] : []), ...sentences, ...facts.map(line)].map(ended);
  return gsm7([`${application}:`, ...texts, ...links.map(line)].join(' '));
}

/** Lines in blocks with a blank line between; what is empty is left out. */
const inBlocks = (...blocks: (readonly string[])[]): string =>
  blocks
    .map((lines) => lines.filter(Boolean).join('\n'))
    .filter(Boolean)
    .join('\n\n');

const whatsApp = (application: string, { greeting, sentences, facts, links }: Draft): string =>
  inBlocks([application], [greeting ?? '', ...sentences.map(ended)], facts.map(line), links.map(line));

function speech(application: string, language: Language, { greeting, sentences, facts }: Draft): string[] {
  const caller = fill(language.caller, { application })!;
  return [...(greeting ? [greeting] : []), caller, ...sentences, ...facts.map(line)].map(ended);
}

function mail(
  application: string,
  language: Language,
  title: string,
  { greeting, facts, links, ...draft }: Draft,
): Content {
  const paragraph = draft.sentences.map(ended).join(' ');
  const text = inBlocks([greeting ?? ''], [paragraph], facts.map(line), links.map(line), ['-- ', application]);
  const html = mailHtml({ language, application, title, greeting, paragraphs: [paragraph], facts, links });
  return { kind: 'email', subject: title, text: `${text}\n`, html };
}

/** What a template says on a channel. Values are lines of text and stay what they are. */
export function renderNotification(
  template: TemplateName,
  channel: ChannelName,
  language: Language,
  { application, values }: NotificationVariables,
): Content {
  const shown = shownValues(channel, language, values);
  const parts = draft(template, language, shown);
  switch (channel) {
    case 'SMS':
      return { kind: 'text', text: sms(application, parts) };
    case 'WHATSAPP':
      return {
        kind: 'text',
        text: whatsApp(application, parts),
        // A template on the provider's side has a fixed number of them, none of which may be empty.
        variables: variablesOf(template).map((name) => values[name] ?? '-'),
        template,
        language: language.code,
      };
    case 'VOICE':
      return { kind: 'speech', sentences: speech(application, language, parts) };
    case 'EMAIL':
      return mail(application, language, fill(language.templates[template].subject, shown) ?? application, parts);
  }
}
