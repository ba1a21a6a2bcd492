/**
 * No parameter of an API operation, and no text in a request of a shop, an identity server or a vendor, blocks the
 * process. New operations and parameters are tested automatically.
 */
import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import {
  contract,
  resolveRefs,
  type ParameterSchema,
  type RequestSchema,
} from '../../backend/src/platform/contract/contract.js';
import { signIn } from '../support/dashboard.js';
import { findSlowText } from '../support/long-texts.js';
import { addGateway, addTwilio, waitForRoutingUpdate } from '../support/providers.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { freshOrder, shopifyOrder, standardHeaders, wooRequest } from '../support/shop-events.js';
import { createShops } from '../support/shops.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService();
  const change = { ...NO_LIMITS, settings: { twoFactorWidget: true, countries: ['US', 'DE'] } };
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, change);
});
afterAll(() => passbell.stop());

/** Room for texts in a body, and in a header or a query. */
const BODY_BYTES = 65_000;
const HEADER_BYTES = 12_000;

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Parameter = { readonly name: string; readonly in: string; readonly schema: ParameterSchema };
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: RequestSchema }>> };
}

/** Returns the paths of all texts and numbers in a value. */
function leavesOf(value: Json, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item as Json, [...path, key]));
}

function withText(value: Json, [key, ...path]: readonly string[], text: string): Json {
  if (key === undefined) return text;
  const entries = Object.entries(value as object).map(([name, item]) => [
    name,
    name === key ? withText(item as Json, path, text) : item,
  ]);
  return Array.isArray(value) ? entries.map(([, item]) => item as Json) : (Object.fromEntries(entries) as Json);
}

const leafOf = (value: Json, path: readonly string[]): string =>
  String(path.reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], value) ?? '');

/** Sends a value repeatedly, each time with a long text in another place. */
async function findSlowLeaves(name: string, value: Json, send: (body: string) => Promise<unknown>): Promise<string[]> {
  const bytes = BODY_BYTES - JSON.stringify(value).length;
  const slow: string[] = [];
  for (const path of leavesOf(value))
    slow.push(
      ...(await findSlowText({
        name: `${name} ${path.join('.')}`,
        start: leafOf(value, path),
        bytes,
        send: (text) => send(JSON.stringify(withText(value, path, text))),
      })),
    );
  return slow;
}

async function call(path: string, method: string, headers: Record<string, string>, body?: string): Promise<void> {
  const reply = await fetch(`${passbell.url}${path}`, {
    method,
    headers: { Connection: 'close', ...headers },
    ...(body === undefined ? {} : { body }),
  });
  await reply.text();
}

function exampleOf(schema: ParameterSchema & { readonly examples?: readonly Json[] }): Json {
  if (schema.properties)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, property]) => [name, exampleOf(property)]));
  return schema.examples?.[0] ?? (schema.default as Json | undefined) ?? '';
}

const operations = Object.entries(contract.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [method, path, resolveRefs(operation) as Operation] as const),
);

describe.each(operations)('%s %s', (method, path, { parameters = [], requestBody }) => {
  const keys = () => ({ clientId: passbell.keys.appKey, clientSecret: passbell.keys.appSecret });
  const url = `/api/v1${path}`;

  it('is not blocked by a parameter', async () => {
    const slow: string[] = [];
    const schema = requestBody?.content['application/json']?.schema;
    if (schema) {
      const example = { ...(exampleOf(schema as never) as object), appKey: passbell.keys.appKey };
      const type = { 'Content-Type': 'application/json', Origin: 'https://shop.example' };
      slow.push(...(await findSlowLeaves(path, example, (body) => call(url, 'POST', { ...keys(), ...type }, body))));
    }
    for (const { name, in: place, schema: parameter } of parameters) {
      const sends: Record<string, (text: string) => Promise<void>> = {
        query: (text) =>
          call(`${url}?${new URLSearchParams({ [name]: text }).toString().replaceAll('%28', '(')}`, method, keys()),
        path: (text) => call(url.replace(/\{\w+\}/, encodeURIComponent(text)), method, keys()),
        header: (text) => call(url, method, { ...keys(), [name]: text }),
      };
      const start = String(exampleOf(parameter));
      // An encoded space has three characters.
      const bytes = place === 'path' ? HEADER_BYTES / 3 : HEADER_BYTES;
      slow.push(...(await findSlowText({ name: `${path} ${name}`, start, bytes, send: sends[place]! })));
    }
    expect(slow).toEqual([]);
  });
});

describe('an event of a shop', () => {
  const customer = { first_name: 'Ines', country: 'US', country_code: 'US', phone: '', email: 'ines@example.org' };

  it.each(['woocommerce', 'shopify', 'json'] as const)('does not block the process: %s', async (kind) => {
    const shops = createShops(passbell, await signIn(passbell));
    const shop = await shops.connect(passbell.keys, kind);
    const phone = freshPhone();
    const now = passbell.clock.now();
    const samples: Record<string, Json> = {
      woocommerce: {
        id: freshOrder(),
        number: '4711',
        status: 'processing',
        total: '54.80',
        currency: 'EUR',
        date_paid_gmt: new Date(now).toISOString().slice(0, 19),
        billing: { ...customer, phone },
      },
      shopify: { ...(shopifyOrder(freshOrder(), now) as { [name: string]: Json }), customer },
      json: { event: 'paid', id: '1', time: new Date(now).toISOString(), to: phone, orderId: '1', amount: '12.50' },
    };
    const requestOf = (body: string) => {
      const signature = createHmac('sha256', shop.secret).update(body).digest('base64');
      if (kind === 'shopify')
        return { body, headers: { 'X-Shopify-Topic': 'orders/paid', 'X-Shopify-Hmac-Sha256': signature } };
      if (kind === 'woocommerce')
        return { body, headers: { ...wooRequest(shop.secret, {}).headers, 'X-WC-Webhook-Signature': signature } };
      return { body, headers: { Authorization: `Bearer ${shop.secret}` } };
    };
    expect(await shops.post(shop, requestOf(JSON.stringify(samples[kind])))).toMatchObject({
      status: 200,
      message: 'event received',
    });
    const send = async (body: string) => shops.post(shop, requestOf(body));
    expect(await findSlowLeaves(kind, samples[kind]!, send)).toEqual([]);
    expect(await findSlowText({ name: kind, send })).toEqual([]);
  });
});

