/** Checks the presets of email APIs against a recording server, with examples in the shape of the vendors' documentation. */
import { generateKeyPairSync } from 'node:crypto';
import { FROM, senderOf } from '../../backend/src/providers/email.js';
import { definitionOf, emailType, type EmailPreset } from '../../backend/src/providers/email-api/preset.js';
import { readSnsMessage } from '../../backend/src/providers/email-api/sns.js';
import { EMAIL_PRESETS } from '../../backend/src/providers/email-api/types.js';
import type { ProviderContext } from '../../backend/src/providers/provider-type.js';
import { ProviderError } from '../../backend/src/providers/provider.js';
import type { EmailExample } from '../support/email-example.js';
import { emailContext, emailTo, RECIPIENT, SENDER } from '../support/email-example.js';
import { AMAZON_SES_EXAMPLE } from '../support/email-examples/amazon-ses.js';
import { BREVO_EXAMPLE } from '../support/email-examples/brevo.js';
import { MAILGUN_EXAMPLE } from '../support/email-examples/mailgun.js';
import { POSTMARK_EXAMPLE } from '../support/email-examples/postmark.js';
import { RESEND_EXAMPLE } from '../support/email-examples/resend.js';
import { SENDGRID_EXAMPLE } from '../support/email-examples/sendgrid.js';
import { failureOf, MESSAGE_ID, startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { localGateway } from '../support/local-gateway.js';
import { notification, signed, SNS_CERTIFICATE, snsCallback, TOPIC_ARN } from '../support/sns.js';

const EXAMPLES: Readonly<Record<string, EmailExample>> = {
  'amazon-ses': AMAZON_SES_EXAMPLE,
  brevo: BREVO_EXAMPLE,
  mailgun: MAILGUN_EXAMPLE,
  postmark: POSTMARK_EXAMPLE,
  resend: RESEND_EXAMPLE,
  sendgrid: SENDGRID_EXAMPLE,
};

let server: GatewayServer;
beforeAll(async () => {
  // From now on, the certificate is cached.
  const { body } = snsCallback(signed(notification('')));
  await readSnsMessage(body, TOPIC_ARN, emailContext(), async () => SNS_CERTIFICATE);
});
beforeEach(async () => void (server = await startGatewayServer()));
afterEach(() => server.close());

/** Returns a provider for the preset that calls the test server instead of the vendor's server. */
function local(preset: EmailPreset, { settings }: EmailExample, from = SENDER, context: Partial<ProviderContext> = {}) {
  const gateway = { definition: definitionOf(preset), fields: [...preset.fields, FROM] };
  return localGateway(server, gateway, { ...settings, from }, 'EMAIL', context);
}

const parseBody = ({ body, headers }: { body: string; headers: { 'content-type'?: string | undefined } }): unknown =>
  headers['content-type']?.includes('form') ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);

it('every preset has an example', () =>
  expect(EMAIL_PRESETS.map(({ name }) => name).sort()).toEqual(Object.keys(EXAMPLES).sort()));

it.each([
  [SENDER, { name: 'Harbor Books, Ltd.', email: 'codes@shop.example' }],
  ['"Harbor Books" <codes@shop.example>', { name: 'Harbor Books', email: 'codes@shop.example' }],
  ['<codes@shop.example>', { email: 'codes@shop.example' }],
  ['codes@shop.example', { email: 'codes@shop.example' }],
])('parses the sender %s', (from, sender) => expect(senderOf(from)).toEqual(sender));

it('Amazon SES gets a sender whose name is not ASCII as encoded words of at most 75 characters', async () => {
  const [ses] = EMAIL_PRESETS;
  server.respondWith(AMAZON_SES_EXAMPLE.accepted[0]);
  await local(ses!, AMAZON_SES_EXAMPLE, 'Bücherstube am Hafen 🚢 <codes@shop.example>').provider.send(emailTo());
  const { FromEmailAddress } = JSON.parse(server.requests[0]!.body);
  const words: string[] = FromEmailAddress.split(' ');
  expect(words.at(-1)).toBe('<codes@shop.example>');
  expect(words.every((word) => word.length <= 75)).toBe(true);
  const decoded = words.slice(0, -1).map((word) => Buffer.from(/^=\?UTF-8\?B\?(.*)\?=$/.exec(word)![1]!, 'base64'));
  expect(Buffer.concat(decoded).toString()).toBe('Bücherstube am Hafen 🚢');
});

