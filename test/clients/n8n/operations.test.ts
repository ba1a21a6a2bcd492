/** Every operation of the n8n node, in n8n's engine, against the running service. */
import { freshMail, freshPhone, wrongCode } from '../../support/service.js';
import { outputOf, startWorkbench, type Workbench } from './engine.js';

let bench: Workbench;
beforeAll(async () => {
  bench = await startWorkbench();
});
afterAll(() => bench.stop());

const SEND = { resource: 'otp', operation: 'send', to: '={{ $json.to }}' };
const VERIFY = { resource: 'otp', operation: 'verify', maskId: '={{ $json.maskId }}', otp: '={{ $json.code }}' };
const ORDER = { resource: 'notification', operation: 'sendOrder', to: '={{ $json.to }}' };
const INVOICE = { resource: 'notification', operation: 'sendInvoice', to: '={{ $json.to }}' };

const textFor = async (to: string): Promise<string> => (await bench.passbell.inbox(to))[0]!.text;
const isoIn = (seconds: number): string => new Date(bench.passbell.clock.now() + seconds * 1000).toISOString();

describe('OTP: Send', () => {
  it('sends a code and answers what a person needs', async () => {
    const to = freshPhone();
    const sent = await bench.one({ ...SEND, channel: 'SMS' }, { to });
    expect(sent).toEqual({
      maskId: expect.stringMatching(/^[0-9a-f]{32}$/),
      messageId: expect.stringMatching(/^[0-9a-f]{32}$/),
      to: expect.stringContaining('*****'),
      channel: 'SMS',
      expiresAt: isoIn(300),
      charge: '0.0000',
      currency: 'usd',
      message: 'OTP sent successfully',
    });
    expect(await bench.passbell.codeFor(to)).toMatch(/^\d{6}$/);
  });

  it.each([
    ['SMS', freshPhone(), 'SMS'],
    ['WHATSAPP', freshPhone(), 'WHATSAPP'],
    ['VOICE', freshPhone(), 'VOICE'],
    ['EMAIL', freshMail(), 'EMAIL'],
    ['auto', freshMail(), 'EMAIL'],
    ['auto', freshPhone(), 'SMS'],
  ])('by %s to %s goes by %s', async (channel, to, expected) => {
    expect(await bench.one({ ...SEND, channel }, { to })).toMatchObject({ channel: expected });
    expect((await bench.passbell.inbox(to))[0]).toMatchObject({ channel: expected });
  });

  it('passes on every option', async () => {
    const to = freshMail();
    const options = { otpLength: 8, expiry: 9, language: 'de' };
    expect(await bench.one({ ...SEND, options }, { to })).toMatchObject({ expiresAt: isoIn(540) });
    const [mail] = await bench.passbell.inbox(to);
    expect(mail!.text).toMatch(/\b\d{8}\b/);
    expect(mail!.text).toContain('Minuten');
  });

  it('keeps the zeros of an own code', async () => {
    const to = freshPhone();
    await bench.one({ ...SEND, options: { otp: '={{ $json.own }}' } }, { to, own: '004711' });
    expect(await bench.passbell.codeFor(to)).toBe('004711');
  });

  it('takes a phone number that a spreadsheet made a number of', async () => {
    const to = freshPhone();
    await bench.one(SEND, { to: Number(to.slice(1)) });
    expect(await bench.passbell.inbox(to)).toHaveLength(1);
  });

  it('answers the whole reply when it is not to be simplified', async () => {
    const raw = await bench.one({ ...SEND, simple: false }, { to: freshPhone() });
    expect(raw).toMatchObject({ success: true, data: { isTried: 1, isSent: 1, results: [{ authType: 'Sms' }] } });
  });
});

