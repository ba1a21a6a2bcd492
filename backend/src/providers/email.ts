/** Parts of emails that mail servers and email APIs have in common. */
import { ProviderError, type Attachment, type OutgoingMessage } from './provider.js';
import { matching, optional, required } from './provider-field.js';
import type { ProviderField } from './provider-type.js';

/** Matches an email address, or a name and an email address: `Harbor Books <codes@shop.example>`. */
const SENDER = /^[^\p{Cc}<>]*<[^\s<>@]+@[^\s<>@]+>$|^[^\s<>@]+@[^\s<>@]+$/u;

export const FROM: ProviderField = matching(
  required('from', 'Sender', 'For example, Harbor Books <codes@shop.example>.'),
  SENDER,
  'must be an email address, or a name and <address>',
);

export const DKIM_SELECTOR: ProviderField = {
  ...matching(
    optional('dkimSelector', 'DKIM selector'),
    /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/i,
    'must be a part of a DNS name',
  ),
  advanced: true,
  help: "The part of your DKIM record's name before ._domainkey. Passbell only uses it to check the record.",
};

/** In the format in which most APIs expect it. */
export interface Sender {
  readonly email: string;
  readonly name?: string;
}

/** Parses a value of the field {@link FROM}. */
export function senderOf(from: unknown): Sender {
  const [, name = '', email = String(from)] = /^([^<]*)<([^>]*)>$/.exec(String(from)) ?? [];
  const plain = name.trim().replace(/^"|"$/g, '');
  return plain === '' ? { email } : { email, name: plain };
}

/** Returns a sender for a header. Quotes the name, which may contain a comma. */
export function formatSender(from: unknown): string {
  const { email, name } = senderOf(from);
  return name === undefined ? email : `"${name.replace(/["\\]/g, '\\$&')}" <${email}>`;
}

/** Returns a sender for a header that must be ASCII: other names as encoded words of at most 75 characters (RFC 2047). */
export function encodeSender(from: unknown): string {
  const { email, name = '' } = senderOf(from);
  if (/^[\x20-\x7e]*$/.test(name)) return formatSender(from);
  const parts = name.match(/.{1,10}/gsu) ?? [];
  return `${parts.map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ')} <${email}>`;
}

/** Matches a single plain email address, which cannot inject another recipient, a display name or a header. */
const PLAIN_ADDRESS = /^[^\s\p{C}<>()[\],;:\\"@]+@[^\s\p{C}<>()[\],;:\\"@]+$/u;

/** Prevents out-of-office replies (RFC 3834). The second header is for Microsoft Exchange. */
const HEADERS = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' };

export interface Email {
  /** Passbell's message id. */
  readonly messageId: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly Attachment[];
}

/** Returns attachments with the property names of an API, and Base64 as the content; undefined without attachments. */
export const attachmentsAs = (
  attachments: readonly Attachment[],
  names: { readonly filename: string; readonly contentType?: string; readonly content: string },
): readonly object[] | undefined =>
  attachments.length === 0
    ? undefined
    : attachments.map(({ filename, contentType, content }) => ({
        [names.filename]: filename,
        ...(names.contentType ? { [names.contentType]: contentType } : {}),
        [names.content]: content.toString('base64'),
      }));

/** Throws a {@link ProviderError} if the message is not an email to a single address. */
export function emailOf({ id, to, content }: OutgoingMessage): Email {
  if (content.kind !== 'email') throw new ProviderError('permanent', 'this content is not an email');
  if (!PLAIN_ADDRESS.test(to)) throw new ProviderError('permanent', 'the recipient is not a valid email address');
  const { subject, text, html, attachments = [] } = content;
  return { messageId: id, to, subject, text, html, headers: { ...HEADERS, ...content.headers }, attachments };
}
