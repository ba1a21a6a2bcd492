/** EMAIL through any mail server that speaks SMTP. */
import { domainToASCII } from 'node:url';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type MimeNode from 'nodemailer/lib/mime-node/index.js';
import { SMTP_CONNECTIONS, SMTP_IDLE_MS } from '../platform/limits.js';
import { describeError, type Log } from '../platform/log.js';
import { ChannelError, type Channel, type OutgoingMessage } from './provider.js';

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  readonly url: string;
  /** Sender, such as `Shop <codes@shop.example>`. */
  readonly from: string;
  /** How long one send may take, from waiting for a connection to the server's last word. */
  readonly timeoutMs: number;
  readonly log?: Log;
}

/** What is known of one send while it runs. */
interface Attempt {
  content?: NodeJS.ReadableStream & { readonly readableDidRead?: boolean };
}

interface Mail extends SendMailOptions {
  readonly attempt: Attempt;
  /** Ends the send wherever it stands. */
  readonly signal: AbortSignal;
}

/** What nodemailer tells about a failure. */
interface SmtpFailure extends Error {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

/** One plain address: nothing in it can end the address and begin another one, a display name or a header. */
const ADDRESS = /^[^\s\p{C}<>()[\],;:\\"@]+@[^\s\p{C}<>()[\],;:\\"@]+$/u;

/** Sends mails over a few lasting connections. Every failure is a {@link ChannelError}. */
export function createSmtpChannel({ url, from, timeoutMs, log }: SmtpOptions): Channel {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: SMTP_CONNECTIONS,
    // The queue has the retry policy; a second one in here would send past it.
    ...{ maxRequeues: 0 },
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Bounds a connection at rest: a send itself ends by its signal.
    socketTimeout: Math.max(timeoutMs, SMTP_IDLE_MS),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  transport.on('error', (error) => log?.warn({ error: describeError(error) }, 'connection to the mail server failed'));
  transport.use('stream', (mail, done) => {
    rememberContent(mail.message, (mail.data as Mail).attempt);
    done();
  });
  const domain = domainToASCII(/@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? '') || 'localhost';

  return {
    name: 'EMAIL',
    provider: new URL(url).host,
    async send(message) {
      const mail = compose(message, from, domain, AbortSignal.timeout(timeoutMs));
      try {
        const { messageId } = await transport.sendMail(mail);
        return { providerId: messageId };
      } catch (error) {
        throw toChannelError(error as SmtpFailure, mail.attempt.content?.readableDidRead === true);
      }
    },
    close: () => transport.close(),
  };
}

function compose(message: OutgoingMessage, from: string, domain: string, signal: AbortSignal): Mail {
  const { id, to, content } = message;
  if (content.kind !== 'email') throw new ChannelError('permanent', 'this content is not a mail');
  if (!ADDRESS.test(to)) throw new ChannelError('permanent', 'this is not one mail address');
  return {
    from,
    to: { name: '', address: to },
    subject: content.subject,
    text: content.text,
    html: content.html,
    messageId: `<${id}@${domain}>`,
    headers: {
      // Keeps out-of-office replies away from the sender's mailbox (RFC 3834; the second for Exchange).
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
    },
    attempt: {},
    signal,
  };
}

/** The content is read only once the server has asked for it, so whether it was read tells whether it may have left. */
function rememberContent(node: MimeNode, attempt: Attempt): void {
  const create = node.createReadStream.bind(node);
  node.createReadStream = (options) => (attempt.content = create(options));
}

const BY_COMMAND: Readonly<Record<string, string>> = {
  'MAIL FROM': 'the sender',
  'RCPT TO': 'the recipient',
};

function toChannelError(error: SmtpFailure, contentLeft: boolean): ChannelError {
  if (error instanceof ChannelError) return error;
  const { code, command = '', responseCode } = error;
  if (responseCode !== undefined && responseCode >= 400) {
    if (responseCode < 500) return new ChannelError('passing', `the mail server asks to try later (${responseCode})`);
    // Permanent although the operator can mend it: repeating a wrong password gets the account locked.
    const what = code === 'EAUTH' ? 'the user name or password' : (BY_COMMAND[command] ?? 'the mail');
    return new ChannelError('permanent', `the mail server refused ${what} (${responseCode})`);
  }
  if (contentLeft) return new ChannelError('unclear', 'the connection ended before the mail server confirmed the mail');
  switch (code) {
    case 'EAUTH':
      return new ChannelError('permanent', 'the mail server and SMTP_URL share no way of signing in');
    case 'EENVELOPE':
    case 'EMESSAGE':
      return new ChannelError('permanent', 'the mail server cannot take this mail');
    case 'EABORT':
    case 'ETIMEDOUT':
      return new ChannelError('passing', 'the mail server did not answer in time');
    case 'ETLS':
      return new ChannelError('passing', 'no secure connection to the mail server');
    case 'EDNS':
    case 'ESOCKET':
    case 'ECONNECTION':
      return new ChannelError('passing', 'the mail server cannot be reached');
    default:
      return new ChannelError('passing', 'the mail could not be handed to the mail server');
  }
}
