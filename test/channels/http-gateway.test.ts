/** The HTTP gateway: requests, delivery reports, dry runs and limits. */
import { definitionOf, HTTP_GATEWAY } from '../../backend/src/providers/http-gateway/http-gateway-type.js';
import type { ProviderSettings } from '../../backend/src/providers/provider-type.js';
import {
  assertSettings,
  type FieldProblems,
  type ProviderSettingsError,
} from '../../backend/src/modules/providers/provider-account.js';
import {
  CALLBACK_KEY,
  failureOf,
  MESSAGE_ID,
  providerContext,
  SECRET,
  setUpGateway,
  smsTo,
} from '../support/gateway-server.js';
import { createTestClock } from '../support/clock.js';
import { processorMs } from '../support/processor-time.js';

const TO = '+4915123456789';
const TEXT = '093518 is your Harbor Books code.';
const message = smsTo(TO, TEXT);

const fixture = setUpGateway();
const { gateway, settingsWith } = fixture;

describe('the request', () => {
  it('is JSON by default', async () => {
    await expect(gateway({ messageIdPath: 'id' }).send(message)).resolves.toEqual({ providerId: 'gw-1' });
    const [request] = fixture.server.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/send', headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(request!.body)).toEqual({ to: TO, text: TEXT });
  });

  it.each([
    ['form', 'POST', '/send', `to=4915123456789&text=${'093518+is+your+Harbor+Books+code.'}`],
    ['query', 'GET', `/send?to=4915123456789&text=093518+is+your+Harbor+Books+code.`, ''],
  ])('is a %s', async (encoding, method, path, body) => {
    const values = 'to = {{ to }}\ntext = {{ text }}\nempty = {{ template | remove: "otp" }}';
    await gateway({ encoding, method, number: 'digits', body: values }).send(message);
    expect(fixture.server.requests[0]).toMatchObject({ method, path, body });
  });

  it('omits fields without a value, and converts numbers and booleans', async () => {
    const body = JSON.stringify({
      sender: '{{ from }}',
      unicode: '{{ unicode | boolean }}',
      parts: '{{ code | integer }}',
      flash: false,
      nested: { report: { url: '{{ callbackUrl }}' } },
      list: ['{{ from }}', '{{ to }}'],
    });
    await gateway({ body }, { callbackUrl: undefined }).send(smsTo(TO, 'Zażółć ☕'));
    expect(JSON.parse(fixture.server.requests[0]!.body)).toEqual({
      unicode: true,
      parts: 93518,
      flash: false,
      list: [TO],
    });
  });

  it.each([
    ['plus', '+4915123456789'],
    ['digits', '4915123456789'],
    ['national', '15123456789'],
  ])('contains the number in the format %s', async (number, expected) => {
    await gateway({ number }).send(message);
    expect(JSON.parse(fixture.server.requests[0]!.body).to).toBe(expected);
  });

  it.each([
    [{ authentication: 'basic', user: 'shop' }, { authorization: `Basic ${btoa(`shop:${SECRET}`)}` }, '/send'],
    [{ authentication: 'bearer' }, { authorization: `Bearer ${SECRET}` }, '/send'],
    [{ authentication: 'header', authenticationName: 'X-Api-Key' }, { 'x-api-key': SECRET }, '/send'],
    [{ authentication: 'query', authenticationName: 'key' }, {}, `/send?key=${SECRET}`],
  ])('authenticates with %j', async (settings, headers, path) => {
    await gateway(settings).send(message);
    expect(fixture.server.requests[0]).toMatchObject({ headers, path });
  });

  it('has the configured headers and template ids', async () => {
    const body = '{"to": "{{ to }}", "template": "{{ templateId }}"}';
    const templates = 'otp = 1107, otp.de = 1108';
    await gateway({ body, templates, headers: 'X-Reference: {{ messageId }}' }).send(message);
    expect(fixture.server.requests[0]!.headers['x-reference']).toBe(MESSAGE_ID);
    expect(JSON.parse(fixture.server.requests[0]!.body).template).toBe('1107');
  });

  it('is not sent without a template id if the gateway requires templates', async () => {
    const error = await failureOf(gateway({ needsTemplate: 'true', templates: 'order_shipped = 1' }), message);
    expect(error).toMatchObject({
      kind: 'permanent',
      concerns: 'route',
      reason: 'the provider has no template for otp',
    });
    expect(fixture.server.requests).toHaveLength(0);
  });
});

