import type { Socket } from 'node:net';
import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type MimeNode from 'nodemailer/lib/mime-node/index.js';
import type SMTPConnection from 'nodemailer/lib/smtp-connection/index.js';
import { untilAborted } from '../platform/http/checked-address.js';
import { describeError, type Log } from '../platform/log.js';
import { emailOf } from './email.js';
import {
  ProviderError,
  type FailureDetails,
  type FailureKind,
  type OutgoingMessage,
  type Provider,
} from './provider.js';
import type { CredentialsCheck, OnReply, VendorReply } from './provider-type.js';

/** Many mail providers reject a client with more than ten connections. */
const SMTP_CONNECTIONS = 5;
/** How long an idle connection stays open. Mail servers close idle connections after a few minutes. */
const SMTP_IDLE_MS = 60_000;

interface Mail extends SendMailOptions {
  readonly attempt: { content?: NodeJS.ReadableStream & { readonly readableDidRead?: boolean } };
  readonly signal: AbortSignal;
}

export interface SmtpOptions {
  /** Name that is shown to the operator; the server's host by default. */
  readonly name?: string;
  /** Opens connections; by default, to any of the server's IP addresses. */
  readonly connect?: (timeoutMs: number) => Promise<Socket>;
  /** Called with the server's last reply to each email. */
  readonly onReply?: OnReply | undefined;
}

/** Adapts a function that opens connections to nodemailer. */
function socketOpener(connect: SmtpOptions['connect'], timeoutMs: number) {
  if (!connect) return {};
  const getSocket = (_options: unknown, done: (error: Error | null, socket?: { connection: Socket }) => void): void => {
    connect(timeoutMs).then((connection) => done(null, { connection }), done);
  };
  return { getSocket };
}

/**
 * Creates a provider that sends emails over a few pooled connections. `timeoutMs` limits the whole send, including the
 * wait for a connection.
 */