describe.each(EMAIL_PRESETS.map((preset) => [preset.name, preset] as const))('the preset %s', (name, preset) => {
  const example = EXAMPLES[name]!;
  const type = emailType(preset);
  const secrets = preset.fields.flatMap((field) => (field.secret ? [example.settings[field.name]!] : []));

  it("has the URL of the vendor's documentation and the date when it was last checked", () => {
    expect(preset.documentation).toMatch(/^https:\/\//);
    expect(preset.checked).toMatch(/^20\d\d-\d\d-\d\d$/);
  });

  it('accepts the settings of the example', () => {
    for (const [field, value] of Object.entries(example.settings))
      expect(type.fields.find((found) => found.name === field)!.problem?.(value)).toBeUndefined();
    expect(type.channels).toEqual(['EMAIL']);
  });

  it('attaches documents, or lets the next provider send them', async () => {
    server.respondWith(example.accepted[0]);
    const { content, ...message } = emailTo();
    const attachments = [{ filename: 'INV-17.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF-1.7') }];
    const { provider } = local(preset, example);
    const email = { ...message, content: { ...content, attachments } as typeof content };
    if (preset.sendsAttachments === false)
      return expect(await failureOf(provider, email)).toMatchObject({ kind: 'permanent', concerns: 'route' });
    await provider.send(email);
    const { body } = server.requests[0]!;
    expect(body).toContain('"INV-17.pdf"');
    expect(body).toContain(`"${Buffer.from('%PDF-1.7').toString('base64')}"`);
  });

  it('sends the documented request, and parses the confirmation', async () => {
    const [reply, providerId] = example.accepted;
    server.respondWith(reply);
    const replies: number[] = [];
    const { provider } = local(preset, example, SENDER, { onReply: ({ status }) => void replies.push(status) });
    await expect(provider.send(emailTo())).resolves.toEqual({ providerId });
    const request = server.requests[0]!;
    expect(request).toMatchObject({ method: 'POST', path: example.path, headers: example.headers });
    expect(parseBody(request)).toEqual(example.body);
    expect(replies).toHaveLength(1);
  });

  it('sends to exactly one plain address, and otherwise nothing', async () => {
    const to = ['ana@example.com, eve@example.com', 'Ana <ana@example.com>', 'ana@example.com\r\nBcc: eve@example.com'];
    for (const recipient of to)
      expect(await failureOf(local(preset, example).provider, emailTo(recipient))).toMatchObject({ kind: 'permanent' });
    expect(server.requests).toEqual([]);
  });

  it.each(example.failures)('classifies the error %j as %s', async (reply, kind, concerns) => {
    server.respondWith(reply);
    const error = await failureOf(local(preset, example).provider, emailTo());
    expect(error).toMatchObject({ kind, concerns });
    expect(error.details).toMatchObject({ status: (reply as { status: number }).status });
    for (const secret of [...secrets, RECIPIENT]) expect(error.reason).not.toContain(secret);
  });

  it('does not know whether an email was sent if the connection breaks', async () => {
    server.respondWith('reset');
    expect(await failureOf(local(preset, example).provider, emailTo())).toMatchObject({ kind: 'unknown' });
  });

  it('hides secrets in a dry run', () => {
    const shown = JSON.stringify(type.dryRun!({ ...example.settings, from: SENDER }, emailContext(), emailTo()));
    for (const secret of secrets) expect(shown).not.toContain(secret);
    expect(shown).toContain('••••');
  });

  const { lookUp, check } = example;
  it('looks up emails only if the vendor documents it', () => expect(type.capabilities.lookUp).toBe(!!lookUp));
  if (lookUp)
    it('looks up emails', async () => {
      const { provider } = local(preset, example);
      server.respondWith({ status: 200, body: lookUp.found });
      await expect(provider.find!(emailTo(), 0)).resolves.toEqual({ providerId: example.accepted[1] });
      expect(server.requests[0]).toMatchObject({ method: 'GET', path: lookUp.path });
      server.respondWith({ status: 200, body: lookUp.missing });
      await expect(provider.find!(emailTo(), 0)).resolves.toBeUndefined();
    });

  it('checks the credentials only if the vendor documents a free request for it', () =>
    expect(type.check === undefined).toBe(check === undefined));
  if (check)
    it('checks the credentials without sending an email', async () => {
      const gateway = local(preset, example);
      for (const reply of check.valid) {
        server.respondWith(reply);
        await expect(gateway.check()).resolves.toEqual({ ok: true });
      }
      expect(server.requests[0]).toMatchObject({ method: 'GET', path: check.path, body: '' });
      server.respondWith({ status: 401, body: { name: 'invalid_api_key' } });
      const reason = 'the provider rejected the credentials (401)';
      await expect(gateway.check()).resolves.toEqual({ ok: false, reason });
    });

  it.each(example.events)('reads the event %j', async (event, expected) => {
    const reply = await type.receive!(example.send(event), example.settings, emailContext());
    const { code, ...report } = expected ?? {};
    const common = { messageId: MESSAGE_ID, providerId: example.providerId };
    expect(reply).toMatchObject({
      status: 200,
      reports: expected ? [{ ...common, ...report, ...(code === undefined ? {} : { details: { code } }) }] : [],
    });
    expect(JSON.stringify(reply)).not.toContain(RECIPIENT);
  });

  it('an undelivered email has a reason, and is not sent to the same address by another provider after a hard bounce', async () => {
    for (const [event] of example.events.filter(([, expected]) => expected?.reportedState === 'undelivered')) {
      const reply = await type.receive!(example.send(event), example.settings, emailContext());
      const { reason, recipientStatus, unreachable } = reply!.reports[0]!;
      expect(reason).toMatch(/\w/);
      expect(unreachable).toBe(recipientStatus !== undefined && recipientStatus !== 'softBounce');
    }
  });

  const [valid] = example.events.find(([, expected]) => expected?.reportedState === 'delivered')!;
  for (const [how, forge] of Object.entries(example.forged))
    it(`rejects a request with ${how}`, async () => {
      const request = forge(example.send(valid));
      await expect(type.receive!(request, example.settings, emailContext())).resolves.toBeUndefined();
    });

  if (Object.keys(example.forged).length > 0)
    it('rejects signed requests without a key in the settings', async () => {
      const settings = { ...example.settings, signingKey: '', verificationKey: '', topicArn: '' };
      await expect(type.receive!(example.send(valid), settings, emailContext())).resolves.toBeUndefined();
    });
});

