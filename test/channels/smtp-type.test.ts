/** The SMTP provider type: mail servers that are added at run time. */
import { renderOtp } from '../../backend/src/modules/templates/rendering/otp.js';
import type { ProviderContext, ProviderSettings, VendorReply } from '../../backend/src/providers/provider-type.js';
import type { Provider } from '../../backend/src/providers/provider.js';
import { SMTP } from '../../backend/src/providers/smtp-type.js';
import { failureOf, MESSAGE_ID, providerContext } from '../support/gateway-server.js';
import { startSmtpServer, type TestSmtpServer } from '../support/smtp-server.js';

const message = {
  id: MESSAGE_ID,
  applicationId: 1,
  to: 'ana@example.com',
  content: renderOtp('EMAIL', { code: '093518', minutes: 5, application: 'Harbor Books' }),
};
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

async function startServer(): Promise<TestSmtpServer> {
  const server = await startSmtpServer();
  cleanups.push(() => server.close());
  return server;
}

function settingsFor(server: TestSmtpServer, more: ProviderSettings = {}): ProviderSettings {
  const { hostname, port } = new URL(server.url);
  return { host: hostname, port, security: 'none', from: 'Harbor Books <codes@shop.example>', ...more };
}

function provider(settings: ProviderSettings, context: Partial<ProviderContext> = {}): Provider {
  const [created] = SMTP.create(settings, providerContext(context));
  cleanups.push(() => created!.close?.());
  return created!;
}

it('two mail servers can be used at the same time', async () => {
  const servers = [await startServer(), await startServer()];
  for (const server of servers) {
    const { providerId } = await provider(settingsFor(server), { name: 'Mail' }).send(message);
    expect(providerId).toBe(`<${MESSAGE_ID}@shop.example>`);
    expect((await server.waitForMail(1)).envelope.from).toBe('codes@shop.example');
  }
});

it("reports the server's reply to each email, including rejections", async () => {
  const server = await startServer();
  const replies: VendorReply[] = [];
  const mail = provider(settingsFor(server), { onReply: (reply) => void replies.push(reply) });
  await mail.send(message);
  server.respondWith({ recipient: 550 });
  await failureOf(mail, message);
  expect(replies).toEqual([
    { status: 250, text: expect.stringContaining('OK') },
    { status: 550, text: '<ana@example.com> no, see secret policy 17' },
  ]);
});

it('a provider has its configured name', async () =>
  expect(provider(settingsFor(await startServer()), { name: 'Newsletter server' }).name).toBe('Newsletter server'));

it('refuses a server without encryption unless the settings allow it', async () => {
  const error = await failureOf(provider(settingsFor(await startServer(), { security: 'starttls' })), message);
  expect(error).toMatchObject({ kind: 'permanent', concerns: 'provider' });
  expect(error.reason).toContain('the encryption');
});

it('checks the connection without sending an email', async () => {
  const server = await startServer();
  await expect(SMTP.check!(settingsFor(server), providerContext())).resolves.toEqual({ ok: true });
  expect(server.received).toHaveLength(0);
  const wrong = settingsFor(server, { port: '1' });
  await expect(SMTP.check!(wrong, providerContext())).resolves.toMatchObject({ ok: false, reason: expect.any(String) });
});

it('a mail server that is restricted to public addresses must have one', async () => {
  const server = await startServer();
  const error = await failureOf(provider(settingsFor(server), { publicOnly: true }), message);
  expect(error).toMatchObject({ kind: 'permanent', reason: "the mail server's address is not public" });
  expect(server.received).toHaveLength(0);
  const check = await SMTP.check!(settingsFor(server), providerContext({ publicOnly: true }));
  expect(check).toEqual({ ok: false, reason: "the mail server's address is not public" });
});

it.each([
  ['host', 'smtp.example.com/x'],
  ['port', '70000'],
  ['from', 'no address'],
  ['from', 'a@b.example\r\nBcc: c@d.example'],
])('refuses the %s %j', (name, value) => {
  expect(SMTP.fields.find((field) => field.name === name)!.problem!(value)).toMatch(/^must be/);
});
