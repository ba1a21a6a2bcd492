/** Messages about orders and invoices, on every channel: the template's words, then what else is known with its label. */
import type { ChannelName, Content } from '../channels/channel.js';
import { TEMPLATES, VARIABLES } from '../generated/templates.js';
import { gsm7 } from './gsm7.js';
import { fill, mentioned, type Language, type TemplateName, type VariableName } from './language.js';
import { mailHtml } from './mail.js';
import { spoken } from './speech.js';
import { oneLine } from './text.js';

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

export interface Labelled {
  readonly label: string;
  readonly value: string;
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
const ended = (text: string): string => (/[.!?…。؟]["')\]\u2069]*$/u.test(text) ? text : `${text}.`);

/** Keeps a value together within words that run the other way; links stay bare, for programs that look for them. */
function isolated(values: Values, { direction }: Language): Values {
  if (direction === 'ltr') return values;
  const entries = Object.entries(values) as [VariableName, string][];
  return Object.fromEntries(
    entries.map(([name, value]) => [name, VARIABLES[name].link ? value : `\u2068${value}\u2069`]),
  );
}

function sms(application: string, { greeting, sentences, facts, links }: Draft): string {
  const texts = [...(greeting ? [greeting] : []), ...sentences, ...facts.map(line)].map(ended);
  return gsm7([`${application}:`, ...texts, ...links.map(line)].join(' '));
}

function whatsApp(application: string, { greeting, sentences, facts, links }: Draft): string {
  const blocks = [[application], [greeting ?? '', ...sentences.map(ended)], facts.map(line), links.map(line)];
  return blocks
    .map((lines) => lines.filter(Boolean).join('\n'))
    .filter(Boolean)
    .join('\n\n');
}

function speech(template: TemplateName, language: Language, application: string, values: Values): Content {
  const entries = Object.entries(values) as [VariableName, string][];
  const said = Object.fromEntries(entries.map(([name, value]) => [name, spoken(name, value, language.code)]));
  const { greeting, sentences, facts } = draft(template, language, said);
  const caller = fill(language.caller, { application })!;
  const texts = [...(greeting ? [greeting] : []), caller, ...sentences, ...facts.map(line)];
  return { kind: 'speech', sentences: texts.map(ended), language: language.voice };
}

function mail(template: TemplateName, language: Language, application: string, values: Values): Content {
  const subject = oneLine(fill(language.templates[template].subject, values) ?? application);
  const parts = draft(template, language, values);
  const sentences = parts.sentences.map(ended);
  const { greeting, facts, links } = parts;
  const blocks = [[greeting ?? ''], [sentences.join(' ')], facts.map(line), links.map(line), ['-- ', application]];
  const text = blocks
    .map((lines) => lines.filter(Boolean).join('\n'))
    .filter(Boolean)
    .join('\n\n');
  const html = mailHtml({
    language,
    application,
    title: subject,
    greeting,
    paragraphs: [sentences.join(' ')],
    facts,
    links,
  });
  return { kind: 'email', subject, text: `${text}\n`, html };
}

/** What a template says on a channel. Values are lines of text and stay what they are. */
export function renderNotification(
  template: TemplateName,
  channel: ChannelName,
  language: Language,
  { application, values }: NotificationVariables,
): Content {
  const shown = isolated(values, language);
  switch (channel) {
    case 'SMS':
      return { kind: 'text', text: sms(application, draft(template, language, shown)) };
    case 'WHATSAPP':
      return {
        kind: 'text',
        text: whatsApp(application, draft(template, language, shown)),
        // A template on the provider's side has a fixed number of them, none of which may be empty.
        variables: variablesOf(template).map((name) => values[name] ?? '-'),
        template,
        language: language.code,
      };
    case 'VOICE':
      return speech(template, language, application, values);
    case 'EMAIL':
      return mail(template, language, application, shown);
  }
}
