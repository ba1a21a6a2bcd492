/** Stands where the rest of the internet would be: a proxy that lets nothing through and notes who was asked for. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export async function startOutside() {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    response.writeHead(502).end();
  });
  server.on('connect', (request, socket) => {
    asked.push(request.url!);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, close: () => void server.close() };
}
