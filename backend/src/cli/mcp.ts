/** An MCP server on standard input and output. Forwards each message to `/mcp` of a running Passbell server. */
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { createExchange, type HttpReply } from '../platform/http/exchange.js';
import { parseJson, parseJsonObject } from '../platform/json.js';
import { OperatorError, withExamples, type Context } from './context.js';

/** Longer than a server waits for a provider. */
const TIMEOUT_MS = 60_000;
const REPLY_LIMIT = 8 * 1024 * 1024;

/** The JSON-RPC error for an error of the transport. */
const SERVER_ERROR = -32000;
const PARSE_ERROR = -32700;

interface Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
}

/** Returns the headers that repeat parts of the message, as newer versions of the protocol require. */
function headersOf({ method, params }: Message): Record<string, string> {
  const version = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  if (method === undefined || typeof version !== 'string') return {};
  const name = typeof params?.name === 'string' ? { 'Mcp-Name': params.name } : {};
  return { 'MCP-Protocol-Version': version, 'Mcp-Method': method, ...name };
}

/** Returns the JSON-RPC message in a reply, which is JSON or a stream of events with one event. */
function messageIn({ headers, text }: HttpReply): { readonly jsonrpc?: unknown; message?: string; hint?: string } {
  const isStream = headers['content-type']?.startsWith('text/event-stream');
  const json = isStream ? (/^data: (.+)$/m.exec(text)?.[1] ?? '') : text;
  return (parseJson(json) ?? {}) as ReturnType<typeof messageIn>;
}

export function complete(command: Command, context: Context): void {
  withExamples(command, ['']).addHelpText(
    'after',
    '\nSet PASSBELL_KEY to a key of the management API (mk_…), and PASSBELL_URL to the URL of the server (default: http://127.0.0.1:3000).',
  );
  command.action(async () => {
    const { PASSBELL_URL: url = 'http://127.0.0.1:3000', PASSBELL_KEY: key } = process.env;
    if (!key) throw new OperatorError('set PASSBELL_KEY to a key of the management API (mk_…)');
    const exchange = createExchange({ allowPrivate: true }, { replyLimit: REPLY_LIMIT });
    const print = (message: object) => context.out(`${JSON.stringify(message)}\n`);
    const fail = (id: unknown, code: number, message: string) =>
      print({ jsonrpc: '2.0', id, error: { code, message } });

    async function forward(message: Message, body: string): Promise<void> {
      const headers = {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${key}`,
        ...headersOf(message),
      };
      const reply = await exchange.send(
        { method: 'POST', url: `${url.replace(/\/$/, '')}/mcp`, headers, body },
        TIMEOUT_MS,
      );
      const received = messageIn(reply);
      // A notification gets no reply.
      if (message.id === undefined) return;
      if (received.jsonrpc !== undefined) return print(received);
      fail(
        message.id,
        SERVER_ERROR,
        received.hint ? `${received.message}. ${received.hint}` : `status ${reply.status}`,
      );
    }

    for await (const line of createInterface({ input: process.stdin })) {
      const message = parseJsonObject(line) as Message | undefined;
      if (message === undefined) fail(null, PARSE_ERROR, 'The message is not a JSON object.');
      else
        await forward(message, line).catch((error: unknown) =>
          fail(message.id ?? null, SERVER_ERROR, `${url} cannot be reached: ${(error as Error).message}`),
        );
    }
    exchange.close();
  });
}
