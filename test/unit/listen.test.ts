/** Connection lifetimes, as seen by a proxy in front of the service. */
import { Agent, request, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import express from 'express';
import { listen, REQUEST_SECONDS, type HttpServer } from '../../backend/src/platform/http/listen.js';
import { waiting } from '../support/wait.js';

const agent = new Agent({ keepAlive: true });
let server: HttpServer;
beforeEach(async () => {
  const app = express().get('/', (_request, response) => void response.send('here'));
  server = await listen(app, { host: '127.0.0.1', port: 0 });
});
afterEach(() => server.close());
afterAll(() => agent.destroy());

async function get(): Promise<IncomingMessage> {
  const reply = once(request({ port: server.port, agent }).end(), 'response');
  const [response] = (await waiting('a response', reply)) as [IncomingMessage];
  response.resume();
  await waiting('the end of the response', once(response, 'end'));
  return response;
}

it('keeps idle connections open longer than proxies, which close them after 60 seconds', async () => {
  const { headers } = await get();
  expect(headers.connection).toBe('keep-alive');
  expect(headers['keep-alive']).toBe('timeout=65');
});

it('does not wait for idle connections when it stops', async () => {
  await get();
  const [socket] = Object.values(agent.freeSockets).flat();
  await Promise.all([server.drain(), waiting('the end of the connection', once(socket!, 'close'))]);
});

describe('a slow request', () => {
  let slow: HttpServer;
  beforeEach(async () => {
    const app = express().post(
      '/',
      (request, response) => void request.resume().on('end', () => response.send('here')),
    );
    slow = await listen(app, { host: '127.0.0.1', port: 0, requestSeconds: 1 });
  });
  afterEach(() => slow.close());

  it.each([
    ['headers', 'POST / HTTP/1.1\r\nHost: localhost\r\n'],
    ['a body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{'],
    ['a chunked body', 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n'],
  ])('ends with 408 if the client never completes %s', async (_what, start) => {
    const socket = connect(slow.port, '127.0.0.1');
    socket.write(start);
    let reply = '';
    for await (const chunk of socket.setEncoding('utf8')) reply += chunk;
    expect(reply).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(reply).toContain('"success":false');
  });

  it('times out after 20 seconds', () => expect(REQUEST_SECONDS).toBe(20));
});
