/** Notifications with documents: emails with attachments, and links on other channels. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import { createKeyring } from '../../backend/src/platform/crypto.js';
import { PDF, startDocumentServer, type DocumentServer } from '../support/document-server.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';

let passbell: TestService;
let smtp: TestSmtpServer;
let documents: DocumentServer;
let keys: KeyPair;
beforeEach(async () => {
  documents = await startDocumentServer();
  smtp = await startSmtpServer();
  passbell = await startService({
    SMTP_URL: smtp.url,
    MAIL_FROM: 'shop@shop.example',
    WEBHOOKS_ALLOW_PRIVATE: 'true',
  });
  keys = await passbell.application(NO_LIMITS);
});
afterEach(async () => {
  await passbell.stop();
  await Promise.all([smtp.close(), documents.close()]);
});

function send(to: string, parameters: object = {}, headers: Record<string, string> = {}): Promise<Body> {
  const variables = { invoiceNumber: 'INV/17', amount: 'USD 120.00' };
  const attachmentUrl = `${documents.url}/17.pdf?key=secret`;
  const body = { to, templateType: 'invoice_generated', variables, attachmentUrl, ...parameters };
  return passbell.post('/notifications/invoice', body, { keys, headers });
}

async function storedAttachments(): Promise<Record<string, unknown>[]> {
  const db = passbell.openDatabase();
  try {
    return await db('message_attachments');
  } finally {
    await db.destroy();
  }
}

it('attaches the document to the email, says so, and deletes it when the email is sent', async () => {
  const reply = await send(freshMail(), { language: 'it' });
  expect(reply).toMatchObject({ success: true, data: { isSent: 1 } });
  const { mail } = await smtp.waitForMail(1);
  expect(mail.text).toContain('Il documento è allegato in formato PDF.');
  expect(mail.attachments).toMatchObject([{ filename: 'INV-17.pdf', mimeType: 'application/pdf' }]);
  expect(Buffer.from(mail.attachments[0]!.content as ArrayBuffer)).toEqual(PDF);
  expect(await storedAttachments()).toEqual([]);
  expect(JSON.stringify(passbell.logged)).not.toContain('key=secret');
});

it('keeps the encrypted document of a failed email until the recipient is erased, or the email expires', async () => {
  smtp.respondWith({ content: 554 });
  const to = freshMail();
  expect(await send(to)).toMatchObject({ success: false, code: 'SEND_FAILED' });
  const [stored] = await storedAttachments();
  expect(stored!.sealed).not.toContain(PDF.toString('base64url').slice(0, 8));
  expect(stored!.sealed).not.toContain('%PDF');
  const application = await passbell.core.applications.service.load(keys.appKey);
  await send(freshMail());
  await passbell.core.erasure.service.erase(OPERATOR, [application], to);
  expect(await storedAttachments()).toHaveLength(1);
  passbell.clock.advance(25 * 3_600_000);
  for (const task of passbell.core.messages.maintenance) await task();
  expect(await storedAttachments()).toEqual([]);
});

it('keeps the document of a scheduled email, also with a new key, and deletes it when the email is canceled', async () => {
  const sendAt = new Date(passbell.clock.now() + 86_400_000).toISOString();
  const { data } = await send(freshMail(), { sendAt });
  const [stored] = await storedAttachments();
  const oldKeyring = createKeyring(['old']);
  const keyring = createKeyring(['new', 'old']);
  const sealed = oldKeyring.seal('attachment:1', PDF);
  expect(keyring.openBytes('attachment:1', keyring.reseal('attachment:1', sealed)!)).toEqual(PDF);
  expect(stored).toMatchObject({ id: data.results[0].messageId });
  await passbell.fetch(`/api/v1/messages/${data.results[0].messageId}`, { method: 'DELETE' }, { keys });
  expect(await storedAttachments()).toEqual([]);
  expect(smtp.recipientCount()).toBe(0);
});

it('downloads the document once, also for a repeated request', async () => {
  const to = freshMail();
  const headers = { 'Idempotency-Key': 'invoice-17' };
  const first = await send(to, {}, headers);
  expect(await send(to, {}, headers)).toEqual(first);
  expect(documents.paths).toEqual(['/17.pdf?key=secret']);
});

it('a document that cannot be downloaded is rejected before anything is sent, and the request can be repeated', async () => {
  documents.respondWith((_request, response) => response.writeHead(404).end());
  const to = freshMail();
  const reply = await send(to);
  expect(reply).toMatchObject({ success: false, code: 'ATTACHMENT_REJECTED', field: 'attachmentUrl' });
  expect(reply.message).toContain('its server replied with status 404');
  expect(JSON.stringify(reply)).not.toContain('key=secret');
  expect(smtp.recipientCount()).toBe(0);
  documents.respondWith((_request, response) =>
    response.writeHead(200, { 'Content-Type': 'application/pdf' }).end(PDF),
  );
  expect(await send(to)).toMatchObject({ success: true });
});

it.each(['SMS', 'WHATSAPP'])('is a link on %s, which Passbell does not download', async (authWay) => {
  const to = freshPhone();
  await send(to, { authWay });
  expect((await passbell.inbox(to))[0]!.text).toContain(`View the invoice: ${documents.url}/17.pdf`);
  expect(documents.paths).toEqual([]);
});

it('does not replace the link of the request', async () => {
  const to = freshPhone();
  const variables = { invoiceNumber: '17', amount: '5', invoiceUrl: 'https://shop.example/17' };
  await send(to, { authWay: 'SMS', variables });
  const { text } = (await passbell.inbox(to))[0]!;
  expect(text).toContain('https://shop.example/17');
  expect(text).not.toContain(documents.url);
});

it('variables of the request cannot name an attachment', async () => {
  const variables = {
    invoiceNumber: '17',
    amount: '5',
    attachmentName: 'a.pdf',
    attachmentUrl: 'https://evil.example',
  };
  await send(freshMail(), { variables, attachmentUrl: undefined });
  expect((await smtp.waitForMail(1)).mail.attachments).toEqual([]);
});

it('an order can have a document, too', async () => {
  const variables = { orderId: 'A-1' };
  const attachmentUrl = `${documents.url}/1.pdf`;
  const body = { to: freshMail(), templateType: 'order_confirmed', variables, attachmentUrl };
  expect(await passbell.post('/notifications/order', body, { keys })).toMatchObject({ success: true });
  expect((await smtp.waitForMail(1)).mail.attachments).toMatchObject([{ filename: 'A-1.pdf' }]);
});
