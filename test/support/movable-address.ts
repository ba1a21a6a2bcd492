/** An address that leads to one server and then to another, as that of a service that fails over does. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface MovableAddress {
  readonly host: string;
  /** New connections lead there; those that stand keep their server. */
  moveTo(port: number): void;
  /** Connections that stand stay open and carry nothing any more, as when the machine at their end is gone. */
  silence(): void;
  close(): void;
}

export async function openMovableAddress(port: number): Promise<MovableAddress> {
  let target = port;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => (sockets.delete(from), to.destroy()));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    moveTo: (next) => void (target = next),
    silence() {
      for (const socket of sockets) socket.unpipe().removeAllListeners('close').pause();
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
