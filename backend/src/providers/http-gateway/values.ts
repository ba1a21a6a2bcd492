/** The message values that a gateway's templates can use. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { smsSize } from '../../platform/gsm7.js';
import { ProviderError, type OutgoingMessage } from '../provider.js';
import type { NumberFormat } from './definition.js';

/** Names of the values, with a description for the documentation and the dashboard. */
export const MESSAGE_VALUES = {
  to: "the recipient's number in the selected format",
  country: "the recipient's country, such as DE; empty if unknown",
  countryCode: 'the country calling code, such as 49; empty if unknown',
  nationalNumber: 'the number without the country calling code',
  text: 'the text of the message',
  unicode: 'true if the text does not fit into the GSM 7-bit alphabet',
  code: 'the verification code; empty for notifications',
  variables: 'the values of the template in order, such as variables[0]',
  template: 'otp for codes, or the name of the notification such as order_shipped',
  templateId: "the provider's ID for this template, from the “Templates” field",
  language: 'the language of the message, such as en; empty if unknown',
  messageId: "Passbell's message ID, 32 characters",
  callbackUrl: 'the address for delivery reports of this message; empty without a public BASE_URL',
} as const;

export const messageValueNames = Object.keys(MESSAGE_VALUES);

export interface MessageValueOptions {
  readonly number: NumberFormat;
  readonly templateIds: Readonly<Record<string, string>>;
  readonly needsTemplate: boolean;
  readonly callbackUrl: string | undefined;
}

function templateId({ templateIds, needsTemplate }: MessageValueOptions, template: string, language = ''): string {
  const found = templateIds[`${template}.${language}`] ?? templateIds[template] ?? '';
  if (needsTemplate && found === '')
    throw new ProviderError('permanent', `the provider has no template for ${template}`, undefined, 'route');
  return found;
}

/** Throws a {@link ProviderError} if the gateway cannot send this content. */
export function valuesOf(
  { id, to, content }: Pick<OutgoingMessage, 'id' | 'to' | 'content'>,
  options: MessageValueOptions,
): Readonly<Record<keyof typeof MESSAGE_VALUES, unknown>> {
  if (content.kind !== 'text') throw new ProviderError('permanent', 'this content is not a text message');
  const { text, variables = [], template = 'otp', language = '' } = content;
  const number = parsePhoneNumberFromString(to);
  const digits = to.replace(/^\+/, '');
  const nationalNumber = number?.nationalNumber ?? digits;
  const formats: Readonly<Record<NumberFormat, string>> = { plus: `+${digits}`, digits, national: nationalNumber };
  return {
    to: formats[options.number],
    country: number?.country ?? '',
    countryCode: number?.countryCallingCode ?? '',
    nationalNumber,
    text,
    unicode: smsSize(text).encoding === 'Unicode',
    code: content.template === undefined ? (variables[0] ?? '') : '',
    variables,
    template,
    templateId: templateId(options, template, language),
    language,
    messageId: id,
    callbackUrl: options.callbackUrl ?? '',
  };
}
