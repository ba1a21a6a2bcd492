/** Endpoints of Node-RED that Passbell calls. There is one route for all nodes, because routes cannot be removed again. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NodeRed } from './node-red.js';

/** Maximum body size. Events and page actions are smaller. */
const BODY_LIMIT_BYTES = 256 * 1024;

export interface Call {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly json?: object;
}

type Listener = (call: Call) => Promise<Reply>;

const listeners = new Map<string, Listener>();

/** Calls `listener` for POST requests to `/passbell/<name>`. Returns a function that removes the listener. */
export function listen(name: string, listener: Listener): () => void {
  listeners.set(name, listener);
  return () => {
    if (listeners.get(name) === listener) listeners.delete(name);
  };
}

/**
 * Returns the body, or undefined if it is too long. If the editor and the endpoints have the same address, the editor's
 * parser has read the body already. Passbell's JSON is compact, so serializing it again gives the text that it has signed.
 */
async function readBody(request: IncomingMessage & { body?: unknown }): Promise<string | undefined> {
  if (request.readableEnded) return JSON.stringify(request.body ?? {});
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status, json = {} }: Reply): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(json));
}

export function addRoutes({ httpNode }: NodeRed): void {
  httpNode?.post('/passbell/:name', (request, response) => {
    const listener = listeners.get(request.params.name!);
    if (!listener) return send(response, { status: 404 });
    readBody(request)
      .then((body) => (body === undefined ? { status: 413 } : listener({ headers: request.headers, body })))
      .catch(() => ({ status: 500 }))
      .then((reply) => send(response, reply));
  });
}
