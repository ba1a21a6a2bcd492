/** The template pages: previews, validation, saving and test messages. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { CHANNELS } from '../../backend/src/platform/contract/channels.js';
import { LANGUAGE_CODES } from '../../backend/src/modules/templates/language-codes.js';
import { TEMPLATE_NAMES } from '../../backend/src/modules/templates/template.js';
import { hiddenFields, signIn, type Fields, type Reply, type Visitor } from '../support/dashboard.js';
import { scaled } from '../support/members.js';
import { accountOf, addGateway, gatewaySettings, VERIFIED, waitForRoutingUpdate } from '../support/providers.js';
import { freshMail, freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: Visitor;
let base: string;
let appKey: string;
beforeAll(async () => {
  passbell = await startService();
  owner = await signIn(passbell);
});
afterAll(() => passbell.stop());
beforeEach(async () => {
  ({ appKey } = await passbell.application(NO_LIMITS));
  base = `/applications/${appKey}/templates`;
});

const SMS_PATH = '/order_shipped/sms/en';
const EMAIL_PATH = '/order_shipped/email/en';

/** Submits the editor form on the page `from` to the path `to`, as one of its buttons does. */
async function press(visitor: Visitor, from: string, to: string, fields: Fields): Promise<Reply> {
  const { html } = await visitor.get(`${base}${from}`);
  const hidden = hiddenFields(html, `/dashboard${base}${from}`);
  return visitor.post(`${base}${to}`, { ...hidden, 'sample-orderId': 'A-1', ...fields });
}
const save = (text: string, from = SMS_PATH, visitor = owner) => press(visitor, from, from, { text, subject: 'News' });
const storedText = async (channel: 'SMS' | 'EMAIL' = 'SMS') => {
  const application = (await passbell.core.applications.service.find(appKey))!;
  return passbell.core.templates.service.find(application, { template: 'order_shipped', channel, language: 'en' });
};
/** Returns the visible text of a page. */
const shownText = (html: string): string => html.replace(/<!--.*?-->|<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const HTMX_HEADERS = { 'HX-Request': 'true', 'HX-Target': 'preview' };

it('has a page with a preview for every template, channel and language', async () => {
  const { html: list } = await owner.get(base);
  for (const template of TEMPLATE_NAMES) {
    expect(list).toContain(`/dashboard${base}/${template}/sms/en"`);
    const { html: first } = await owner.get(`${base}/${template}/sms/en`);
    for (const channel of CHANNELS) {
      expect(first).toContain(`/dashboard${base}/${template}/${channel.toLowerCase()}/en"`);
      // In scaled mode, one language is enough: the others differ in their texts only.
      for (const language of scaled ? ['en'] : LANGUAGE_CODES) {
        const { status, html } = await owner.get(`${base}/${template}/${channel.toLowerCase()}/${language}`);
        expect([template, channel, language, status]).toEqual([template, channel, language, 200]);
        expect(html).toContain('<div id="check" aria-live="polite"></div>');
        expect(html).not.toContain('Differences from the built-in text');
        expect(html).toMatch(/class="badge[^>]*>Built-in text</);
      }
    }
  }
});

it('previews a message with sample values in its language', async () => {
  for (const [language, sentence, reason, amount] of [
    ['en', 'The payment for your order A-1001 failed.', 'Card declined', 'USD 59.90'],
    ['de', 'Die Zahlung für Ihre Bestellung A-1001 ist fehlgeschlagen.', 'Karte abgelehnt', '59,90 EUR'],
  ] as const) {
    const { html: list } = await owner.get(`${base}?language=${language}`);
    // The example in the list is short: it has no optional variables.
    expect(list).toContain(sentence);
    expect(list).not.toContain(reason);
    const { html } = await owner.get(`${base}/payment_failed/sms/${language}`);
    for (const text of [`value="${reason}"`, `${reason}.`, amount]) expect(html).toContain(text);
  }
  const { html } = await owner.get(`${base}/delivery_failed/sms/de`);
  expect(html).toContain('Grund: Niemand war zu Hause.');
});

it.each([
  '/nope/sms/en',
  '/order_shipped/SMS/en',
  '/order_shipped/fax/en',
  '/order_shipped/sms/xx',
  '/otp/sms/__proto__',
])('there is no page at %s', async (path) => expect((await owner.get(`${base}${path}`)).status).toBe(404));

it('shows the length and encoding of an SMS, and its characters outside GSM-7', async () => {
  const show = async (text: string) => shownText((await press(owner, SMS_PATH, `${SMS_PATH}/preview`, { text })).html);
  expect(await show('x'.repeat(161))).toContain(
    '2 SMS, 161 of 306 characters. One SMS has up to 160 characters. In a longer message, each SMS has up to 153.',
  );
  expect(await show('ё'.repeat(71))).toContain(
    '2 SMS, 71 of 134 characters. In a message of 2 SMS, each has up to 67.',
  );
  const ship = await show('Ahoy 🚢');
  for (const part of [
    '1 SMS, 7 of 70 characters',
    'Special characters 🚢 With special characters, one SMS has up to 70 characters instead of 160.',
  ])
    expect(ship).toContain(part);
  expect(ship).not.toContain('raises the cost');
  expect(await show(`🎉 ${'x'.repeat(100)}`)).toContain('“🎉” raises the cost: 2 SMS instead of 1.');
});

it('the editor reports which accents an SMS loses, and why', async () => {
  const show = async (text: string) => (await press(owner, SMS_PATH, `${SMS_PATH}/preview`, { text })).html;
  const reason = 'Removed from ã and á, because the message would need 2 SMS with them.';
  expect(await show(`Não está pronto. ${'x'.repeat(80)}`)).toContain(reason);
  expect(await show('Não está pronto.')).not.toContain('Removed from');
});

it('rejects a text that would be too long as a message', async () => {
  for (const [text, from, problem] of [
    ['x'.repeat(15 * 153 + 1), SMS_PATH, '16 SMS long, and at most 15 are allowed'],
    ['x'.repeat(1501), '/order_shipped/voice/en', '1501 characters long, and a call reads at most 1500'],
  ] as const) {
    const { status, html } = await save(text, from);
    expect([status, html.includes(`With these values, the text is ${problem}.`)]).toEqual([422, true]);
  }
});

it('saves a text, records it in the audit log, and resets it to the built-in text', async () => {
  const saved = await save('Ahoy {{ orderId }}');
  expect([saved.status, saved.location]).toEqual([303, `/dashboard${base}${SMS_PATH}`]);
  const { html: changed } = await owner.follow(saved);
  expect(changed).toContain('Saved.');
  expect(changed).toMatch(/class="badge[^>]*>Custom text</);
  expect((await owner.get(base)).html).toContain(`href="/dashboard${base}${SMS_PATH}">Custom SMS</a>`);
  expect(await storedText()).toEqual({ subject: null, text: 'Ahoy {{ orderId }}' });
  const reset = await press(owner, SMS_PATH, `${SMS_PATH}/reset`, {});
  expect((await owner.follow(reset)).html).toContain('The built-in text was restored.');
  expect(await storedText()).toBeNull();
  const { html: log } = await owner.get('/audit');
  for (const part of ['saved a custom text', 'restored a built-in text', 'Another Shop: Order shipped, SMS, English'])
    expect(log).toContain(part);
  expect(log).toContain('Ahoy {{ orderId }}');
  expect(log).toContain(owner.person!.email);
});

it('shows which texts are custom, counts them, and finds templates', async () => {
  await save('Ahoy {{ orderId }}');
  const list = async (query: string) => shownText((await owner.get(`${base}${query}`)).html);
  expect(await list('')).toMatch(/Order shipped Sent when an order has shipped\. SMS: Ahoy A-1001 Custom SMS/);
  expect(await list('')).toContain('SMS, built-in text:');
  expect(await list('')).not.toContain('Change the language');
  expect(await list('?language=de')).toContain('English · 1 custom');
  const found = await list('?text=refund+completed&language=de');
  expect(found).toMatch(/Refund completed Sent when a refund has been paid\. .*abgeschlossen\./);
  expect(found).not.toContain('Order placed');
  expect(await list('?text=nothing&language=de')).toContain('No matching templates. Clear the search');
  const { applications } = passbell.core;
  const actor = { name: 'x', may: () => true };
  await applications.service.update(actor, appKey, { settings: { language: 'de' } });
  const reason = 'The page shows texts in German, the language of Another Shop. Change the language';
  expect(await list('')).toContain(reason);
  expect(await list('?language=en')).not.toContain('Change the language');
  await applications.service.update(actor, appKey, { settings: { language: 'en' } });
  // The name of the group “Payments and refunds” does not count.
  expect(await list('?text=refund')).not.toContain('Payment failed');
});

it('edits sentences without Liquid, and keeps the conditions', async () => {
  const { html } = await owner.get(`${base}${EMAIL_PATH}`);
  expect(html).not.toContain('{% if orderId');
  const subject = 'News';
  const hidden = { ...hiddenFields(html, `/dashboard${base}${EMAIL_PATH}`), subject };
  const sentence = (label: string) => new RegExp(`for="field-(sentence-\\d+)">${label}<`).exec(html)![1]!;
  await owner.post(`${base}${EMAIL_PATH}`, {
    ...hidden,
    [sentence('If the tracking number is known')]: 'No. {{ trackingNo }}, {{ estimatedDelivery }}',
    [sentence('If the customer name is known')]: '',
    [sentence('At the end \\(optional\\)')]: 'Your {{ application }} team',
  });
  const { text } = (await storedText('EMAIL'))!;
  expect(text).toMatch(/^\{% if customerName %\}\{% endif %\}\nYour order \{\{ orderId \}\} is on its way.\n/);
  expect(text).toContain('{% if trackingNo %}No. {{ trackingNo }}, {{ estimatedDelivery | local }}{% endif %}');
  expect(text).toMatch(/\{% endif %\}\nYour \{\{ application \}\} team$/);
});

it('marks the sentence with an unknown variable', async () => {
  const { html } = await owner.get(`${base}${SMS_PATH}`);
  const [, name] = /for="field-(sentence-\d+)">Always</.exec(html)!;
  const hidden = hiddenFields(html, `/dashboard${base}${SMS_PATH}`);
  const rejected = await owner.post(`${base}${SMS_PATH}`, { ...hidden, [name!]: 'Order {{ orderld }}' });
  expect(rejected.status).toBe(422);
  expect(rejected.html).toContain(`id="field-${name}-error">This template has no variable “orderld”.`);
  expect(shownText(rejected.html)).toContain('The text was not saved. Correct the marked text.');
  expect(await storedText()).toBeNull();
});

it('while a text is typed, links each problem to its field', async () => {
  const { html } = await owner.get(`${base}${SMS_PATH}`);
  const [, name] = /for="field-(sentence-\d+)">Always</.exec(html)!;
  const hidden = hiddenFields(html, `/dashboard${base}${SMS_PATH}`);
  const typed = { ...hidden, [name!]: 'Order {{ orderId' };
  const preview = await owner.post(`${base}${SMS_PATH}/preview`, typed, {
    'HX-Request': 'true',
    'HX-Target': 'preview',
  });
  expect(preview.html).toMatch(new RegExp(`<a href="#field-${name}">A “{{” is not closed`));
});

it('rejects an invalid text, reports the line, and preserves the input', async () => {
  const { status, html } = await save('Ahoy\n{{ orderld }} and {{ orderId | shout }}');
  expect(status).toBe(422);
  expect(html).toMatch(/id="field-text-error">Line 2: [^<]*There is no filter “shout”\./);
  expect(html).toContain('{{ orderld }} and');
  expect(await storedText()).toBeNull();
});

it.each([
  ['{{ orderld }}', 'Did you mean “orderId”?'],
  ['a\n{{ orderId', 'A “{{” is not closed'],
  ['{% if orderId', 'A “{%” is not closed'],
  ['{% if orderId %}', '“{% if %}” is not closed'],
  ['{% for i in (1..9) %}{% endfor %}', '“{% for %}” is not available'],
  ['{% endif %}', '“{% endif %}” has no matching opening tag'],
  ['{{ }}', 'A value is missing here'],
  ['   ', 'The text is empty.'],
  ['x'.repeat(4001), 'The text has 4,001 characters. Shorten it to at most 4,000.'],
  ['{% if status %}x{% endif %}', 'This template has no variable “status”.'],
  ['{% if trackingNo == "none" %}x{% endif %}', 'With these values, the text is empty.'],
])('explains what is wrong with %j while typing', async (text, words) => {
  const { html } = await owner.get(`${base}${SMS_PATH}`);
  const hidden = hiddenFields(html, `/dashboard${base}${SMS_PATH}`);
  const reply = await owner.post(`${base}${SMS_PATH}/preview`, { ...hidden, text }, HTMX_HEADERS);
  expect(reply.status).toBe(200);
  expect(reply.html).toContain(words);
  expect(reply.html).not.toContain('<html');
});

it('reports a conflict when two tabs save different texts', async () => {
  const { html } = await owner.get(`${base}${SMS_PATH}`);
  const hidden = hiddenFields(html, `/dashboard${base}${SMS_PATH}`);
  await save('The first');
  const second = await owner.post(`${base}${SMS_PATH}`, { ...hidden, text: 'The second' });
  expect(second.status).toBe(409);
  expect(second.html).toContain('The first');
  expect(second.html).toContain('The second');
  expect(await storedText()).toMatchObject({ text: 'The first' });
  const reset = await owner.post(`${base}${SMS_PATH}/reset`, { ...hidden, text: 'The second' });
  expect(reset.status).toBe(409);
  const again = await owner.post(`${base}${SMS_PATH}`, {
    ...hiddenFields(second.html, `/dashboard${base}${SMS_PATH}`),
    text: 'The second',
  });
  expect(again.status).toBe(303);
  expect(await storedText()).toMatchObject({ text: 'The second' });
});

it('lets exactly one of many concurrent saves succeed', async () => {
  for (const before of [null, 'Before']) {
    if (before) await save(before);
    const { html } = await owner.get(`${base}${EMAIL_PATH}`);
    const hidden = hiddenFields(html, `/dashboard${base}${EMAIL_PATH}`);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_none, n) =>
        owner.post(`${base}${EMAIL_PATH}`, { ...hidden, subject: 'News', text: `${before} ${n}` }),
      ),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(7).fill(409)]);
  }
});

