/** HTTP servers of tests. */
import type { Server } from 'node:http';

/**
 * Lets the client close idle connections. If a busy machine delays the client's timer, a server that closes them itself
 * loses the next request.
 */
export function keepConnections(server: Server): void {
  server.keepAliveTimeout = 0;
}
