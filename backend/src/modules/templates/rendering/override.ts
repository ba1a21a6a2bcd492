/** An application's own text in place of a template's, written in Liquid. It says what it says and can do nothing else. */
import { Liquid, type Template } from 'liquidjs';
import type { ChannelName, Content } from '../../../providers/provider.js';
import { VARIABLES } from '../../../platform/contract/generated/templates.js';
import { OVERRIDE_LENGTH, OVERRIDE_MEMORY, OVERRIDE_MS } from '../../../platform/limits.js';
import { gsm7 } from './gsm7.js';
import type { Language } from './language.js';
import { mailHtml, type Labelled } from './mail.js';
import { flat, isolated } from './text.js';

export interface OverrideText {
  /** Of a mail; null on other channels. */
  readonly subject: string | null;
  readonly text: string;
}

export type OverridePart = 'text' | 'subject';

/** The override cannot be used; the text tells its author why. */
export class OverrideError extends Error {
  constructor(
    message: string,
    /** Where the language itself is wrong: the part, its line counted from one, and what Liquid says of it. */
    readonly at?: { readonly part: OverridePart; readonly line: number | null; readonly reason: string },
  ) {
    super(message);
  }
}

/** Conditions and words, no loops and no files: what is short to read is short to run. */
export const TAGS = ['if', 'unless', 'case', 'assign', 'comment', 'raw'];
export const FILTERS =
  'append capitalize date default divided_by downcase first last minus plus prepend remove replace round size split strip times truncate upcase'.split(
    ' ',
  );

function only<T>(all: Record<string, T>, names: readonly string[]): void {
  for (const name of Object.keys(all)) if (!names.includes(name)) delete all[name];
}

function createEngine(options: { outputEscape?: (value: unknown) => string } = {}): Liquid {
  const liquid = new Liquid({
    ...options,
    strictFilters: true,
    ownPropertyOnly: true,
    // Names files of its own only, and has none.
    templates: {},
    parseLimit: OVERRIDE_LENGTH,
    renderLimit: OVERRIDE_MS,
    memoryLimit: OVERRIDE_MEMORY,
  });
  only(liquid.tags as Record<string, unknown>, TAGS);
  only(liquid.filters as Record<string, unknown>, FILTERS);
  return liquid;
}

/** Numbers run the same way everywhere, and links stay bare, for programs that look for them. */
const BARE = /^(?:\d*|https?:\/\/\S*)$/i;

/** As built-in texts have it. Where a value is put out, so that conditions still see it as it is. */
function outputEscape(value: unknown): string {
  const text = String(value ?? '');
  return BARE.test(text) ? text : isolated(text);
}

const engine = createEngine();
/** For texts that are read from the right. */
const isolating = createEngine({ outputEscape });

type Variables = Readonly<Record<string, string>>;

/** What Liquid tells of a mistake. */
interface LiquidMistake extends Error {
  readonly token?: { getPosition?(): readonly [line: number, column: number] };
}

function parse(text: string, what: OverridePart, liquid = engine): Template[] {
  if (text.length > OVERRIDE_LENGTH)
    throw new OverrideError(`the ${what} is longer than ${OVERRIDE_LENGTH} characters`);
  try {
    return liquid.parse(text);
  } catch (error) {
    const { message, token } = error as LiquidMistake;
    const line = token?.getPosition?.()[0] ?? null;
    const reason = message.replace(/, line:\d+, col:\d+$/, '');
    throw new OverrideError(`the ${what} is not valid: ${message}`, { part: what, line, reason });
  }
}

function run(text: string, what: OverridePart, variables: Variables, liquid: Liquid): string {
  try {
    return String(liquid.renderSync(parse(text, what, liquid), variables));
  } catch (error) {
    if (error instanceof OverrideError) throw error;
    throw new OverrideError(`the ${what} cannot be filled in: ${(error as Error).message}`);
  }
}

