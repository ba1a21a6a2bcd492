/** Downloads of documents cannot reach private addresses, and accept only small PDFs. */
import { createFetchAttachment, pdfName } from '../../backend/src/modules/notifications/attachments.js';
import { createSmtpProvider } from '../../backend/src/providers/smtp.js';
import { PDF, sendPdf, startDocumentServer, type DocumentServer } from '../support/document-server.js';
import { startSmtpServer } from '../support/smtp-server.js';
import { LIBRARY_TIMEOUT_MS, until } from '../support/wait.js';

const MB = 1024 * 1024;

let server: DocumentServer;
let port: string;
beforeEach(async () => {
  server = await startDocumentServer();
  port = new URL(server.url).port;
});
afterEach(() => server.close());

const anyAddress = createFetchAttachment({ allowPrivate: true });
const fetchFrom = (path = '/17.pdf', fetchAttachment = anyAddress) =>
  fetchAttachment(1, `${server.url}${path}`, 'INV-17');

/** Resolves every host name to these addresses in turn, and then to the last one. */
function publicOnly(...results: string[]) {
  let calls = 0;
  const resolve = async () => {
    const address = results[Math.min(calls++, results.length - 1)]!;
    return [{ address, family: address.includes(':') ? 6 : 4 }];
  };
  return createFetchAttachment({ allowPrivate: false, resolve });
}

describe('a private address', () => {
  const UNREACHABLE = 'its server cannot be reached, or has a private address';

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1', 'fd00:ec2::254', '::ffff:127.0.0.1'])(
    'is not called if the host name resolves to %s',
    async (address) => {
      await expect(publicOnly(address)(1, `http://files.example:${port}/`, 'x')).rejects.toThrow(UNREACHABLE);
      expect(server.paths).toEqual([]);
    },
  );

  it.each(['http://127.0.0.1', 'http://localhost', 'http://2130706433', 'http://[::1]', 'http://0x7f.1'])(
    'is not called as %s',
    async (origin) => {
      await expect(publicOnly('127.0.0.1')(1, `${origin}:${port}/`, 'x')).rejects.toThrow(UNREACHABLE);
      expect(server.paths).toEqual([]);
    },
  );

  it.each([
    ['another host name has this address', 'internal.example', '127.0.0.2'],
    ['the host name now has this address', 'files.example', '127.0.0.2'],
    ['it contains this address', '127.0.0.2', undefined],
  ])('is not called after a redirect (%s)', async (_case, host, later) => {
    const internal = await startDocumentServer('127.0.0.2');
    server.respondWith((_request, response) =>
      response.writeHead(302, { Location: `http://${host}:${new URL(internal.url).port}/internal` }).end(),
    );
    let resolved = 0;
    const fetchAttachment = createFetchAttachment({
      allowPrivate: false,
      // Stands in for an address on the public internet.
      isPublic: (address) => address === '127.0.0.1',
      ownAddresses: () => [],
      resolve: async () => [{ address: resolved++ === 0 ? '127.0.0.1' : later!, family: 4 }],
    });
    await expect(fetchAttachment(1, `http://files.example:${port}/17.pdf`, 'x')).rejects.toThrow(UNREACHABLE);
    expect([server.paths, internal.paths]).toEqual([['/17.pdf'], []]);
    await internal.close();
  });
});

describe('a redirect', () => {
  it('is followed', async () => {
    server.respondWith((request, response) =>
      request.url === '/17.pdf'
        ? response.writeHead(302, { Location: '/real.pdf' }).end()
        : sendPdf()(request, response),
    );
    expect((await fetchFrom()).content).toEqual(PDF);
    expect(server.paths).toEqual(['/17.pdf', '/real.pdf']);
  });

  it.each(['file:///etc/passwd', 'ftp://127.0.0.1/', 'http://user:secret@127.0.0.1/', 'gopher://127.0.0.1:70/'])(
    'to %s is refused',
    async (Location) => {
      server.respondWith((_request, response) => response.writeHead(302, { Location }).end());
      await expect(fetchFrom()).rejects.toThrow('redirects to an address that is not allowed');
    },
  );

  it('is followed only a few times', async () => {
    server.respondWith((_request, response) => response.writeHead(302, { Location: '/again' }).end());
    await expect(fetchFrom()).rejects.toThrow('redirects too often');
    expect(server.paths).toHaveLength(4);
  });
});

