/** Connects the official MCP client to a running service. */
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client';
import type { Body, TestService } from './service.js';

/** `legacy`: versions of 2025, which most clients use; `auto`: the version of 2026, without a handshake. */
export type Protocol = 'legacy' | 'auto';

export interface ConnectedClient {
  readonly client: Client;
  /** Names of the tools that the client sees. */
  tools(): Promise<string[]>;
  /** Calls a tool, and returns the whole result. */
  result(name: string, parameters?: object): Promise<CallToolResult>;
  /** Calls a tool, which must succeed, and returns its data. */
  data(name: string, parameters?: object): Promise<Body>;
  /** Calls a tool, which must fail, and returns its error. */
  error(name: string, parameters?: object): Promise<Body>;
}

export const newClient = (mode: Protocol = 'legacy'): Client =>
  new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });

export function connected(client: Client): ConnectedClient {
  const result = async (name: string, parameters: object = {}) =>
    (await client.callTool({ name, arguments: parameters as Record<string, unknown> })) as CallToolResult;
  const bodyOf = ({ structuredContent }: CallToolResult): Body => structuredContent;
  return {
    client,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    result,
    async data(name, parameters) {
      const found = await result(name, parameters);
      if (found.isError) throw new Error(`${name} failed: ${JSON.stringify(found.content)}`);
      return bodyOf(found).data;
    },
    async error(name, parameters) {
      const found = await result(name, parameters);
      if (!found.isError) throw new Error(`${name} did not fail: ${JSON.stringify(found.content)}`);
      return bodyOf(found).data.error;
    },
  };
}

/** Connects a client over HTTP with a key. */
export async function connectMcp(
  { url }: Pick<TestService, 'url'>,
  key: string,
  mode?: Protocol,
): Promise<ConnectedClient> {
  const client = newClient(mode);
  const headers = { Authorization: `Bearer ${key}`, Connection: 'close' };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return connected(client);
}
