/** A form that was submitted but not saved: saving it later detects that someone else has saved the form in the meantime. */
import { designFields } from '../../backend/src/dashboard/widget/design-form.js';
import { DEFAULT_DESIGN } from '../../backend/src/modules/applications/application.js';
import { hiddenFields, signIn, type Fields, type Visitor } from '../support/dashboard.js';
import { addGateway } from '../support/providers.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { NO_LIMITS, startService, type TestService } from '../support/service.js';

let passbell: TestService;
let gateway: GatewayServer;
let owner: Visitor;
let base: string;
beforeAll(async () => {
  [passbell, gateway] = [await startService(), await startGatewayServer()];
  await addGateway(passbell, 'Local SMS', gateway);
  owner = await signIn(passbell);
});
afterAll(async () => {
  await passbell.stop();
  await gateway.close();
});
beforeEach(async () => {
  const { appKey } = await passbell.application(NO_LIMITS);
  base = `/applications/${appKey}`;
});

interface Edited {
  readonly at: string;
  /** Fields that differ in the saved values of two people. */
  readonly saved: readonly [Fields, Fields];
  /** Fields that are not saved. */
  readonly unsaved: Fields;
  /** The path to which another button submits them. */
  readonly to?: string;
}

const guard = { strictness: '2', pauseHome: '0', confirmed: 'yes' };
const design = designFields(DEFAULT_DESIGN);

const FORMS: Readonly<Record<string, () => Edited>> = {
  'the protection settings with an invalid number': () => ({
    at: `${base}/protection/settings`,
    saved: [
      { ...guard, tolerance: '40' },
      { ...guard, tolerance: '60' },
    ],
    unsaved: { ...guard, tolerance: 'many' },
  }),
  'the protection settings before their confirmation': () => ({
    at: `${base}/protection/settings`,
    saved: [
      { ...guard, tolerance: '40' },
      { ...guard, tolerance: '60' },
    ],
    unsaved: { ...guard, tolerance: '30', confirmed: '' },
  }),
  'the settings of an application': () => ({
    at: `${base}/settings/countries`,
    saved: [{ countries: 'DE' }, { countries: 'FR' }],
    unsaved: { countries: 'Nowhere' },
  }),
  'test recipients with another row': () => ({
    at: `${base}/settings/test-recipients`,
    saved: [
      { 'recipient-0': '+12015550123', 'code-0': '111111' },
      { 'recipient-0': '+12015550123', 'code-0': '222222' },
    ],
    unsaved: { 'recipient-0': '+12015550123', 'code-0': '333333', more: 'yes' },
  }),
  'test recipients with an invalid code': () => ({
    at: `${base}/settings/test-recipients`,
    saved: [
      { 'recipient-0': '+12015550123', 'code-0': '111111' },
      { 'recipient-0': '+12015550123', 'code-0': '222222' },
    ],
    unsaved: { 'recipient-0': '+12015550123', 'code-0': '-' },
  }),
  'an allow-list': () => ({
    at: `${base}/allow-list`,
    saved: [{ entries: 'https://first.example' }, { entries: 'https://second.example' }],
    unsaved: { entries: 'not an address' },
  }),
  'the design of the widget': () => ({
    at: `${base}/widget`,
    saved: [
      { ...design, title: 'First' },
      { ...design, title: 'Second' },
    ],
    unsaved: { ...design, radius: '99' },
  }),
  'prices with an invalid price': () => ({
    at: '/channels/prices/sms',
    saved: [{ price: '1' }, { price: '2' }],
    unsaved: { price: 'many' },
  }),
  'prices with more rows': () => ({
    at: '/channels/prices/sms',
    saved: [{ price: '3' }, { price: '4' }],
    unsaved: { price: '5', more: 'yes' },
  }),
  'a template after its preview': () => ({
    at: `${base}/templates/order_shipped/sms/en`,
    saved: [{ text: 'First' }, { text: 'Second' }],
    unsaved: { text: 'Third' },
    to: `${base}/templates/order_shipped/sms/en/preview`,
  }),
};

it.each(Object.entries(FORMS))('detects an edit conflict of %s', async (_, form) => {
  const { at, saved, unsaved, to = at } = form();
  const action = `/dashboard${at}`;
  const opened = hiddenFields((await owner.get(at)).html, action);
  expect((await owner.submit(at, at, saved[0])).status).toBe(303);
  const shown = await owner.post(to, { ...opened, ...unsaved });
  expect([200, 422]).toContain(shown.status);
  const late = await owner.post(at, { ...hiddenFields(shown.html, action), ...saved[1] });
  expect(late.status).toBe(409);
  // The person has seen both values.
  expect((await owner.post(at, hiddenFields(late.html, action))).status).toBe(303);
});

it('detects an edit conflict of the account settings before it reports errors', async () => {
  const at = '/account-settings';
  const opened = hiddenFields((await owner.get(at)).html, `/dashboard${at}`);
  const fields = { name: 'Theirs', timeZone: 'UTC' };
  expect((await owner.submit(at, at, fields)).status).toBe(303);
  expect((await owner.post(at, { ...opened, ...fields, timeZone: 'Nowhere' })).status).toBe(409);
  expect((await owner.submit(at, at, { ...fields, timeZone: 'Nowhere' })).status).toBe(422);
});
