/** A proxy in place of the internet that blocks and records every request. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function startBlockingProxy() {
  const requestedUrls: string[] = [];
  const server = createServer((request, response) => {
    requestedUrls.push(request.url!);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    requestedUrls.push(request.url!);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, requestedUrls, close: () => void server.close() };
}