describe('OTP: Verify', () => {
  it('answers verified, token and user', async () => {
    const to = freshMail();
    const { maskId, code } = await bench.passbell.send(to, {}, { keys: bench.keys });
    expect(await bench.one(VERIFY, { maskId, code })).toEqual({
      verified: true,
      token: expect.stringMatching(/^ey/),
      tokenType: 'Bearer',
      expiresIn: 1800,
      user: expect.objectContaining({ email: to, userId: expect.stringMatching(/^USR-/) }),
    });
  });

  it.each([
    ['as text', (code: string) => code],
    ['as a number that lost them', (code: string) => Number(code)],
    ['as a person types it', (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)}`],
  ])('takes a code with leading zeros %s', async (_what, typed) => {
    const { maskId, code } = await bench.passbell.send(freshPhone(), { otp: '001234' }, { keys: bench.keys });
    expect(await bench.one(VERIFY, { maskId, code: typed(code) })).toMatchObject({ verified: true });
  });

  it('has an output for each way it can go, with the items linked', async () => {
    const { passbell, keys } = bench;
    const [a, b, c] = [
      await passbell.send(freshPhone(), {}, { keys }),
      await passbell.send(freshPhone(), {}, { keys }),
      await passbell.send(freshPhone(), {}, { keys }),
    ];
    const items = [a, { maskId: b.maskId, code: wrongCode(b.code) }, c].map(({ maskId, code }) => ({ maskId, code }));
    const result = await bench.run(VERIFY, items);
    expect(result.status).toBe('success');
    expect(outputOf(result, 0).map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
    expect(outputOf(result, 1)).toEqual([
      { json: { verified: false, reason: 'INVALID_OTP', message: 'Invalid OTP' }, pairedItem: { item: 1 } },
    ]);
  });

  it('can stop instead, and then has one output', async () => {
    const { maskId, code } = await bench.passbell.send(freshPhone(), {}, { keys: bench.keys });
    const result = await bench.run({ ...VERIFY, ifNotVerified: 'fail' }, [{ maskId, code: wrongCode(code) }]);
    expect(result).toMatchObject({ status: 'error', error: { message: 'Invalid OTP' } });
  });

  it.each([
    ['expired', 'OTP_EXPIRED', 0, 301_000],
    ['locked', 'OTP_LOCKED', 5, 0],
  ])('calls a code that is %s not verified', async (_what, reason, wrongTries, wait) => {
    const keys = await bench.passbell.application();
    const { maskId, code } = await bench.passbell.send(freshPhone(), {}, { keys });
    for (let i = 0; i < wrongTries; i++)
      await bench.passbell.post('/auth/verifyotp', { maskId, otp: wrongCode(code) }, { keys });
    bench.passbell.clock.advance(wait);
    const credentials = { ...keys, baseUrl: bench.passbell.url };
    const result = await bench.runAs(credentials, VERIFY, [{ maskId, code }]);
    expect(outputOf(result, 1)[0]!.json).toMatchObject({ verified: false, reason });
  });
});

describe('Session', () => {
  const newToken = async (to: string): Promise<string> => {
    const { maskId, code } = await bench.passbell.send(to, {}, { keys: bench.keys });
    return (await bench.passbell.post('/auth/verifyotp', { maskId, otp: code }, { keys: bench.keys })).data.token;
  };
  const SESSION = { resource: 'session', token: '={{ $json.token }}' };

  it('tells whose token it is', async () => {
    const to = freshMail();
    const token = await newToken(to);
    expect(await bench.one({ ...SESSION, operation: 'verifyToken' }, { token })).toEqual({
      userId: expect.stringMatching(/^USR-/),
      identityType: 'email',
      identityValue: expect.stringContaining('***'),
      channel: 'email',
      verified: true,
      verifiedAt: isoIn(0),
    });
  });

  it('revokes, after which the token is refused', async () => {
    const token = await newToken(freshPhone());
    expect(await bench.one({ ...SESSION, operation: 'revoke' }, { token })).toMatchObject({ revoked: true });
    const after = await bench.run({ ...SESSION, operation: 'verifyToken' }, [{ token }]);
    expect(after).toMatchObject({ status: 'error', error: { message: 'token revoked' } });
  });
});

describe('Notification', () => {
  it('sends an order notification with the fields of its template', async () => {
    const to = freshPhone();
    const sent = await bench.one(
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

  it('sends one of which one of two variables is needed', async () => {
    const to = freshMail();
    await bench.one({ ...ORDER, templateType: 'payment_success', orderId: 'A-7', orderTotal: '$12' }, { to });
    expect(await textFor(to)).toContain('$12');
  });

  it('takes the variables as JSON, for a template that an expression chooses', async () => {
    const to = freshMail();
    const parameters = {
      ...ORDER,
      templateType: '={{ $json.template }}',
      variablesFrom: 'json',
      variablesJson: '={{ JSON.stringify($json.words) }}',
    };
    await bench.one(parameters, { to, template: 'refund_completed', words: { orderId: 'A-8', refundedAmount: '$3' } });
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
    expect(await bench.one(parameters, { to })).toMatchObject({ channel: 'EMAIL' });
    const text = await textFor(to);
    for (const word of ['INV-7', '$120.00', 'https://shop.example/invoices/7']) expect(text).toContain(word);
  });

  it('leaves out what an earlier choice of template has left behind', async () => {
    const to = freshPhone();
    const parameters = { ...ORDER, templateType: 'order_shipped', orderId: 'A-9', refundedAmount: '$99' };
    await bench.one(parameters, { to });
    expect(await textFor(to)).not.toContain('$99');
  });
});

it('handles 50 items in one run, one after the other, each linked to its own', async () => {
  const items = Array.from({ length: 50 }, () => ({ to: freshMail() }));
  const result = await bench.run(SEND, items);
  const output = outputOf(result);
  expect(output).toHaveLength(50);
  expect(output.map(({ pairedItem }) => pairedItem.item)).toEqual(items.map((_item, index) => index));
  expect(new Set(output.map(({ json }) => json.maskId)).size).toBe(50);
  for (const { to } of items) expect(await bench.passbell.inbox(to)).toHaveLength(1);
});

describe('Message: Get Status', () => {
  const STATUS = { resource: 'message', operation: 'getStatus', messageId: '={{ $json.messageId }}' };

  it('tells how a message that the node has sent goes', async () => {
    const { messageId, to } = await bench.one(SEND, { to: freshPhone() });
    expect(await bench.one(STATUS, { messageId })).toEqual({
      messageId,
      state: 'sent',
      to,
      channel: 'SMS',
      template: 'otp',
      charge: '0.0000',
      currency: 'usd',
      createdAt: isoIn(0),
      finishedAt: isoIn(0),
    });
    expect(await bench.one({ ...STATUS, simple: false }, { messageId })).toMatchObject({ success: true });
  });

  it.each(['', null, ' '])('says that the Message ID %j is empty', async (messageId) => {
    const result = await bench.run(STATUS, [{ messageId }]);
    expect(result).toMatchObject({ status: 'error', error: { message: 'Message ID is empty' } });
  });

  it.each([
    ['unknown', '0'.repeat(32)],
    ['hostile', '../webhooks?x=1#'],
  ])('fails for an %s id', async (_what, messageId) => {
    const result = await bench.run(STATUS, [{ messageId }]);
    expect(result).toMatchObject({ status: 'error', error: { context: { itemIndex: 0 } } });
  });
});
