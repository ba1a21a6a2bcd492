/** The card above messages that did not arrive: their reasons, each with the number of messages. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { hintOf } from '../../backend/src/modules/fraud/fraud-texts.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { NO_LIMITS, startService, type TestService } from '../support/service.js';
import { TWILIO_ERRORS, startTwilioServer, type TwilioServer } from '../support/twilio-server.js';

let twilio: TwilioServer;
let passbell: TestService;
let owner: Visitor;
let viewer: Visitor;
beforeAll(async () => {
  twilio = await startTwilioServer();
  passbell = await startService({
    TWILIO_ACCOUNT_SID: twilio.accountSid,
    TWILIO_AUTH_TOKEN: twilio.authToken,
    TWILIO_SMS_FROM: '+14155550100',
    TWILIO_API_URL: twilio.url,
  });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
  owner = await signIn(passbell);
  viewer = await signIn(passbell, 'viewer');
});
afterAll(async () => {
  await passbell.stop();
  await twilio.close();
});

let numbers = 0;
async function fail(reason: keyof typeof TWILIO_ERRORS): Promise<string> {
  twilio.respondWith(TWILIO_ERRORS[reason]);
  const to = `+1415200${String(1000 + ++numbers)}`;
  const { data } = await passbell.post('/auth/sendotp', { to, authWay: 'SMS' });
  return data.results[0].messageId;
}

async function reasons(visitor = owner, query = 'state=failed'): Promise<string> {
  const { html } = await visitor.get(`/messages?${query}`);
  const [card = ''] = /<section class="card" aria-labelledby="reasons"[\s\S]*?<\/section>/.exec(html) ?? [];
  return card
    .replace(/<time.*?<\/time>/g, 'TIME')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

it('groups failed messages by reason, the largest group first, with advice for each', async () => {
  expect(await reasons()).toBe('');
  await fail('invalidNumber');
  // It must be older than the copies below, so that it is not among the newest 500.
  passbell.clock.advance(1000);
  const id = await fail('credentials');
  await fail('credentials');
  expect(await reasons()).toMatch(
    /^Why messages failed Twilio rejected the credentials 2 messages Today, \d\d:\d\d(?:–\d\d:\d\d)?\. Still happening The provider needs to be checked\. Open Channels Show 2 messages Twilio reports that this is not a valid phone number 1 message Today, \d\d:\d\d\. Your customer must enter a correct phone number\. Show 1 message$/,
  );
  expect(await reasons(viewer)).not.toContain('Open Channels');
  expect(await reasons(owner, '')).toBe('');

  // The groups also count the messages of the following pages.
  const db = passbell.openDatabase();
  const like = await db('messages').where({ id }).first();
  const copy = (n: number) => ({ ...like, id: `${n}`.padStart(32, 'c') });
  for (let from = 0; from < 550; from += 50)
    await db('messages').insert(Array.from({ length: 50 }, (_, n) => copy(from + n)));
  await db.destroy();
  expect(await reasons()).toMatch(/Based on the 500 newest messages\. Twilio .* 500 messages/);
  const older = /href="[^"]*\?([^"]*after=[^"]*)"/.exec((await owner.get('/messages?state=failed')).html)![1]!;
  expect(await reasons(owner, older.replaceAll('&amp;', '&'))).toBe('');
});

/** Follows the link to the messages of the group with this text, and returns the number of messages and the page. */
async function follow(text: RegExp) {
  const { html } = await owner.get('/messages?state=failed');
  const group = html.split('<li>').find((part) => text.test(part))!;
  const href = /href="\/dashboard(\/messages\?[^"]*reason=[^"]*)"/.exec(group)![1]!.replaceAll('&amp;', '&');
  const page = (await owner.get(href)).html;
  return { html: page, rows: page.match(/id="message-[0-9a-f]{32}"/g)?.length };
}

