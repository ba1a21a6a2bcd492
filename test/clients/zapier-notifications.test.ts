/** Order Notification and Invoice Notification of the Zapier app. */
import { writtenValue } from '../../backend/src/modules/templates/rendering/local-values.js';
import { TEMPLATES, VARIABLES } from '../../backend/src/platform/contract/generated/templates.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type Body, type TestService } from '../support/service.js';
import { App, connect, type Action } from '../support/zapier.js';

let passbell: TestService;
let shop: ReturnType<typeof connect>;
beforeAll(async () => {
  passbell = await startService();
  shop = connect(passbell.url, await passbell.application(NO_LIMITS));
});
afterAll(() => passbell.stop());

const actionOf = (name: string): Action =>
  TEMPLATES[name as keyof typeof TEMPLATES].kind === 'order' ? 'order_notification' : 'invoice_notification';
const newestText = async (to: string): Promise<string> => (await passbell.inbox(to))[0]!.text;

describe('the template', () => {
  it.each(Object.entries(TEMPLATES))('%s is sent with its variables', async (templateType, template) => {
    const to = freshMail();
    const names = [...template.required, ...template.oneOf, ...template.optional];
    const variables = Object.fromEntries(names.map((name) => [name, VARIABLES[name].sample]));
    const output = await shop.act(actionOf(templateType), { to, templateType, channel: 'EMAIL', ...variables });
    expect(output).toMatchObject({ isTried: 1, isSent: 1, authType: 'Email' });
    const text = await newestText(to);
    for (const name of [...template.required, ...template.oneOf.slice(0, 1)])
      expect(text).toContain(writtenValue(VARIABLES[name].sample, 'en'));
  });

  it.each(Object.entries(TEMPLATES))('%s lists its missing variables', async (templateType, template) => {
    const missing = [...template.required, ...template.oneOf.slice(0, 1)];
    const empty = Object.fromEntries(missing.map((name, i) => [name, ['', null, undefined][i % 3]]));
    const failure = await shop.actError(actionOf(templateType), { to: freshPhone(), templateType, ...empty });
    expect(failure).toMatchObject({ name: 'AppError', code: 'MISSING_TEMPLATE_VARIABLES' });
    for (const name of missing) expect(failure.text).toContain(VARIABLES[name].label);
    expect(failure.text).not.toMatch(/[a-z][A-Z]/);
  });
});

it('Find Message finds a message by its ID, and returns nothing for an unknown ID', async () => {
  const { perform } = App.searches.find_message!.operation;
  const { messageId }: Body = await shop.act('order_notification', {
    to: 'ana@example.com',
    templateType: 'order_shipped',
    orderId: 'A-77',
  });
  const [found]: Body[] = await shop.run(perform, { inputData: { messageId: ` ${messageId} ` } });
  expect(found).toMatchObject({ id: messageId, state: 'sent', authType: 'Email', to: 'an***@example.com' });
  expect(Date.parse(found.finishedAt)).toBe(passbell.clock.now());
  expect(found.deliveredAt).toBeNull();
  expect(await shop.run(perform, { inputData: { messageId: 'f'.repeat(32) } })).toEqual([]);
});

it('Find Message finds the newest message to a recipient', async () => {
  const { perform } = App.searches.find_message!.operation;
  const to = freshPhone();
  const send = (orderId: string): Promise<Body> =>
    shop.act('order_notification', { to, templateType: 'order_shipped', orderId, channel: 'SMS' });
  const { messageId: first } = await send('A-1');
  passbell.clock.advance(1000);
  const { messageId: second } = await send('A-2');
  const find = async (inputData: Body): Promise<Body[]> => shop.run(perform, { inputData });
  expect((await find({ to })).map(({ id }) => id)).toEqual([second, first]);
  expect(await find({ to, state: 'failed' })).toEqual([]);
  expect(await find({ to, channel: 'EMAIL' })).toEqual([]);
});

it('schedules a message, and cancels it', async () => {
  const sendAt = new Date(passbell.clock.now() + 3_600_000).toISOString();
  const order = { to: freshPhone(), templateType: 'order_shipped', orderId: 'A-1', channel: 'SMS', sendAt };
  const { messageId, sendAt: scheduledFor }: Body = await shop.act('order_notification', order);
  expect(scheduledFor).toBe(sendAt);
  const canceled: Body = await shop.act('cancel_message', { messageId: ` ${messageId} ` });
  expect(canceled).toMatchObject({ id: messageId, state: 'canceled', sendAt, deliveredAt: null });
  const sent: Body = await shop.act('order_notification', { ...order, orderId: 'A-2', sendAt: '' });
  const failure = await shop.actError('cancel_message', { messageId: sent.messageId });
  expect(failure).toMatchObject({ name: 'AppError', code: 'MESSAGE_NOT_SCHEDULED' });
});

