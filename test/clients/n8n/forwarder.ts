/** A reverse proxy in front of the service that records requests and replies, and can drop a reply. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Body } from '../../support/service.js';

export interface Exchange {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  request: Body;
  reply: Body;
}

export interface Forwarder {
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  close(): void;
}

/** `shouldDrop` is called after each reply of the service, and decides whether to drop it. It can also delay the reply. */
export async function startForwarder(
  target: string,
  shouldDrop: (exchange: Exchange) => boolean | Promise<boolean>,
): Promise<Forwarder> {
  const exchanges: Exchange[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { clientid, clientsecret, 'idempotency-key': key, 'content-type': type } = incoming.headers;
    const headers = Object.entries({ clientid, clientsecret, 'idempotency-key': key, 'content-type': type });
    const reply = await fetch(`${target}${incoming.url}`, {
      method: incoming.method!,
      headers: headers.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ...(text && { body: text }),
    });
    const body = (await reply.json()) as Body;
    const request = text ? JSON.parse(text) : undefined;
    const exchange = { method: incoming.method!, path: incoming.url!, headers: incoming.headers, request, reply: body };
    exchanges.push(exchange);
    if (await shouldDrop(exchange)) incoming.socket.destroy();
    else outgoing.setHeader('Content-Type', 'application/json').end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A failed test must not keep the process alive.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    close: () => void server.close(),
  };
}

/** A server that returns the same response to every request. */
export async function startStaticServer(status: number, headers: Record<string, string>, body: string) {
  const paths: string[] = [];
  const server = createServer((incoming, outgoing) => {
    paths.push(incoming.url!);
    incoming.resume().once('end', () => outgoing.writeHead(status, headers).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, paths, close: () => void server.close() };
}