it('shows only the messages of a group', async () => {
  passbell.clock.advance(1000);
  await fail('invalidNumber');
  const { html, rows } = await follow(/not a valid phone number/);
  expect(rows).toBe(2);
  expect(html).toMatch(
    /Twilio reports that these are not valid phone numbers[^<]*<span[^>]*>[^<]*<\/span><span class="unseen">: remove/,
  );
  expect(html).toMatch(/>Twilio reports that these are not valid phone numbers<[^]*>2 <span class="unseen">messages</);
  expect(html).toContain('Why messages failed');
  expect(html).not.toMatch(/Show \d+ messages/);
  // The filter states the reason of all rows.
  expect(html).not.toMatch(/data-title="Reason"| Reason: /);
});

it('shows that a reason is over, and how many people entered a later code', async () => {
  const db = passbell.openDatabase();
  const now = passbell.clock.now();
  const like = await db('messages').first();
  const attempt = {
    channel: 'SMS',
    provider: 'Twilio',
    success: false,
    message: 'the provider was down (503)',
    at: now,
  };
  const add = async (id: string, recipient: string, createdAt: number, changes: object) => {
    await db('messages').insert({ ...like, id, mask_id: id, recipient, created_at: createdAt, ...changes });
  };
  const failed = { state: 'failed', ending: 'failed', tried: JSON.stringify([attempt]), expires_at: now };
  const success = { channel: 'SMS', provider: 'Vonage', success: true, message: 'sent', at: now };
  const sent = { state: 'sent', ending: '', tried: JSON.stringify([attempt, success]), expires_at: now };
  for (const n of [1, 2, 3]) await add(`down${n}`, `+1415300000${n}`, now + n, failed);
  await add('later', '+14153000001', now + 10, sent);
  await add('earlier', '+14153000003', now + 2, sent);
  for (const id of ['later', 'earlier'])
    await db('otp_sessions').insert({
      mask_id: id,
      message_id: id,
      application_id: like.application_id,
      recipient: '',
      recipient_key: id,
      channel: 'SMS',
      state: 'verified',
      code_hash: '',
      code_length: 6,
      created_at: now,
      expires_at: now,
    });
  await db.destroy();
  passbell.clock.advance(2 * 3_600_000);
  // The session has expired.
  owner = await signIn(passbell);
  expect(await reasons()).toMatch(
    /^Why messages failed In the last hour, no provider caused a failure\. Based on the 500 newest messages\. .*Twilio: the provider was down 3 messages \w+, \d\d:\d\d\. 1 of 3 people entered a later code\. The other 2 can request a new code\. Show 2 people Show 3 messages/,
  );
  // Later messages may have failed, too.
  expect(await reasons(owner, `state=failed&until=${now + 60_000}`)).not.toContain('no provider caused a failure');
  const { html } = await owner.get('/messages?state=failed');
  // The error code of the provider is on the pages of the messages only.
  expect(html).not.toContain('(503)');
  const row = /id="message-down1"[^]*?<\/tr>/.exec(html)![0];
  expect(html).toMatch(/<th scope="rowgroup"[^>]*>[^<]+ · The provider was down<\/th>/);
  // Only recipients without a code stand out.
  expect(row).toMatch(/data-title="Result"><div><span class="reason">Entered a later code</);
  expect(html).toMatch(/id="message-down2"(?:(?!<\/tr>)[^])*<span class="reason unsolved">No code entered</);
  const [, button, href] = /<a class="([^"]*)" href="\/dashboard(\/messages\?[^"]*withoutCode=true[^"]*)"/.exec(html)!;
  expect(button).toBe('button subtle small');
  const link = href!.replaceAll('&amp;', '&');
  const without = (await owner.get(link)).html;
  expect([...without.matchAll(/id="message-(down\w+)"/g)].map(([, id]) => id)).toEqual(['down3', 'down2']);
  // The title says it about all of them.
  expect(without).not.toContain('data-title="Result"');
  expect(without).toMatch(
    /<h1>2 people who entered no code<\/h1><p class="lead">Twilio: the provider was down, \w+, \d\d:\d\d\. /,
  );
  expect(without).toContain('contacts you, ask them to request a new code.');
  expect(without).not.toContain('aria-labelledby="reasons"');
  // Another state has other reasons.
  expect(without).not.toMatch(/state=undelivered[^"]*withoutCode/);
  expect((await owner.get(link.replace('/messages', '/messages/export'))).html.split('\r\n')).toHaveLength(4);
  expect((await owner.get('/messages/down1')).html).toContain('Nothing to do: this person entered a later code.');
  expect((await owner.get('/messages/down2')).html).not.toContain('Nothing to do: this person entered a later code.');
});

