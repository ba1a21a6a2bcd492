import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { SECOND, STOP_SECONDS } from '../clock.js';
import { ApiError, failure, type ErrorCode } from '../contract/errors.js';

/**
 * How long idle connections stay open. Most proxies close idle connections after 60 s, so they do not send requests on
 * a connection that this server is closing.
 */
const KEEP_ALIVE_SECONDS = 65;
/** How long a client may take to send a request with its body. Real requests are small and arrive within a second. */
export const REQUEST_SECONDS = 20;
/** How often connections are checked for slow requests. */
const CONNECTION_CHECK_SECONDS = 1;
/** How long idle connections stay open in a stopping process. */
const STOP_IDLE_SECONDS = 5;

export interface HttpServer {
  readonly port: number;
  /**
   * Stops accepting connections. Serves requests on open connections with `Connection: close`, and closes idle
   * connections after {@link STOP_IDLE_SECONDS}. Resolves when all connections are closed, at the latest after {@link
   * STOP_SECONDS}.
   */
  drain(): Promise<void>;
  /** Like `drain`, but closes idle connections immediately. */
  close(): Promise<void>;
}

/** The server cannot listen on its port. The message tells the operator what to do. */
export class ListenError extends Error {}

function listenError({ code }: NodeJS.ErrnoException, host: string, port: number): ListenError {
  if (code === 'EADDRINUSE')
    return new ListenError(`Port ${port} is in use. Choose another port: PORT=${port + 1} npm start`);
  if (code === 'EACCES')
    return new ListenError(`Port ${port} requires administrator rights. Choose a port above 1023: PORT=3000 npm start`);
  return new ListenError(
    `HOST ${host} is not an address of this machine (${code}). Set HOST to one of its addresses, or to 0.0.0.0 for all of them.`,
  );
}

const ERROR_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'no-store',
  Connection: 'close',
};
const bodyOf = (code: ErrorCode): string => JSON.stringify(failure(new ApiError(code)));

const STATUS_LINES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '200 OK',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Replies to requests that Node rejects because they are malformed or too slow, or because their headers are too long.
 */
function replyToClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const body = bodyOf(error.code === 'HPE_HEADER_OVERFLOW' ? 'HEADERS_TOO_LARGE' : 'MALFORMED_REQUEST');
  const headers = Object.entries({ ...ERROR_HEADERS, 'Content-Length': Buffer.byteLength(body) });
  const status = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
  const head = [`HTTP/1.1 ${status}`, ...headers.map((pair) => pair.join(': '))];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function createHandler(app: Express, state: { readonly opened: Promise<void>; closing: boolean }) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // HTTP/1.1 requires a Host header. Node would also reject a request without this header, but not in the API's
    // format.
    if (request.httpVersion === '1.1' && request.headers.host === undefined)
      return void response.writeHead(400, ERROR_HEADERS).end(bodyOf('MALFORMED_REQUEST'));
    await state.opened;
    // Asks the client to close the connection. Otherwise, a client that reuses its connection would keep the process
    // running.
    if (state.closing) response.setHeader('Connection', 'close');
    app(request, response);
  };
}

interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly prepare?: () => Promise<void>;
  readonly requestSeconds?: number;
}

/** Opens the port, runs `prepare`, and then serves requests. Fails before `prepare` if the port is in use. */
export async function listen(
  app: Express,
  { host, port, prepare = async () => {}, requestSeconds = REQUEST_SECONDS }: ListenOptions,
): Promise<HttpServer> {
  let open = (): void => undefined;
  const state = { closing: false, opened: new Promise<void>((resolve) => (open = resolve)) };
  const handle = createHandler(app, state);
  const options: ServerOptions = {
    requireHostHeader: false,
    keepAliveTimeout: KEEP_ALIVE_SECONDS * SECOND,
    headersTimeout: requestSeconds * SECOND,
    requestTimeout: requestSeconds * SECOND,
    connectionsCheckingInterval: CONNECTION_CHECK_SECONDS * SECOND,
  };
  const server = createServer(options, handle);
  // Ignores unknown `Expect` headers. Node would reject these requests with an empty body.
  server.on('checkExpectation', handle);
  server.on('clientError', replyToClientError);
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(error, host, port)));
    server.listen(port, host, resolve);
  });
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
    port: (server.address() as AddressInfo).port,
    // `http.Server.close` also closes idle connections. `net.Server.close` only stops accepting new connections.
    // setImmediate lets the server accept pending connections first.
    drain: () => end((done) => setImmediate(() => NetServer.prototype.close.call(server, done))),
    close: () => end((done) => server.close(done)),
  };
}
