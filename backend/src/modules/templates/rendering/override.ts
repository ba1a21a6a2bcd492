/** Renders applications' own texts, which are Liquid templates without side effects. */
import type { Liquid, Template, Token } from 'liquidjs';
import type { ChannelName } from '../../../platform/contract/channels.js';
import { VARIABLES } from '../../../platform/contract/generated/templates.js';
import { linesHaveControlCharacters } from '../../../platform/control-characters.js';
import { ExpectedError } from '../../../platform/expected-error.js';
import { createLiquid, LIQUID_FILTERS, MAX_TEMPLATE_LENGTH } from '../../../platform/liquid.js';
import type { Content } from '../../../providers/provider.js';
import type { OverrideText } from '../template.js';
import { emailHtml, type LabeledValue } from './email.js';
import { smsText } from '../../../platform/gsm7.js';
import { pluralForm, type Language } from './language.js';
import { writtenValue } from './local-values.js';
import { lengthProblem } from './message-length.js';
import { isolated, trustedLine } from './text.js';
import { parseUrl } from '../../../platform/url.js';

/** Maximum length of a text in characters; enough for an email about an order. */
export const MAX_OVERRIDE_LENGTH = MAX_TEMPLATE_LENGTH;

export type OverridePart = 'text' | 'subject';

/** A text cannot be used. The message states the reason, and is shown to the text's author. */
export class OverrideError extends ExpectedError {
  constructor(
    message: string,
    /** The location and reason of a syntax error, as reported by Liquid. `line` starts at 1. */
    readonly syntaxError?: {
      readonly part: OverridePart;
      readonly line: number | null;
      /** Offset of the error in the text. */
      readonly position: number | undefined;
      readonly reason: string;
    },
  ) {
    super(message);
  }
}

/**
 * Values that are not isolated: numbers, and links, which messaging apps do not recognize inside direction isolates.
 */
const NOT_ISOLATED = /^(?:\d*|https?:\/\/\S*)$/i;

/** Isolates values on output only, so that conditions compare the plain value. */
function outputEscape(value: unknown): string {
  const text = String(value ?? '');
  return NOT_ISOLATED.test(text) ? text : isolated(text);
}

/** Formats a date or an amount in the language of the message. Without it, a template shows the caller's value. */
const LOCAL_FILTER = 'local';
/** Returns the plural form of a number in the language of the message, such as `one`, so that a text can select a word. */
const PLURAL_FILTER = 'plural';
export const TEMPLATE_FILTERS: readonly string[] = [...LIQUID_FILTERS, LOCAL_FILTER, PLURAL_FILTER];

/** Properties of the message that these filters need. Texts cannot use these names. */
interface MessageGlobals {
  readonly messageLanguage: string;
  readonly messageChannel: ChannelName;
}

function createEngine(options: Parameters<typeof createLiquid>[0] = {}): Liquid {
  const liquid = createLiquid(options);
  liquid.registerFilter(LOCAL_FILTER, function formatLocally(value: unknown) {
    const { messageLanguage, messageChannel } = this.context.globals as unknown as MessageGlobals;
    return writtenValue(String(value ?? ''), messageLanguage, { plain: messageChannel === 'SMS' });
  });
  liquid.registerFilter(PLURAL_FILTER, function selectPlural(value: unknown) {
    const { messageLanguage } = this.context.globals as unknown as MessageGlobals;
    return pluralForm(messageLanguage, Number(value));
  });
  return liquid;
}

const engine = createEngine();
const isolatingEngine = createEngine({ outputEscape });

type Variables = Readonly<Record<string, string>>;

function parse(text: string, part: OverridePart, liquid = engine): Template[] {
  if (text.length > MAX_OVERRIDE_LENGTH)
    throw new OverrideError(`the ${part} is longer than ${MAX_OVERRIDE_LENGTH} characters`);
  try {
    return liquid.parse(text);
  } catch (error) {
    const { message, token } = error as Error & { token?: Partial<Token> };
    const line = token?.getPosition?.()[0] ?? null;
    const reason = message.replace(/, line:\d+, col:\d+$/, '');
    throw new OverrideError(`the ${part} is not valid: ${message}`, { part, line, position: token?.begin, reason });
  }
}

function renderLiquid(
  text: string,
  part: OverridePart,
  variables: Variables,
  liquid: Liquid,
  globals: MessageGlobals,
): string {
  try {
    return String(liquid.renderSync(parse(text, part, liquid), variables, { globals }));
  } catch (error) {
    if (error instanceof OverrideError) throw error;
    throw new OverrideError(`the ${part} cannot be filled in: ${(error as Error).message}`);
  }
}

