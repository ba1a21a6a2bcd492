/** A mail server that keeps what it takes, read as a mail program reads it, and refuses as told. */
import type { AddressInfo, Socket } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerAddress, type SMTPServerOptions } from 'smtp-server';

export interface ReceivedMail {
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
  /** As it came over the wire. */
  readonly raw: string;
  readonly mail: Email;
  /** Tells one connection from another. */
  readonly session: string;
}

export interface SmtpBehaviour {
  readonly sender?: number;
  readonly recipient?: number;
  /** Reply code to the content. */
  readonly content?: number;
  /** Once the content is there: `hang` says nothing, `reset` breaks the connection. */
  readonly afterContent?: 'hang' | 'reset';
  /** At RCPT: `hang` says nothing, `reset` breaks the connection. */
  readonly atRecipient?: 'hang' | 'reset';
}

export interface SmtpServerOptions {
  /** Wants this user and password; without it anyone may send. */
  readonly credentials?: { readonly user: string; readonly password: string };
}

export interface TestSmtpServer {
  /** `smtp://host:port`. */
  readonly url: string;
  readonly received: readonly ReceivedMail[];
  /** How often a recipient was named. */
  readonly recipientCount: () => number;
  behave(behaviour: SmtpBehaviour): void;
  /** The n-th mail, counted from one, as soon as it is there. */
  mail(n: number): Promise<ReceivedMail>;
  close(): Promise<void>;
}

function refusal(responseCode: number): Error {
  // Real servers quote the recipient and their policies; nothing of it may travel on.
  return Object.assign(new Error('<ana@example.com> no, see secret policy 17'), { responseCode });
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
  const waiting: { readonly n: number; readonly resolve: (mail: ReceivedMail) => void }[] = [];
  const sockets = new Set<Socket>();
  let behaviour: SmtpBehaviour = {};
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
    onMailFrom: (_address, _session, done) => done(behaviour.sender ? refusal(behaviour.sender) : null),
    onRcptTo(_address, _session, done) {
      recipientCount++;
      if (behaviour.atRecipient === 'reset') resetAll(sockets);
      else if (!behaviour.atRecipient) done(behaviour.recipient ? refusal(behaviour.recipient) : null);
    },
    async onData(stream, session, done) {
      const raw = await readAll(stream).catch(() => undefined);
      // The channel gave up in the middle of it.
      if (!raw) return;
      const { mailFrom, rcptTo } = session.envelope;
      const envelope = { from: address(mailFrom), to: rcptTo.map(address) };
      const mail = { envelope, raw: raw.toString(), mail: await PostalMime.parse(raw), session: session.id };
      received.push(mail);
      for (const { n, resolve } of waiting) if (n === received.length) resolve(mail);
      if (behaviour.afterContent === 'reset') resetAll(sockets);
      else if (!behaviour.afterContent) done(behaviour.content ? refusal(behaviour.content) : null);
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
    behave: (next) => void (behaviour = next),
    mail: (n) =>
      new Promise((resolve) => {
        const there = received[n - 1];
        if (there) resolve(there);
        else waiting.push({ n, resolve });
      }),
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
