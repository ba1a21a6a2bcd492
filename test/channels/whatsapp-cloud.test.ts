/**
 * The WhatsApp Cloud API. Requests, replies and webhooks match Meta's documentation of authentication templates,
 * message templates and status webhooks, and the OpenAPI document facebook/openapi (v23.0).
 */
import { createHmac } from 'node:crypto';
import { renderOtp } from '../../backend/src/modules/templates/rendering/otp.js';
import { render } from '../../backend/src/modules/templates/rendering/render.js';
import type { CallbackRequest, ProviderSettings } from '../../backend/src/providers/provider-type.js';
import type { OutgoingMessage, Provider } from '../../backend/src/providers/provider.js';
import { WHATSAPP_CLOUD } from '../../backend/src/providers/whatsapp-cloud/type.js';
import {
  failureOf,
  MESSAGE_ID,
  providerContext,
  startGatewayServer,
  type GatewayBehavior,
  type GatewayServer,
} from '../support/gateway-server.js';

const TO = '+12015553931';
const SECRETS = { accessToken: 'EAAJB-token', appSecret: 'app-s3cret', verifyToken: 'verify-t0ken' };

let server: GatewayServer;
const providers: Provider[] = [];
beforeEach(async () => {
  server = await startGatewayServer();
  server.respondWith({ status: 200, body: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.HBgL' }] } });
});
afterEach(async () => {
  for (const provider of providers.splice(0)) provider.close?.();
  await server.close();
});

const settings = (): ProviderSettings => ({
  ...SECRETS,
  phoneNumberId: '106540352242922',
  apiUrl: `${server.url}/v23.0`,
  templates: 'otp = verification_code/en_US\notp.de = bestaetigung/de, order_shipped = shipped/en_US',
});

function whatsApp(): Provider {
  const [provider] = WHATSAPP_CLOUD.create(settings(), providerContext());
  providers.push(provider!);
  return provider!;
}

const messageWith = (content: OutgoingMessage['content']): OutgoingMessage => ({
  id: MESSAGE_ID,
  applicationId: 1,
  to: TO,
  content,
});
const code = (language = 'en') =>
  messageWith(renderOtp('WHATSAPP', { code: '093518', minutes: 5, application: 'Harbor Books', language }));
const text = (value: string) => ({ type: 'text', text: value });

describe('a notification with a document', () => {
  const document = { link: 'https://shop.example/17.pdf', filename: 'INV-17.pdf' };
  const content = {
    kind: 'text' as const,
    text: 'x',
    variables: ['A'],
    template: 'order_shipped',
    language: 'de',
    document,
  };
  const send = async (templates: string) => {
    const [provider] = WHATSAPP_CLOUD.create({ ...settings(), templates }, providerContext());
    providers.push(provider!);
    await provider!.send(messageWith(content));
    return JSON.parse(server.requests[0]!.body).template;
  };

  it('uses the template with a document header, which WhatsApp fills from the link', async () => {
    expect(await send('order_shipped = shipped/en_US, order_shipped.document = receipt/en_US')).toEqual({
      name: 'receipt',
      language: { code: 'en_US' },
      components: [
        { type: 'header', parameters: [{ type: 'document', document }] },
        { type: 'body', parameters: [text('A')] },
      ],
    });
  });

  it('uses the template without a header if there is no other', async () => {
    const { name, components } = await send('order_shipped = shipped/en_US');
    expect({ name, components }).toEqual({ name: 'shipped', components: [{ type: 'body', parameters: [text('A')] }] });
  });
});

describe('a message', () => {
  it('with a code contains it twice: in the text and in the copy button', async () => {
    await expect(whatsApp().send(code())).resolves.toEqual({ providerId: 'wamid.HBgL' });
    const [request] = server.requests;
    expect(request).toMatchObject({
      method: 'POST',
      path: '/v23.0/106540352242922/messages',
      headers: { authorization: `Bearer ${SECRETS.accessToken}`, 'content-type': 'application/json' },
    });
    expect(JSON.parse(request!.body)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '12015553931',
      type: 'template',
      template: {
        name: 'verification_code',
        language: { code: 'en_US' },
        components: [
          { type: 'body', parameters: [text('093518')] },
          { type: 'button', sub_type: 'url', index: '0', parameters: [text('093518')] },
        ],
      },
      biz_opaque_callback_data: MESSAGE_ID,
    });
  });

  it('uses the template of its language', async () => {
    await whatsApp().send(code('de'));
    expect(JSON.parse(server.requests[0]!.body).template).toMatchObject({
      name: 'bestaetigung',
      language: { code: 'de' },
    });
  });

  it('about an order contains the variables in order, without line breaks', async () => {
    const content = render('order_shipped', 'WHATSAPP', { application: 'Harbor Books', orderId: 'A-1001' });
    await whatsApp().send(
      messageWith({ ...content, variables: ['A-1001', 'a\n\tb     c', ''] } as OutgoingMessage['content']),
    );
    const { template } = JSON.parse(server.requests[0]!.body);
    expect(template.name).toBe('shipped');
    expect(template.components).toEqual([{ type: 'body', parameters: [text('A-1001'), text('a b c'), text('-')] }]);
  });

  it('without an approved template is not sent, but another provider may send it', async () => {
    const content = render('order_delayed', 'WHATSAPP', { application: 'Harbor Books', orderId: 'A-1001' });
    const error = await failureOf(whatsApp(), messageWith(content));
    expect(error).toMatchObject({ kind: 'permanent', concerns: 'route' });
    expect(server.requests).toHaveLength(0);
  });
});

describe('an error', () => {
  const error = (status: number, errorCode: number): GatewayBehavior => ({
    status,
    body: { error: { message: `(#${errorCode}) ${TO}`, type: 'OAuthException', code: errorCode, fbtrace_id: 'Az8' } },
  });

  it.each<[GatewayBehavior, string, string]>([
    [error(401, 190), 'permanent', 'provider'],
    [error(403, 10), 'permanent', 'provider'],
    [error(403, 230), 'permanent', 'provider'],
    [error(400, 131042), 'permanent', 'provider'],
    [error(400, 133010), 'permanent', 'provider'],
    [error(429, 130429), 'transient', 'provider'],
    [error(400, 80007), 'transient', 'provider'],
    [error(400, 131056), 'transient', 'message'],
    [error(503, 2), 'transient', 'provider'],
    [error(500, 131016), 'transient', 'provider'],
    [error(500, 131000), 'unknown', 'provider'],
    [error(400, 131026), 'permanent', 'message'],
    [error(400, 131047), 'permanent', 'route'],
    [error(404, 132001), 'permanent', 'route'],
    [error(400, 100), 'permanent', 'route'],
    [{ status: 500, body: 'oops' }, 'unknown', 'provider'],
    [{ status: 200, body: 'garbage' }, 'unknown', 'provider'],
    ['reset', 'unknown', 'provider'],
  ])('is classified safely: %j', async (behavior, kind, concerns) => {
    server.respondWith(behavior);
    const caught = await failureOf(whatsApp(), code());
    expect(caught).toMatchObject({ kind, concerns });
    for (const secret of [...Object.values(SECRETS), TO.slice(1), '093518'])
      expect(caught.reason).not.toContain(secret);
  });

  it('is reported by the credentials check', async () => {
    server.respondWith(error(401, 190));
    const context = providerContext();
    await expect(WHATSAPP_CLOUD.check!(settings(), context)).resolves.toEqual({
      ok: false,
      reason: 'WhatsApp rejected the access token; create a new one (190)',
    });
    server.respondWith({ status: 200, body: { id: '106540352242922' } });
    await expect(WHATSAPP_CLOUD.check!(settings(), context)).resolves.toEqual({ ok: true });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)[0]).toBe(
      'GET /v23.0/106540352242922?fields=id',
    );
  });
});

