/** Replaces the contract's parameter names in messages by the labels of the form. */
import { FIELDS } from './generated/connectors.js';
import { VARIABLES } from './generated/templates.js';

/** Labels of fields by their name in the contract. */
export const LABELS: Readonly<Record<string, string>> = {
  clientId: 'App Key',
  clientSecret: 'App Secret',
  authWay: FIELDS.channel.label,
  otpLength: FIELDS.otpLength.label,
  expiry: FIELDS.expiry.label,
  otp: FIELDS.code.label,
  language: FIELDS.language.label,
  clientIp: FIELDS.clientIp.label,
  reference: FIELDS.reference.label,
  maskId: FIELDS.maskId.label,
  token: FIELDS.session.label,
  templateType: FIELDS.templateType.label,
  ...Object.fromEntries(Object.entries(VARIABLES).map(([name, { label }]) => [name, label])),
};

/** Matches camelCase names, and the field at the start of "… must …" or at the end of "… than …". */
const NAMES = /^(?:variables\.)?\w+(?= must )|(?<= than )\w+$|\b[a-z]+[A-Z]\w*/g;
const WORDS = /\b\w+/g;

/** The text of a failure with the labels of the fields that it names. `own`: labels of the action. */
export function withFieldLabels(
  code: string | undefined,
  text: string,
  own: Readonly<Record<string, string>> = {},
): string {
  return text.replace(code === 'MISSING_TEMPLATE_VARIABLES' ? WORDS : NAMES, (found) => {
    const name = found.replace('variables.', '');
    return own[name] ?? (Object.hasOwn(LABELS, name) ? LABELS[name]! : found);
  });
}
