/** A mail server that stores and parses received emails, and can simulate failures. */
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerAddress, type SMTPServerOptions } from 'smtp-server';
import { waiting } from './wait.js';

export interface ReceivedMail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** The unparsed email. */
  readonly raw: string;
  readonly mail: Email;
  /** Id of the connection. */
  readonly session: string;
}

type ReplyCode = number | ((address: string) => number | undefined);

const codeFor = (code: ReplyCode | undefined, to: string): number | undefined =>
  typeof code === 'function' ? code(to) : code;

export interface SmtpBehavior {
  readonly sender?: number;
  /** Reply code at RCPT, for every recipient or for some. */
  readonly recipient?: ReplyCode;
  /** Text of the rejection of a recipient. */
  readonly text?: (address: string) => string;
  /** Reply code after DATA, for every recipient or for some. */
  readonly content?: ReplyCode;
  /** After DATA: `hang` never replies, `reset` resets the connection. */
  readonly afterContent?: 'hang' | 'reset';
  /** At RCPT: `hang` never replies, `reset` resets the connection. */
  readonly atRecipient?: 'hang' | 'reset';
}

export interface SmtpServerOptions {
  /** Required user and password. If they are missing, the server accepts all clients. */
  readonly credentials?: { readonly user: string; readonly password: string };
}

export interface TestSmtpServer {
  /** `smtp://host:port`. */
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** Number of RCPT commands. */
  readonly recipientCount: () => number;
  respondWith(behavior: SmtpBehavior): void;
  /** Waits for the n-th email, counted from one. */
  waitForMail(n: number): Promise<ReceivedMail>;
  close(): Promise<void>;
}

/** Real servers quote the recipient and their policies. The service must not log such text. */
function smtpError(responseCode: number, text = '<ana@example.com> no, see secret policy 17'): Error {
  return Object.assign(new Error(text), { responseCode });
}

function address(value: SMTPServerAddress | false): string {
  return value ? value.address : '';
}

function resetAll(sockets: Iterable<Socket>): void {
  for (const socket of sockets) socket.resetAndDestroy();
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

/** Starts the server on a free port of this machine. */
export async function startSmtpServer({ credentials }: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const received: ReceivedMail[] = [];
  const expected: { readonly n: number; readonly resolve: (mail: ReceivedMail) => void }[] = [];
  const sockets = new Set<Socket>();
  let behavior: SmtpBehavior = {};
  let recipientCount = 0;

  const options: SMTPServerOptions = {
    authOptional: credentials === undefined,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const known = username === credentials?.user && password === credentials?.password;
      if (known) done(null, { user: username! });
      else done(Object.assign(new Error(`${username}: no`), { responseCode: 535 }));
    },
    onMailFrom: (_address, _session, done) => done(behavior.sender ? smtpError(behavior.sender) : null),
    onRcptTo(recipient, _session, done) {
      recipientCount++;
      const refusal = codeFor(behavior.recipient, recipient.address);
      if (behavior.atRecipient === 'reset') resetAll(sockets);
      else if (!behavior.atRecipient) done(refusal ? smtpError(refusal, behavior.text?.(recipient.address)) : null);
    },
    async onData(stream, session, done) {
      const raw = await readAll(stream).catch(() => undefined);
      // The client disconnected during DATA.
      if (!raw) return;
      const { mailFrom, rcptTo } = session.envelope;
      const envelope = { from: address(mailFrom), to: rcptTo.map(address) };
      const mail = { envelope, raw: raw.toString(), mail: await PostalMime.parse(raw), session: session.id };
      received.push(mail);
      for (const { n, resolve } of expected) if (n === received.length) resolve(mail);
      if (behavior.afterContent === 'reset') resetAll(sockets);
      else if (!behavior.afterContent) {
        const refusal = codeFor(behavior.content, envelope.to[0] ?? '');
        done(refusal ? smtpError(refusal) : null);
      }
    },
  };
  const server = new SMTPServer(options);
  server.on('error', () => {});
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    recipientCount: () => recipientCount,
    respondWith: (next) => void (behavior = next),
    waitForMail(n) {
      const mail = new Promise<ReceivedMail>((resolve) => {
        if (received[n - 1]) resolve(received[n - 1]!);
        else expected.push({ n, resolve });
      });
      return waiting(`email ${n}`, mail);
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
