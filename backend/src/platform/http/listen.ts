/** The listening server and its graceful end. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { SECOND } from '../clock.js';
import { ApiError, failure, type ErrorCode } from '../contract/errors.js';
import { KEEP_ALIVE_SECONDS, STOP_IDLE_SECONDS, STOP_SECONDS } from '../limits.js';

export interface HttpServer {
  readonly port: number;
  /**
   * Takes no new connection, and answers what still comes on those that stand, each time with a request to close, until
   * the last one is gone: also who is just writing on an idle one is answered, for {@link STOP_IDLE_SECONDS}. For at most
   * {@link STOP_SECONDS} in all.
   */
  drain(): Promise<void>;
  /** As `drain`, but idle connections are closed at once. */
  close(): Promise<void>;
}

/** The address cannot be listened on; the text says what the operator can do. */
export class ListenError extends Error {}

function listenError({ code }: NodeJS.ErrnoException, host: string, port: number): ListenError {
  if (code === 'EADDRINUSE')
    return new ListenError(`Port ${port} is in use. Set another one: PORT=${port + 1} npm start`);
  if (code === 'EACCES')
    return new ListenError(`Port ${port} is not for this user. Set one above 1023: PORT=3000 npm start`);
  return new ListenError(`HOST ${host} is no address of this machine (${code}).`);
}

const HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Connection: 'close',
};
const bodyOf = (code: ErrorCode): string => JSON.stringify(failure(new ApiError(code)));

/** A request that no route will see: one that is no HTTP, or whose headers are too long. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const body = bodyOf(tooLong ? 'HEADERS_TOO_LARGE' : 'MALFORMED_REQUEST');
  const headers = Object.entries({ ...HEADERS, 'Content-Length': Buffer.byteLength(body) });
  const head = [tooLong ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 400 Bad Request', ...headers.map((pair) => pair.join(': '))];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function createHandler(app: Express, state: { readonly opened: Promise<void>; closing: boolean }) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // HTTP/1.1 demands one; Node would refuse a request without it in a form that nobody else uses.
    if (request.httpVersion === '1.1' && request.headers.host === undefined)
      return void response.writeHead(400, HEADERS).end(bodyOf('MALFORMED_REQUEST'));
    await state.opened;
    // A client that keeps its connection would keep the process as well.
    if (state.closing) response.setHeader('Connection', 'close');
    app(request, response);
  };
}

async function bind(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** Listens, and hands requests over once `prepare` is done: a port that is taken is found before any work begins. */
export async function listen(
  app: Express,
  { host, port, prepare = async () => {} }: { host: string; port: number; prepare?: () => Promise<void> },
): Promise<HttpServer> {
  let open = (): void => undefined;
  const state = { closing: false, opened: new Promise<void>((resolve) => (open = resolve)) };
  const handle = createHandler(app, state);
  const server = createServer({ requireHostHeader: false, keepAliveTimeout: KEEP_ALIVE_SECONDS * SECOND }, handle);
  // An expectation that nobody knows may be ignored; Node would refuse it without a body.
  server.on('checkExpectation', handle);
  server.on('clientError', refuseUnreadable);
  const bound = await bind(server, host, port);
  await prepare().catch((error: unknown) => {
    server.close();
    server.closeAllConnections();
    throw error;
  });
  open();

  function end(stopListening: (done: () => void) => void): Promise<void> {
    state.closing = true;
    return new Promise((resolve) => {
      const idle = setTimeout(() => server.closeIdleConnections(), STOP_IDLE_SECONDS * SECOND);
      const giveUp = setTimeout(() => server.closeAllConnections(), STOP_SECONDS * SECOND);
      stopListening(() => {
        clearTimeout(idle);
        clearTimeout(giveUp);
        resolve();
      });
    });
  }
  return {
    port: bound,
    // An HTTP server's own `close` would close idle connections too. After this turn of the loop: who has connected by
    // now is taken in first, and not cut off.
    drain: () => end((done) => setImmediate(() => NetServer.prototype.close.call(server, done))),
    close: () => end((done) => server.close(done)),
  };
}
