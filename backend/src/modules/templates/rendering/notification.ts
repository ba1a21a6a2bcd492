/** Renders notifications about orders and invoices: the template's sentences, then the other variables with labels. */
import type { ChannelName } from '../../../platform/contract/channels.js';
import { VARIABLES } from '../../../platform/contract/generated/templates.js';
import type { Content } from '../../../providers/provider.js';
import { notificationVariables, type TemplateName, type VariableName } from '../template.js';
import { emailHtml, type LabeledValue } from './email.js';
import { smsText } from '../../../platform/gsm7.js';
import { fill, findPlaceholders, type Language } from './language.js';
import { spokenValue, writtenValue } from './local-values.js';
import { isolated } from './text.js';

type Values = Readonly<Partial<Record<VariableName, string>>>;

/** Returns the variables that no sentence of the template uses. They are appended with labels. */
export function labeledVariables(template: TemplateName, { templates }: Language) {
  const used = new Set(['customerName', ...templates[template].sentences.flatMap(findPlaceholders)]);
  const others = notificationVariables(template).filter((name) => !used.has(name));
  return {
    facts: others.filter((name) => !VARIABLES[name].link),
    links: others.filter((name) => VARIABLES[name].link),
  };
}

/** Adds a full stop unless the text ends with punctuation. */
export const withFullStop = (text: string): string => (/[.!?…。؟]["')\]\u2069]*$/u.test(text) ? text : `${text}.`);

/** Variables that a voice reads character by character, so that an order number does not sound like a quantity. */
export const SPELLED_OUT_VARIABLES: readonly VariableName[] = [
  'orderId',
  'trackingNo',
  'refundId',
  'transactionId',
  'invoiceNumber',
];

const spellOut = (value: string): string => (value.match(/[\p{L}\p{N}]/gu) ?? [value]).join(', ');

/** Variables with dates and amounts, which text channels show in the recipient's language. */
export const LOCAL_VARIABLES: readonly string[] = [
  ...(['orderDate', 'estimatedDelivery', 'expectedCreditDate'] satisfies VariableName[]),
  ...(['amount', 'orderTotal', 'refundedAmount'] satisfies VariableName[]),
];

/**
 * Formats variable values for a channel: as spoken words in a voice call; elsewhere with dates and amounts in the
 * recipient's language, and with direction isolates in right-to-left text.
 */
export function channelValues(channel: ChannelName, { code, direction }: Language, values: Values): Values {
  const entries = Object.entries(values) as [VariableName, string][];
  const convert = (name: VariableName, value: string): string => {
    if (channel === 'VOICE') return SPELLED_OUT_VARIABLES.includes(name) ? spellOut(value) : spokenValue(value, code);
    const local = LOCAL_VARIABLES.includes(name) ? writtenValue(value, code, { plain: channel === 'SMS' }) : value;
    // Messaging apps do not recognize links inside direction isolates.
    return direction === 'rtl' && !VARIABLES[name].link ? isolated(local) : local;
  };
  return Object.fromEntries(entries.map(([name, value]) => [name, convert(name, value)]));
}

const linesOf = ({ colon }: Language, entries: readonly LabeledValue[]): string[] =>
  entries.map(({ label, value }) => `${label}${colon} ${value}`);

/** Joins blocks with a blank line between them. Empty lines and blocks are left out. */
const joinBlocks = (...blocks: (readonly string[])[]): string =>
  blocks
    .map((lines) => lines.filter(Boolean).join('\n'))
    .filter(Boolean)
    .join('\n\n');

/** A document that is attached to the email, or that WhatsApp can download from the link. */
interface AttachedDocument {
  readonly name: string | undefined;
  readonly link: string | undefined;
}

/** Renders a notification for a channel. Values must be single lines, and are inserted as plain text. */
export function renderNotification(
  template: TemplateName,
  channel: ChannelName,
  language: Language,
  application: string,
  values: Values,
  attachment?: AttachedDocument,
): Content {
  const shown = channelValues(channel, language, values);
  const { subject, sentences: texts } = language.templates[template];
  const sentences = texts.map((text) => fill(text, shown)).filter((text) => text !== undefined);
  const greeting = fill(language.greeting, shown);
  const opening = greeting ? [greeting] : [];
  const labeled = (names: readonly VariableName[]): LabeledValue[] =>
    names.flatMap((name) => (shown[name] === undefined ? [] : [{ label: language.labels[name], value: shown[name] }]));
  const variables = labeledVariables(template, language);
  const facts = labeled(variables.facts);
  const links = labeled(variables.links);
  const factLines = linesOf(language, facts);
  const linkLines = linesOf(language, links);
  // An approved template has a fixed number of variables, none of which may be empty.
  const approved = () => ({
    variables: notificationVariables(template).map((name) => values[name] ?? '-'),
    template,
    language: language.code,
  });
  switch (channel) {
    case 'SMS': {
      const parts = [...opening, ...sentences, ...factLines].map(withFullStop);
      return {
        kind: 'text',
        ...smsText([`${application}${language.colon}`, ...parts, ...linkLines].join(' ')),
        ...approved(),
      };
    }
    case 'WHATSAPP':
      return {
        kind: 'text',
        text: joinBlocks([application], [...opening, ...sentences.map(withFullStop)], factLines, linkLines),
        ...approved(),
        document:
          attachment?.link && attachment.name ? { link: attachment.link, filename: attachment.name } : undefined,
      };
    case 'VOICE': {
      const caller = fill(language.caller, { application })!;
      return { kind: 'speech', sentences: [...opening, caller, ...sentences, ...factLines].map(withFullStop) };
    }
    case 'EMAIL': {
      const title = fill(subject, shown) ?? application;
      const attached = attachment?.name === undefined ? [] : [language.attached];
      const paragraph = [...sentences.map(withFullStop), ...attached].join(' ');
      const text = joinBlocks(opening, [paragraph], factLines, linkLines, ['-- ', application]);
      const html = emailHtml({ language, application, title, paragraphs: [...opening, paragraph], facts, links });
      return { kind: 'email', subject: title, text: `${text}\n`, html };
    }
  }
}
