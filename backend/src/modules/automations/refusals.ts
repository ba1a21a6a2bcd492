/** Reasons why an event sends nothing, for the owner of the shop. The texts of the API are for developers. */
import { capitalized } from '../../platform/capitalized.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { ApiError, ErrorCode } from '../../platform/contract/errors.js';
import { SENT_NAMES } from '../messages/sent-names.js';

const REASONS: { readonly [code in ErrorCode]?: string } = {
  INVALID_RECIPIENT:
    'The recipient is not a valid phone number or email address. Correct it in the order, or check the “Recipient” and “Country” fields.',
  NUMBER_NOT_ALLOWED:
    'Messages are not sent to this kind of phone number, such as a landline. Correct the number in the order.',
  COUNTRY_NOT_ALLOWED:
    "Messages to the recipient's country are not allowed. To allow them, add the country to “Send only to” in the settings of the application.",
  MISSING_TEMPLATE_VARIABLES:
    'A required field of the message is empty in this event. Check the fields of the automation.',
  RECIPIENT_OPTED_OUT: 'The customer has opted out of order notifications on this channel.',
  DUPLICATE_NOTIFICATION: 'The same message was just sent to this customer.',
  BURST_LIMIT: 'The application sent too many messages at once. Raise its limits in the settings of the application.',
  RECIPIENT_LIMIT:
    'Too many messages were sent to this customer. Check whether several automations send to the same customer.',
  FRAUD_SUSPECTED: 'Protection refused this message. The Protection page explains why.',
  APPLICATION_INACTIVE: 'The application is inactive. Activate it in its settings.',
  SERVICE_UNAVAILABLE: 'The service was unavailable.',
};

/** Returns the reason for an error. Errors without an own text have the text of the API. */
export function refusalText({ code, reason, hint }: ApiError): string {
  const known = REASONS[code];
  return known ?? `${capitalized(reason)}. ${hint}`;
}

/** Returns why a message by the channel cannot be sent to the recipient; undefined if it can. */
export function channelProblem(channel: ChannelName | null, to: string): string | undefined {
  const isEmail = to.includes('@');
  if (channel === null || to === '' || isEmail === (channel === 'EMAIL')) return undefined;
  const found = isEmail ? 'an email address' : 'a phone number';
  return `This automation sends ${SENT_NAMES[channel]}, but the recipient is ${found}. Change the “Recipient” field or the channel.`;
}
