/**
 * A random walk over the management API: operations in any order, with values that are valid, of the wrong type, out of range
 * or hostile. No request causes an internal error, and every reply matches the contract.
 */
import fc from 'fast-check';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { OPERATIONS, type OperationParameter } from '../../backend/src/modules/manage/operations.js';
import { createKey, type TestKey } from '../support/manage.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { check, json, text } from './hostile.js';

let passbell: TestService;
let owner: TestKey;
/** Values that exist, by the name of their parameter. */
const existing: Record<string, unknown[]> = {};
beforeAll(async () => {
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  owner = await createKey(passbell);
  await passbell.core.providers.service.allow(OPERATOR, owner.accountId, true);
  const created = async (method: string, path: string, body: object) => (await owner.call(method, path, body)).data;
  const keys = await created('post', '/applications', { name: 'Walk' });
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, NO_LIMITS);
  const application = `/applications/${keys.appKey}`;
  const webhook = { url: 'http://127.0.0.1:9/', events: ['otp.verified'] };
  const { webhookId } = await created('post', `${application}/webhooks`, webhook);
  const to = freshPhone();
  const { messageId, maskId, code } = await passbell.send(to, {}, { keys });
  await passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys });
  const { user } = await created('post', `${application}/users/find`, { person: to });
  const settings = {
    channel: 'SMS',
    url: 'https://gateway.example/',
    body: '{ "to": "{{ to }}", "text": "{{ text }}" }',
  };
  const { id } = await created('post', '/providers', { type: 'http-gateway', name: 'Gateway', settings });
  expect([webhookId, user, id, messageId].every((value) => typeof value === 'string')).toBe(true);
  Object.assign(existing, {
    application: [keys.appKey, 'chosen', 'pk_dashboard'],
    app: [keys.appKey],
    webhook: [webhookId, 'chosen'],
    user: [user],
    template: ['otp', 'order_shipped'],
    language: ['en', 'de', ''],
    country: ['DE', '*'],
    messageId: [messageId],
    maskId: [maskId],
    provider: [id, 'chosen'],
    type: ['http-gateway', 'smtp', 'twilio'],
    url: ['http://127.0.0.1:9/'],
    settings: [settings, { pumpingPercent: 1 }, { url: 'https://gateway.example/x' }],
    prices: [{ DE: '0.07', '*': '0.1' }],
    testRecipients: [{ '+15550100': '123456' }],
    limits: [{ sendsPerDay: 5 }],
    design: [{ accent: '#123456' }],
    quietHours: ['22:00-08:00'],
    from: ['2026-01-31', '2026-01-31T15:04:05Z'],
    to: [to, freshMail(), '2027-01-31', '2027-01-31T15:04:05Z'],
    recipient: [to],
    person: [to],
    addresses: [[freshMail(), freshMail()]],
    after: ['1'],
  });
});
afterAll(() => passbell.stop());

const NUMBERS = [-1, 0, 1, 7, 1.5, 2 ** 31, 2 ** 53, 1e21, 1e308, -1e308];
const WORDS = [
  '+15550100',
  'ana@example.com',
  'SMS',
  'de',
  'DE',
  '22:00-08:00',
  '-1',
  '1e999',
  '9'.repeat(30),
  'x'.repeat(70_000),
];

interface Schema extends OperationParameter {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | false;
}

/** Values of a schema, some of them out of its range. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type = 'string', items, properties, additionalProperties } = schema;
  const kinds = [type].flat();
  const choices: fc.Arbitrary<unknown>[] = [];
  if (schema.enum) choices.push(fc.constantFrom(...schema.enum));
  else if (kinds.includes('string')) choices.push(fc.constantFrom(...WORDS), text);
  if (kinds.includes('integer') || kinds.includes('number')) choices.push(fc.constantFrom(...NUMBERS), fc.nat(50));
  if (kinds.includes('boolean')) choices.push(fc.boolean());
  if (kinds.includes('null')) choices.push(fc.constant(null));
  if (kinds.includes('array')) choices.push(fc.array(valuesOf((items ?? {}) as Schema), { maxLength: 3 }));
  if (properties) {
    const fields = Object.entries(properties).map(([name, each]) => [name, parameterOf(name, each)]);
    choices.push(fc.record(Object.fromEntries(fields), { requiredKeys: [] }));
  } else if (kinds.includes('object'))
    choices.push(
      fc.dictionary(fc.constantFrom('DE', '*', '+15550100', 'url'), valuesOf(additionalProperties || ({} as Schema))),
    );
  return fc.oneof(...choices);
}

const parameterOf = (name: string, schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.nat(9).map((n) => existing[name]?.[n % existing[name].length] ?? `new-${n}`) },
    { weight: 3, arbitrary: valuesOf(schema) },
    { weight: 1, arbitrary: json },
  );

/** A value as text, without half surrogate pairs, which no URL can contain. */
const queryText = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString();

/** An operation, with its parameters. */
const step = fc.constantFrom(...OPERATIONS).chain((operation) => {
  const { parameters, name } = operation;
  const required = Object.keys(parameters).filter((each) => parameters[each]!.required);
  const all = Object.fromEntries(Object.entries(parameters).map(([each, schema]) => [each, parameterOf(each, schema)]));
  const values = fc.oneof(
    { weight: 4, arbitrary: fc.record(all, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(all, { requiredKeys: [] }) },
  );
  return values.map((given) => ({ name, given: given as Record<string, unknown>, operation }));
});

it('no request causes an internal error or a reply that the contract does not describe', async () => {
  const counts: Record<number, number> = {};
  await check(
    step,
    async ({ given, operation: { method, path, parameters } }) => {
      const placed = (place: string) => Object.entries(given).filter(([name]) => parameters[name]!.place === place);
      // Empty path segments and dots lead to other paths.
      const segment = (value: unknown) => encodeURIComponent(queryText(value)).replace(/^\.*$/, 'x').slice(0, 2000);
      const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
        segment(given[name] ?? 'x').replace(/%.?$/, ''),
      );
      // All values together fit into the 16 kB of headers that Node accepts, even if each character is encoded as nine.
      const inQuery = placed('query').map(([name, value]) => [name, queryText(value)] as const);
      const longest = Math.floor(1500 / Math.max(1, inQuery.length));
      const query = new URLSearchParams(inQuery.map(([name, value]) => [name, value.slice(0, longest)]));
      const hasBody = ['POST', 'PUT', 'PATCH'].includes(method);
      const body = hasBody ? Object.fromEntries(placed('body')) : undefined;
      const { status } = await owner.call(method.toLowerCase(), `${filled}${query.size > 0 ? `?${query}` : ''}`, body);
      counts[status] = (counts[status] ?? 0) + 1;
      expect(status).toBeLessThan(500);
    },
    Number(process.env.WALK_STEPS ?? 300),
  );
  if (process.env.WALK_STEPS) console.log(JSON.stringify(counts));
  // The walk also reaches the services behind the checks of parameters.
  expect(counts[200]).toBeGreaterThan(20);
});
