/** What a language is made of: one file in `texts/`. */
import type { TEMPLATES, VARIABLES } from '../../../platform/contract/generated/templates.js';

export type TemplateName = keyof typeof TEMPLATES;
export type VariableName = keyof typeof VARIABLES;

/** Words of a template. `{name}` stands for a variable; a sentence is left out when one of its variables is absent. */
export interface TemplateText {
  /** Subject and headline of the mail; names required variables only. */
  readonly subject: string;
  /** What the message says on every channel, in order. Variables that it does not mention follow with their labels. */
  readonly sentences: readonly string[];
}

export interface OtpText {
  /** SMS and WhatsApp. */
  readonly message: string;
  /** By plural form of the language; `{minutes}` is the number. */
  readonly validity: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };
  readonly warning: string;
  readonly subject: string;
  /** Before the code in a mail. */
  readonly mail: string;
  /** Before the code in a call. */
  readonly speech: string;
  /** For who did not ask for the code. */
  readonly ignore: string;
}

export interface Language {
  /** BCP 47 tag. */
  readonly code: string;
  readonly direction: 'ltr' | 'rtl';
  /** Accent of a call, as providers of calls name it. */
  readonly voice: string;
  readonly greeting: string;
  /** First sentence of a call: who is calling. */
  readonly caller: string;
  /** What a variable is called in front of its value; of a link, what one does there. */
  readonly labels: Readonly<Record<VariableName, string>>;
  readonly otp: OtpText;
  readonly templates: Readonly<Record<TemplateName, TemplateText>>;
}

/** Puts values in place of `{names}`, each once and as it is; undefined when one is absent. */
export function fill(text: string, values: Readonly<Record<string, string | undefined>>): string | undefined {
  let complete = true;
  const filled = text.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) complete = false;
    return value ?? '';
  });
  return complete ? filled : undefined;
}

/** Names of the variables in a text. */
export const mentioned = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
