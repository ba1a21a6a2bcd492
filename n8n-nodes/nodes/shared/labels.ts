import { FIELDS } from './generated/connectors';
import { VARIABLES } from './generated/templates';

/** Labels of fields by the field's name in the contract. */
const LABELS: Readonly<Record<string, string>> = {
  to: FIELDS.to.label,
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
  templateType: FIELDS.templateType.label,
  ...Object.fromEntries(Object.entries(VARIABLES).map(([name, { label }]) => [name, label])),
};

/** Returns the label of a field, if it has one. `own`: labels of the operation. */
export const labelOf = (name: string, own: Readonly<Record<string, string>> = {}): string =>
  own[name] ?? (Object.hasOwn(LABELS, name) ? LABELS[name]! : name);

/** Names at the start of "… must …", at the end of "… than …", and camelCase names. */
const NAMES = /^(?:variables\.)?\w+(?= must )|(?<= than )\w+$|\b(?:variables\.)?[a-z]+[A-Z]\w*/g;
const WORDS = /\b\w+/g;
const MISSING = 'missing template variables: ';

/**
 * Replaces field names in the server's message with the fields' labels. All words after {@link MISSING} are names. `own`:
 * labels of the operation.
 */
export const withLabels = (message: string, own: Readonly<Record<string, string>> = {}): string =>
  message.replace(message.startsWith(MISSING) ? WORDS : NAMES, (found) => {
    const name = found.replace('variables.', '');
    const label = labelOf(name, own);
    return label === name ? found : label;
  });
