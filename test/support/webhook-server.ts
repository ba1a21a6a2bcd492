/** A customer's webhook server that records calls and returns configurable responses. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hmac } from '../../backend/src/platform/crypto.js';
import type { components } from '../../backend/src/platform/contract/generated/api.js';
import { keepConnections } from './keep-connections.js';

export interface WebhookCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The unparsed body. */
  readonly body: string;
  readonly event: components['schemas']['WebhookEvent'];
}

/**
 * `silent` never responds; `endless` sends an infinite body; `status` responds with a status and headers; `raw` sends a
 * text and leaves the connection open.
 */
export type WebhookBehavior =
  | 'silent'
  | 'endless'
  | { readonly raw: string }
  | { readonly status: number; readonly headers?: Record<string, string> };

export interface WebhookServer {
  readonly url: string;
  readonly calls: readonly WebhookCall[];
  respondWith(behavior: WebhookBehavior | ((call: WebhookCall) => WebhookBehavior)): void;
  close(): Promise<void>;
}

export async function startWebhookServer(): Promise<WebhookServer> {
  const calls: WebhookCall[] = [];
  let behaviorOf = (_call: WebhookCall): WebhookBehavior => ({ status: 204 });
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const call = { path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) };
    calls.push(call);
    const behavior = behaviorOf(call);
    if (behavior === 'silent') return;
    if (typeof behavior === 'object' && 'raw' in behavior) return void response.socket?.write(behavior.raw);
    if (behavior !== 'endless') return void response.writeHead(behavior.status, behavior.headers).end('thank you');
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  });
  keepConnections(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    respondWith: (next) => void (behaviorOf = typeof next === 'function' ? next : () => next),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns whether a call is signed with `secret` in the format of the contract. */
export function isSigned({ headers, body }: Pick<WebhookCall, 'headers' | 'body'>, secret: string): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['passbell-signature'])) ?? [];
  return t !== undefined && hmac(secret, `${t}.${body}`) === v1;
}

/** Returns the timestamp in the signature, in Unix seconds. */
export const signedAt = ({ headers }: WebhookCall): number =>
  Number(/^t=(\d+)/.exec(String(headers['passbell-signature']))?.[1]);