describe('delivery reports', () => {
  const settings = {
    reportState: 'status',
    reportStates: 'delivered = DELIVRD, OK\nundelivered = UNDELIV\nsent = ACCEPTD',
    messageIdPath: 'id',
    reportId: 'id',
  };
  const report = (request: { body?: string; query?: Record<string, string>; messageId?: string }, more = {}) =>
    HTTP_GATEWAY.receive!(
      {
        method: 'POST',
        url: '',
        path: '',
        headers: {},
        query: request.query ?? {},
        messageId: request.messageId,
        body: Buffer.from(request.body ?? ''),
      },
      settingsWith({ ...settings, ...more }),
      providerContext(),
    );

  it.each([
    ['JSON', { body: '{"id":"7","status":"DELIVRD"}' }],
    ['a form', { body: 'id=7&status=OK' }],
    ['a query', { query: { id: '7', status: 'DELIVRD' } }],
  ])('can be sent as %s', async (_name, request) => {
    const expected = [{ messageId: undefined, providerId: '7', reportedState: 'delivered' }];
    expect(await report(request)).toEqual({ reports: expected });
  });

  it("can be sent as a list, and can contain Passbell's message id", async () => {
    const body = JSON.stringify({
      results: [
        { id: 1, ref: MESSAGE_ID, status: 'UNDELIV' },
        { id: 2, status: 'NEW' },
      ],
    });
    const expected = [{ messageId: MESSAGE_ID, providerId: '1', reportedState: 'undelivered' }];
    expect(await report({ body }, { reportList: 'results', reportMessageId: 'ref' })).toEqual({ reports: expected });
  });

  it('without an id apply to the message in the callback URL', async () => {
    const expected = [{ messageId: MESSAGE_ID, providerId: MESSAGE_ID, reportedState: 'sent' }];
    expect(await report({ body: 'status=ACCEPTD', messageId: MESSAGE_ID })).toEqual({ reports: expected });
  });

  it.each(['', 'not json', '[]', 'null', '{"status":{"a":1}}', '{"id":"7"}'])(
    'without a state are ignored: %j',
    async (body) => expect(await report({ body })).toEqual({ reports: [] }),
  );

  it("are matched by the gateway's message id only if they contain no other id", () => {
    const url = '{"to": "{{ to }}", "text": "{{ text }}", "dlr": "{{ callbackUrl }}"}';
    expect(gateway(settings).reportsByProviderId).toBe(true);
    expect(gateway({ ...settings, body: url }).reportsByProviderId).toBeUndefined();
    expect(gateway({ ...settings, reportMessageId: 'ref' }).reportsByProviderId).toBeUndefined();
  });
});

describe('a dry run', () => {
  it('shows the request, and hides all secrets', () => {
    const body = '{"key": "{{ secret }}", "to": "{{ to }}", "text": "{{ text }}", "dlr": "{{ callbackUrl }}"}';
    const settings = { url: 'https://sms.example.com/{{ secret }}/send', body, authentication: 'basic', user: 'shop' };
    const shown = HTTP_GATEWAY.dryRun!(settingsWith(settings), providerContext(), message);
    expect(shown).toMatchObject({ method: 'POST', url: 'https://sms.example.com/••••/send' });
    expect(shown.headers).toEqual({ 'Content-Type': 'application/json', Authorization: 'Basic ••••' });
    const dlr = `https://codes.example.com/callbacks/provider/PRV1/${MESSAGE_ID}?key=••••`;
    expect(JSON.parse(shown.body!)).toEqual({ key: '••••', to: TO, text: TEXT, dlr });
    for (const secret of [SECRET, CALLBACK_KEY, btoa(`shop:${SECRET}`)])
      expect(JSON.stringify(shown)).not.toContain(secret);
    expect(fixture.server.requests).toHaveLength(0);
  });

  it.each([
    ['?key=k3y&to={{ to }}', `?key=••••&to=${encodeURIComponent(TO)}`],
    ['?k3y', '?••••'],
    ['/{{ "?" }}?auth=shop:{{ user }}&v=1&{{ "a" }}', '/%3F?auth=••••shop&v=••••&a'],
    ['{% if unicode %}?type=u&k3y{% else %}?type=t&key=k3y={% endif %}', '••••&key=••••'],
    // A regular expression that backtracks would take hours.
    [`/${'{{ user }}'.repeat(40)}`, `/${'shop'.repeat(40)}`],
  ])('hides what was typed into the query of the address %s', (typed, shown) => {
    const settings = settingsWith({ url: `https://sms.example.com/send${typed}`, user: 'shop' });
    const { url } = HTTP_GATEWAY.dryRun!(settings, providerContext(), message);
    expect(url).toBe(`https://sms.example.com/send${shown}`);
  });

  it.each(['bearer', 'header', 'query'])('hides the secret of the authentication method %s', (authentication) => {
    const settings = settingsWith({ authentication, authenticationName: 'X-Key' });
    const shown = JSON.stringify(HTTP_GATEWAY.dryRun!(settings, providerContext(), message));
    expect(shown).not.toContain(SECRET);
    expect(shown).toContain('••••');
  });
});