describe.each(['brevo', 'sendgrid'])('%s', (name) => {
  it('sends several events in a request', async () => {
    const example = EXAMPLES[name]!;
    const type = emailType(EMAIL_PRESETS.find((preset) => preset.name === name)!);
    const request = example.send(...example.events.map(([event]) => event));
    const reply = await type.receive!(request, example.settings, emailContext());
    expect(reply!.reports.map(({ reportedState }) => reportedState)).toEqual(
      example.events.flatMap(([, expected]) => (expected ? [expected.reportedState] : [])),
    );
  });
});

it('a text of a mail server is stored without any email address', async () => {
  const type = emailType(EMAIL_PRESETS.find(({ name }) => name === 'brevo')!);
  const [event] = BREVO_EXAMPLE.events.find(([, expected]) => expected?.code === 'hard_bounce')!;
  const reason = '550 5.1.1 <ana@example.com> forwards to "eve@other.example": unknown'.padEnd(5000, 'x');
  const reply = await type.receive!(BREVO_EXAMPLE.send({ ...event, reason }), BREVO_EXAMPLE.settings, emailContext());
  const text = reply!.reports[0]!.details!.reply!;
  expect(text).toMatch(/^550 5\.1\.1 <••••> forwards to "••••": unknown/);
  expect(text.length).toBeLessThan(1001);
});

it('a code that a mail server chose is stored only if it looks like a code', async () => {
  const type = emailType(EMAIL_PRESETS.find(({ name }) => name === 'sendgrid')!);
  const [event] = SENDGRID_EXAMPLE.events.find(([, expected]) => expected?.code === '5.1.1')!;
  const request = SENDGRID_EXAMPLE.send({ ...event, status: '5.0.0 ana@example.com', reason: '550 5.2.1 disabled' });
  const reply = await type.receive!(request, SENDGRID_EXAMPLE.settings, emailContext());
  expect(reply!.reports[0]!.details).toEqual({ code: '5.2.1', reply: '550 5.2.1 disabled' });
});

it('keys that cannot verify a signature are rejected when the provider is set up', () => {
  const fieldsOf = (name: string) => emailType(EMAIL_PRESETS.find((preset) => preset.name === name)!).fields;
  const problem = (type: string, name: string, value: string) =>
    fieldsOf(type).find((field) => field.name === name)!.problem!(value);
  const { publicKey } = generateKeyPairSync('ed25519');
  const other = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
  expect(problem('sendgrid', 'verificationKey', other)).toBe('must be the public key that SendGrid shows');
  // An empty key would accept the signatures of everyone.
  expect(problem('resend', 'signingKey', 'whsec_')).toMatch('must be the secret');
});

it('other content than an email is rejected', async () => {
  const message = { ...emailTo(), content: { kind: 'text', text: 'Hello' } as const };
  await expect(local(EMAIL_PRESETS[1]!, BREVO_EXAMPLE).provider.send(message)).rejects.toBeInstanceOf(ProviderError);
});
