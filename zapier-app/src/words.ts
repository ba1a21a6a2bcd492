/** The contract's names in the words of the form, which are all that a person who builds a Zap has seen. */
import { VARIABLES } from './generated/templates.js';

/** Labels of fields by the name that the contract has for them. */
export const LABELS: Readonly<Record<string, string>> = {
  clientId: 'App Key',
  clientSecret: 'App Secret',
  authWay: 'Channel',
  otpLength: 'Code Length',
  expiry: 'Valid for Minutes',
  otp: 'Code',
  language: 'Language',
  maskId: 'Mask ID',
  token: 'Session Token',
  templateType: 'Template',
  ...Object.fromEntries(Object.entries(VARIABLES).map(([name, { label }]) => [name, label])),
};

/** Names that are no English words, and the field that a rule is about. */
const NAMES = /^(?:variables\.)?\w+(?= must )|\b[a-z]+[A-Z]\w*/g;

/** A failure's text with the labels of the fields that it names. */
export function inWordsOfTheForm(code: string | undefined, text: string): string {
  return text.replace(code === 'MISSING_TEMPLATE_VARIABLES' ? /\w+/g : NAMES, (found) => {
    const name = found.replace('variables.', '');
    return Object.hasOwn(LABELS, name) ? LABELS[name]! : found;
  });
}
