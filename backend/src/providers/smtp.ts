import { domainToASCII } from 'node:url';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type MimeNode from 'nodemailer/lib/mime-node/index.js';
import type SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import { describeError, type Log } from '../platform/log.js';
import { ProviderError, type FailureKind, type OutgoingMessage, type Provider } from './provider.js';

/** Many mail providers reject a client with more than ten connections. */
const SMTP_CONNECTIONS = 5;
/** Lifetime of an idle connection: less than the few minutes after which servers close it. */
const SMTP_IDLE_MS = 60_000;

interface Mail extends SendMailOptions {
  readonly attempt: { content?: NodeJS.ReadableStream & { readonly readableDidRead?: boolean } };
  readonly signal: AbortSignal;
}

/** A single plain address: it cannot inject another address, a display name or a header. */
const ADDRESS = /^[^\s\p{C}<>()[\],;:\\"@]+@[^\s\p{C}<>()[\],;:\\"@]+$/u;

/**
 * Sends over a few pooled connections. `timeoutMs` applies to a whole send, from waiting for a connection to the last
 * reply.
 */
export function createSmtpProvider(url: string, from: string, timeoutMs: number, log?: Log): Provider {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    // Disables nodemailer's own retries: only the queue retries.
    ...{ maxRequeues: 0 },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Only for idle connections: an abort signal enforces the deadline of each send.
    socketTimeout: Math.max(timeoutMs, SMTP_IDLE_MS),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.on('error', (error) => log?.warn({ error: describeError(error) }, 'connection to the mail server failed'));
  transport.use('stream', (mail, done) => {
    recordContent(mail.message, (mail.data as Mail).attempt);
    done();
  });
  const domain = domainToASCII(/@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? '') || 'localhost';

  return {
    channel: 'EMAIL',
    name: new URL(url).host,
    async send(message) {
      const mail = compose(message, from, domain, AbortSignal.timeout(timeoutMs));
      try {
        const { messageId } = await transport.sendMail(mail);
        return { providerId: messageId };
      } catch (error) {
        throw toProviderError(error as SMTPConnection.SMTPError, mail.attempt.content?.readableDidRead === true);
      }
    },
    close: () => transport.close(),
  };
}

function compose(message: OutgoingMessage, from: string, domain: string, signal: AbortSignal): Mail {
  const { id, to, content } = message;
  if (content.kind !== 'email') throw new ProviderError('permanent', 'this content is not an email');
  if (!ADDRESS.test(to)) throw new ProviderError('permanent', 'this is not one mail address');
  return {
    from,
    to: { name: '', address: to },
    subject: content.subject,
    text: content.text,
    html: content.html,
    messageId: `<${id}@${domain}>`,
    headers: {
      // Prevents out-of-office replies (RFC 3834; the second header is for Exchange).
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
    attempt: {},
    signal,
  };
}

/**
 * Records the content stream. nodemailer reads it only after the server has requested the content, so if it is unread,
 * the mail was not sent.
 */
function recordContent(node: MimeNode, attempt: Mail['attempt']): void {
  const create = node.createReadStream.bind(node);
  node.createReadStream = (options) => (attempt.content = create(options));
}

const REJECTED: Readonly<Record<string, string>> = { 'MAIL FROM': 'the sender', 'RCPT TO': 'the recipient' };

/** Errors that nodemailer reports before the server has requested the content. */
const FAILURES: Readonly<Record<string, readonly [FailureKind, string]>> = {
  EAUTH: ['permanent', 'the mail server supports no authentication method of SMTP_URL'],
  EENVELOPE: ['permanent', 'the mail server cannot take this mail'],
  EMESSAGE: ['permanent', 'the mail server cannot take this mail'],
  EABORT: ['transient', 'the mail server did not answer in time'],
  ETIMEDOUT: ['transient', 'the mail server did not answer in time'],
  ETLS: ['transient', 'no secure connection to the mail server'],
  EDNS: ['transient', 'the mail server cannot be reached'],
  ESOCKET: ['transient', 'the mail server cannot be reached'],
  ECONNECTION: ['transient', 'the mail server cannot be reached'],
};

/** A server may send this reply to any command when it closes the connection (RFC 5321). */
const SHUTTING_DOWN = 421;

/**
 * Temporary replies to these commands, such as greylisting or a full mailbox, concern a single mail. All others concern
 * the server.
 */
const SINGLE_MAIL_COMMANDS: readonly string[] = ['RCPT TO', 'DATA'];

function toProviderError(error: SMTPConnection.SMTPError, contentRead: boolean): ProviderError {
  if (error instanceof ProviderError) return error;
  const { code, command = '', responseCode } = error;
  if (responseCode !== undefined && responseCode >= 400) {
    if (responseCode < 500) {
      const concerns =
        SINGLE_MAIL_COMMANDS.includes(command) && responseCode !== SHUTTING_DOWN ? 'message' : 'provider';
      return new ProviderError('transient', `the mail server asks to try later (${responseCode})`, undefined, concerns);
    }
    // Permanent, although the operator can correct it: retrying a wrong password locks the account.
    const what = code === 'EAUTH' ? 'the user name or password' : (REJECTED[command] ?? 'the mail');
    return new ProviderError('permanent', `the mail server refused ${what} (${responseCode})`);
  }
  if (contentRead)
    return new ProviderError('unknown', 'the connection ended before the mail server confirmed the mail');
  const [kind, reason] = FAILURES[code ?? ''] ?? ['transient', 'the mail could not be handed to the mail server'];
  return new ProviderError(kind, reason);
}