describe('the webhook', () => {
  const base = {
    method: 'POST',
    url: '',
    messageId: undefined,
    path: '',
    query: {},
    headers: {},
    body: Buffer.alloc(0),
  } as const;
  const receive = (request: Partial<CallbackRequest>) =>
    WHATSAPP_CLOUD.receive!({ ...base, ...request }, settings(), providerContext());
  const sign = (body: string, secret = SECRETS.appSecret) =>
    `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const notification = (statuses: readonly object[]) =>
    JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', statuses } }] }],
    });
  const signed = (body: string, signature = sign(body)) =>
    receive({ body: Buffer.from(body), headers: { 'x-hub-signature-256': signature } });

  it('replies to the handshake with the challenge', async () => {
    const query = { 'hub.mode': 'subscribe', 'hub.verify_token': SECRETS.verifyToken, 'hub.challenge': '1158201444' };
    expect(await receive({ method: 'GET', query })).toMatchObject({
      status: 200,
      body: '1158201444',
      contentType: 'text/plain',
    });
    for (const wrong of [{ 'hub.verify_token': 'x' }, { 'hub.mode': 'x' }, { 'hub.challenge': '<script>' }])
      expect(await receive({ method: 'GET', query: { ...query, ...wrong } })).toBeUndefined();
  });

  it.each([
    ['sent', 'sent'],
    ['delivered', 'delivered'],
    ['read', 'delivered'],
    ['failed', 'undelivered'],
  ])('reports the state %s', async (status, reportedState) => {
    const body = notification([
      { id: 'wamid.HBgL', status, recipient_id: '12015553931', biz_opaque_callback_data: MESSAGE_ID },
    ]);
    const reports = [{ messageId: MESSAGE_ID, providerId: 'wamid.HBgL', reportedState }];
    expect(await signed(body)).toEqual({ reports, inbound: [], status: 200 });
  });

  it('rejects notifications that Meta did not sign', async () => {
    const body = notification([{ id: 'wamid.HBgL', status: 'delivered' }]);
    for (const signature of ['', 'sha256=', sign(body, 'other'), sign(`${body} `), sign(body).toUpperCase()])
      expect(await signed(body, signature)).toBeUndefined();
    expect(await receive({ body: Buffer.from(body) })).toBeUndefined();
  });

  it.each(['', 'null', '[]', '{"entry":1}', '{"entry":[{"changes":[null]}]}', notification([{ status: 'delivered' }])])(
    'ignores %j',
    async (body) => expect(await signed(body)).toEqual({ reports: [], inbound: [], status: 200 }),
  );
});

it('a dry run hides the token', () => {
  const shown = WHATSAPP_CLOUD.dryRun!(settings(), providerContext(), code());
  expect(shown.headers.Authorization).toBe('Bearer ••••');
  expect(JSON.stringify(shown)).not.toContain(SECRETS.accessToken);
});

it.each(['otp', 'otp = name', 'otp = Name/en', 'otp = name/e1'])('refuses the templates %j', (value) => {
  const field = WHATSAPP_CLOUD.fields.find(({ name }) => name === 'templates')!;
  expect(field.problem!(value)).toContain('must be written like');
});