describe('a document', () => {
  it.each([
    ['HTML', 'text/html', '<html>'],
    ['HTML that is declared as a PDF', 'application/pdf', '<html>'],
    ['a PDF that is declared as HTML', 'text/html', PDF.toString('latin1')],
    ['an empty file', 'application/pdf', ''],
  ])('is refused if it is %s', async (_what, type, body) => {
    server.respondWith(sendPdf(Buffer.from(body, 'latin1'), type));
    await expect(fetchFrom()).rejects.toMatchObject({ code: 'ATTACHMENT_REJECTED', message: /it is not a PDF/ });
  });

  it('may have 5 MB', async () => {
    server.respondWith(sendPdf(Buffer.concat([PDF, Buffer.alloc(5 * MB - PDF.length)])));
    expect((await fetchFrom()).content).toHaveLength(5 * MB);
  });

  it.each([true, false])('is not downloaded beyond 5 MB (with a declared length: %s)', async (declared) => {
    let closed = false;
    server.respondWith((_request, response) => {
      response.on('close', () => (closed = true));
      response.writeHead(200, { 'Content-Type': 'application/pdf', ...(declared ? { 'Content-Length': 1e9 } : {}) });
      response.write(PDF);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    await expect(fetchFrom()).rejects.toThrow('it is larger than 5 MB');
    await until('the end of the download', () => closed);
  });

  it('that arrives too slowly is refused', async () => {
    server.respondWith((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/pdf' });
      response.write(PDF);
      const drip = setInterval(() => response.write(' '), 500);
      response.on('close', () => clearInterval(drip));
    });
    await expect(fetchFrom()).rejects.toThrow('did not send it within 5 seconds');
  });

  it.each([404, 401, 500, 204])('is refused with status %d', async (status) => {
    server.respondWith((_request, response) => response.writeHead(status).end());
    await expect(fetchFrom()).rejects.toThrow(`replied with status ${status}`);
  });
});

it("slow servers of one account do not delay another account's documents", async () => {
  server.respondWith((request, response) => {
    if (request.url !== '/slow.pdf') sendPdf()(request, response);
  });
  const slow = Array.from({ length: 7 }, () => fetchFrom('/slow.pdf').catch((error: unknown) => error));
  const fast = await anyAddress(2, `${server.url}/fast.pdf`, 'x');
  expect(fast.content).toEqual(PDF);
  expect(server.paths.filter((path) => path === '/slow.pdf')).toHaveLength(2);
  expect(await slow[6]).toMatchObject({ code: 'OVERLOADED', details: { retryAfterSeconds: 5 } });
  await server.close();
  await Promise.all(slow);
});

describe('the file name', () => {
  it.each([
    ['INV/2026 17', 'INV-2026-17.pdf'],
    ['../../etc/passwd', 'etc-passwd.pdf'],
    ['a"\r\nBcc: eve@example.com\r\n\r\nx', 'a-Bcc-eve-example.com-x.pdf'],
    ['Rechnung-ä', 'Rechnung-ä.pdf'],
    ['../', 'document.pdf'],
    ['.htaccess', 'htaccess.pdf'],
    ['\u202Egpj.17', 'gpj.17.pdf'],
  ])('of %j is %j', (text, name) => expect(pdfName(text)).toBe(name));

  it('adds no header to an email', async () => {
    const smtp = await startSmtpServer();
    const provider = createSmtpProvider(smtp.url, 'shop@shop.example', LIBRARY_TIMEOUT_MS);
    const filename = pdfName('17"\r\nBcc: eve@example.com\r\nContent-Type: text/html;x="');
    const attachments = [{ filename, contentType: 'application/pdf', content: PDF }];
    const content = { kind: 'email' as const, subject: 'Invoice', text: 'text', html: '<p>html</p>', attachments };
    await provider.send({ id: 'msg_01', applicationId: 1, to: 'ana@example.com', content });
    const { mail, raw, envelope } = await smtp.waitForMail(1);
    expect(envelope.to).toEqual(['ana@example.com']);
    expect(raw).not.toMatch(/^Bcc:/im);
    expect(mail.attachments).toMatchObject([{ filename, mimeType: 'application/pdf', disposition: 'attachment' }]);
    expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer)).toEqual(PDF);
    provider.close?.();
    await smtp.close();
  });
});
