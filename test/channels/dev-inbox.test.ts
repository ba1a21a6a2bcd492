import { createServer, request as httpRequest, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import express from 'express';
import type { OutgoingMessage } from '../../backend/src/providers/provider.js';
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { devInboxRoutes } from '../../backend/src/modules/dev-inbox/dev-inbox-routes.js';
import { createDevInbox, type DevInbox, type InboxMessage } from '../../backend/src/modules/dev-inbox/dev-inbox.js';
import { renderOtp } from '../../backend/src/modules/templates/rendering/otp.js';

const SHOP = 1;
const DASHBOARD = 2;

let now = Date.parse('2025-11-21T09:41:00Z');
let inbox: DevInbox;
let server: Server;
let port: number;

async function serve(): Promise<void> {
  server = createServer(
    express().use(
      '/dev',
      devInboxRoutes(inbox, async () => DASHBOARD),
    ),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
}

beforeEach(async () => {
  inbox = createDevInbox({ now: () => now });
  await serve();
});
afterEach(() => new Promise((resolve) => server.close(() => resolve(undefined)).closeAllConnections()));

function deliver(channel: ChannelName, id: string, to: string, code = '421906', applicationId = SHOP) {
  const content = { ...renderOtp(channel, { code, minutes: 5, application: 'Shop' }), code };
  return inbox.provider(channel).send({ id, applicationId, to, content } satisfies OutgoingMessage);
}

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Uses `node:http`, because `fetch` cannot set the Host header. */
function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers: { Connection: 'close', ...headers } };
    httpRequest(options, async (response) => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
    })
      .on('error', reject)
      .end();
  });
}

const ids = async (path: string) => (JSON.parse((await get(path)).text) as InboxMessage[]).map(({ id }) => id);

describe('GET /dev/inbox.json', () => {
  it('lists messages, newest first', async () => {
    await deliver('SMS', 'm1', '+14155550123');
    now += 1999;
    await deliver('VOICE', 'm2', '+14155550123', '0042');
    await deliver('EMAIL', 'm3', 'Ana@example.com');
    const mail = renderOtp('EMAIL', { code: '421906', minutes: 5, application: 'Shop' });
    const createdTime = Math.floor(now / 1000);

    expect(JSON.parse((await get('/dev/inbox.json')).text)).toEqual([
      { ...mail, kind: undefined, code: '421906', id: 'm3', channel: 'EMAIL', to: 'Ana@example.com', createdTime },
      {
        id: 'm2',
        channel: 'VOICE',
        to: '+14155550123',
        subject: '',
        text: 'Hello. Your Shop code is:\n0, 0, 4, 2',
        html: '',
        code: '0042',
        createdTime,
      },
      {
        id: 'm1',
        channel: 'SMS',
        to: '+14155550123',
        text: '421906 is your Shop code. It is valid for 5 minutes. Never share it, not even with us.',
        subject: '',
        html: '',
        code: '421906',
        createdTime: createdTime - 1,
      },
    ]);
  });

  it('finds messages by recipient, in any format of the recipient', async () => {
    await deliver('SMS', 'phone', '+14155550123');
    await deliver('SMS', 'other', '+14155550124');
    await deliver('EMAIL', 'mail', 'Ana+Shop@example.com');
    await deliver('EMAIL', 'plain', 'ana@example.com');
    for (const to of [
      '%2B14155550123',
      '+14155550123',
      ' 14155550123'.replace(' ', '%20'),
      '14155550123',
      '%2B1%20(415)%20555-0123',
    ])
      expect([to, await ids(`/dev/inbox.json?to=${to}`)]).toEqual([to, ['phone']]);
    for (const to of ['ana%2Bshop@example.com', 'ana+shop@EXAMPLE.com', '%20Ana+Shop%40example.com%20'])
      expect([to, await ids(`/dev/inbox.json?to=${to}`)]).toEqual([to, ['mail']]);
    expect(await ids('/dev/inbox.json?to=ana@example.com')).toEqual(['plain']);
    for (const to of ['nobody@example.com', '415', 'x', '%2B'])
      expect(await ids(`/dev/inbox.json?to=${to}`)).toEqual([]);
    expect(await ids('/dev/inbox.json?to=')).toHaveLength(4);
  });

  it('replies 304 until a message arrives', async () => {
    const first = await get('/dev/inbox.json');
    const condition = { 'If-None-Match': first.headers.etag!, 'Cache-Control': 'no-cache' };
    expect((await get('/dev/inbox.json', condition)).status).toBe(304);
    await deliver('SMS', 'm1', '+14155550123');
    expect((await get('/dev/inbox.json', condition)).status).toBe(200);
  });

  it('lists a message once even if it was delivered twice', async () => {
    const first = await deliver('SMS', 'm1', '+14155550123');
    const before = inbox.find('m1');
    await deliver('SMS', 'm2', '+14155550123');
    now += 60_000;
    expect(await deliver('SMS', 'm1', '+14155550123')).toEqual(first);
    expect(await ids('/dev/inbox.json')).toEqual(['m2', 'm1']);
    expect(inbox.find('m1')).toEqual(before);
  });

  it('drops the oldest message when the inbox is full', async () => {
    inbox = createDevInbox({ now: () => now }, { size: 3 });
    for (const id of ['a', 'b', 'c', 'd', 'e']) await deliver('SMS', id, '+14155550123');
    expect(inbox.list().map(({ id }) => id)).toEqual(['e', 'd', 'c']);
    expect(inbox.find('a')).toBeUndefined();
  });
});

