/** Refusals of the fraud guard: the notice on Home, and the list on the Protection page with its buttons. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';

const CANADA = '+151455511';

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
/** Returns the entries on Home that link to a Protection page. */
async function newsOnHome(visitor = owner): Promise<string[]> {
  const { html } = await visitor.get('/home');
  const [card = ''] = /<section class="card attention"[\s\S]*?<\/section>/.exec(html) ?? [];
  const entries = card.match(/<li>[\s\S]*?<\/li>/g) ?? [];
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

/** Returns the labels of the buttons in the list of refusals. */
async function buttons(visitor = owner): Promise<string[]> {
  const { html } = await visitor.get(path());
  const [list = ''] = /Refused in the last 7 days[\s\S]*?<\/section>/.exec(html) ?? [];
  return [...list.matchAll(/<button[^>]*aria-label="([^"]*)"/g)].map(([, label]) => label!);
}

it('Home says what the guard paused and refused today, with a link, and nothing otherwise', async () => {
  expect(await newsOnHome()).toEqual([]);
  await service.verify(`${CANADA}80`);
  expect(await newsOnHome()).toEqual([]);
  await act('pause', 'CA');
  expect(await newsOnHome()).toEqual([
    'Another Shop: the fraud guard holds messages back 1 country is paused. Since TIME Open Protection',
  ]);
  await service.sendAtOnce(numbers(CANADA, 3));
  expect(await newsOnHome()).toEqual([
    'Another Shop: the fraud guard holds messages back 1 country is paused. 3 messages were refused today. Affected numbers: 3 in Canada. Since TIME · last seen TIME Open Protection',
  ]);
  await act('resume', 'CA');
  expect(await newsOnHome()).toEqual([
    'Another Shop: the fraud guard holds messages back 3 messages were refused today. Affected numbers: 3 in Canada. Last seen TIME Open Protection',
  ]);
  service.passbell.clock.advance(DAY);
  owner = await signIn(service.passbell);
  expect(await newsOnHome()).toEqual([]);
});

it("Home's sentence about yesterday counts only yesterday's refusals", async () => {
  const sentence = async () => /Yesterday, [^<]*/.exec((await owner.get('/home')).html)?.[0];
  await refuseInCanada();
  expect(await sentence()).not.toContain('refused');
  service.passbell.clock.advance(DAY);
  owner = await signIn(service.passbell);
  expect(await sentence()).toContain('The fraud guard refused 3 messages to Canada.');
  service.passbell.clock.advance(DAY);
  owner = await signIn(service.passbell);
  expect(await sentence()).not.toContain('refused');
});

it('Home does not show other accounts what was refused', async () => {
  await act('pause', 'CA');
  const other = await signIn(service.passbell, 'owner', { email: 'o@other.example', account: 'o@other.example' });
  expect(await newsOnHome(other)).toEqual([]);
});

it('an owner serves a country from the list of refusals, which then gets messages, and allows it', async () => {
  await refuseInCanada();
  expect(textOf((await owner.get(path())).html)).toContain(
    'Canada Few codes entered in countries with few verifications 3 3',
  );
  expect(await buttons()).toEqual(['We serve this country: Canada']);
  expect(textOf((await owner.follow(await press('serve', 'CA'))).html)).toContain('You serve Canada now.');
  expect((await load()).settings.servedCountries).toEqual(['CA']);
  expect(await service.send(`${CANADA}40`)).toMatchObject({ success: true });
  await press('serve', 'CA');
  expect((await load()).settings.servedCountries).toEqual(['CA']);
  expect(textOf((await owner.get('/audit')).html)).toContain('served');
  expect(await buttons()).toEqual(['Allow for 24 hours: Canada']);
  await press('allow', 'CA');
  expect(await service.passbell.core.fraud.pauses.list(await load())).toContainEqual(
    expect.objectContaining({ scope: 'country', key: 'CA', state: 'allowed' }),
  );
  expect(await service.send(`${CANADA}50`)).toMatchObject({ success: true });
});

it('only owners get the buttons, and may use them', async () => {
  await refuseInCanada();
  const member = await signIn(service.passbell, 'member', { email: 'member@shop.example' });
  expect(textOf((await member.get(path())).html)).toContain('Few codes entered in countries with few verifications');
  expect(await buttons(member)).toEqual([]);
  const { html } = await member.get('/account');
  const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
  for (const action of ['serve', 'allow'])
    expect(await member.post(path(), { token, action, scope: 'country', key: 'CA' })).toMatchObject({ status: 403 });
  expect((await load()).settings.servedCountries).toEqual([]);
});
