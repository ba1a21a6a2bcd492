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

/** Names at the start of "… must …", and camelCase names. */
const NAMES = /^(?:variables\.)?\w+(?= must )|\b(?:variables\.)?[a-z]+[A-Z]\w*/g;
const WORDS = /\b\w+/g;
const MISSING = 'missing template variables: ';

/** Replaces field names in the server's message with the fields' labels. All words after {@link MISSING} are names. */
export const withLabels = (message: string): string =>
  message.replace(message.startsWith(MISSING) ? WORDS : NAMES, (found) => {
    const name = found.replace('variables.', '');
    return Object.hasOwn(LABELS, name) ? LABELS[name]! : found;
  });
