/** A server that documents are downloaded from. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keepConnections } from './keep-connections.js';

export const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0, 255, 13, 10, 128])]);

export interface DocumentServer {
  readonly url: string;
  /** Paths of the requests so far. */
  readonly paths: readonly string[];
  respondWith(handler: (request: IncomingMessage, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export const sendPdf =
  (body: Buffer = PDF, type = 'application/pdf') =>
  (_request: IncomingMessage, response: ServerResponse): void =>
    void response.writeHead(200, { 'Content-Type': type }).end(body);

export async function startDocumentServer(host = '127.0.0.1'): Promise<DocumentServer> {
  const paths: string[] = [];
  let handle: (request: IncomingMessage, response: ServerResponse) => void = sendPdf();
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    handle(request, response);
  });
  keepConnections(server);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    paths,
    respondWith: (handler) => void (handle = handler),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
