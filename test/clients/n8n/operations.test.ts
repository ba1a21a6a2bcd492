/** Every operation of the n8n node in n8n's engine, against the running service. */
import { freshMail, freshPhone, wrongCode } from '../../support/service.js';
import { outputOf, startFixture, type Fixture } from './engine.js';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.stop());

const SEND = { resource: 'otp', operation: 'send', to: '={{ $json.to }}' };
const VERIFY = { resource: 'otp', operation: 'verify', maskId: '={{ $json.maskId }}', otp: '={{ $json.code }}' };
const ORDER = { resource: 'notification', operation: 'sendOrder', to: '={{ $json.to }}' };
const INVOICE = { resource: 'notification', operation: 'sendInvoice', to: '={{ $json.to }}' };

const textFor = async (to: string): Promise<string> => (await fixture.passbell.inbox(to))[0]!.text;
const isoAfter = (seconds: number): string => new Date(fixture.passbell.clock.now() + seconds * 1000).toISOString();

describe('OTP: Send', () => {
  it('sends a code and returns the simplified result', async () => {
    const to = freshPhone();
    const sent = await fixture.runOne({ ...SEND, channel: 'SMS' }, { to });
    expect(sent).toEqual({
      maskId: expect.stringMatching(/^[0-9a-f]{32}$/),
      messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
      to: expect.stringContaining('*****'),
      channel: 'SMS',
      expiresAt: isoAfter(300),
      charge: '0.0000',
      currency: 'usd',
      message: 'OTP sent successfully',
    });
    expect(await fixture.passbell.codeFor(to)).toMatch(/^\d{6}$/);
  });

  it.each([
    ['SMS', freshPhone(), 'SMS'],
    ['WHATSAPP', freshPhone(), 'WHATSAPP'],
    ['VOICE', freshPhone(), 'VOICE'],
    ['EMAIL', freshMail(), 'EMAIL'],
    ['auto', freshMail(), 'EMAIL'],
    ['auto', freshPhone(), 'SMS'],
  ])('with the channel "%s" and the recipient %s sends over %s', async (channel, to, expected) => {
    expect(await fixture.runOne({ ...SEND, channel }, { to })).toMatchObject({ channel: expected });
    expect((await fixture.passbell.inbox(to))[0]).toMatchObject({ channel: expected });
  });

  it('passes every option to the service', async () => {
    const to = freshMail();
    const options = { otpLength: 8, expiry: 9, language: 'de', clientIp: '198.51.100.7' };
    expect(await fixture.runOne({ ...SEND, options }, { to })).toMatchObject({ expiresAt: isoAfter(540) });
    const [mail] = await fixture.passbell.inbox(to);
    expect(mail!.text).toMatch(/\b\d{8}\b/);
    expect(mail!.text).toContain('Minuten');
  });

  it('names the fields of the node in errors', async () => {
    const failing = async (parameters: object, item: object) =>
      (await fixture.run(parameters, [item], { typeVersion: 1.2 })).error!;
    expect(await failing({ ...SEND, options: { otp: '12' } }, { to: freshPhone() })).toMatchObject({
      message: 'Own Code must be 4 to 10 letters or digits',
    });
    const byRecipient = { resource: 'otp', operation: 'verify', verifyBy: 'recipient', to: '={{ $json.to }}' };
    expect(await failing({ ...byRecipient, otp: '1' }, { to: '' })).toMatchObject({ message: 'Recipient is empty' });
    expect(await failing({ ...byRecipient, otp: '1' }, { to: '(415) 555-0199' })).toMatchObject({
      message: 'invalid recipient',
      description: expect.stringContaining('country code'),
    });
    expect(await failing({ ...byRecipient, otp: '={{ $json.code }}' }, { to: freshPhone(), code: '' })).toMatchObject({
      description: expect.stringContaining('Code is empty.'),
    });
  });

  it('keeps the leading zeros of a custom code', async () => {
    const to = freshPhone();
    await fixture.runOne({ ...SEND, options: { otp: '={{ $json.own }}' } }, { to, own: '004711' });
    expect(await fixture.passbell.codeFor(to)).toBe('004711');
  });

  it('accepts a phone number of type number, as in a spreadsheet', async () => {
    const to = freshPhone();
    await fixture.runOne(SEND, { to: Number(to.slice(1)) });
    expect(await fixture.passbell.inbox(to)).toHaveLength(1);
  });

  it('returns the full reply if Simplify is off', async () => {
    const raw = await fixture.runOne({ ...SEND, simple: false }, { to: freshPhone() });
    expect(raw).toMatchObject({ success: true, data: { isTried: 1, isSent: 1, results: [{ authType: 'Sms' }] } });
  });
});

