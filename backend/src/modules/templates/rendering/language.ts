import type { TemplateName, VariableName } from '../template.js';

/**
 * The text of a notification. `{name}` is replaced by a variable; a sentence is left out if one of its variables is
 * absent.
 */
interface TemplateText {
  /** Subject and headline of the email; uses required variables only. */
  readonly subject: string;
  /** Sentences of the message on every channel. Variables that no sentence uses are appended with labels. */
  readonly sentences: readonly string[];
}

interface OtpText {
  readonly message: string;
  /** Sentences about how long the code is valid, by plural form. `{minutes}` is replaced by the number. */
  readonly validity: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };
  readonly warning: string;
  readonly subject: string;
  /** Text before the code in an email. */
  readonly email: string;
  /** Text before the code in a voice call. */
  readonly speech: string;
  /**
   * Asks the person who answers a call to press a key before the code is read, so that voicemail does not record the
   * code.
   */
  readonly keyPrompt: string;
  /** Last line of an email, for a reader who did not request the code. */
  readonly ignore: string;
}

export interface Language {
  readonly code: string;
  readonly direction: 'ltr' | 'rtl';
  /** Language and accent for voice calls, such as `de-DE`. */
  readonly voice: string;
  /** A colon, with the space that the language has before it. */
  readonly colon: string;
  readonly greeting: string;
  /** Sentence that names the application in a voice call. */
  readonly caller: string;
  /** Sentence at the end of an email with an attached document. */
  readonly attached: string;
  /** Label in front of a variable's value; for a link, an action such as "View the invoice". */
  readonly labels: Readonly<Record<VariableName, string>>;
  /** Sample values that differ from those of the contract, by `variable` or `template.variable`. */
  readonly samples: Readonly<Record<string, string>>;
  readonly otp: OtpText;
  readonly templates: Readonly<Record<TemplateName, TemplateText>>;
}

/** Plural rules by language, cached because creating them takes longer than rendering the rest of a message. */
const pluralRules = new Map<string, Intl.PluralRules>();

/** Returns the form that a language uses for a number: in Polish, `one` for 1, `few` for 2, and `many` for 5. */
export function pluralForm(language: string, number: number): Intl.LDMLPluralRule {
  const rules = pluralRules.get(language) ?? new Intl.PluralRules(language);
  pluralRules.set(language, rules);
  return rules.select(number);
}

/**
 * Replaces each `{name}` with its value. A `{name}` inside a value is not replaced. Returns undefined when a value is
 * missing.
 */
export function fill(text: string, values: Readonly<Record<string, string | undefined>>): string | undefined {
  let complete = true;
  const filled = text.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) complete = false;
    return value ?? '';
  });
  return complete ? filled : undefined;
}

export const findPlaceholders = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
