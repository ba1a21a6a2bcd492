/** The listening server and its graceful end. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Express } from 'express';
import { SECOND } from './clock.js';
import { ApiError, failure } from './errors.js';
import { STOP_SECONDS } from './limits.js';

export interface HttpServer {
  readonly port: number;
  /** Answers what has begun, for at most {@link STOP_SECONDS}, and takes no more. */
  close(): Promise<void>;
}

/** A request that no route will see: one that is no HTTP, or whose headers are too long. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const tooLong = error.code === 'HPE_HEADER_OVERFLOW';
  const body = JSON.stringify(failure(new ApiError(tooLong ? 'HEADERS_TOO_LARGE' : 'MALFORMED_REQUEST')));
  const headers = ['Content-Type: application/json; charset=utf-8', 'Cache-Control: no-store', 'Connection: close'];
  const head = [tooLong ? 'HTTP/1.1 200 OK' : 'HTTP/1.1 400 Bad Request', ...headers];
  socket.end(`${head.join('\r\n')}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

export async function listen(app: Express, { host, port }: { host: string; port: number }): Promise<HttpServer> {
  let closing = false;
  const server: Server = createServer((request, response) => {
    // A client that keeps its connection would keep the process as well.
    if (closing) response.setHeader('Connection', 'close');
    app(request, response);
  });
  server.on('clientError', refuseUnreadable);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      closing = true;
      return new Promise((resolve) => {
        const giveUp = setTimeout(() => server.closeAllConnections(), STOP_SECONDS * SECOND);
        server.close(() => {
          clearTimeout(giveUp);
          resolve();
        });
      });
    },
  };
}