describe('a test message', () => {
  const test = (fields: Fields, from = SMS_PATH, visitor = owner) => press(visitor, from, `${from}/test`, fields);
  const builtInText = async (from: string) => {
    const { html } = await owner.get(`${base}${from}?edit=liquid`);
    const text = /<textarea[^>]*>([\s\S]*?)<\/textarea>/.exec(html)![1]!;
    return text.replace(/&quot;/g, '"').replace(/&amp;/g, '&');
  };

  it('is sent to the entered number with the sample values, and shows its progress', async () => {
    await save('Ahoy {{ orderId }} {{ trackingLink }}');
    passbell.clock.advance(2000);
    const to = freshPhone();
    const text = 'Ahoy {{ orderId }} {{ trackingLink }}';
    const sent = await test({ text, to, 'sample-trackingLink': 'https://t.example/9' });
    expect(sent.status).toBe(303);
    expect((await passbell.inbox(to))[0]).toMatchObject({ text: 'Ahoy A-1 https://t.example/9' });
    expect((await owner.follow(sent)).html).toContain('The message is in the dev inbox.');
  });

  it('is sent to the signed-in person if it is an email, even if the form contains another address', async () => {
    const text = await builtInText(EMAIL_PATH);
    const subject = 'Your order {{ orderId }} is on its way';
    const sent = await test({ text, subject, to: 'somebody@example.com' }, EMAIL_PATH);
    expect(sent.status).toBe(303);
    expect(await passbell.inbox('somebody@example.com')).toEqual([]);
    expect((await passbell.inbox(owner.person!.email))[0]).toMatchObject({ subject: 'Your order A-1 is on its way' });
  });

  it('contains a real code if it uses the code template', async () => {
    const to = freshPhone();
    const path = '/otp/sms/de';
    expect(
      (await test({ text: await builtInText(path), to, 'sample-code': '123456', 'sample-minutes': '5' }, path)).status,
    ).toBe(303);
    expect(await passbell.codeFor(to)).toMatch(/^\d{6}$/);
  });

  it('is rejected with a reason: unsaved text, missing or invalid number, repeat limit, invalid link, inactive application', async () => {
    const to = freshPhone();
    const text = await builtInText(SMS_PATH);
    const rejected = async (fields: Fields) => {
      const { status, html } = await test({ text, to, ...fields });
      expect(status).toBe(422);
      return html;
    };
    expect(await rejected({ text: 'Other words' })).toContain('Save the text first');
    expect(await rejected({ to: '' })).toContain('Enter your phone number');
    expect(await rejected({ to: '12' })).toContain('Not sent: The number has too few digits.');
    expect(await rejected({ 'sample-trackingLink': 'javascript:alert(1)' })).toContain('Enter a link that starts with');
    await passbell.core.applications.service.update(OPERATOR, appKey, { limits: { notificationRepeatSeconds: 30 } });
    passbell.clock.advance(2000);
    expect((await test({ text, to })).status).toBe(303);
    expect(await rejected({})).toContain('Try again in 30 seconds');
    await passbell.core.applications.service.update(OPERATOR, appKey, { status: 'inactive' });
    passbell.clock.advance(2000);
    expect(await rejected({ to: freshPhone() })).toContain('Not sent: application is inactive');
  });

  it('is rate-limited per person, independently of the application limits', async () => {
    await passbell.core.applications.service.update(OPERATOR, appKey, { limits: { notificationsPerDay: 1 } });
    passbell.clock.advance(2000);
    const busy = await signIn(passbell, 'member');
    const text = await builtInText(SMS_PATH);
    const own = freshPhone();
    for (let n = 0; n < 20; n++) expect((await test({ text, to: own }, SMS_PATH, busy)).status).toBe(303);
    expect((await test({ text, to: freshPhone() }, SMS_PATH, busy)).html).toMatch(
      /Not sent: Too many test messages\. Try again in \d+ \w+\. At most 20 test messages are allowed in 10 minutes/,
    );
    expect((await test({ text, to: freshPhone() })).status).toBe(303);
  });
});