it('offers to send a lost notification again, even if its recipient then entered a code', async () => {
  const to = '+14155550177';
  const order = { to, templateType: 'order_shipped', variables: { orderId: '1042' }, channels: ['SMS'] };
  twilio.respondWith(TWILIO_ERRORS.optedOut);
  const id = (await passbell.post('/notifications/order', order)).data.results[0].messageId as string;
  twilio.respondWith('accept');
  passbell.clock.advance(1000);
  const { data } = await passbell.post('/auth/sendotp', { to, authWay: 'SMS' });
  const otp = /\b\d{6}\b/.exec(twilio.requests.at(-1)!.form['Body']!)![0];
  await passbell.post('/auth/verifyotp', { maskId: data.results[0].maskId, otp });
  const { html } = await owner.get(`/messages/${id}`);
  expect(html).not.toContain('Send a new notification');
  expect(html).toMatch(/Send again[^]*Sends the same notification to the same recipient\./);
  expect(html).not.toContain('entered a later code');
  const { html: list } = await owner.get('/messages?state=failed&withoutCode=true');
  expect(list).toContain(`id="message-${id}"`);
});

it('says that the list shows only some of the messages that the guard refused', async () => {
  const db = passbell.openDatabase();
  const now = passbell.clock.now();
  const like = await db('messages').first();
  const hint = hintOf({ rule: 'country' });
  const refusal = JSON.stringify({ code: 'FRAUD_SUSPECTED', reason: 'paused', hint, until: now });
  const refused = { state: 'refused', ending: 'refused', tried: '[]', refusal, recipient: '+8801812341000' };
  const other = JSON.stringify({
    code: 'FRAUD_SUSPECTED',
    reason: 'paused',
    hint: hintOf({ rule: 'prefix' }),
    until: null,
  });
  await db('messages').insert({ ...like, id: 'refused1', mask_id: 'refused1', created_at: now, ...refused });
  await db('messages').insert({
    ...like,
    id: 'refused2',
    mask_id: 'refused2',
    created_at: now - 1,
    ...refused,
    refusal: other,
  });
  const counts = {
    application_id: like.application_id,
    day: now - 1000,
    rule: 'country',
    served: false,
    challenged: 0,
  };
  await db('fraud_refusals').insert([
    { ...counts, country: 'BD', messages: 412, people: 400 },
    { ...counts, country: 'BD', rule: 'prefix', messages: 1, people: 1 },
  ]);
  await db.destroy();
  expect(await reasons(owner, 'state=refused')).toContain(
    'Why messages were refused Likely fraud. Pause Bangladesh Open Protection Too few codes were entered in Bangladesh 412 messages Today,',
  );
  expect(await reasons(owner, 'state=refused')).toContain('Show 1 stored');
  // The limit is explained once, beside the number.
  const { html: some } = await owner.get('/messages?state=refused');
  expect(some).toMatch(/ common">2 of 413 are stored\. Passbell stores at most 100 refused (?!.* 100 refused)/);
  expect(await reasons(owner, 'state=refused&country=BD')).toMatch(
    /1 of the 412 .* at most 100 refused messages an hour .* Show 1 stored/,
  );
  const ofCountry = (await owner.get('/messages?country=BD')).html;
  // The states of all messages, without counts.
  expect(ofCountry).toMatch(/>Refused<\/a>/);
  expect(ofCountry).not.toMatch(/>Canceled<| are stored/);
  expect((await owner.get('/messages')).html).toMatch(/>Refused<span class="warning"> 413<\/span>/);
  expect((await owner.get(`/messages?from=${now + 60_000}`)).html).not.toMatch(/>Refused<span/);
  expect(await reasons(owner, `state=refused&country=BD&from=${now - 10_000}`)).toContain('412 messages');
  expect(await reasons(owner, 'state=refused&channel=SMS')).toContain(
    'With these filters, only stored messages are counted.',
  );
  expect(await reasons(owner, `state=refused&until=${now}`)).toContain('412 messages');

  const { html } = await owner.get('/messages?state=refused');
  expect(html).toContain('<span class="reason">too few codes entered for similar numbers<');
  expect(await reasons(owner, 'state=refused')).toContain('Too few codes were entered for similar numbers 1 message');
  expect(await reasons(owner, 'state=refused')).toMatch(
    /Passbell paused the country until \d\d:\d\d\. .* Passbell paused similar numbers\. /,
  );
  expect(html).not.toMatch(/fraud guard/i);
  // Both reasons belong to the same country and the same page of Protection. The advice comes first.
  expect(await reasons(owner, 'state=refused')).toMatch(/ Pause Bangladesh .* 412 messages .* 1 message /);
  expect(html.match(/<button class="button" [^>]*>Pause Bangladesh</g)).toHaveLength(1);
  // All messages are verification codes.
  expect(html).not.toMatch(/data-title="Message"/);
  expect(html.match(/>\s*Open Protection\s*</g)).toHaveLength(1);
  expect((await owner.get('/messages/refused1')).html).toMatch(
    /Passbell refused this message because it looked like fraud: too few codes were entered in this country\.[^]*If you have no customers in Bangladesh, pause messages to this country\./,
  );
  expect((await viewer.get('/messages/refused1')).html).not.toContain('If you have no customers');
  expect(await reasons(viewer, 'state=refused')).not.toMatch(/Pause Bangladesh|Open Protection/);
  const protection = `/applications/${passbell.keys.appKey}/protection`;
  const fields = { action: 'pause', scope: 'country', key: 'BD' };
  expect(await owner.submit('/messages?state=refused', protection, fields)).toMatchObject({ status: 303 });
  const paused = await reasons(owner, 'state=refused');
  expect(paused).toContain('Still paused');
  expect(paused).not.toContain('Pause Bangladesh');

  // Pausing a country is less urgent after an attack.
  await owner.submit('/messages?state=refused', protection, { ...fields, action: 'resume' });
  passbell.clock.advance(3_600_001);
  expect((await owner.get('/messages?state=refused')).html).toMatch(
    /<button class="button subtle" [^>]*>Pause Bangladesh</,
  );
  const advice =
    'If you have no customers in Bangladesh, pause it to refuse all messages to that country. Pause Bangladesh';
  expect(await reasons(owner, 'state=refused')).toContain(advice);
  expect(await reasons(viewer, 'state=refused')).not.toContain('no customers');
  // The session must be confirmed again to pause the country.
  const again = await signIn(passbell);
  expect(await again.submit('/messages?state=refused', protection, fields)).toMatchObject({ status: 303 });
  expect(await reasons(again, 'state=refused')).not.toContain('no customers');
});

it('claims no end of losses without a known reason, compares them with the usual share, and names the next step and who got a later code', async () => {
  const db = passbell.openDatabase();
  const now = passbell.clock.now();
  const like = await db('messages').where({ id: 'later' }).first();
  const sent = JSON.stringify([{ channel: 'SMS', provider: 'Twilio', success: true, message: 'sent', at: now }]);
  const lost = { tried: sent, report: 'undelivered', ending: 'undelivered', expires_at: now - 1, provider_id: 'SM1' };
  const add = (id: string, recipient: string, changes: object) =>
    db('messages').insert({ ...like, id, mask_id: id, recipient, ...changes });
  const minute = Math.floor(now / 60_000) * 60_000 - 3 * 3_600_000;
  await add('lost1', '+14154000001', { ...lost, created_at: minute });
  await add('lost2', '+14154000002', { ...lost, created_at: minute + 1000 });
  const text = () => reasons(owner, 'state=undelivered');
  expect(await text()).toMatch(
    /^Why messages were not delivered Twilio reported no reason 2 messages (?:Today|Yesterday), \d\d:\d\d\. Your customers can request a new code\.$/,
  );
  // It is known for all codes, not only for the recipient's latest ones.
  expect((await owner.get('/messages/later')).html).toMatch(/Code entered on <time[^]*step-title">Code entered</);
  await add('lost3', '+14154000003', { ...lost, created_at: minute + 60_000, provider_id: null });
  const session = await db('otp_sessions').where({ mask_id: 'later' }).first();
  await add('again', '+14154000001', { tried: sent, created_at: minute + 60_000 });
  await db('otp_sessions').insert({
    ...session,
    id: undefined,
    mask_id: 'again',
    message_id: 'again',
    recipient_key: 'again',
  });
  expect(await text()).toContain('1 of 3 people entered a later code. The other 2 can request a new code.');
  const listed = async () => (await owner.get('/messages?state=undelivered')).html;
  const list = await listed();
  expect(list).toMatch(/id="message-lost1"[^]*?>Entered a later code</);
  expect(list).toMatch(/id="message-lost2"[^]*?>No code entered</);
  expect(list).not.toMatch(/No reason reported|data-title="Reason"|Older messages/);
  const link =
    /href="\/dashboard(\/messages\?[^"]*withoutCode=true[^"]*)" aria-label="Show 2 people who entered no code"/.exec(
      list,
    )![1]!;
  const without = (await owner.get(link.replaceAll('&amp;', '&'))).html;
  expect([...without.matchAll(/id="message-(lost\w+)"/g)].map(([, id]) => id)).toEqual(['lost3', 'lost2']);
  // Entered codes are stored for a week, which is the period of the reasons.
  await db('messages')
    .where({ id: 'lost2' })
    .update({ created_at: now - 8 * 24 * 3_600_000 });
  expect(await text()).toMatch(
    /^Why .* not delivered Twilio reported no reason 3 .* 1 person entered a later code\. The person who .* in the last 7 days can request /,
  );
  expect(await listed()).toMatch(/id="message-lost2"[^]*>–<[^]*Older messages have no result\./);
  // As many messages as usual are not delivered, until today has more.
  const usage = {
    application_id: like.application_id,
    channel: 'SMS',
    country: 'US',
    currency: 'usd',
    failed: 0,
    cost: 0,
  };
  const day = (ago: number) => new Date(now - ago * 24 * 3_600_000).toISOString().slice(0, 10);
  await db('usage_counts').insert({ ...usage, day: day(20), sent: 900, delivered: 800, undelivered: 10 });
  expect(await text()).not.toContain('usual');
  await db('usage_counts').insert({ ...usage, day: day(0), country: 'CA', sent: 90, delivered: 80, undelivered: 1 });
  const today = (delivered: number, undelivered: number) =>
    db('usage_counts')
      .where({ country: 'CA', day: day(0) })
      .update({ delivered, undelivered });
  expect(await text()).toMatch(
    /^Why .* not delivered Too few messages to compare with the usual 1%\. The person who entered no code in .* code\. Twilio .* 3 messages /,
  );
  await today(80, 8);
  expect(await text()).toMatch(/^Why .* not delivered The person .* Twilio reported no reason 3 messages /);
  // The reason matters if several people got no code.
  const advice =
    /^(?!.*No action is needed).* Ask Twilio for the reason\. The provider's message ID is on the page of each message, under “For developers”\. /;
  expect(await text()).not.toMatch(advice);
  for (const n of [1, 2, 3, 4]) await add(`more${n}`, `+1415500000${n}`, { ...lost, created_at: minute });
  expect(await text()).toMatch(advice);
  expect(await reasons(owner, 'state=undelivered&channel=SMS')).not.toMatch(/usual|Ask Twilio/);
  // Two reasons with few messages each are as bad as one.
  const blocked = [{ ...JSON.parse(sent)[0], undelivered: 'the carrier blocked the message' }];
  const some = () => db('messages').whereIn('id', ['more1', 'more2', 'more3']);
  await some().update({ tried: JSON.stringify(blocked) });
  expect(await text()).toMatch(
    /^(?!.*No action is needed).* Twilio: the carrier blocked the message 3 messages .* Ask Twilio how to avoid this\./,
  );
  await some().update({ tried: sent });
  const pageOfLost = async () => (await owner.get('/messages/lost3')).html;
  expect(await pageOfLost()).toContain(
    'This person has not entered a code since then, but can request a new one.</p><p>Today, 8 of 88 messages with a delivery report were undelivered: 9%, more than usual (1%). If several people got no code, ask Twilio for the reason.',
  );
  await today(800, 8);
  expect(await text()).toMatch(/^Why .* not delivered About as many as usual \(1%\)\. The \d people who /);
  expect(await text()).not.toContain('Ask Twilio');
  expect(await pageOfLost()).toMatch(/Nothing to do: this person .*about as many as usual \(1%\)\. <a/);
  // Whether older codes were entered is not known.
  expect((await owner.get('/messages/lost2')).html).toMatch(
    /Your customer can request a new code\.<\/p><p>If this happens to more messages than usual/,
  );
  await db('messages').where('id', 'like', 'more%').delete();
  await today(2000, 5);
  expect(await text()).toMatch(/^Why .* not delivered Fewer than usual \(1%\)\. /);
  await db('otp_sessions').where({ mask_id: 'again' }).update({ mask_id: 'lost1' });
  expect(await text()).toContain('1 arrived: its code was entered.');
  await today(80, 8);
  expect(await text()).toMatch(/^Why .* not delivered The person [^.]*\. Twilio /);
  const arrived = (await owner.get('/messages?state=undelivered&withoutCode=true')).html;
  expect(arrived).not.toContain('id="message-lost1"');
  await db('messages')
    .where({ id: 'lost2' })
    .update({ created_at: minute + 1000 });
  expect(await text()).toContain('1 of 3 codes was entered, so 1 message arrived.');
  await db('messages').whereIn('id', ['lost2', 'lost3']).delete();
  expect(await text()).toMatch(
    /^Why .* not delivered No action is needed\. Twilio .* The code was entered, so this message arrived\./,
  );
  await db.destroy();
});

it('advises to correct a number that is not valid, offers no retry, and otherwise says that no other channel was left', async () => {
  const { html } = await owner.get(`/messages/${await fail('invalidNumber')}`);
  expect(html).toContain(
    'Your customer must enter a correct phone number and request a new code. Another message to the same recipient will also fail. The number has the right length for the United States. One of its digits is probably wrong, or the number is no longer in use.',
  );
  expect(html).not.toContain('No other channel');
  expect(html).toMatch(/<dt>Price<\/dt><dd>None: the message was not sent</);
  expect(html).not.toContain('Send again');
  expect((await owner.get(`/messages/${await fail('optedOut')}`)).html).toContain('No other channel was left to try.');
});

it('calls a limit neither fraud nor a pause, and a single refused message "it"', async () => {
  const { appKey } = await passbell.application(NO_LIMITS);
  const db = passbell.openDatabase();
  const { id: application_id } = await db('applications').where({ app_key: appKey }).first();
  const like = { ...(await db('messages').where({ id: 'refused1' }).first()), application_id };
  const refuse = (rule: 'voice' | 'country', id: string) =>
    db('messages').insert({
      ...like,
      id,
      refusal: JSON.stringify({ code: 'FRAUD_SUSPECTED', reason: 'paused', hint: hintOf({ rule }), until: null }),
    });
  const text = () => reasons(owner, `state=refused&application=${appKey}`);
  await refuse('country', 'suspected');
  expect(await text()).toContain(
    'Why messages were refused Likely fraud. If you have no customers in Bangladesh, pause it to refuse all messages to that country. Pause',
  );
  await db('messages').where({ id: 'suspected' }).delete();
  await refuse('voice', 'limited');
  expect(await text()).toMatch(
    / Voice calls to countries that you do not serve are limited · Bangladesh 1 message (?:Today|Yesterday)/,
  );
  expect((await owner.get('/messages/limited')).html).toContain(
    'Passbell refused this message: voice calls to countries that you do not serve are limited.',
  );
  await db('messages').where({ id: 'limited' }).delete();
  await db.destroy();
});