export function createSmtpProvider(
  url: string,
  from: string,
  timeoutMs: number,
  log?: Log,
  { name = new URL(url).host, connect, onReply }: SmtpOptions = {},
): Provider {
  // `socketTimeout` limits how long a connection may be idle.
  async function openTransport(socketTimeout: number) {
    // Imported dynamically, because loading takes 0.1 s, and most processes send no emails.
    const { createTransport } = await import('nodemailer');
    const opened = createTransport({
      url,
      ...socketOpener(connect, timeoutMs),
      pool: true,
      maxConnections: SMTP_CONNECTIONS,
      // Disables nodemailer's own retries: only the queue retries.
      maxRequeues: 0,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      dnsTimeout: timeoutMs,
      socketTimeout,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    opened.on('error', (error) => log?.warn({ error: describeError(error) }, 'connection to the mail server failed'));
    opened.use('stream', (mail, done) => {
      recordContent(mail.message, (mail.data as Mail).attempt);
      done();
    });
    return opened;
  }
  let transport: ReturnType<typeof openTransport> | undefined;
  // This timeout only closes idle connections. An abort signal enforces each send's deadline.
  const opened = () => (transport ??= openTransport(Math.max(timeoutMs, SMTP_IDLE_MS)));
  const domain = domainToASCII(/@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? '') || 'localhost';

  return {
    channel: 'EMAIL',
    name,
    async send(message) {
      const mail = compose(message, from, domain, AbortSignal.timeout(timeoutMs));
      try {
        const { messageId, response } = await (await opened()).sendMail(mail);
        const reply = replyOf(response);
        if (reply) onReply?.(reply);
        return { providerId: messageId };
      } catch (error) {
        const reply = replyOf((error as SMTPConnection.SMTPError).response);
        if (reply) onReply?.(reply);
        const failure = toProviderError(
          error as SMTPConnection.SMTPError,
          mail.attempt.content?.readableDidRead === true,
        );
        throw failure.withDetails(reply && detailsOf(reply));
      }
    },
    async check() {
      const signal = AbortSignal.timeout(timeoutMs);
      // The connection of `verify` is not part of the pool, so `close` would not end it. The shorter timeout does.
      await untilAborted((await openTransport(timeoutMs)).verify(), signal).catch((error: Error) => {
        throw signal.aborted ? Object.assign(new Error('no reply in time'), { code: 'ETIMEDOUT' }) : error;
      });
    },
    close: () => void transport?.then((open) => open.close()),
  };
}

/** Signs in to the server without sending an email. */
export const checkSmtp = (provider: Provider): Promise<CredentialsCheck> =>
  provider.check!().then(
    () => ({ ok: true }),
    (error: Error) => ({ ok: false, reason: toProviderError(error, false).reason }),
  );

/**
 * Parses a reply such as `250 2.0.0 Queued as 4F1`. Returns undefined for connection errors, which contain no reply code.
 */
function replyOf(response = ''): VendorReply | undefined {
  const status = Number.parseInt(response, 10);
  return status > 0 ? { status, text: response.replace(/^\d{3}[ -]?/gm, '') } : undefined;
}

/** Matches an enhanced status code (RFC 3463), such as `5.1.1`. */
const ENHANCED_CODE = /^[245]\.\d{1,3}\.\d{1,3}(?!\S)/;

function detailsOf({ status, text }: VendorReply): FailureDetails {
  const code = ENHANCED_CODE.exec(text)?.[0];
  return { status, reply: text, ...(code === undefined ? {} : { code }) };
}

function compose(message: OutgoingMessage, from: string, domain: string, signal: AbortSignal): Mail {
  const { messageId, to, subject, text, html, headers, attachments } = emailOf(message);
  return {
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    attachments: [...attachments],
    messageId: `<${messageId}@${domain}>`,
    headers: { ...headers },
    attempt: {},
    signal,
  };
}

/**
 * Records an email's content stream. nodemailer reads the stream only after the server has requested the content: while
 * the stream is unread, the email has not been sent.
 */
function recordContent(node: MimeNode, attempt: Mail['attempt']): void {
  const create = node.createReadStream.bind(node);
  node.createReadStream = (options) => (attempt.content = create(options));
}

/** Rejected part of the email, by SMTP command. */
const REJECTED_PARTS: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
  STARTTLS: 'the encryption',
};

/** Failure kinds and reasons by nodemailer error code, for errors that occur before the server requests the content. */
const FAILURES: Readonly<Record<string, readonly [FailureKind, string]>> = {
  EAUTH: ['permanent', 'the mail server supports no authentication method that Passbell can use'],
  EENVELOPE: ['permanent', 'the mail server cannot accept this email'],
  EMESSAGE: ['permanent', 'the mail server cannot accept this email'],
  EABORT: ['transient', 'the mail server did not reply in time'],
  ETIMEDOUT: ['transient', 'the mail server did not reply in time'],
  ETLS: ['transient', 'a secure connection to the mail server could not be established'],
  EDNS: ['transient', 'the mail server cannot be reached'],
  ESOCKET: ['transient', 'the mail server cannot be reached'],
  ECONNECTION: ['transient', 'the mail server cannot be reached'],
};

/**
 * Temporary rejections of these commands concern a single email, for example because of greylisting or a full mailbox.
 * This includes reply code 421, with which a server closes the connection: if the server is shutting down, the next
 * connection fails as well. Temporary rejections of all other commands concern the whole server.
 */
const SINGLE_EMAIL_COMMANDS: readonly string[] = ['RCPT TO', 'DATA'];

/**
 * Whether the error concerns a single email. After a 421 reply to RCPT TO with pipelining, nodemailer reports only that
 * the server closed the connection, and on a reused connection not even the reply code or a command. If the whole
 * server is failing, the next connection shows it.
 */
function concernsSingleEmail({ code, command, responseCode, message }: SMTPConnection.SMTPError): boolean {
  if (responseCode === undefined) return code === 'ECONNECTION' && command === undefined;
  const isPipelined = command === 'CONN' && message.startsWith('Server closed the connection');
  return isPipelined || SINGLE_EMAIL_COMMANDS.includes(command ?? '');
}

export function toProviderError(error: SMTPConnection.SMTPError, contentRead: boolean): ProviderError {
  if (error instanceof ProviderError) return error;
  const { code, command = '', responseCode } = error;
  const concerns = concernsSingleEmail(error) ? 'message' : 'provider';
  if (responseCode !== undefined && responseCode >= 400) {
    if (responseCode < 500)
      return new ProviderError(
        'transient',
        `the mail server temporarily rejected the email (${responseCode})`,
        undefined,
        concerns,
      );
    // A wrong password is a permanent error, although the operator can correct it: retries could lock the mail account.
    const what = code === 'EAUTH' ? 'the username or password' : (REJECTED_PARTS[command] ?? 'the email');
    const concernsAll = code === 'EAUTH' || command === 'STARTTLS';
    const reason = `the mail server rejected ${what} (${responseCode})`;
    return new ProviderError('permanent', reason, undefined, concernsAll ? 'provider' : 'message');
  }
  if (contentRead)
    return new ProviderError('unknown', 'the connection ended before the mail server confirmed the email');
  const [kind, reason] = FAILURES[code ?? ''] ?? ['transient', 'the email could not be sent to the mail server'];
  return new ProviderError(kind, reason, undefined, concerns);
}