it('names the provider of a test message only if there is one', async () => {
  const lead = async () => /A test is charged[^<]+/.exec((await owner.get(`${base}${SMS_PATH}`)).html)?.[0];
  const gateway = { url: 'https://gateway.example' };
  await addGateway(passbell, 'First SMS', gateway);
  await waitForRoutingUpdate(passbell);
  expect(await lead()).toContain('First SMS sends it. The test');
  await addGateway(passbell, 'Second SMS', gateway);
  await waitForRoutingUpdate(passbell);
  expect(await lead()).toContain("It is sent through your route for the recipient's country. The test");
});

it("names an account's own provider of a test message", async () => {
  const { applications, providers } = passbell.core;
  const email = freshMail();
  const visitor = await signIn(passbell, 'owner', { account: email });
  const accountId = await accountOf(passbell, email);
  await providers.service.allow(OPERATOR, accountId, true);
  const request = { type: 'http-gateway', name: 'Own SMS', settings: gatewaySettings({ url: 'https://own.example' }) };
  await providers.service.add(OPERATOR, accountId, request, VERIFIED);
  await waitForRoutingUpdate(passbell);
  const { appKey: own } = await applications.service.create(OPERATOR, { name: 'Own Shop', email });
  expect((await visitor.get(`/applications/${own}/templates${SMS_PATH}`)).html).toContain('Own SMS sends it. The test');
});

it('says that nothing is sent to a test recipient', async () => {
  const settings = { testRecipients: { '+12015550123': '123456' } };
  await passbell.core.applications.service.update(OPERATOR, appKey, { settings });
  passbell.clock.advance(2000);
  const { html } = await owner.get(`${base}/otp/sms/en`);
  const fields = {
    ...hiddenFields(html, `/dashboard${base}/otp/sms/en`),
    'sample-code': '123456',
    'sample-minutes': '5',
  };
  const reply = await owner.post(`${base}/otp/sms/en/test`, { ...fields, to: '+1 201 555 0123' });
  expect(shownText(reply.html)).toContain('+1 201 555 0123 is a test recipient, so nothing was sent.');
});