/** Derives the key as described in docs/integrations.md. */
function codeRequestKey(appSecret: string, kind: string): Buffer {
  const hex = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex');
  return Buffer.from(hex(hex(appSecret, 'passbell user token'), `passbell sms hook ${kind}`), 'hex');
}

it('a request of an identity server does not block the process', async () => {
  const { appKey, appSecret } = passbell.keys;
  const url = `/hooks/sms`;
  const supabase = (body: string) => {
    const headers = standardHeaders(
      codeRequestKey(appSecret, 'supabase').toString('base64'),
      '1',
      passbell.clock.now(),
      body,
    );
    return call(`${url}/supabase?appKey=${appKey}`, 'POST', headers, body);
  };
  const logto = (body: string) =>
    call(
      `${url}/logto?appKey=${appKey}`,
      'POST',
      { Authorization: `Bearer ${codeRequestKey(appSecret, 'logto').toString('hex')}` },
      body,
    );
  const ip = '198.51.100.7';
  const user = {
    user: { phone: '14155550123', new_phone: '' },
    sms: { otp: '135790', phone: '' },
    metadata: { ip_address: ip },
  };
  const message = { type: 'SignIn', to: freshPhone(), payload: { code: '135790' }, ip };
  expect(await findSlowLeaves('supabase', user, supabase)).toEqual([]);
  expect(await findSlowLeaves('logto', message, logto)).toEqual([]);
  for (const send of [supabase, logto]) expect(await findSlowText({ name: 'code request', send })).toEqual([]);
});

it('a delivery report does not block the process', async () => {
  const settings = { reportState: 'state', reportStates: 'delivered = OK', reportId: 'id', messageIdPath: 'id' };
  const gateway = await addGateway(passbell, 'Gateway', { url: 'http://127.0.0.1:1' }, settings);
  const account = { url: 'http://127.0.0.1:1', accountSid: `AC${'0'.repeat(32)}`, authToken: 'token' };
  const twilio = await addTwilio(passbell, 'Twilio', account as never);
  await waitForRoutingUpdate(passbell);
  for (const { id } of [gateway, twilio]) {
    const { callbackKey } = passbell.core.providers.routing.receiver(id)!;
    const url = `/callbacks/provider/${id}/-?key=${callbackKey}`;
    const send = (body: string) => call(url, 'POST', {}, body);
    expect(await findSlowLeaves('report', { state: 'OK', id: '1' }, send)).toEqual([]);
    for (const send of [
      (text: string) => call(url, 'POST', {}, text),
      (text: string) => call(url, 'POST', {}, `state=OK&id=${text}`),
    ])
      expect(await findSlowText({ name: 'report', send })).toEqual([]);
  }
});

it('a request to the page of the unsubscribe link does not block the process', async () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  for (const send of [
    (text: string) => call('/unsubscribe', 'POST', form, `unsubscribe=${encodeURIComponent(text)}`),
    (text: string) => call('/unsubscribe', 'POST', form, text),
  ])
    expect(await findSlowText({ name: 'unsubscribe', send })).toEqual([]);
});

it('a request to the page of a code does not block the process', async () => {
  const { maskId } = await passbell.send(freshMail());
  const request = { maskId, callbackUrl: `${passbell.url}/nothing`, expiresIn: 900 };
  const { pathname, search } = new URL((await passbell.post('/auth/codepages', request)).data.url);
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  for (const send of [
    (text: string) => call(pathname + search, 'POST', form, `code=${encodeURIComponent(text)}`),
    (text: string) => call(`/code?page=${encodeURIComponent(text.slice(0, 2000))}`, 'POST', form, 'code=1'),
  ])
    expect(await findSlowText({ name: 'code', send })).toEqual([]);
});

it('all other routes that accept a body are tested here', () => {
  const source = fileURLToPath(new URL('../../backend/src', import.meta.url));
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('-routes.ts'),
  );
  const routes = files.flatMap((name) =>
    [
      ...readFileSync(join(source, name), 'utf8').matchAll(/\.(?:post|put|patch)\(\s*('[^']+'|\[[^\]]*\]|[A-Z_]+)/g),
    ].map(([, path]) => path),
  );
  expect(routes.sort()).toEqual([
    "'/code'",
    "'/hooks/incoming/:publicId'",
    "'/hooks/sms/:kind'",
    "'/unsubscribe'",
    '[STORED, ENVIRONMENT]',
  ]);
});

it('wrong credentials do not block the process', async () => {
  for (const name of [
    'clientId',
    'clientSecret',
    'Authorization',
    'Origin',
    'Cookie',
    'X-Forwarded-For',
    'Accept-Language',
  ]) {
    const headers = { clientId: passbell.keys.appKey, clientSecret: passbell.keys.appSecret };
    const send = (text: string) => call('/api/v1/application', 'GET', { ...headers, [name]: text });
    expect(await findSlowText({ name, bytes: HEADER_BYTES, send })).toEqual([]);
  }
});
