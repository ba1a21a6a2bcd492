/** Detection of replies that the caller did not receive. */
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { onReplyLost } from '../../backend/src/platform/http/lost-reply.js';

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

async function listen(handler: RequestHandler): Promise<number> {
  server = createServer(express().get('/', handler)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

/** Sends a request, and closes the connection as soon as the server has received the request. */
async function requestAndClose(handle: (response: express.Response, closed: Promise<unknown>) => void): Promise<void> {
  const port = await listen((_request, response) => {
    handle(response, new Promise((resolve) => response.once('close', resolve)));
    client.destroy();
  });
  const client = connect(port, '127.0.0.1', () => client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));
}

it('are reported if the connection was closed before the reply was ready', async () => {
  const lost = await new Promise((resolve) => {
    void requestAndClose(async (response, closed) => {
      await closed;
      let reports = 0;
      onReplyLost(response, async () => void reports++);
      resolve(reports);
    });
  });
  expect(lost).toBe(1);
});

it('are reported if the connection is closed before the reply is sent', async () => {
  const lost = await new Promise((resolve) => {
    let reports = 0;
    void requestAndClose((response) => {
      onReplyLost(response, async () => void reports++);
      response.once('close', () => resolve(reports));
    });
  });
  expect(lost).toBe(1);
});

it('are not reported if the reply was sent', async () => {
  let lost = 0;
  const closed = new Promise<void>((resolve) => {
    void listen((_request, response) => {
      onReplyLost(response, async () => void lost++);
      response.once('close', resolve);
      response.json({ sent: true });
    }).then((port) => fetch(`http://127.0.0.1:${port}`));
  });
  await closed;
  expect(lost).toBe(0);
});
