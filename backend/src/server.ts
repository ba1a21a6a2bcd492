/** The listening server and its graceful end. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { SECOND } from './clock.js';
import { STOP_SECONDS } from './limits.js';

export interface HttpServer {
  readonly port: number;
  /** Answers what has begun, for at most {@link STOP_SECONDS}, and takes no more. */
  close(): Promise<void>;
}

export async function listen(app: Express, { host, port }: { host: string; port: number }): Promise<HttpServer> {
  let closing = false;
  const server: Server = createServer((request, response) => {
    // A client that keeps its connection would keep the process as well.
    if (closing) response.setHeader('Connection', 'close');
    app(request, response);
  });
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
