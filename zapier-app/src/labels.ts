/** Replaces the contract's parameter names in messages by the labels of the form. */
import { VARIABLES } from './generated/templates.js';

/** Labels of fields by their name in the contract. */
export const LABELS: Readonly<Record<string, string>> = {
  clientId: 'App Key',
  clientSecret: 'App Secret',
  authWay: 'Channel',
  otpLength: 'Code Length',
  expiry: 'Valid For (Minutes)',
  otp: 'Code',
  language: 'Language',
  clientIp: 'Client IP',
  maskId: 'Mask ID',
  token: 'Session Token',
  templateType: 'Template',
  ...Object.fromEntries(Object.entries(VARIABLES).map(([name, { label }]) => [name, label])),
};

/** Matches camelCase names, and the field at the start of "… must …". */
const NAMES = /^(?:variables\.)?\w+(?= must )|\b[a-z]+[A-Z]\w*/g;
const WORDS = /\b\w+/g;

/** The text of a failure with the labels of the fields that it names. */
export function withFieldLabels(code: string | undefined, text: string): string {
  return text.replace(code === 'MISSING_TEMPLATE_VARIABLES' ? WORDS : NAMES, (found) => {
    const name = found.replace('variables.', '');
    return Object.hasOwn(LABELS, name) ? LABELS[name]! : found;
  });
}
