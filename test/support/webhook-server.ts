/** A customer's server that webhooks call: records what it was sent and answers as told. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hmac } from '../../backend/src/platform/crypto.js';
import type { components } from '../../backend/src/platform/contract/generated/api.js';

export interface WebhookCall {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came over the wire. */
  readonly body: string;
  readonly event: components['schemas']['WebhookEvent'];
}

/** A status, with headers; `silent` never answers; `endless` never stops. */
export type WebhookBehaviour =
  'silent' | 'endless' | { readonly status: number; readonly headers?: Record<string, string> };

export interface WebhookServer {
  readonly url: string;
  readonly calls: readonly WebhookCall[];
  answer(behaviour: WebhookBehaviour): void;
  close(): Promise<void>;
}

export async function startWebhookServer(): Promise<WebhookServer> {
  const calls: WebhookCall[] = [];
  let behaviour: WebhookBehaviour = { status: 204 };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    calls.push({ path: request.url ?? '', headers: request.headers, body, event: JSON.parse(body) });
    if (behaviour === 'silent') return;
    if (behaviour !== 'endless') return void response.writeHead(behaviour.status, behaviour.headers).end('thank you');
    response.writeHead(200);
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: (next) => void (behaviour = next),
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** Whether a call is signed with `secret`; what a customer's server does, as the contract describes it. */
export function isSigned({ headers, body }: Pick<WebhookCall, 'headers' | 'body'>, secret: string): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['passbell-signature'])) ?? [];
  return t !== undefined && hmac(secret, `${t}.${body}`) === v1;
}

/** When a call says that it was signed, in unix seconds. */
export const signedAt = ({ headers }: WebhookCall): number =>
  Number(/^t=(\d+)/.exec(String(headers['passbell-signature']))?.[1]);
