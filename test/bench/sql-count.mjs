/**
 * A MySQL proxy that parses the protocol and counts the commands of an application server. A round trip is a command
 * whose reply the server waits for; a statement is a command that the database executes.
 */
import net from 'node:net';

const COMMAND_CODES = { QUERY: 0x03, PREPARE: 0x16, EXECUTE: 0x17, CLOSE: 0x19 };

/** Replaces the values in a statement with placeholders, so that statements can be grouped. */
export function normalize(sql) {
  return sql
    .replace(/'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"/g, '?')
    .replace(/\b\d+(?:\.\d+)?\b/g, '?')
    .replace(/\(\s*\?(?:\s*,\s*\?)*\s*\)/g, '(?)')
    .replace(/\s+/g, ' ')
    .replace(/^((?:insert|replace)[^(]*)\([^)]*\)/i, '$1(…)')
    .trim();
}

/** Assembles packets from a stream of chunks. */
function packetReader(onPacket) {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4) {
      const length = rest.readUIntLE(0, 3);
      if (rest.length < 4 + length) return;
      onPacket(rest[3], rest.subarray(4, 4 + length));
      rest = rest.subarray(4 + length);
    }
  };
}

export async function startCounter(databaseUrl) {
  const { hostname, port } = new URL(databaseUrl);
  const sockets = new Set();
  let count;
  const reset = () => (count = { roundTrips: 0, statements: 0, texts: new Map() });
  reset();

  function countStatements(text) {
    for (const sql of normalize(text).split(';').filter(Boolean)) {
      count.statements++;
      count.texts.set(sql, (count.texts.get(sql) ?? 0) + 1);
    }
  }

  function readCommands(client, server) {
    const texts = new Map();
    let preparing;
    client.on(
      'data',
      packetReader((sequence, packet) => {
        if (sequence !== 0 || packet.length === 0) return;
        if (packet[0] !== COMMAND_CODES.CLOSE) count.roundTrips++;
        if (packet[0] === COMMAND_CODES.QUERY) countStatements(packet.toString('utf8', 1));
        if (packet[0] === COMMAND_CODES.PREPARE) preparing = packet.toString('utf8', 1);
        if (packet[0] === COMMAND_CODES.EXECUTE) countStatements(texts.get(packet.readUInt32LE(1)) ?? 'unknown');
      }),
    );
    server.on(
      'data',
      packetReader((sequence, packet) => {
        if (preparing === undefined || sequence !== 1) return;
        if (packet[0] === 0) texts.set(packet.readUInt32LE(1), preparing);
        preparing = undefined;
      }),
    );
  }

  const proxy = net.createServer((client) => {
    const server = net.connect({ host: hostname, port: Number(port || 3306), noDelay: true });
    client.setNoDelay();
    for (const [from, to] of [
      [client, server],
      [server, client],
    ]) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    // Attached before the pipes, so that no data is lost.
    readCommands(client, server);
    client.pipe(server);
    server.pipe(client);
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(proxy.address().port);

  return {
    url: url.href,
    reset,
    /** Counts since the last reset, divided by `operations`. */
    per(operations) {
      const { roundTrips, statements, texts } = count;
      return {
        roundTrips: roundTrips / operations,
        statements: statements / operations,
        texts: [...texts].map(([sql, times]) => ({ sql, times: times / operations })).sort((a, b) => b.times - a.times),
      };
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