/** Variables that a text takes from outside, each where it first stands. Throws an {@link OverrideError}. */
export function variablesIn(text: string, part: OverridePart): { readonly name: string; readonly line: number }[] {
  const { globals } = engine.analyzeSync(parse(text, part));
  return Object.entries(globals).map(([name, [first]]) => ({ name, line: first?.location.row ?? 1 }));
}

/** Refuses a text that uses what the template does not have, or, for `needed`, leaves out what it is for. */
export function checkOverride(
  channel: ChannelName,
  { subject, text }: OverrideText,
  { known, needed }: { readonly known: readonly string[]; readonly needed: readonly string[] },
): void {
  if ((channel === 'EMAIL') !== (subject !== null))
    throw new OverrideError(channel === 'EMAIL' ? 'a mail needs a subject as well' : 'only a mail has a subject');
  const used = [text, ...(subject === null ? [] : [subject])].flatMap((part, index) =>
    engine.globalVariablesSync(parse(part, index === 0 ? 'text' : 'subject')),
  );
  const unknown = [...new Set(used)].filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new OverrideError(`unknown variables: ${unknown.join(', ')}; there are ${known.join(', ')}`);
  const usedInText = engine.globalVariablesSync(parse(text, 'text'));
  const missing = needed.filter((name) => !usedInText.includes(name));
  if (missing.length > 0) throw new OverrideError(`the text must say ${missing.join(', ')}`);
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map(flat)
    .filter((line) => line !== '');

/** A line that is words, a colon and a link: a button in a mail. */
const LINK = /^([^:]{1,80}): (https?:\/\/[^\s"'<>]+)$/i;

/**
 * Whether a button may lead there: to a variable that is a link, or to a site that the author wrote. A button hides its
 * address, so one that stands in any other variable, such as a customer's name, stays text.
 */
function createMayLead(source: string, variables: Variables): (link: string) => boolean {
  const given = Object.entries(VARIABLES).flatMap(([name, { link }]) => (link ? [variables[name]] : []));
  const written = source.match(/https?:\/\/[^\s"'<>{}/?#]+/gi) ?? [];
  const originOf = (link: string) => (URL.canParse(link) ? new URL(link).origin : '');
  const sites = new Set(written.map(originOf));
  return (link) => given.includes(link) || (URL.canParse(link) && sites.has(originOf(link)));
}

function mail(language: Language, { text: source }: OverrideText, variables: Variables, filled: OverrideText): Content {
  const { application = '' } = variables;
  const { subject, text } = filled;
  const mayLead = createMayLead(source, variables);
  const links: Labelled[] = [];
  const paragraphs: string[] = [];
  for (const line of linesOf(text)) {
    const [, label, value] = LINK.exec(line) ?? [];
    if (label !== undefined && value !== undefined && mayLead(value)) links.push({ label, value });
    else paragraphs.push(line);
  }
  const title = flat(subject ?? '');
  return {
    kind: 'email',
    subject: title,
    text: `${text}\n`,
    html: mailHtml({ language, application, title, paragraphs, links }),
  };
}

/**
 * The content for a channel; its variables are lines of text, in a call as people say them. Throws an
 * {@link OverrideError} when the text does not come to anything.
 */
export function renderOverride(
  channel: ChannelName,
  language: Language,
  override: OverrideText,
  variables: Variables,
): Content {
  const liquid = language.direction === 'rtl' && channel !== 'VOICE' ? isolating : engine;
  const text = run(override.text, 'text', variables, liquid).trim();
  if (text === '') throw new OverrideError('the text is empty');
  switch (channel) {
    case 'SMS':
      return { kind: 'text', text: gsm7(text) };
    case 'WHATSAPP':
      return { kind: 'text', text };
    case 'VOICE':
      return { kind: 'speech', sentences: linesOf(text), language: language.voice };
    case 'EMAIL': {
      const subject = run(override.subject ?? '', 'subject', variables, liquid);
      if (flat(subject) === '') throw new OverrideError('the subject is empty');
      return mail(language, override, variables, { subject, text });
    }
  }
}
