/** The sidebar, the application switcher, the search, and what needs attention on Home. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { isoTime } from '../../backend/src/platform/clock.js';
import { createVisitor, signIn, type Visitor } from '../support/dashboard.js';
import { freshPhone, NO_LIMITS, startService, type TestService } from '../support/service.js';
import { freshOrder } from '../support/shop-events.js';
import { createShops } from '../support/shops.js';
import { startWebhookServer } from '../support/webhook-server.js';
import { advancing, until } from '../support/wait.js';

let passbell: TestService;
let owner: Visitor;
beforeAll(async () => {
  passbell = await startService({ WEBHOOKS_ALLOW_PRIVATE: 'true' });
  await passbell.core.applications.service.update(OPERATOR, passbell.keys.appKey, NO_LIMITS);
});
afterAll(() => passbell.stop());
beforeEach(async () => void (owner = await signIn(passbell)));

const appPath = (appKey = passbell.keys.appKey) => `/applications/${appKey}`;
const linksIn = (html: string) =>
  [...html.matchAll(/<a [^>]*href="([^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'));

const withoutIcons = (html: string) => html.replace(/<svg[\s\S]*?<\/svg>/g, '');

describe('the sidebar', () => {
  it('marks one page as current, and shows the pages of the only application everywhere', async () => {
    const html = withoutIcons((await owner.get('/messages')).html);
    expect(html.match(/aria-current="page"/g)).toHaveLength(1);
    expect(html).toContain('<a href="/dashboard/messages" aria-current="page">Messages</a>');
    expect(linksIn(html)).toContain(`/dashboard${appPath()}/templates`);
  });

  it('switches to the same page of another application', async () => {
    const { appKey } = await passbell.application({ name: 'Second shop' });
    const html = withoutIcons((await owner.get(`${appPath()}/templates/otp/sms/en`)).html);
    expect(linksIn(html)).toContain(`/dashboard${appPath(appKey)}/templates`);
    expect(html).toContain(`<a href="/dashboard${appPath()}/templates" aria-current="page">Templates</a>`);
  });

  it('shows the pages of an application where its data is shown, and otherwise a link to the one visited last', async () => {
    const { appKey } = await passbell.application({ name: 'Third shop' });
    const templates = async () =>
      linksIn((await owner.get('/messages')).html).filter((href) => href.endsWith('/templates'));
    expect((await owner.get('/messages')).html).toContain('Choose an application');
    expect(await templates()).toEqual([]);
    await owner.get(appPath(appKey));
    expect(await templates()).toEqual([]);
    const { html } = await owner.get('/messages');
    expect(html).toContain('Choose an application');
    expect(withoutIcons(html)).toContain(
      `<p>Last opened</p><ul><li><a href="/dashboard${appPath(appKey)}">Third shop</a>`,
    );
    const filtered = (await owner.get(`/messages?application=${passbell.keys.appKey}`)).html;
    expect(filtered).not.toContain('Choose an application');
    expect(linksIn(filtered)).toContain(`/dashboard${appPath()}/templates`);
  });

  it('leaves out the pages that a person may not see', async () => {
    const viewer = await signIn(passbell, 'viewer');
    const links = linksIn((await viewer.get('/home')).html);
    expect(links).toContain('/dashboard/channels');
    expect(links).not.toContain('/dashboard/audit');
  });
});

describe('the search', () => {
  const search = async (visitor: Visitor, text: string) =>
    (await visitor.submit('/search', '/search', { text })).html.split('id="search-results"')[1]!;

  it('finds pages, templates and applications by words', async () => {
    expect(linksIn(await search(owner, 'audit'))).toEqual(['/dashboard/audit']);
    expect(linksIn(await search(owner, 'order shipped test shop'))[0]).toBe(
      `/dashboard${appPath()}/templates/order_shipped/sms/en`,
    );
    expect(linksIn(await search(owner, passbell.keys.appKey))).toEqual([`/dashboard${appPath()}`]);
    for (const text of ['zzz', 'constructor', '?!']) expect(await search(owner, text)).toContain('No results.');
  });

  it('shows at most 12 results, and says how many there are', async () => {
    const many = await search(owner, 'sms');
    const [, shown, all] = /(\d+) of (\d+) results shown\. Add a word to narrow the results\./.exec(many)!;
    expect([linksIn(many).length, Number(shown), Number(all) > 12]).toEqual([12, 12, true]);
    expect(await search(owner, 'audit')).not.toContain('results shown');
  });

  it('finds settings, filters, countries, providers and guides by the words that people use', async () => {
    const settings = `/dashboard${appPath()}/settings`;
    const found = async (text: string) => linksIn(await search(owner, text));
    expect(await found('sender name')).toContain(`${settings}/general#general`);
    expect(await found('language')).toContain(`${settings}/general#general`);
    expect(await found('budget')).toContain(`${settings}/limits#limits`);
    expect(await found('price sms')).toEqual(['/dashboard/channels/prices/sms']);
    for (const text of ['price', 'prices']) expect((await found(text))[0]).toBe('/dashboard/channels/prices/sms');
    expect(await found('expiry')).toContain('/docs/api/otp#sendOtp');
    expect((await found('failed messages'))[0]).toBe('/dashboard/messages?state=failed');
    expect((await found('refused messages today'))[0]).toMatch(
      /\?state=refused&amp;from=\d+$|\?state=refused&from=\d+$/,
    );
    for (const text of ['germ', 'DE'])
      expect(await found(text)).toEqual(
        expect.arrayContaining([
          '/dashboard/channels/prices/sms',
          `/dashboard${appPath()}/protection`,
          `${settings}/countries#countries`,
        ]),
      );
    for (const [word, path] of [
      ['logs', '/audit'],
      ['billing', '/usage'],
      ['password', '/account'],
      ['team', '/people'],
      ['sender', '/channels#sender-domains'],
      ['blocked', '/suppressions'],
      ['fraud', `${appPath()}/protection`],
      ['logo', '/account-settings'],
    ])
      expect(await found(word!)).toContain(`/dashboard${path}`);
    expect(await found('plivo')).toEqual(['/dashboard/channels/add/plivo']);
    expect(await found('fraud guide')).toContain('/docs/fraud');
    const viewer = await signIn(passbell, 'viewer');
    expect(linksIn(await search(viewer, 'plivo'))).toEqual([]);
  });

  it('answers questions, with filler words and typing errors', async () => {
    await owner.get(appPath());
    const found = async (text: string) => linksIn(await search(owner, text));
    for (const [text, path] of [
      ['Why was it not received?', '/messages'],
      ['did not get my code', '/messages'],
      ['too expensive', '/usage'],
      ['stop', '/suppressions'],
      ['unsubscribe', '/suppressions'],
      ['spam', `${appPath()}/protection`],
      ['gdpr', '/recipients/erase'],
    ])
      expect(await found(text!)).toContain(`/dashboard${path}`);
    for (const [question, path] of [
      ['did not get my code', '/messages'],
      ['customer says no sms arrived', '/messages'],
      ['how much did I spend this month', '/usage'],
      ['sms too expensive', '/usage'],
      ['change the text of the sms', `${appPath()}/templates`],
      ['send in german', `${appPath()}/templates`],
      ['stop sending to a customer', '/suppressions'],
      ['add a colleague', '/people'],
      ['add my colleague', '/people'],
      ['give my developer access', '/people'],
      ['put my logo in emails', '/account-settings'],
      ['block a number', '/suppressions'],
      ['change the price', '/channels/prices/sms'],
      ['why did it fail', '/messages?state=failed'],
      ['see what my colleague changed', '/audit'],
      ['change my password', '/account'],
      ['turn off quiet hours', `${appPath()}/settings/quiet#quiet`],
      ['suppresions', '/suppressions'],
      ['customer cannot log in', `${appPath()}/users`],
      ['delete a customer', '/recipients/erase'],
      ['block a country', `${appPath()}/settings/countries#countries`],
      ['forgot password', '/account'],
      ['who changed the budget', '/audit?action=application.update'],
      ['who deleted the webhook', '/audit?action=webhook.remove'],
      ['Who signed in?', '/audit?action=person.sign-in'],
      ['order shipped message', `${appPath()}/templates/order_shipped/sms/en`],
    ])
      expect([question, (await found(question!))[0]]).toEqual([question, `/dashboard${path}`]);
    // Only the actions that a question asks about, besides the pages about its words.
    const budget = await found('who changed the budget');
    expect(budget).toContain(`/dashboard${appPath()}/settings/limits#limits`);
    expect(budget).not.toContain('/dashboard/audit?action=application.allow-list');
    for (const text of ['pause brazil', 'stop sending to Brazil'])
      expect((await found(text))[0]).toBe(`/dashboard${appPath()}/protection`);
    expect(await found('why did my customer get no code')).toContain('/dashboard/messages?state=refused');
    // The words of Messages contain "codes".
    expect((await found('code'))[0]).not.toBe('/dashboard/messages');
    const member = await signIn(passbell, 'member');
    expect(linksIn(await search(member, 'gdpr'))).not.toContain('/dashboard/recipients/erase');
  });

  it('finds the places of the application that was visited last, and those of another one with its name', async () => {
    const { appKey } = await passbell.application({ name: 'Other outlet' });
    const places = async (text: string) =>
      linksIn(await search(owner, text)).filter((href) => href.endsWith('/protection'));
    expect(await places('protection')).toContain(`/dashboard${appPath(appKey)}/protection`);
    await owner.get(appPath());
    expect(await places('protection')).toEqual([`/dashboard${appPath()}/protection`]);
    expect(await places('germany')).toEqual([`/dashboard${appPath()}/protection`]);
    expect(await places('protection other outlet')).toEqual([`/dashboard${appPath(appKey)}/protection`]);
    expect(linksIn(await search(owner, 'outlet'))).toEqual([`/dashboard${appPath(appKey)}`]);
  });

  it('shows the most used pages before a person types', async () => {
    const links = linksIn((await owner.get('/search')).html.split('id="search-results"')[1]!);
    expect(links).toContain('/dashboard/messages?state=failed');
    expect(links).toContain(`/dashboard${appPath()}/templates`);
  });

  it('finds the messages to a recipient, without the recipient in a URL', async () => {
    const to = freshPhone();
    const { messageId } = await passbell.send(to);
    const found = await search(owner, to);
    const [link, person] = linksIn(found);
    expect(link).toMatch(/^\/dashboard\/messages\?who=/);
    expect(link).not.toContain(to.slice(1));
    expect((await owner.get(link!.replace('/dashboard', ''))).html).toContain(messageId);
    expect(linksIn(await search(owner, messageId))).toEqual([`/dashboard/messages/${messageId}`]);
    expect(person).toMatch(/^\/dashboard\/applications\/.+\/users\//);
    expect(person).not.toContain(to.slice(1));
    const messagesOfPerson = linksIn((await owner.get(person!.replace('/dashboard', ''))).html).find((href) =>
      href.startsWith('/dashboard/messages?'),
    );
    expect((await owner.get(messagesOfPerson!.replace('/dashboard', ''))).html).toContain(messageId);
    const ofMessage = linksIn((await owner.get(`/messages/${messageId}`)).html);
    expect(ofMessage.some((href) => href.startsWith(`/dashboard${appPath()}/users/`))).toBe(true);
  });

  it('finds an end user only in the applications that know the person', async () => {
    await passbell.application({ name: 'Shop without messages' });
    const to = freshPhone();
    expect(await search(owner, to)).not.toContain('End user');
    await passbell.send(to);
    const found = await search(owner, to);
    expect(found.match(/End user/g)).toHaveLength(1);
    expect(found).not.toContain('Shop without messages');
  });

  it('finds the messages with a reference, of the own account only', async () => {
    const { messageId } = await passbell.send(freshPhone(), { reference: '4155550999' });
    const links = linksIn(await search(owner, '4155550999'));
    expect(links).toContain('/dashboard/messages?reference=4155550999');
    expect((await owner.get('/messages?reference=4155550999')).html).toContain(messageId);
    const stranger = await signIn(passbell, 'owner', { account: 'other@example.com' });
    expect((await search(stranger, '4155550999')).includes('reference=')).toBe(false);
  });

  it("finds people by the last digits of their number, and nobody else's by digits that look like a number", async () => {
    for (const to of ['+14155557712', '+14155547712', '+14155557713']) await passbell.send(to);
    const both = await search(owner, '7712');
    expect(both.match(/Messages to/g)).toHaveLength(2);
    expect(both.match(/Latest message: Test/g)).toHaveLength(2);
    const one = linksIn(await search(owner, '5557712'));
    expect(one[0]).toMatch(/^\/dashboard\/messages\?who=/);
    expect(one[1]).toMatch(/^\/dashboard\/applications\/.+\/users\//);
    expect((await owner.get(one[0]!.replace('/dashboard', ''))).html).toContain('+1415*****12');
    expect(linksIn(await search(owner, '14155557712'))).toHaveLength(one.length);
    const stranger = await signIn(passbell, 'owner', { account: 'other@example.com' });
    expect(await search(stranger, '7712')).toContain('No results.');
  });

  it('finds a message by the ID of its code and by its request ID', async () => {
    const headers = { 'X-Request-Id': 'checkout-2027.01' };
    const { messageId, maskId } = await passbell.send(freshPhone(), {}, { headers });
    const stranger = await signIn(passbell, 'owner', { account: 'other@example.com' });
    for (const id of [maskId, maskId.toUpperCase(), 'checkout-2027.01']) {
      expect(linksIn(await search(owner, id))).toEqual([`/dashboard/messages/${messageId}`]);
      expect(await search(stranger, id)).toContain('No results.');
    }
  });

  it('finds the messages about an order of a connected shop, and the shop if nothing was sent', async () => {
    const shops = createShops(passbell, owner);
    const shop = await shops.connect(passbell.keys, 'woocommerce');
    const sent = freshOrder();
    const ignored = freshOrder();
    const completed = { status: 'completed', date_completed_gmt: isoTime(passbell.clock.now()).slice(0, 19) };
    await shops.post(shop, shops.woo(shop, ignored, completed));
    await shops.handled(shop);
    await shops.automate(shop, 'fulfilled', { template: 'order_shipped' });
    await shops.post(shop, shops.woo(shop, sent, completed));
    await shops.handled(shop);
    const ofOrder = await search(owner, String(sent));
    const [link, ...others] = linksIn(ofOrder);
    expect(others).toEqual([]);
    expect(ofOrder).toContain(`Order ${sent}: Order shipped`);
    expect((await owner.get(link!.replace('/dashboard', ''))).html).toContain('Order shipped');
    expect(linksIn(await search(owner, String(ignored)))).toEqual([`/dashboard${shop.path}#shop-log`]);
    const member = await signIn(passbell, 'member');
    expect(await search(member, String(sent))).toContain('No results.');
  });

  it('finds nothing of another account, and no pages that the person may not see', async () => {
    const { messageId } = await passbell.send(freshPhone());
    const stranger = await signIn(passbell, 'owner', { account: 'other@example.com' });
    expect(await search(stranger, messageId)).toContain('No results.');
    expect(linksIn(await search(stranger, passbell.keys.appKey))).toEqual([]);
    const viewer = await signIn(passbell, 'viewer');
    expect(linksIn(await search(viewer, 'audit'))).toEqual([]);
  });

  it('returns only the results to htmx', async () => {
    const { html } = await owner.get('/search');
    const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
    const headers = { 'HX-Request': 'true', 'HX-Target': 'search-results' };
    const reply = await owner.post('/search', { token, text: 'audit' }, headers);
    expect(reply.html).toMatch(/^<div class="search-group">.*<ul[^>]*><li><a href="\/dashboard\/audit">/);
  });
});

it('Home lists a failing webhook, and a link to it', async () => {
  const server = await startWebhookServer();
  server.respondWith({ status: 500 });
  const application = (await passbell.core.applications.service.find(passbell.keys.appKey))!;
  const { webhookId } = await passbell.core.webhooks.service.create(OPERATOR, application, {
    url: server.url,
    events: ['message.failed'],
  });
  await passbell.core.webhooks.service.sendTest(OPERATOR, application, webhookId, 'message.failed');
  const home = () => owner.get('/home');
  const html = await until(
    'the webhook on Home',
    async () => {
      const page = (await home()).html;
      return /Webhook (?:failing|never worked): \d+ events? waiting|Webhook has never worked/.test(page) && page;
    },
    advancing(passbell.clock, 1000),
  );
  expect(linksIn(html)).toContain(`/dashboard${appPath()}/webhooks/${webhookId}`);
  await server.close();
});

it('the sign-in page of a server without an owner leads to a page that names the link', async () => {
  const fresh = await startService({ BASE_URL: 'https://otp.example' });
  const visitor = createVisitor(fresh.url);
  expect((await visitor.follow(await visitor.get('/sign-in'))).html).toContain('This server has no owner yet');
  await signIn(fresh);
  expect((await visitor.get('/sign-in')).html).not.toContain('no owner');
  await fresh.stop();
});
