/**
 * A minimal HTTP client: one keep-alive connection with one request at a time. It uses little CPU time, which it shares
 * with the servers under test.
 */
import net from 'node:net';

const HEADER_END = '\r\n\r\n';
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;
const CHUNKED = /\r\ntransfer-encoding: *chunked/i;
const CONNECTION_CLOSE = /\r\nconnection: *close/i;

/** Reads a chunked reply body that starts at `from`. Returns undefined while the body is incomplete. */
function readChunks(text, from) {
  let body = '';
  for (let at = from; ;) {
    const lineEnd = text.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = parseInt(text.slice(at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (Number.isNaN(size)) throw new Error('a chunk has no size');
    if (text.length < next) return undefined;
    if (size === 0) return { body, end: next };
    body += text.slice(lineEnd + 2, lineEnd + 2 + size);
    at = next;
  }
}

/** Parses a reply at the start of `text` (one character per byte). Returns undefined while the reply is incomplete. */
function readReply(text) {
  const headEnd = text.indexOf(HEADER_END);
  if (headEnd === -1) return undefined;
  const head = text.slice(0, headEnd);
  const from = headEnd + HEADER_END.length;
  const reply = { status: Number(head.slice(9, 12)), head, closes: CONNECTION_CLOSE.test(head) };
  const length = CONTENT_LENGTH.exec(head);
  if (length) {
    const end = from + Number(length[1]);
    return text.length < end ? undefined : { ...reply, body: text.slice(from, end), end };
  }
  if (!CHUNKED.test(head)) throw new Error('a reply has no length');
  const chunks = readChunks(text, from);
  return chunks && { ...reply, ...chunks };
}

export function createConnection(origin, { timeoutMs = 30_000 } = {}) {
  const { hostname, port, host } = new URL(origin);
  let socket;
  let received = '';
  let waiting;

  function settle(error, reply) {
    const { resolve, reject } = waiting ?? {};
    waiting = undefined;
    if (error) reject?.(error);
    else resolve?.(reply);
  }

  function open() {
    const opened = net.connect({ host: hostname, port: Number(port), noDelay: true });
    opened.setEncoding('latin1').setTimeout(timeoutMs, () => opened.destroy(new Error('no reply in time')));
    opened.on('data', (chunk) => {
      received = received === '' ? chunk : received + chunk;
      try {
        const reply = readReply(received);
        if (!reply) return;
        received = received.slice(reply.end);
        if (reply.closes) close();
        settle(undefined, reply);
      } catch (error) {
        opened.destroy(error);
      }
    });
    opened.on('error', (error) => settle(error));
    opened.on('close', () => {
      if (socket !== opened) return;
      socket = undefined;
      settle(new Error('the connection was closed'));
    });
    received = '';
    socket = opened;
  }

  function close() {
    const open = socket;
    socket = undefined;
    open?.destroy();
  }

  return {
    /** `headers` are complete lines, including CRLF. Returns the status, the raw head and the body. */
    request(method, path, headers, body = '') {
      if (!socket) open();
      const length = body === '' ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}${length}\r\n${body}`);
      });
    },
    close,
  };
}