describe('OTP: Verify', () => {
  it('returns verified, token and user', async () => {
    const to = freshMail();
    const { maskId, code } = await fixture.passbell.send(to, {}, { keys: fixture.keys });
    expect(await fixture.runOne(VERIFY, { maskId, code })).toEqual({
      verified: true,
      token: expect.stringMatching(/^ey/),
      tokenType: 'Bearer',
      expiresIn: 1800,
      user: expect.objectContaining({ email: to, userId: expect.stringMatching(/^USR-/) }),
    });
  });

  it.each([
    ['as a string', (code: string) => code],
    ['as a number without its leading zeros', (code: string) => Number(code)],
    ['with spaces', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}`],
  ])('accepts a code that starts with zeros %s', async (_what, typed) => {
    const { maskId, code } = await fixture.passbell.send(freshPhone(), { otp: '001234' }, { keys: fixture.keys });
    expect(await fixture.runOne(VERIFY, { maskId, code: typed(code) })).toMatchObject({ verified: true });
  });

  it('finds the code by its recipient', async () => {
    const to = freshPhone();
    const { code } = await fixture.passbell.send(to, {}, { keys: fixture.keys });
    const parameters = { resource: 'otp', operation: 'verify', to: '={{ $json.phone }}', otp: '={{ $json.code }}' };
    const result = await fixture.run(parameters, [{ phone: to, code }], { typeVersion: 1.1 });
    expect(outputOf(result)[0]!.json).toMatchObject({ verified: true, user: { phone: to } });
  });

  it('outputs verified and other codes on separate outputs, linked to their input items', async () => {
    const { passbell, keys } = fixture;
    const a = await passbell.send(freshPhone(), {}, { keys });
    const b = await passbell.send(freshPhone(), {}, { keys });
    const c = await passbell.send(freshPhone(), {}, { keys });
    const items = [a, { maskId: b.maskId, code: wrongCode(b.code) }, c].map(({ maskId, code }) => ({ maskId, code }));
    const result = await fixture.run(VERIFY, items);
    expect(result.status).toBe('success');
    expect(outputOf(result, 0).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
    expect(outputOf(result, 1)).toEqual([
      { json: { verified: false, reason: 'INVALID_OTP', message: 'Invalid OTP' }, pairedItem: { item: 1 } },
    ]);
  });

  it('stops the workflow on a wrong code if "If Not Verified" is "fail"', async () => {
    const { maskId, code } = await fixture.passbell.send(freshPhone(), {}, { keys: fixture.keys });
    const result = await fixture.run({ ...VERIFY, ifNotVerified: 'fail' }, [{ maskId, code: wrongCode(code) }]);
    expect(result).toMatchObject({ status: 'error', error: { message: 'Invalid OTP' } });
  });

  it.each([
    ['expired', 'OTP_EXPIRED', 0, 301_000],
    ['locked', 'OTP_LOCKED', 5, 0],
  ])('treats a code that is %s as not verified', async (_what, reason, wrongTries, wait) => {
    const keys = await fixture.passbell.application();
    const { maskId, code } = await fixture.passbell.send(freshPhone(), {}, { keys });
    for (let step = 1; step <= wrongTries; step++)
      await fixture.passbell.post('/auth/verifyotp', { maskId, otp: wrongCode(code, step) }, { keys });
    fixture.passbell.clock.advance(wait);
    const credentials = { ...keys, baseUrl: fixture.passbell.url };
    const result = await fixture.runAs(credentials, VERIFY, [{ maskId, code }]);
    expect(outputOf(result, 1)[0]!.json).toMatchObject({ verified: false, reason });
  });
});

describe('Session', () => {
  const newToken = async (to: string): Promise<string> => {
    const { maskId, code } = await fixture.passbell.send(to, {}, { keys: fixture.keys });
    return (await fixture.passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: fixture.keys })).data.token;
  };
  const SESSION = { resource: 'session', token: '={{ $json.token }}' };

  it('returns the user that a token belongs to', async () => {
    const to = freshMail();
    const token = await newToken(to);
    expect(await fixture.runOne({ ...SESSION, operation: 'verifyToken' }, { token })).toEqual({
      userId: expect.stringMatching(/^USR-/),
      identityType: 'email',
      identityValue: expect.stringContaining('***'),
      channel: 'email',
      verified: true,
      verifiedAt: isoAfter(0),
    });
  });

  it('revokes a token, which is then rejected', async () => {
    const token = await newToken(freshPhone());
    expect(await fixture.runOne({ ...SESSION, operation: 'revoke' }, { token })).toMatchObject({ revoked: true });
    const after = await fixture.run({ ...SESSION, operation: 'verifyToken' }, [{ token }]);
    expect(after).toMatchObject({ status: 'error', error: { message: 'token revoked' } });
  });
});

describe('Notification', () => {
  it('needs only the fields of the template that an expression chooses', async () => {
    const to = freshPhone();
    const parameters = { ...ORDER, templateType: '={{ $json.template }}', orderId: '={{ $json.order }}' };
    const sent = await fixture.runOne(parameters, { to, template: 'order_delivered', order: 'A-55' });
    expect(sent.messageId).toMatch(/^[0-9a-f]{32}$/);
    expect(await textFor(to)).toContain('A-55');
    const result = await fixture.run(parameters, [{ to, template: 'payment_success', order: 'A-55' }]);
    expect(result).toMatchObject({ status: 'error', error: { message: expect.stringContaining('Order Total') } });
  });

  it('treats null as missing', async () => {
    const to = freshPhone();
    const variablesJson = '={{ { orderId: "A-56", trackingNo: null } }}';
    await fixture.runOne({ ...ORDER, templateType: 'order_shipped', variablesFrom: 'json', variablesJson }, { to });
    expect(await textFor(to)).toContain('A-56');
  });

  it('sends an order notification with its template fields', async () => {
    const to = freshPhone();
    const sent = await fixture.runOne(
      {
        ...ORDER,
        channel: 'SMS',
        templateType: 'order_shipped',
        orderId: '={{ $json.order }}',
        moreVariables: { customerName: 'Ana', trackingNo: '007-X' },
      },
      { to, order: 'A-1001' },
    );
    expect(sent).toMatchObject({ channel: 'SMS', message: 'notification sent successfully', charge: '0.0000' });
    const text = await textFor(to);
    for (const word of ['Ana', 'A-1001', '007-X']) expect(text).toContain(word);
  });

  it('sends a template that requires one of two variables', async () => {
    const to = freshMail();
    await fixture.runOne({ ...ORDER, templateType: 'payment_success', orderId: 'A-7', orderTotal: '$12' }, { to });
    expect(await textFor(to)).toContain('$12');
  });

  it('accepts variables as JSON, for a template from an expression', async () => {
    const to = freshMail();
    const parameters = {
      ...ORDER,
      templateType: '={{ $json.template }}',
      variablesFrom: 'json',
      variablesJson: '={{ JSON.stringify($json.words) }}',
    };
    await fixture.runOne(parameters, {
      to,
      template: 'refund_completed',
      words: { orderId: 'A-8', refundedAmount: '$3' },
    });
    expect(await textFor(to)).toContain('$3');
  });

  it('sends an invoice notification', async () => {
    const to = freshMail();
    const parameters = {
      ...INVOICE,
      templateType: 'invoice_generated',
      invoiceNumber: 'INV-7',
      amount: '$120.00',
      moreVariables: { invoiceUrl: 'https://shop.example/invoices/7' },
      options: { language: 'de' },
    };
    expect(await fixture.runOne(parameters, { to })).toMatchObject({ channel: 'EMAIL' });
    const text = await textFor(to);
    for (const word of ['INV-7', '$120.00', 'https://shop.example/invoices/7']) expect(text).toContain(word);
  });

  it('omits fields of a previously selected template', async () => {
    const to = freshPhone();
    const parameters = { ...ORDER, templateType: 'order_shipped', orderId: 'A-9', refundedAmount: '$99' };
    await fixture.runOne(parameters, { to });
    expect(await textFor(to)).not.toContain('$99');
  });
});

it('handles 50 items in one run, each linked to its input item', async () => {
  const items = Array.from({ length: 50 }, () => ({ to: freshMail() }));
  const result = await fixture.run(SEND, items);
  const output = outputOf(result);
  expect(output).toHaveLength(50);
  expect(output.map(({ pairedItem }) => pairedItem.item)).toEqual(items.map((_item, index) => index));
  expect(new Set(output.map(({ json }) => json.maskId)).size).toBe(50);
  for (const { to } of items) expect(await fixture.passbell.inbox(to)).toHaveLength(1);
});

describe('a scheduled notification', () => {
  const NOTIFICATION = {
    resource: 'notification',
    operation: 'sendOrder',
    to: '={{ $json.to }}',
    channel: 'SMS',
    templateType: 'order_shipped',
    orderId: 'A-1001',
  };
  const CANCEL = { resource: 'message', operation: 'cancel', messageId: '={{ $json.messageId }}' };

  it('has the reference of the workflow', async () => {
    const GET = { resource: 'message', operation: 'getStatus', messageId: '={{ $json.messageId }}' };
    const options = { reference: '={{ $json.order }}' };
    for (const send of [NOTIFICATION, SEND]) {
      const { messageId } = await fixture.runOne({ ...send, options }, { to: freshPhone(), order: 1001 });
      expect(await fixture.runOne(GET, { messageId })).toMatchObject({ messageId, reference: '1001' });
    }
  });

  it('is sent at the time of Send At, and can be canceled', async () => {
    const sendAt = isoAfter(3600);
    const sent = await fixture.runOne({ ...NOTIFICATION, options: { sendAt } }, { to: freshPhone() });
    expect(sent).toMatchObject({ sendAt, message: `notification is scheduled for ${sendAt.replace('.000Z', 'Z')}` });
    const { messageId } = sent;
    for (let n = 0; n < 2; n++)
      expect(await fixture.runOne(CANCEL, { messageId })).toMatchObject({ messageId, state: 'canceled', sendAt });
  });

  it('uses the time zone of the workflow for a time without a time zone', async () => {
    // New York, the default zone of n8n, is 5 hours behind UTC.
    const sendAt = isoAfter(6 * 3600);
    const local = isoAfter(3600).slice(0, 19);
    expect(await fixture.runOne({ ...NOTIFICATION, options: { sendAt: local } }, { to: freshPhone() })).toMatchObject({
      sendAt,
    });
  });

  it('cannot be canceled after it was sent', async () => {
    const { messageId } = await fixture.runOne(SEND, { to: freshPhone() });
    const result = await fixture.run(CANCEL, [{ messageId }]);
    expect(result).toMatchObject({ status: 'error', error: { message: 'message is no longer scheduled' } });
  });
});

describe('Message: Get Status', () => {
  const STATUS = { resource: 'message', operation: 'getStatus', messageId: '={{ $json.messageId }}' };

  it('returns the message state', async () => {
    const { messageId, to } = await fixture.runOne(SEND, { to: freshPhone() });
    expect(await fixture.runOne(STATUS, { messageId })).toEqual({
      messageId,
      state: 'sent',
      to,
      channel: 'SMS',
      template: 'otp',
      charge: '0.0000',
      currency: 'usd',
      createdAt: isoAfter(0),
      finishedAt: isoAfter(0),
    });
    expect(await fixture.runOne({ ...STATUS, simple: false }, { messageId })).toMatchObject({ success: true });
  });

  it.each(['', null, ' '])('rejects the empty Message ID %j', async (messageId) => {
    const result = await fixture.run(STATUS, [{ messageId }]);
    expect(result).toMatchObject({ status: 'error', error: { message: 'Message ID is empty' } });
  });

  it.each([
    ['unknown', '0'.repeat(32)],
    ['hostile', '../webhooks?x=1#'],
  ])('fails for an %s Message ID', async (_what, messageId) => {
    const result = await fixture.run(STATUS, [{ messageId }]);
    expect(result).toMatchObject({ status: 'error', error: { context: { itemIndex: 0 } } });
  });
});