describe('the page', () => {
  it('loads its style and scripts from this server only', async () => {
    const page = await get('/dev/inbox');
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/i);
    for (const [, address] of page.text.matchAll(/<(?:link[^>]*stylesheet"\s*href|script[^>]*src)="([^"]+)"/g)) {
      const asset = await get(`/dev/${address}`);
      expect([address, asset.status]).toEqual([address, 200]);
      expect(asset.headers['content-type']).toMatch(/^text\/(?:css|javascript)/);
      expect(asset.text).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|@import/);
    }
    const used = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(used.filter((address) => !address.startsWith('data:')).sort()).toEqual([
      '/dashboard/home',
      'inbox/inbox.css',
      'inbox/inbox.js',
      'inbox/mailbox.css',
      'inbox/phone.css',
    ]);
  });

  it('shows an email in a sandbox that allows only styles', async () => {
    await deliver('EMAIL', 'm1', 'ana@example.com');
    const { status, headers, text } = await get('/dev/inbox/message/m1.html');
    expect(status).toBe(200);
    expect(text).toBe(inbox.find('m1')!.html);
    const policy = String(headers['content-security-policy']).split('; ');
    expect(policy).toEqual(expect.arrayContaining(['sandbox', "default-src 'none'", "frame-ancestors 'self'"]));
    expect(policy).toContain("style-src 'unsafe-inline'");
    expect(policy.join(' ')).not.toMatch(/script-src|allow-/);
    expect((await get('/dev/inbox')).text).toMatch(/<iframe[^>]*\ssandbox(?:\s*\/?>|="")/);
  });

  it.each(['/dev/inbox/message/none.html', '/dev/inbox/message/..%2f..%2fpackage.json.html'])(
    '%s does not exist',
    async (path) => {
      expect((await get(path)).status).toBe(404);
    },
  );

  it('has no HTML for a message that is not an email', async () => {
    await deliver('SMS', 'm1', '+14155550123');
    expect((await get('/dev/inbox/message/m1.html')).status).toBe(404);
  });

  it('redirects to its URL without a trailing slash, because its links are relative', async () => {
    const { status, headers } = await get('/dev/inbox/');
    expect([status, headers.location]).toEqual([308, '/dev/inbox']);
  });

  it('is not cached, sniffed or framed, and cannot run inline scripts', async () => {
    await deliver('EMAIL', 'm1', 'ana@example.com');
    for (const path of ['/dev/inbox', '/dev/inbox.json', '/dev/inbox/inbox.js', '/dev/inbox/message/m1.html']) {
      const { headers } = await get(path);
      expect([path, headers['cache-control'], headers['x-content-type-options']]).toEqual([
        path,
        'no-store',
        'nosniff',
      ]);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toMatch(/script-src[^;]*(?:unsafe|\*)/);
    }
    const policy = (await get('/dev/inbox')).headers['content-security-policy'];
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
  });
});

describe('a foreign host name that resolves to this machine', () => {
  const paths = ['/dev/inbox', '/dev/inbox/', '/dev/inbox.json', '/dev/inbox/inbox.js', '/dev/inbox/message/m1.html'];
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '192.168.1.5',
    'localhost:80@evil',
    'localhost.',
  ];

  it('is rejected', async () => {
    await deliver('EMAIL', 'm1', 'ana@example.com');
    for (const host of foreign)
      for (const path of paths) {
        const { status, text } = await get(path, { Host: host });
        expect([host, path, status]).toEqual([host, path, 403]);
        expect(text).not.toContain('421906');
      }
  });

  it.each(['localhost', 'LOCALHOST:3000', '127.0.0.1', '127.1.2.3:8080', '[::1]:3000'])('excludes %s', async (host) => {
    expect((await get('/dev/inbox.json', { Host: host })).status).toBe(200);
  });
});