describe('the request rate', () => {
  it('is limited to the configured number per second', async () => {
    const clock = createTestClock();
    const provider = gateway({ perSecond: '2' }, { clock });
    const sends = [1, 2, 3].map(() => provider.send(message));
    await sends[0];
    expect(await failureOf(provider, message)).toMatchObject({ kind: 'transient', concerns: 'message' });
    expect(fixture.server.requests).toHaveLength(1);
    clock.advance(500);
    await sends[1];
    expect(fixture.server.requests).toHaveLength(2);
    clock.advance(500);
    await Promise.all(sends);
  });

  it('is limited for a gateway that never replies, so that workers remain available for other providers', async () => {
    const clock = createTestClock();
    fixture.server.respondWith('silent');
    const provider = gateway({}, { clock });
    const stuck = Array.from({ length: 16 }, () => provider.send(message).catch((error: unknown) => error));
    await fixture.server.waitForRequest(16);
    clock.advance(1000);
    expect(await failureOf(provider, message)).toMatchObject({ kind: 'transient', concerns: 'message' });
    await fixture.server.close();
    await Promise.all(stuck);
    await fixture.restart();
  });
});

const REPORTS = { reportState: 's', reportStates: 'sent = 1' };

function problemsOf(settings: ProviderSettings): FieldProblems {
  try {
    assertSettings(HTTP_GATEWAY, settingsWith(settings), false);
    return {};
  } catch (error) {
    return (error as ProviderSettingsError).problems;
  }
}

