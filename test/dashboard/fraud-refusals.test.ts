/** Refusals of the fraud guard: the notice on Home, and the list on the Protection page with its buttons. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { accountOf, waitForRoutingUpdate } from '../support/providers.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { until } from '../support/wait.js';

const CANADA = '+151455511';
const QUESTION = /data-confirm="Do you serve Canada\? Messages to this country may be fraud\./;

let service: GuardedService;
let owner: Visitor;
beforeEach(async () => {
  service = await startGuardedService();
  owner = await signIn(service.passbell);
});
afterEach(() => service.close());

const path = () => `/applications/${service.keys.appKey}/protection`;
const load = () => service.passbell.core.applications.service.load(service.keys.appKey);

/** Returns the text of the page without tags. */
const textOf = (html: string): string => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
/** Returns the problems on Home that link to a Protection page. */
async function newsOnHome(visitor = owner): Promise<string[]> {
  const { html } = await visitor.get('/home');
  const cards = html.match(/<section class="card (?:attention|alerts)[\s\S]*?<\/section>/g) ?? [];
  const problems = cards.join('').replace(/>Paused or allowed manually<.*?<\/ul>/s, '');
  const entries = problems.match(/<li>[\s\S]*?<\/li>/g) ?? [];
  return entries
    .filter((entry) => entry.includes(`/dashboard${path()}`))
    .map((entry) => textOf(entry.replace(/<time.*?<\/time>/g, 'TIME')).trim());
}

async function act(action: 'pause' | 'resume', key: string): Promise<void> {
  await service.passbell.core.fraud.pauses.act(OPERATOR, await load(), { scope: 'country', key }, action);
  service.passbell.clock.advance(SEEN_MS);
}

/** Lets the guard refuse three codes to a new country. */
async function refuseInCanada(): Promise<void> {
  const { passbell, keys } = service;
  await passbell.core.applications.service.update(OPERATOR, keys.appKey, { fraud: { newCountriesUnverified: 1 } });
  await service.learnConversion();
  const replies = await service.sendToAll(numbers(CANADA, 4));
  expect(replies.map(({ code }) => code)).toEqual([undefined, ...Array(3).fill('FRAUD_SUSPECTED')]);
}

async function press(action: string, key: string, visitor = owner) {
  const reply = await visitor.submit(path(), path(), { action, scope: 'country', key });
  service.passbell.clock.advance(SEEN_MS);
  return reply;
}

/** Returns the labels of the buttons that add countries to the served ones. */
async function buttons(visitor = owner): Promise<string[]> {
  const { html } = await visitor.get(path());
  return [...html.matchAll(/<button[^>]*aria-label="(Add to served[^"]*)"/g)].map(([, label]) => label!);
}

it('Home shows manual pauses and the messages that they refused today, but not as problems', async () => {
  const start = 'Canada is paused manually The pause lasts until an owner chooses “Resume”.';
  const paused = async () => {
    const text = textOf((await owner.get('/home')).html);
    return /Canada is paused manually .*?“Resume”\.(?: \d+ messages .*? today\.)?/.exec(text)?.[0];
  };
  expect(await paused()).toBeUndefined();
  await service.verify(`${CANADA}80`);
  await act('pause', 'CA');
  expect(await paused()).toBe(start);
  await service.sendAtOnce(numbers(CANADA, 3));
  expect(await paused()).toBe(`${start} 3 messages to 3 numbers in Canada were refused today.`);
  expect(await newsOnHome()).toEqual([]);
  await act('resume', 'CA');
  expect(await paused()).toBeUndefined();
  expect(await newsOnHome()).toEqual([]);
});

it('Home does not join a pause by a person with messages to another country that the guard refused', async () => {
  await refuseInCanada();
  const newCountries = { scope: 'newCountries', key: '' } as const;
  await service.passbell.core.fraud.pauses.act(OPERATOR, await load(), newCountries, 'resume');
  await act('pause', 'BR');
  expect(await newsOnHome()).toEqual([
    'Messages refused: Canada 3 messages to 3 numbers in Canada were refused today.',
  ]);
  service.passbell.clock.advance(DAY);
  owner = await signIn(service.passbell);
  expect(await newsOnHome()).toEqual([]);
});

it("Home's sentence about yesterday counts only yesterday's refusals", async () => {
  const sentence = async () => /id="yesterday"[\s\S]*?<\/section>/.exec((await owner.get('/home')).html)?.[0] ?? '';
  await refuseInCanada();
  expect((await sentence()) ?? '').not.toContain('refused');
  service.passbell.clock.advance(DAY);
  owner = await signIn(service.passbell);
  expect(await sentence()).toContain('Passbell refused 3 messages to Canada.');
  service.passbell.clock.advance(DAY);
  owner = await signIn(service.passbell);
  expect(await sentence()).not.toContain('refused');
});

it("shows refused messages by day in the account's time zone, for the same days as the figure", async () => {
  const { passbell } = service;
  const { clock } = passbell;
  await passbell.core.applications.profiles.update(OPERATOR, await accountOf(passbell), { timeZone: 'Asia/Kathmandu' });
  // It is 23:50 in Kathmandu.
  clock.advance(Math.floor(clock.now() / DAY) * DAY + DAY + 18 * HOUR + 5 * MINUTE - clock.now());
  const midnight = clock.now() + 10 * MINUTE;
  await refuseInCanada();
  clock.advance(midnight + MINUTE - clock.now());
  await service.sendToAll(numbers(CANADA, 2, 20));
  const days = async () => {
    owner = await signIn(passbell);
    const text = textOf((await owner.get(path())).html);
    const [, figure] = /Refused messages (\d+) in the last 7 days/.exec(text)!;
    const [, legend] = /Codes not entered \d+ Refused messages (\d+) /.exec(text)!;
    const rows = /<caption[^]*?<\/table>/
      .exec((await owner.get(path())).html)![0]
      .match(/<tr>[^]*?<\/tr>/g)!
      .slice(1);
    return { figure, legend, refused: rows.map((row) => Number(textOf(row.match(/<td[^]*?<\/td>/g)![3]!))) };
  };
  expect(await days()).toEqual({ figure: '5', legend: '5', refused: [2, 3, 0, 0, 0, 0, 0] });
  clock.advance(6 * DAY);
  expect(await days()).toEqual({ figure: '2', legend: '2', refused: [0, 0, 0, 0, 0, 0, 2] });
});

it('the list of refused messages starts with their reasons, each with one button that allows them', async () => {
  await act('pause', 'CA');
  await service.sendAtOnce(numbers(CANADA, 3));
  const reasons = async () => {
    const { html } = await owner.get('/messages?state=refused');
    const [card = ''] = /<section class="card" aria-labelledby="reasons"[\s\S]*?<\/section>/.exec(html) ?? [];
    return textOf(card.replace(/<time.*?<\/time>/g, 'TIME')).trim();
  };
  expect(await reasons()).toMatch(
    /^Why messages were refused Open Protection Allow Canada for 24 hours These messages were paused manually · Canada 3 messages Today, \d\d:\d\d\. Still paused$/,
  );
  const { html } = await owner.get('/messages?state=refused');
  // All messages have the same reason, so that no row repeats it.
  expect(html).toContain('>Today · These messages were paused manually</th>');
  expect(html).not.toContain('<span class="reason">');
  const fields = { action: 'allow', scope: 'country', key: 'CA' };
  expect(await owner.submit('/messages?state=refused', path(), fields)).toMatchObject({ status: 303 });
  service.passbell.clock.advance(SEEN_MS);
  expect(await service.send(`${CANADA}40`)).toMatchObject({ success: true });
});

it('Home does not show other accounts what was refused', async () => {
  await act('pause', 'CA');
  const other = await signIn(service.passbell, 'owner', { email: 'o@other.example', account: 'o@other.example' });
  expect(await newsOnHome(other)).toEqual([]);
});

it('an owner serves a country from the list of refusals, which then gets messages, and allows it', async () => {
  await refuseInCanada();
  expect(textOf((await owner.get(path())).html)).toContain(
    'Canada Too few codes were entered in countries with few verifications. 3 messages refused .',
  );
  expect(await buttons()).toEqual(['Add to served countries: Canada']);
  expect((await owner.get(path())).html).toMatch(QUESTION);
  expect((await owner.get('/messages?state=refused')).html).toMatch(QUESTION);
  expect(textOf((await owner.follow(await press('serve', 'CA'))).html)).toContain(
    'Canada was added to the countries that you serve. Its limits are higher now.',
  );
  expect((await owner.get(path())).html).not.toMatch(QUESTION);
  expect((await load()).settings.servedCountries).toEqual(['CA']);
  expect(await service.send(`${CANADA}40`)).toMatchObject({ success: true });
  await press('serve', 'CA');
  expect((await load()).settings.servedCountries).toEqual(['CA']);
  expect((await owner.follow(await press('serve', 'Atlantis'))).html).toMatch(/class="notice bad[^]*?Enter the name/);
  expect(textOf((await owner.get('/audit')).html)).toMatch(/Countries that you serve.*Canada/);
  expect(await buttons()).toEqual([]);
  await press('allow', 'CA');
  expect(await service.passbell.core.fraud.pauses.list(await load())).toContainEqual(
    expect.objectContaining({ scope: 'country', key: 'CA', state: 'allowed' }),
  );
  expect(await service.send(`${CANADA}50`)).toMatchObject({ success: true });
});

it('each row of refusals links to its own messages, by country, reason and time', async () => {
  await refuseInCanada();
  await act('pause', 'CA');
  await service.sendAtOnce(numbers('+141655512', 2));
  const linksOf = async () =>
    [...(await owner.get(path())).html.matchAll(/href="\/dashboard(\/messages\?[^"]*rule=[^"]*)"/g)].map(([, link]) =>
      link!.replaceAll('&amp;', '&'),
    );
  const recipients = async (link: string) => {
    const { html } = await owner.get(link);
    return new Set([...html.matchAll(/\+1\d\d\d\*+\d\d/g)].map(([masked]) => masked.slice(0, 5)));
  };
  await until('both lists', async () => {
    const sizes = await Promise.all((await linksOf()).map(async (link) => (await recipients(link)).size));
    return sizes.length === 2 && sizes.every((size) => size > 0);
  });
  const links = await linksOf();
  expect(links.map((link) => new URLSearchParams(link.split('?')[1]).get('rule')).sort()).toEqual([
    'newCountries',
    'person',
  ]);
  // The United States have the same calling code.
  for (const link of links) expect(await recipients(link.replace('country=CA', 'country=US'))).toEqual(new Set());
  const [byPerson] = links.filter((link) => link.includes('rule=person'));
  expect(await recipients(byPerson!)).toEqual(new Set(['+1416']));
});

it('estimates what the refused messages would have cost, if a price is set', async () => {
  await refuseInCanada();
  const estimate = async () => /Cost avoided ([\d.]+\sUSD)/.exec(textOf((await owner.get(path())).html))?.[1];
  expect(await estimate()).toBeUndefined();
  const { core } = service.passbell;
  const accountId = await accountOf(service.passbell);
  await core.providers.prices.set(OPERATOR, { accountId, channel: 'SMS', prices: { CA: '0.5000' }, replace: true });
  await waitForRoutingUpdate(service.passbell);
  expect(await estimate()).toMatch(/^1\.50\sUSD$/);
});

it('only owners get the buttons, and may use them', async () => {
  await refuseInCanada();
  const member = await signIn(service.passbell, 'member', { email: 'member@shop.example' });
  expect(textOf((await member.get(path())).html)).toContain(
    'Too few codes were entered in countries with few verifications',
  );
  expect(await buttons(member)).toEqual([]);
  const { html } = await member.get('/account');
  const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
  for (const action of ['serve', 'allow'])
    expect(await member.post(path(), { token, action, scope: 'country', key: 'CA' })).toMatchObject({ status: 403 });
  expect((await load()).settings.servedCountries).toEqual([]);
});

it.each([
  {
    scope: 'prefix',
    key: CANADA.slice(0, 8),
    label: `Allow numbers that start with ${CANADA.slice(0, 8)} for 24 hours`,
  },
  { scope: 'country', key: 'CA', label: 'Allow Canada for 24 hours' },
] as const)('the page of a refused message allows the paused $scope, which then gets messages', async (pause) => {
  const { passbell } = service;
  const { label, ...ref } = pause;
  await press('serve', 'CA');
  await passbell.core.fraud.pauses.act(OPERATOR, await load(), ref, 'pause');
  passbell.clock.advance(SEEN_MS);
  const number = `${CANADA}40`;
  expect(await service.send(number)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  const filter = { applicationIds: [(await load()).id], recipient: number };
  const newest = async () => (await passbell.core.messages.lookup.page(filter, undefined, 1)).messages[0];
  // A refused message is stored in the background.
  const { id } = await until('the refused message', newest);
  const { html } = await owner.get(`/messages/${id}`);
  expect(textOf(html)).toContain(label);
  expect(textOf(html)).toMatch(/Still paused Messages to recipients [^.]+ are refused until an owner resumes them\./);
  const [, scope] = /name="scope" value="(\w+)"/.exec(html)!;
  const [, key] = /name="key" value="([^"]+)"/.exec(html)!;
  expect({ scope, key }).toEqual(ref);
  await owner.submit(path(), path(), { action: 'allow', scope: scope!, key: key! });
  passbell.clock.advance(SEEN_MS);
  expect(await service.send(number)).toMatchObject({ success: true });
  const after = await owner.get(`/messages/${id}`);
  expect(textOf(after.html)).not.toContain(label);
  expect(textOf(after.html)).toContain('Pause Canada');
  expect(textOf(after.html)).toContain('The pause has ended New messages to this number are sent as usual.');
  // Another pause, which may contain the recipient.
  await passbell.core.fraud.pauses.act(OPERATOR, await load(), { scope: 'newCountries', key: '' }, 'pause');
  const paused = await owner.get(`/messages/${id}`);
  expect(textOf(paused.html)).toContain('Another pause or challenge may still stop messages to this number.');
});

it('fraud ends with the last refused message, or with its quarter of an hour if only some refusals are stored', async () => {
  const { passbell } = service;
  await service.learnConversion();
  await service.sendToAll(numbers('+4474', 18).map((start) => `${start}123456`));
  const { id } = await load();
  const hour = Math.ceil(passbell.clock.now() / HOUR) * HOUR;
  const db = passbell.openDatabase();
  const at = hour + 18 * MINUTE;
  const [sent] = await db('messages').where({ application_id: id, state: 'sent' }).limit(1);
  await db('messages').insert({ ...sent, id: 'refused', state: 'refused', ending: 'refused', created_at: at });
  const period = { application_id: id, day: hour + 15 * MINUTE, people: 9, challenged: 0, served: false };
  const titleWith = async (messages: number) => {
    await db('fraud_refusals').delete();
    await db('fraud_refusals').insert({ ...period, rule: 'country', country: 'GB', messages });
    const [, title] =
      /Likely fraud: the United Kingdom, (ongoing|ended\W+\d+ messages refused, \d+ sent until \d\d:\d\d)/.exec(
        (await newsOnHome()).join(),
      )!;
    return title;
  };
  for (const [minutes, messages, expected] of [
    [70, 99, 'ongoing'],
    [79, 99, expect.stringMatching(/until \d\d:18$/)],
    [79, 100, 'ongoing'],
    [91, 100, expect.stringMatching(/until \d\d:30$/)],
  ] as const) {
    passbell.clock.advance(hour + minutes * MINUTE - passbell.clock.now());
    owner = await signIn(passbell);
    expect(await titleWith(messages)).toEqual(expected);
  }
  await db.destroy();
});

it('the pages of a refused message, and of a message that was sent before the pause, link to Protection', async () => {
  const { passbell } = service;
  const sent = `${CANADA}41`;
  const refused = `${CANADA}42`;
  expect(await service.send(sent)).toMatchObject({ success: true });
  await act('pause', 'CA');
  expect(await service.send(refused)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  const links = async (recipient: string, visitor = owner) => {
    const filter = { applicationIds: [(await load()).id], recipient };
    const newest = async () => (await passbell.core.messages.lookup.page(filter, undefined, 1)).messages[0];
    const { html } = await visitor.get(`/messages/${(await until('the message', newest)).id}`);
    const [, facts] = /(Messages are paused\. )<a/.exec(html) ?? [];
    return [facts, ...[...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>Open Protection</g)].map(([, href]) => href)];
  };
  expect(await links(sent)).toEqual(['Messages are paused. ', `/dashboard${path()}`]);
  expect(await links(refused)).toEqual([undefined, `/dashboard${path()}`]);
});