describe('a request that a proxy forwarded to this machine', () => {
  it.each(['Forwarded', 'Via', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'X-Real-IP'])(
    'is rejected if it has the header %s',
    async (name) => {
      expect((await get('/dev/inbox.json', { Host: 'localhost', [name]: 'x' })).status).toBe(403);
    },
  );

  it("is rejected even without such headers if it uses nginx's default protocol version", async () => {
    const socket = connect(port, '127.0.0.1').end(`GET /dev/inbox.json HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    let text = '';
    for await (const chunk of socket.setEncoding('utf8')) text += chunk;
    expect(text).toMatch(/^HTTP\/1.1 403 /);
  });
});

describe('messages from the dashboard', () => {
  beforeEach(async () => {
    await deliver('EMAIL', 'shop', 'ana@example.com');
    await deliver('EMAIL', 'dashboard', 'ana@example.com', '739154', DASHBOARD);
  });

  it('are shown only with the key, and only to requests from this machine', async () => {
    expect(await ids('/dev/inbox.json')).toEqual(['shop']);
    expect((await get('/dev/inbox/message/dashboard.html')).status).toBe(404);
    const query = `?key=${inbox.key}`;
    expect(await ids(`/dev/inbox.json${query}`)).toEqual(['dashboard', 'shop']);
    expect((await get(`/dev/inbox/message/dashboard.html${query}`)).text).toContain('739154');
    expect((await get(`/dev/inbox.json${query}`, { Host: 'otp.example' })).status).toBe(403);
  });

  it.each(['?key=', '?key=guess'])('are not found with the wrong key "%s"', async (query) => {
    for (const path of ['/dev/inbox', '/dev/inbox.json', '/dev/inbox/message/dashboard.html'])
      expect([path, (await get(`${path}${query}`)).status]).toEqual([path, 404]);
  });
});

describe('clearing', () => {
  const clear = async (query = '', headers = {}) => (await get(`/dev/inbox.json${query}`, headers, 'DELETE')).status;

  it('removes all messages that the caller sees, and changes the revision', async () => {
    await deliver('SMS', 'shop', '+14155550123');
    await deliver('EMAIL', 'dashboard', 'ana@example.com', '421906', DASHBOARD);
    const before = inbox.revision();
    expect(await clear()).toBe(204);
    expect(inbox.revision()).not.toBe(before);
    expect(await ids(`/dev/inbox.json?key=${inbox.key}`)).toEqual(['dashboard']);
    expect(await clear(`?key=${inbox.key}`)).toBe(204);
    expect(await ids(`/dev/inbox.json?key=${inbox.key}`)).toEqual([]);
  });

  it('needs the same access as reading', async () => {
    await deliver('SMS', 'shop', '+14155550123');
    expect(await clear('?key=guess')).toBe(404);
    expect(await clear('', { Host: 'inbox.shop.example' })).toBe(403);
    expect(await ids('/dev/inbox.json')).toEqual(['shop']);
  });
});

describe('an inbox that needs a key', () => {
  beforeEach(async () => {
    server.close().closeAllConnections();
    inbox = createDevInbox({ now: () => now }, { needsKey: true });
    await serve();
    await deliver('EMAIL', 'm1', 'ana@example.com');
  });
  const paths = ['/dev/inbox', '/dev/inbox/', '/dev/inbox.json', '/dev/inbox/message/m1.html'];

  it.each(['', '?key=', '?key=guess', '?key[]=guess'])('replies 404 to the query "%s"', async (query) => {
    for (const path of paths) {
      const { status, text } = await get(`${path}${query}`, { Host: 'localhost' });
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toContain('421906');
    }
  });

  it('is available under any host name if the URL contains the key', async () => {
    expect(inbox.key).toMatch(/^[\w-]{43}$/);
    const query = `?key=${inbox.key}`;
    expect(JSON.parse((await get(`/dev/inbox.json${query}`, { Host: 'inbox.shop.example' })).text)).toHaveLength(1);
    expect((await get(`/dev/inbox${query}`)).status).toBe(200);
    expect((await get('/dev/inbox/inbox.js')).status).toBe(200);
    expect((await get(`/dev/inbox/message/m1.html${query}`)).text).toContain('421906');
    expect((await get(`/dev/inbox/${query}`)).headers.location).toBe(`/dev/inbox${query}`);
  });

  it('has a new key after each start', () => {
    expect(createDevInbox({ now: () => now }).key).not.toBe(inbox.key);
  });
});
