import { VARIABLES } from './generated/templates';

/** Labels of fields by the field's name in the contract. */
const LABELS: Readonly<Record<string, string>> = {
  clientId: 'App Key',
  clientSecret: 'App Secret',
  authWay: 'Channel',
  otpLength: 'Code Length',
  expiry: 'Expiry',
  otp: 'Code',
  language: 'Language',
  clientIp: 'Client IP',
  maskId: 'Mask ID',
  templateType: 'Template',
  ...Object.fromEntries(Object.entries(VARIABLES).map(([name, { label }]) => [name, label])),
};

/** Names after a colon, as in "missing template variables: amount", names at the start of "… must …", and camelCase names. */
const NAMES =
  /(?<=^missing template variables: .*)\b\w+|^(?:variables\.)?\w+(?= must )|\b(?:variables\.)?[a-z]+[A-Z]\w*/g;

/** Replaces field names in the server's message with the fields' labels. */
export const withLabels = (message: string): string =>
  message.replace(NAMES, (found) => {
    const name = found.replace('variables.', '');
    return Object.hasOwn(LABELS, name) ? LABELS[name]! : found;
  });
