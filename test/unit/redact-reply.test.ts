/** Redacting providers' replies: recipients, content, secrets and long tokens, in all spellings. */
import fc from 'fast-check';
import { MAX_REPLY_BYTES, redactReply } from '../../backend/src/modules/messages/redact-reply.js';
import { hiddenSecrets } from '../../backend/src/modules/providers/hidden-secrets.js';

const NO_SECRETS = hiddenSecrets([], {});
const redact = (reply: string, recipient = '+14155550123', content: readonly string[] = []): string =>
  redactReply(reply, { recipient, content }, NO_SECRETS);

/** Matches the letters and digits of a text, in any spelling. */
const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

it.each([
  ['the number +14155550123 is wrong', 'the number +•••• is wrong'],
  ['14155550123', '••••'],
  ['to=%2B14155550123&x=1', 'to=%2B••••&x=1'],
  ['(415) 555-0123', '(••••'],
  ['{"to":"\\u002b1\\u00a0415\\u00a0555\\u00a00123"}', '{"to":"\\u002b••••"}'],
  ['555.0123 is short', '•••• is short'],
  [
    'error 21211, see https://www.twilio.com/docs/errors/21211',
    'error 21211, see https://www.twilio.com/docs/errors/21211',
  ],
])('hides a phone number, but no error codes: %s', (reply, expected) => {
  expect(redact(reply)).toBe(expected);
});

it.each([
  ['<Ana.Lopez+shop@example.com>: unknown', '<••••>: unknown'],
  ['ana.lopez%2Bshop%40example.com', '••••'],
  ['mailbox ana.lopez+shop is full', 'mailbox •••• is full'],
])('hides an email address and its mailbox: %s', (reply, expected) => {
  expect(redact(reply, 'ana.lopez+shop@example.com')).toBe(expected);
});

it('hides short names only as whole words, and no numbers of minutes', () => {
  expect(redact('Ana canal 5 minutes', undefined, ['Ana', '5'])).toBe('•••• canal 5 minutes');
});

it('hides long tokens, but no names of fields and no short IDs', () => {
  const reply = 'token eyJhbGciOiJIUzI1NiJ9eyJzdWIi, message_template_not_found_error, fbtrace_id Az8or2yhqkZ_-0_4';
  expect(redact(reply)).toBe('token ••••, message_template_not_found_error, fbtrace_id Az8or2yhqkZ_-0_4');
});

it('removes control characters, which could split a code or change the text around it', () => {
  expect(redact('12\u00003\u202e456 \u001b[2J', undefined, ['123456'])).toBe('•••• [2J');
});

it('no spelling of a code, a recipient or a secret is left in a reply of any length', () => {
  const separator = fc.constantFrom('', ' ', '-', ', ', '%20', '\\u00a0', '&#160;', '\\n', '\n', '. ');
  const hidden = fc.stringMatching(/^[1-9]\d{5,9}$/);
  const filler = fc.string({ unit: fc.constantFrom('é', '😀', '"', '\\', ' ', 'x', '|'), maxLength: 40 });
  fc.assert(
    fc.property(
      hidden,
      hidden,
      hidden,
      separator,
      filler,
      fc.nat(18_000),
      (code, number, secret, gap, text, length) => {
        const spelled = [...code].join(gap);
        const reply = `${'|'.repeat(length)}${text}|${spelled}|${text}|+1${number}|${secret}|${text}`.repeat(3);
        const message = { recipient: `+1${number}`, content: [code] };
        const redacted = redactReply(reply, message, hiddenSecrets([secret], { secret }));
        for (const part of [code, number]) expect(plain(redacted)).not.toContain(part);
        expect(redacted).not.toContain(secret);
        expect(Buffer.byteLength(redacted)).toBeLessThanOrEqual(MAX_REPLY_BYTES);
      },
    ),
  );
});

it('a reply that is cut does not end with the beginning of a code, a recipient or a secret', () => {
  const secret = 's3cret-of-the-gateway';
  const secrets = hiddenSecrets([secret], { secret });
  for (const text of ['+14155550123', '987654', secret])
    for (let shift = 0; shift < text.length; shift++) {
      // Hidden texts make the redacted reply so short that the end of what is read is stored.
      const start = `${'14155550123 '.repeat(1400).slice(0, 4 * MAX_REPLY_BYTES - 40 - shift)}${'|'.repeat(40)}`;
      const redacted = redactReply(start + text, { recipient: '+14155550123', content: ['987654'] }, secrets);
      for (let length = 4; length <= text.length; length++) expect(redacted).not.toContain(text.slice(0, length));
    }
});

it('takes linear time', () => {
  const reply = '1415555'.repeat(20_000) + '%41'.repeat(10_000) + '&#4'.repeat(10_000);
  expect(redact(reply, '+14155551415', ['1415551415'])).not.toContain('1415551415');
});