it('Find Usage adds up the counts of all channels', async () => {
  const keys = await passbell.application(NO_LIMITS);
  const day = new Date(passbell.clock.now()).toISOString().slice(0, 10);
  const db = passbell.openDatabase();
  const { id } = await db('applications').where({ app_key: keys.appKey }).first();
  const none = { sent: 0, delivered: 0, undelivered: 0, failed: 0, codes: 0, verified: 0 };
  const key = { application_id: id, day, country: 'US', currency: 'usd', ...none };
  await db('usage_counts').insert([
    { ...key, channel: 'SMS', sent: 2, cost: 150 },
    { ...key, channel: 'VOICE', sent: 1, failed: 1, cost: 75 },
  ]);
  await db.destroy();
  const { perform } = App.searches.find_usage!.operation;
  const [usage]: Body[] = await connect(passbell.url, keys).run(perform, { inputData: { from: `${day}T10:00:00Z` } });
  expect(usage).toMatchObject({ from: day, sent: 3, failed: 1, charge: 0.0225, currency: 'usd' });
  expect(usage.days.map(({ authType }: Body) => authType)).toEqual(['Sms', 'Voice']);
  const shopOf = connect(passbell.url, keys);
  await expect(shopOf.run(perform, { inputData: { from: 'soon' } })).rejects.toThrow('First Day must be a day');
  const later = { from: '2026-02-01', to: '2026-01-01' };
  await expect(shopOf.run(perform, { inputData: later })).rejects.toThrow('First Day must be no later than Last Day');
});

describe('Send Order Notification', () => {
  it('sends to several recipients, with a result for each', async () => {
    const one = freshPhone();
    const two = freshMail();
    const output: Body = await shop.act('order_notification', order({ to: `${one}, nobody; ${two}` }));
    expect(output.recipients).toMatchObject([
      { to: one, accepted: true, reason: '', messageId: output.messageId },
      { to: 'nobody', accepted: false, reason: expect.stringMatching(/^Invalid recipient/), messageId: '' },
      { to: two, accepted: true },
    ]);
    for (const to of [one, two]) expect(await passbell.inbox(to)).toHaveLength(1);
  });

  it('shows a preview of the selected template, in the selected language', async () => {
    const fields = App.creates.order_notification!.operation.inputFields!.at(-1) as unknown as (
      z: object,
      bundle: object,
    ) => Body[];
    const preview = (inputs: object) => fields({}, { inputData: { templateType: 'order_shipped', ...inputs } })[0];
    // A mapped language is known only when the Zap runs.
    for (const inputs of [{}, { language: '{{1__language}}' }]) {
      const helpText = expect.stringMatching(/^As an SMS in English: .*is on its way/);
      expect(preview(inputs)).toMatchObject({ type: 'copy', helpText });
    }
    const german = expect.stringMatching(/^As an SMS in German: .*Bestellung A-1001 ist unterwegs/);
    expect(preview({ language: 'de' })).toMatchObject({ helpText: german });
    expect(fields({}, { inputData: { templateType: 'unknown' } }).map(({ key }) => key)).not.toContain('preview');
  });

  const order = (inputs: object = {}): object => ({
    to: freshPhone(),
    templateType: 'order_shipped',
    orderId: 'A-1001',
    ...inputs,
  });

  it.each(['SMS', 'WHATSAPP', 'VOICE'])('sends over %s in the selected language', async (channel) => {
    const to = freshPhone();
    await shop.act('order_notification', order({ to, channel, language: 'de', customerName: 'Ana' }));
    expect((await passbell.inbox(to))[0]).toMatchObject({ channel, text: expect.stringContaining('Ana') });
  });

  it('accepts a mapped template name with any variable', async () => {
    const to = freshPhone();
    await shop.act('order_notification', order({ to, templateType: 'Order Dispatched', trackingNo: 'TRACK9' }));
    expect(await newestText(to)).toContain('TRACK9');
  });

  it('accepts numbers as variables', async () => {
    const to = freshMail();
    const fields = { templateType: 'order_update', orderId: 1001, updateMessage: 'On time.', orderTotal: 59.9 };
    await shop.act('order_notification', order({ to, ...fields }));
    expect(await newestText(to)).toMatch(/1001[\s\S]*On time\.[\s\S]*59\.9/);
  });

  it.each([
    ['no recipient', { to: '' }, 'MISSING_RECIPIENT'],
    ['no template', { templateType: '' }, 'MISSING_PARAMETERS'],
    ['an unknown template', { templateType: 'order_eaten' }, 'UNKNOWN_TEMPLATE'],
    ['an invoice template', { templateType: 'invoice_paid' }, 'UNKNOWN_TEMPLATE'],
    ['an unknown channel', { channel: 'PIGEON' }, 'INVALID_AUTH_WAY'],
    ['an invalid link', { trackingLink: 'javascript:alert(1)' }, 'INVALID_PARAMETER', /^Tracking Link must be a link/],
    [
      'a long text',
      { templateType: 'order_update', updateMessage: 'x'.repeat(501) },
      'INVALID_PARAMETER',
      /^Update M.*500/,
    ],
  ])('fails the run for %s', async (_case, inputs, code, text = /\.$/) => {
    expect(await shop.actError('order_notification', order(inputs))).toMatchObject({
      name: 'AppError',
      code,
      text: expect.stringMatching(text),
    });
  });

  it('is retried later when the same notification has just been sent', async () => {
    const strict = connect(passbell.url, await passbell.application());
    const inputs = order();
    const first: Body = await strict.act('order_notification', { ...inputs, reference: '1' });
    expect(first.isSent).toBe(1);
    expect(await strict.actError('order_notification', { ...inputs, reference: '2' })).toMatchObject({
      name: 'ThrottledError',
      delay: 30,
    });
  });
});
