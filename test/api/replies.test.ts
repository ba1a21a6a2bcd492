/** STOP in the formats of the SMS gateways and of Meta. The examples are from the vendors' documentation. */
import { createHmac } from 'node:crypto';
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { startGatewayServer, type GatewayServer } from '../support/gateway-server.js';
import { PRESET_EXAMPLES } from '../support/preset-examples.js';
import { accountOf, addGateway, setRoute, VERIFIED, waitForRoutingUpdate } from '../support/providers.js';
import { freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { CALLBACK_BASE } from '../support/twilio-callback.js';

const META = { accessToken: 'EAAJB-token', appSecret: 'app-s3cret', verifyToken: 'verify-t0ken' };
const META_SETTINGS = { ...META, phoneNumberId: '106540352242922', templates: 'order_shipped = shipped/en' };

const form = (values: Record<string, string>): string => new URLSearchParams(values).toString();
const metaMessage = (message: object): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [{ id: '102290129340398', changes: [{ value: { messages: [message] }, field: 'messages' }] }],
  });

/** Returns the body of the vendor's request. `to`: the sender's number, with `+`. */
type Example = (to: string) => string;

const EXAMPLES: readonly (readonly [type: string, vendorsFormat: string, Example])[] = [
  [
    '46elks',
    'form',
    (to) => form({ direction: 'incoming', id: 'sf84', from: to, to: '+46706860000', message: 'STOP' }),
  ],
  [
    'africas-talking',
    'form',
    (to) => form({ date: '2026-11-26 10:30:00', from: to, id: '1', linkId: 'a-1', text: 'STOP', to: '22384' }),
  ],
  [
    'bird',
    'JSON',
    (to) =>
      JSON.stringify({
        type: 'sms.received',
        timestamp: '2026-11-26T10:30:00.000Z',
        data: { sms_id: 'sms_abc124', workspace_id: 'ws_1', to: '+15551234567', from: to, text: 'STOP' },
      }),
  ],
  [
    'infobip',
    'JSON',
    (to) =>
      JSON.stringify({
        results: [
          { messageId: '817790313235066447', from: to.slice(1), to: '41793026731', text: 'Stop.', keyword: '' },
        ],
        messageCount: 1,
        pendingMessageCount: 0,
      }),
  ],
  [
    'plivo',
    'form',
    (to) =>
      form({ From: to.slice(1), To: '14155550100', Type: 'sms', Text: ' stop ', MessageUUID: 'ef6c', Units: '1' }),
  ],
  [
    'sinch',
    'JSON',
    (to) => JSON.stringify({ type: 'mo_text', id: '01J', from: to.slice(1), to: '12362320246', body: 'Stop!' }),
  ],
  [
    'sms-gate',
    'JSON',
    (to) =>
      JSON.stringify({
        deviceId: 'ffffffffceb0b1db0000018e937c815b',
        event: 'sms:received',
        id: 'Ey6ECgOkVVFjz3CL48B8C',
        payload: { messageId: 'abc123', message: 'STOP', sender: to, recipient: '+15551234567', simNumber: 1 },
      }),
  ],
  [
    'sms-gate',
    'JSON of an older app',
    (to) => JSON.stringify({ event: 'sms:received', payload: { message: 'STOP', phoneNumber: to, simNumber: null } }),
  ],
  [
    'telnyx',
    'JSON',
    (to) =>
      JSON.stringify({
        data: {
          event_type: 'message.received',
          payload: {
            direction: 'inbound',
            from: { phone_number: to, carrier: 'T-MOBILE USA, INC.', line_type: 'Wireless' },
            to: [{ phone_number: '+18445550001', status: 'delivered' }],
            text: 'STOP',
          },
        },
      }),
  ],
  [
    'textbee',
    'JSON',
    (to) => JSON.stringify({ smsId: 's1', sender: to, message: 'Stop', webhookEvent: 'MESSAGE_RECEIVED' }),
  ],
  [
    'vonage',
    'JSON',
    (to) => JSON.stringify({ msisdn: to.slice(1), to: '447700900001', text: 'STOP', type: 'text', keyword: 'STOP' }),
  ],
  [
    'vonage',
    'form',
    (to) => form({ msisdn: to.slice(1), to: '447700900001', text: 'STOP', type: 'text', keyword: 'STOP' }),
  ],
  [
    'whatsapp-cloud',
    'text message',
    (to) => metaMessage({ from: to.slice(1), id: 'wamid.1', timestamp: '1', type: 'text', text: { body: 'STOP' } }),
  ],
  [
    'whatsapp-cloud',
    'quick-reply button',
    (to) => metaMessage({ from: to.slice(1), type: 'button', button: { payload: 'Unsubscribe', text: 'Unsubscribe' } }),
  ],
];