describe('the settings', () => {
  const tooLong = 'contains a condition longer than 4000 characters';
  it.each<[string, ProviderSettings]>([
    [tooLong, { success: `status${' '.repeat(10_000)}x` }],
    [tooLong, { success: `a=b${' '.repeat(15_000)}c` }],
    [tooLong, { errors: `transient: a=b${' '.repeat(15_000)}c` }],
    ['must start with one of permanent', { errors: `x${' '.repeat(15_000)}x` }],
    ['must start with “and”', { success: `a exists${' '.repeat(3900)}c` }],
    ['is not a status', { success: `status 1${' '.repeat(3900)}x` }],
    ['contains a regular expression longer', { messageIdPath: `/${'(a+)+'.repeat(150)}/` }],
    ['contains a path longer', { messageIdPath: 'a.'.repeat(5000) }],
    ['which is not valid. A “{{” is not closed', { url: `https://${'{{'.repeat(1900)}@` }],
    ['contains a template longer than 4000', { url: `https://${'{{'.repeat(9000)}@` }],
  ])('are rejected without blocking the process: %s', async (problem, settings) => {
    const ms = await processorMs(() => expect(Object.values(problemsOf(settings)).join()).toContain(problem));
    expect(ms).toBeLessThan(500);
  });

  it('are compiled once, and not again for each delivery report', async () => {
    let reads = 0;
    const settings = new Proxy(
      settingsWith({
        success: 'status 200',
        reportState: 'state',
        reportStates: 'delivered = OK',
        reportMessageId: 'id',
      }),
      { get: (target, name: string) => (name === 'success' && reads++, target[name]) },
    );
    HTTP_GATEWAY.create(settings, providerContext());
    const readsOfCompilation = reads;
    const request = { method: 'POST', url: '', path: '', headers: {}, query: {}, messageId: undefined } as const;
    const body = Buffer.from(JSON.stringify({ state: 'OK', id: MESSAGE_ID }));
    for (let n = 0; n < 3; n++)
      expect(await HTTP_GATEWAY.receive!({ ...request, body }, settings, providerContext())).toMatchObject({
        reports: [{ reportedState: 'delivered' }],
      });
    expect(reads).toBe(readsOfCompilation);
  });

  it.each<[string, string, ProviderSettings]>([
    ['url', 'must start with https:// or http://', { url: 'ftp://sms.example.com' }],
    ['url', 'must not contain {{ to }} in its host', { url: 'https://{{ to }}.example.com/' }],
    ['url', 'must not contain {%', { url: 'https://sms{% if code %}{{ code }}{% endif %}.example/' }],
    ['url', 'must not contain a password', { url: 'https://shop:s3cret@sms.example.com/' }],
    ['url', 'must not contain a password', { url: 'https://{{ user }}:{{ secret }}@sms.example.com/' }],
    ['url', 'must not contain {{ text }} in its host', { url: 'https://sms.example.com:{{ text }}/' }],
    ['body', 'must be JSON', { body: '{"to": {{ to }}}' }],
    ['body', 'contains “{{ to ”, which is not valid. A “{{” is not closed', { body: '{"to": "{{ to "}' }],
    ['body', 'There is no filter “raw”', { body: '{"to": "{{ to | raw }}"}' }],
    ['body', 'Enter one value per line, such as', { encoding: 'form' }],
    [
      'body',
      'contains “phone”, which is not a value. Use to, ',
      { body: '{"to": "{{ phone }}", "text": "{{ txt }}"}' },
    ],
    ['body', 'contains “txt”, which is not', { encoding: 'form', body: 'to = {{ to }}\ntext = {{ txt }}' }],
    ['body', 'contains “flash”, which', { body: '{"to": "{{ to }}", "list": [null, "{{ flash | boolean }}"]}' }],
    ['body', "needs {{ to }}, the recipient's number", { body: '{"text": "{{ text }}"}' }],
    ['url', 'contains “key”, which is not a value', { url: 'https://sms.example.com/{{ key }}' }],
    ['headers', 'contains “msgid”, which is not a value', { headers: 'X-Reference: {{ msgid }}' }],
    ['headers', 'cannot be set as a header', { headers: 'Host: internal' }],
    ['headers', 'cannot be set as a header', { headers: 'X Y: 1' }],
    ['headers', 'Enter one value per line, such as', { headers: 'no colon' }],
    ['success', 'is not a condition', { success: 'code' }],
    ['success', 'is not a status', { success: 'status 2' }],
    ['success', 'must start with “and”', { success: 'a exists b exists' }],
    ['success', 'not a valid regular expression', { success: '/(/' }],
    ['errors', 'must start with one of permanent, route', { errors: 'fatal: status 500' }],
    ['messageIdPath', 'is not a path', { messageIdPath: 'a[b' }],
    ['reportStates', 'must be sent, delivered or', { ...REPORTS, reportMessageId: 'ref', reportStates: 'ok = 1' }],
    ['reportStates', 'is needed for delivery reports', { reportState: 's', reportMessageId: 'ref' }],
    ['reportState', 'needs the message ID', REPORTS],
    ['reportState', 'needs the message ID', { ...REPORTS, messageIdPath: 'id' }],
    ['reportState', 'needs the message ID', { ...REPORTS, reportId: 'id' }],
    ['lookUpFound', 'is needed for a lookup', { lookUpUrl: 'https://sms.example.com/', lookUpId: 'id' }],
    ['lookUpId', 'is needed for a lookup', { lookUpUrl: 'https://sms.example.com/', lookUpFound: 'id exists' }],
    ['authenticationName', 'is needed for this authentication', { authentication: 'header' }],
    ['secret', 'is needed for this authentication', { authentication: 'bearer', secret: '' }],
    ['user', 'is needed for this authentication', { authentication: 'basic', user: '' }],
    ['authenticationName', 'cannot be set as a header', { authentication: 'header', authenticationName: 'X Y' }],
    ['encoding', 'must be query parameters for a GET request', { method: 'GET' }],
  ])('are rejected with a problem at the invalid field: %s %s', (field, problem, settings) => {
    expect(problemsOf(settings)).toEqual({ [field]: expect.stringContaining(problem) });
  });

  it.each<[string, ProviderSettings]>([
    ['number in the address', { url: 'https://sms.example.com/{{ nationalNumber }}', body: '{"text": "{{ text }}"}' }],
    ['number in a header', { headers: 'X-To: {{ to }}', body: '{"text": "{{ text }}"}' }],
    [
      'value that a template assigns',
      { body: '{"to": "{% assign n = to %}{{ n }}", "unicode": "{{ unicode | boolean }}"}' },
    ],
  ])('can have the %s', (_place, settings) => {
    expect(problemsOf(settings)).toEqual({});
  });

  it('are rejected with the problems of all fields', () => {
    const wrong = { url: 'ftp://a', body: '{', success: 'code', lookUpUrl: 'ftp://b', authentication: 'query' };
    const names = ['url', 'body', 'success', 'lookUpUrl', 'lookUpFound', 'lookUpId', 'authenticationName'];
    expect(Object.keys(problemsOf(wrong)).sort()).toEqual(names.sort());
  });

  it('have unique field names, and set the timeout', () => {
    const names = HTTP_GATEWAY.fields.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(definitionOf(settingsWith({ timeoutSeconds: '2' })).timeoutSeconds).toBe(2);
  });
});
