/** A TCP proxy whose target can change, like the address of a server that fails over, or a load balancer. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface TcpProxy {
  readonly host: string;
  /** Forwards new connections to `port`. Open connections stay connected to their server. */
  forwardTo(port: number): void;
  /** Closes the open connections. */
  cut(): void;
  /** Stops forwarding but keeps the connections open, as if the remote machine had vanished. */
  stall(): void;
  close(): void;
}

/** With several ports, connections alternate between them. */
export async function startTcpProxy(...ports: number[]): Promise<TcpProxy> {
  let targets = ports;
  let connections = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(targets[connections++ % targets.length]!, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => (sockets.delete(from), to.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    forwardTo: (next) => void (targets = [next]),
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    stall() {
      for (const socket of sockets) socket.unpipe().removeAllListeners('close').pause();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