const HOSTILE = [
  '',
  'null',
  '5',
  '"STOP"',
  '[]',
  '[[[[',
  '{"results":"[[[["}',
  '{"results":[null,{"from":{},"text":[]}]}',
  '{"data":null}',
  '{"from":["+1"],"text":{"a":"STOP"},"body":1}',
  '{"entry":[{"changes":[{"value":{"messages":[null,{"from":1,"text":null},{"from":"x","text":{"body":"STOP"}}]}}]}]}',
  'from=&text=STOP&message=STOP&From=&Text=STOP&msisdn=',
  `from=${'9'.repeat(5000)}&text=STOP`,
  '\u0000%00%ff&from=%00&text=%00',
];

let gateway: GatewayServer;
let passbell: TestService;
let keys: TestService['keys'];
beforeAll(async () => {
  gateway = await startGatewayServer();
  passbell = await startService({ BASE_URL: CALLBACK_BASE, DEV_INBOX: 'off' });
  keys = await passbell.application(NO_LIMITS);
  const [sms, whatsapp] = await Promise.all([
    addGateway(passbell, 'SMS', gateway),
    addGateway(passbell, 'WhatsApp', gateway, { channel: 'WHATSAPP' }),
  ]);
  await setRoute(passbell, 'SMS', '*', sms.id);
  await setRoute(passbell, 'WHATSAPP', '*', whatsapp.id);
});
afterAll(async () => {
  await passbell.stop();
  await gateway.close();
});

let count = 0;
const notify = (to: string, authWay: string): Promise<Body> => {
  const variables = { orderId: `A-${++count}` };
  return passbell.post('/notifications/order', { to, authWay, templateType: 'order_shipped', variables }, { keys });
};

/** Adds a provider, and returns functions for messages that it has sent and for requests to its address for replies. */
async function addVendor(type: string) {
  const isMeta = type === 'whatsapp-cloud';
  const authWay = isMeta ? 'WHATSAPP' : 'SMS';
  const settings = isMeta ? META_SETTINGS : PRESET_EXAMPLES[type]!.settings;
  const request = { type, name: `${type} ${++count}`, settings };
  const view = await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
  await waitForRoutingUpdate(passbell);
  const address = (isMeta ? view.callbackUrl : view.inboundUrl)!.slice(CALLBACK_BASE.length);
  return {
    address,
    notify: (to: string) => notify(to, authWay),
    /** Sends a message, and stores that this vendor has sent it: the vendor's own server cannot be called in a test. */
    async sent(): Promise<string> {
      const to = freshPhone();
      expect(await notify(to, authWay)).toMatchObject({ success: true });
      const db = passbell.openDatabase();
      await db('messages').where({ recipient: to }).update({ provider: view.id });
      await db.destroy();
      return to;
    },
    async receive(body: string, { isForged = false } = {}): Promise<number> {
      const path = isForged && !isMeta ? address.replace(/key=.*/, 'key=0123456789abcdef') : address;
      const secret = isForged ? 'another' : META.appSecret;
      const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': signature };
      const response = await passbell.fetch(path, { method: 'POST', body }, { headers });
      // 46elks sends the body of the reply to the recipient.
      expect(await response.text()).toBe('');
      return response.status;
    },
  };
}

it.each(EXAMPLES)('%s (%s): STOP stops notifications to this recipient only', async (type, _format, example) => {
  const vendor = await addVendor(type);
  const to = await vendor.sent();
  const other = await vendor.sent();
  expect(await vendor.receive(example(to), { isForged: true })).toBe(403);
  expect(await vendor.notify(to)).toMatchObject({ success: true });
  expect(await vendor.receive(example(to))).toBe(200);
  expect(await vendor.notify(to)).toMatchObject({ success: false, code: 'RECIPIENT_OPTED_OUT' });
  expect(await vendor.notify(other)).toMatchObject({ success: true });
});

it.each([...new Set(EXAMPLES.map(([type]) => type))])('%s: an empty or hostile reply records nothing', async (type) => {
  const vendor = await addVendor(type);
  const db = passbell.openDatabase();
  const optOuts = () => db('opt_outs').select();
  const before = await optOuts();
  for (const body of HOSTILE) expect([body, await vendor.receive(body)]).toEqual([body, 200]);
  expect(await optOuts()).toEqual(before);
  await db.destroy();
});

it('Vonage may send replies as GET requests', async () => {
  const vendor = await addVendor('vonage');
  const to = await vendor.sent();
  const url = `${vendor.address}&${form({ msisdn: to.slice(1), text: 'STOP' })}`;
  const response = await passbell.fetch(url, { method: 'GET' });
  expect(response.status).toBe(200);
  expect(await vendor.notify(to)).toMatchObject({ code: 'RECIPIENT_OPTED_OUT' });
});