/** Returns the variables that a text uses, with the line of their first use. Throws an {@link OverrideError}. */
export function findVariables(text: string, part: OverridePart): { readonly name: string; readonly line: number }[] {
  const { globals } = engine.analyzeSync(parse(text, part));
  return Object.entries(globals).map(([name, [first]]) => ({ name, line: first?.location.row ?? 1 }));
}

/** `known`: variables that a text may use. `needed`: variables that the text must use. */
export interface TextRules {
  readonly known: readonly string[];
  readonly needed: readonly string[];
}

/** Throws an {@link OverrideError} for a text that breaks these rules or is not valid Liquid. */
export function checkOverride(channel: ChannelName, { subject, text }: OverrideText, rules: TextRules): void {
  const { known, needed } = rules;
  if ((channel === 'EMAIL') !== (subject !== null))
    throw new OverrideError(channel === 'EMAIL' ? 'an email needs a subject' : 'only an email has a subject');
  if (linesHaveControlCharacters(`${subject ?? ''}${text}`))
    throw new OverrideError('the text must not contain control characters');
  const usedInText = findVariables(text, 'text').map(({ name }) => name);
  const usedInSubject = findVariables(subject ?? '', 'subject').map(({ name }) => name);
  const unknown = [...new Set([...usedInText, ...usedInSubject])].filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new OverrideError(`unknown variables: ${unknown.join(', ')}; the template has ${known.join(', ')}`);
  const missing = needed.filter((name) => !usedInText.includes(name));
  if (missing.length > 0) throw new OverrideError(`the text must contain ${missing.join(', ')}`);
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(trustedLine)
    .filter((line) => line !== '');

/** A line such as `Label: https://…`, which becomes a button in an email. */
const BUTTON_LINE = /^([^:]{1,80}): (https?:\/\/[^\s"'<>]+)$/i;

/**
 * Returns a function that checks whether a link may become a button. Accepts the values of link variables, and links to
 * sites that the author's text also links to. A button hides its URL, so a link in any other variable, such as a
 * customer's name, remains text.
 */
function createLinkCheck(source: string, variables: Variables): (link: string) => boolean {
  const linkVariables = Object.entries(VARIABLES).flatMap(([name, { link }]) => (link ? [variables[name]] : []));
  const written = source.match(/https?:\/\/[^\s"'<>{}/?#]+/gi) ?? [];
  const sites = new Set(written.map((link) => parseUrl(link)?.origin));
  return (link) => linkVariables.includes(link) || sites.has(parseUrl(link)?.origin ?? '');
}

function emailContent(
  language: Language,
  source: string,
  variables: Variables,
  { subject, text }: OverrideText,
): Content {
  const isAllowed = createLinkCheck(source, variables);
  const links: LabeledValue[] = [];
  const paragraphs: string[] = [];
  for (const line of linesOf(text)) {
    const [, label, value] = BUTTON_LINE.exec(line) ?? [];
    if (label !== undefined && value !== undefined && isAllowed(value)) links.push({ label: label.trim(), value });
    else paragraphs.push(line);
  }
  const title = trustedLine(subject ?? '');
  const html = emailHtml({ language, application: variables.application ?? '', title, paragraphs, links });
  return { kind: 'email', subject: title, text: `${text}\n`, html };
}

function contentOf(channel: ChannelName, language: Language, override: OverrideText, variables: Variables): Content {
  const liquid = language.direction === 'rtl' && channel !== 'VOICE' ? isolatingEngine : engine;
  const globals = { messageLanguage: language.code, messageChannel: channel };
  const text = renderLiquid(override.text, 'text', variables, liquid, globals).trim();
  if (text === '') throw new OverrideError('the text is empty');
  switch (channel) {
    case 'SMS':
      return { kind: 'text', ...smsText(text) };
    case 'WHATSAPP':
      return { kind: 'text', text };
    case 'VOICE':
      return { kind: 'speech', sentences: linesOf(text), language: language.voice };
    case 'EMAIL': {
      const subject = renderLiquid(override.subject ?? '', 'subject', variables, liquid, globals);
      if (trustedLine(subject) === '') throw new OverrideError('the subject is empty');
      return emailContent(language, override.text, variables, { subject, text });
    }
  }
}

/**
 * Renders an application's text. Variable values must be single lines and, for a voice call, already formatted as
 * spoken words. Throws an {@link OverrideError}.
 */
export function renderOverride(
  channel: ChannelName,
  language: Language,
  override: OverrideText,
  variables: Variables,
): Content {
  const content = contentOf(channel, language, override, variables);
  const problem = lengthProblem(channel, content);
  if (problem !== undefined) throw new OverrideError(`the text is ${problem}`);
  return content;
}
