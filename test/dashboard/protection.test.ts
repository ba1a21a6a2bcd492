/** The Protection page of an application: pauses, refused messages, conversion and cost. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { DAY, HOUR } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { LEARNED_MS, numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { until } from '../support/wait.js';

const PREFIX = '+141555511';
const RANGE = '+1415555';
const UK_PREFIX = '+4474001234';

let service: GuardedService;
let owner: Visitor;
// Starts a new service for each test, because some tests advance the clock by weeks.
beforeEach(async () => {
  service = await startGuardedService({}, { '*': '0.05', GB: '0.04' }, 'USD');
  owner = await signIn(service.passbell);
});
afterEach(() => service.close());

const path = () => `/applications/${service.keys.appKey}/protection`;

/** Returns the overview, which `passbell fraud show` also prints. */
async function show() {
  const { applications, fraud } = service.passbell.core;
  return fraud.overview(await applications.service.load(service.keys.appKey));
}

/** Returns the text of an HTML page without tags. */
const textOf = (html: string): string =>
  html
    .replace(/<script[\s\S]*?<\/script>|<[^>]+>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/\s+/g, ' ');

async function pageText(visitor = owner): Promise<string> {
  const { status, html } = await visitor.get(path());
  expect(status).toBe(200);
  return textOf(html);
}

async function post(to: string, fields: Record<string, string>, visitor = owner) {
  const { html } = await visitor.get('/account');
  const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
  const reply = await visitor.post(to, { token, ...fields });
  service.passbell.clock.advance(SEEN_MS);
  return reply;
}
const act = (action: string, scope: string, key: string, visitor = owner) =>
  post(path(), { action, scope, key }, visitor);

/** Sends codes that are not verified, which pauses {@link RANGE}. */
async function attack(): Promise<void> {
  await service.learnConversion();
  await service.sendToAll(numbers(PREFIX, 10));
  expect(await service.send(`${PREFIX}50`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
}

it('the page links to the messages that were refused in the application, and to no others', async () => {
  await service.sendToAll(numbers(UK_PREFIX, 21));
  const { appKey } = service.keys;
  const refused = async () => {
    const [, link] = /href="\/dashboard([^"]*)">\s*Refused messages/.exec((await owner.get(path())).html)!;
    // As many days as the number counts.
    expect(link).toMatch(
      new RegExp(`^/messages\\?state=refused&amp;application=${appKey}&amp;from=\\d+&amp;zone=UTC$`),
    );
    const { html } = await owner.get(link!.replaceAll('&amp;', '&'));
    const [, list = ''] = html.split('id="message-list"');
    return list.match(/id="message-/g)?.length ?? 0;
  };
  await until('the refused message', async () => (await refused()) > 0);
  expect(await refused()).toBe(1);
});

it('says what Protection judges before codes are entered, and that nothing needs attention once they are', async () => {
  expect(await pageText()).toContain('Protection starts counting when the first code that costs money is sent.');
  await service.send(`${PREFIX}10`);
  expect(await pageText()).toContain('so Passbell only limits messages to new countries.');
  expect((await show()).phase).toBe('unknown');
  // A code is dated to the second, and its send to the millisecond.
  service.passbell.clock.advance(200);
  await service.verify(`${PREFIX}11`);
  expect((await show()).phase).toBe('acting');
  expect(await pageText()).toMatch(
    /No attack in progress Refused messages 0 in the last 7 days Codes entered \d+% in the last 7 days Daily budget .*Codes by country .*Paused and allowed There are no pauses or exceptions now\. /,
  );
  expect(await pageText()).not.toContain('so Passbell only limits messages to new countries.');
});

describe('the list of refused messages', () => {
  it('counts messages and people by country and rule for seven days', async () => {
    await attack();
    await service.sendToAll([`${PREFIX}50`, `${PREFIX}51`]);
    await act('pause', 'country', 'GB');
    await service.send(`${UK_PREFIX}10`);
    const home = { rule: 'prefix', country: 'US', messages: 3, people: 2, isServed: true };
    const other = { rule: 'person', country: 'GB', messages: 1, people: 1, isServed: false };
    expect((await show()).refusals).toEqual([home, other]);
    const text = await pageText();
    expect(text).toMatch(
      /\(United States\) Paused automatically .* 3 messages refused \. .*Paused United Kingdom Paused manually since \d\d:\d\d today, until an owner chooses “Resume”\. 1 message refused \. Resume Allow for 24 hours (?!Add to served)/,
    );
    expect(await pageText(await signIn(service.passbell, 'viewer'))).not.toContain('Allow for 24 hours');
    service.passbell.clock.advance(7 * DAY);
    expect((await show()).refusals).toEqual([]);
  });

  it('lets an owner serve a country, which gets messages within two seconds', async () => {
    const replies = await service.sendToAll(numbers(UK_PREFIX, 21));
    expect(replies.at(-1)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
    expect(await pageText()).toContain('Add to served countries');
    const reply = await act('serve', 'country', 'GB');
    expect(textOf((await owner.follow(reply)).html)).toContain(
      'The United Kingdom was added to the countries that you serve. Its limits are higher now.',
    );
    expect(await service.send(`${UK_PREFIX}50`)).toMatchObject({ success: true });
    // Countries to which messages may be sent at all are another setting.
    const { settings } = await service.passbell.core.applications.service.load(service.keys.appKey);
    expect(settings).toMatchObject({ countries: [], servedCountries: ['GB'] });
    expect(await service.send(`${PREFIX}10`)).toMatchObject({ success: true });
    expect(textOf((await owner.get('/audit')).html)).toMatch(/Countries that you serve.*United Kingdom/);
  });

  it('does not let members serve a country', async () => {
    const member = await signIn(service.passbell, 'member');
    expect(await act('serve', 'country', 'GB', member)).toMatchObject({ status: 403 });
  });
});

it('shows pauses and their reasons, and lets owners allow the scope and end the exception', async () => {
  await attack();
  let text = await pageText();
  expect(text).toMatch(
    /1 group of numbers is paused automatically until \d\d:\d\d \w+\. Paused and allowed If this is an attack, .* hours”\. Paused Numbers that start with \+1415555 \(United States\) Paused automatically since \d\d:\d\d today, until \d\d:\d\d \w+\. In 1 minute, 10 of 10 .* would be normal\. 1 message refused \. .*Refused messages 1 in the last 7 days Cost avoided 0\.05\sUSD estimate for 7 days Paused now 1 Numbers that start with \+1415555 Codes entered \d+% in the last 7 days /,
  );
  expect(text).toMatch(
    /In \d minutes?, \d+ of \d+ recipients whose numbers start with \+1415555 did not enter their code; up to \d+ would be normal\./,
  );
  expect((await show()).state).toBe(
    '1 group of numbers is paused. 1 message to 1 number in the United States was refused today.',
  );

  const reply = await act('allow', 'prefix', RANGE);
  text = textOf((await owner.follow(reply)).html);
  expect(text).toContain(`Allowed for 24 hours: Numbers that start with ${RANGE}.`);
  expect(text).toMatch(/Refused messages 1 in the last 7 days Cost avoided 0\.05\sUSD/);
  expect(await service.send(`${PREFIX}51`)).toMatchObject({ success: true });
  expect(text).toContain('Stop allowing');

  await act('allowForEver', 'prefix', RANGE);
  expect(await pageText()).toMatch(
    /Allowed Numbers that start with \+1415555 \(United States\) Always allowed\. Stop allowing/,
  );
  expect((await show()).conversion.prefixes).toContainEqual({ key: RANGE, sent: 0, verified: 0, state: 'allowed' });
  await act('resume', 'prefix', RANGE);
  expect(await pageText()).not.toContain('Stop allowing');
  expect((await show()).scopes).toEqual([]);
});

it('marks a country in which nobody enters codes before it is paused, with its actions, and lists manual pauses last', async () => {
  await service.learnConversion();
  await service.sendToAll(numbers('+4474', 18).map((start) => `${start}123456`));
  await service.sendToAll(numbers('+3367', 3).map((start) => `${start}12345`));
  await act('pause', 'country', 'BR');
  await act('allow', 'country', 'DE');
  expect((await show()).state).toBe(
    'Brazil is paused manually. Unusual since yesterday: 0 of 18 codes were entered in the United Kingdom.',
  );
  const { html } = await owner.get(path());
  expect([...html.matchAll(/class="badge \w+">([\w ]+)</g)].map(([, state]) => state)).toEqual([
    'Normal level',
    'Likely fraud',
    'Paused',
    'Allowed',
  ]);
  const text = textOf(html);
  expect(text).toMatch(
    /Urgent: Likely fraud: the United Kingdom, ongoing You have no known customers there: 0 of 18 codes entered; about 0\.72 USD\. Details You do not serve the United Kingdom\. Pause the United Kingdom if you have no customers there\. 0 of 18 codes entered · about 0\.72 USD · latest message: \d\d:\d\d Pause the United Kingdom Show messages Refused messages 0 in the last 7 days .*Codes by country Since 00:00 yesterday\. Served countries have higher limits\. .*Germany Allowed until \d\d:\d\d tomorrow\. Bursts of codes, similar numbers and single IP addresses can still be paused\. /,
  );
  expect(text).toMatch(
    /Codes entered Usually United Kingdom Not served Likely fraud 0 of 18 0% No history France Not served Too few/,
  );
  expect(text).toContain('France Not served Too few codes to judge 0 of 3 0% No history ');
  expect(text).toMatch(/United States Your country OK 700 of 1,000 70% (?!Messages)/);
  await act('pause', 'application', '');
  expect(await pageText()).toMatch(
    /The whole application is paused until an owner chooses “Resume”\. .*United Kingdom Not served Paused 0 of 18 0% /,
  );
  await act('resume', 'application', '');
  await act('allow', 'country', 'GB');
  expect((await show()).state).toBe('Brazil is paused manually.');
});

it('names the own country in the settings, and what happens above its limit', async () => {
  const { applications } = service.passbell.core;
  // The style sheet hides the numbers of other levels.
  const shown = async () => {
    const { html } = await owner.get(`${path()}/settings`);
    return textOf(html.replace(/<span data-level="[13]">[^<]*<\/span>/g, ''));
  };
  const email = 'Email when at least 13 more people than usual leave their code unused. Your country is not paused.';
  const later = 'Emails start a week after the first entered code. Until then, messages above the limit are paused.';
  expect(await shown()).toContain('Your own country is the United States, the country of the first sender number .');
  expect(await shown()).toMatch(/(This choice has no effect until people enter codes\. .*){2}/);
  await service.verify(`${PREFIX}12`);
  expect(await shown()).toContain(later);
  expect(await shown()).toContain('Above 65 more people than usual, new customers get no codes');
  await service.learnConversion();
  expect(await shown()).toContain(email);
  await applications.service.update(OPERATOR, service.keys.appKey, { fraud: { homeUnverified: 0 } });
  expect(await shown()).toMatch(/(This choice has no effect because the limit is off\. .*){2}/);
});

it('counts the limits that are off, and warns if no rule pauses messages', async () => {
  await service.learnConversion();
  const set = async (changes: Record<string, number>) => {
    const { applications } = service.passbell.core;
    await applications.service.update(OPERATOR, service.keys.appKey, { fraud: changes });
    return pageText();
  };
  expect(await set({ countryUnverified: 0, rangeUnverified: 0 })).toContain(' Normal level 2 limits are off ');
  const all = ['country', 'prefix', 'range', 'newCountries', 'home', 'burst', 'address'];
  const off = Object.fromEntries(all.map((name) => [`${name}Unverified`, 0]));
  expect(await set(off)).toContain('Protection is off: no rule pauses messages.');
});

it('does not call all rules active while the site reports hardly any entered codes', async () => {
  const { applications } = service.passbell.core;
  await service.learnConversion();
  await applications.service.update(OPERATOR, service.keys.appKey, { settings: { verifiedElsewhere: true } });
  expect((await show()).phase).toBe('acting');
  const db = service.passbell.openDatabase();
  await db('fraud_days').update({ verified: 1 });
  await db.destroy();
  expect((await show()).phase).toBe('unknown');
});

it('says that a pause has ended, of a country and of similar numbers', async () => {
  await attack();
  await service.sendToAll(numbers('+3367', 3).map((start) => `${start}12345`));
  await act('pause', 'country', 'FR');
  await act('resume', 'country', 'FR');
  service.passbell.clock.advance(HOUR);
  owner = await signIn(service.passbell);
  expect((await show()).ended).toMatchObject([
    { scope: 'prefix', key: RANGE },
    { scope: 'country', key: 'FR' },
  ]);
  const text = await pageText();
  expect(text).toMatch(
    /Ended Numbers that start with \+1415555 \(United States\) Paused from \d\d:\d\d(?: yesterday)? to \d\d:\d\d \w+\. The pause ended automatically\. 1 message refused \./,
  );
  expect(text).toMatch(
    /Ended France Paused from \d\d:\d\d(?: yesterday)? to \d\d:\d\d \w+\. The pause was ended manually\. /,
  );
  expect(text).toContain('France Not served Too few codes to judge 0 of 3 0% ');
  // The application of this page sends to numbers in the United States.
  await act('pause', 'country', 'US');
  expect((await show()).ended).toMatchObject([{ scope: 'country', key: 'FR' }]);
  expect(await pageText()).not.toContain('Ended Numbers that start with +1415555');
  await act('resume', 'country', 'US');
  service.passbell.clock.advance(2 * DAY);
  expect((await show()).ended).toEqual([]);
});

it('subtracts a refusal once from those without a pause, although two pauses at the same time may have caused it', async () => {
  await act('pause', 'country', 'US');
  for (const to of numbers(PREFIX, 2)) expect(await service.send(to)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  await act('resume', 'country', 'US');
  service.passbell.clock.advance(2 * DAY);
  owner = await signIn(service.passbell);
  await act('pause', 'prefix', RANGE);
  await act('pause', 'prefix', '+1212555');
  expect(await service.send(`${PREFIX}50`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  const { refusals, otherRefusals } = await show();
  expect(refusals).toMatchObject([{ rule: 'person', country: 'US', messages: 3 }]);
  expect(otherRefusals).toMatchObject([{ rule: 'person', country: 'US', messages: 2 }]);
  // The list of messages cannot show these two without the third one.
  const { html } = await owner.get(path());
  expect(textOf(html)).toMatch(/Refused United States .*\. 2 messages refused\. /);
  expect(html).not.toMatch(/<a[^>]*>2 messages refused/);
  expect(html).toMatch(/<a[^>]*>1 message refused/);
});

it('describes unusual traffic as past after an hour without a message, and asks for nothing at once', async () => {
  await service.learnConversion();
  expect(await pageText()).toMatch(/No attack in progress .* There are no pauses or exceptions now\./);
  await service.sendToAll(numbers('+4474', 18).map((start) => `${start}123456`));
  const primary = async () => /class="button small"[^>]*>\s*([^<]*\w)/.exec((await owner.get(path())).html)?.[1];
  expect(await primary()).toBe('Pause the United Kingdom');
  service.passbell.clock.advance(2 * HOUR);
  owner = await signIn(service.passbell);
  expect(await pageText()).toMatch(
    /Likely fraud: the United Kingdom, ended \d\d:\d\d(?: yesterday)? 0 of 18 codes entered \(about 0\.72 USD\)\. Not paused now\. Pause the United Kingdom if .* Details 0 of 18 codes entered · about 0\.72 USD · latest message: \d\d:\d\d Pause the /,
  );
  expect(await primary()).toBeUndefined();
});

it('the table lists a country for as long as its codes are counted', async () => {
  await service.learnConversion();
  await service.sendToAll(numbers('+4474', 18).map((start) => `${start}123456`));
  // Home no longer lists it, but the table has the codes since yesterday.
  service.passbell.clock.advance(DAY + HOUR);
  owner = await signIn(service.passbell);
  const text = await pageText();
  expect(text).toMatch(/United Kingdom Not served Likely fraud, ended 0 of 18 0% /);
  expect(text).not.toContain('Likely fraud: the United Kingdom');
  expect(text).toMatch(/No attack in progress .* Codes by country /);
});

it('does not call a country unusual while no entered codes are known', async () => {
  await service.sendToAll(numbers(UK_PREFIX, 18));
  expect((await show()).lately).toMatchObject([{ key: 'GB', sent: 18, verified: 0, isUnusual: false }]);
});

describe('the form for pausing', () => {
  it.each([
    ['prefix', '+1 (415) 555', `Numbers that start with ${RANGE}`, [`${PREFIX}10`]],
    ['prefix', '+54 11 23', 'Numbers that start with +5491123', ['+541123456789', '+5491123456780']],
    ['country', 'us', 'United States', [`${PREFIX}10`]],
    ['prefix', '+33', 'France', ['+33670000010']],
    ['country', RANGE, `Numbers that start with ${RANGE}`, [`${PREFIX}10`]],
    ['application', '', 'The whole application', [`${PREFIX}10`]],
  ])('pauses a %s (%s)', async (scope, key, name, refused) => {
    const reply = await act('pause', scope, key);
    const text = textOf((await owner.follow(reply)).html);
    expect(text).toContain(`Paused: ${name}.`);
    expect(text).toContain(` Paused ${name} `);
    expect(text).toMatch(/ Paused manually since \d\d:\d\d \w+, until an owner chooses “Resume”\. /);
    for (const to of refused) expect(await service.send(to)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  });

  it.each([
    ['prefix', '+4915', 'or a number without its last four or six digits, such as +491512345.'],
    ['prefix', '+44', 'Several countries have the calling code +44. Enter the name of one, such as the United Kingdom'],
    ['country', 'Atlantis', 'Enter a country, such as Germany or +49'],
    ['country', '', 'Enter a country, such as Germany or +49'],
  ])('rejects a %s %j', async (scope, key, problem) => {
    const { status, html } = await act('pause', scope, key);
    expect(status).toBe(422);
    expect(textOf(html)).toContain(problem);
    expect((await show()).scopes).toEqual([]);
  });

  it('asks people who signed in long ago to confirm their identity', async () => {
    service.passbell.clock.advance(HOUR);
    const { status, html } = await act('pause', 'application', '');
    expect(status).toBe(403);
    expect(html).toContain('Confirm your identity');
    expect((await show()).scopes).toEqual([]);
  });
});

describe('the form for allowing in advance', () => {
  const allow = (scope: string, key: string, days: string) =>
    post(`${path()}/allow`, { 'allow-scope': scope, 'allow-key': key, 'allow-days': days });

  it('allows a new country for some days, and records it in the audit log', async () => {
    const reply = await allow('country', 'gb', '7');
    expect(textOf((await owner.follow(reply)).html)).toContain('Allowed for 7 days: United Kingdom.');
    const replies = await service.sendToAll(numbers(UK_PREFIX, 12));
    expect(replies.map(({ success }) => success)).toEqual(replies.map(() => true));
    expect(textOf((await owner.get('/audit')).html)).toMatch(
      /allowed messages to the United Kingdom from .*United Kingdom:\s+allowed until \w/,
    );
    service.passbell.clock.advance(7 * DAY - HOUR);
    expect((await show()).scopes).toMatchObject([{ scope: 'country', key: 'GB', state: 'allowed' }]);
    service.passbell.clock.advance(HOUR);
    expect((await show()).scopes).toEqual([]);
  });

  it('allows a prefix forever', async () => {
    const reply = await allow('prefix', RANGE, 'forever');
    expect(textOf((await owner.follow(reply)).html)).toContain(`Allowed forever: Numbers that start with ${RANGE}.`);
  });

  it.each([
    ['country', 'Atlantis', '1', 'Enter a country, such as Germany or +49'],
    ['country', '', '1', 'Enter a country, such as Germany or +49'],
    ['country', 'DE', 'forever', 'Only similar numbers can be allowed forever.'],
    ['country', 'DE', '31', 'Enter a whole number of days from 1 to 30.'],
  ])('rejects a %s %j for %s', async (scope, key, days, problem) => {
    const { status, html } = await allow(scope, key, days);
    expect(status).toBe(422);
    expect(textOf(html)).toContain(problem);
    expect((await show()).scopes).toEqual([]);
  });

  it('asks people who signed in long ago to confirm their identity', async () => {
    service.passbell.clock.advance(HOUR);
    expect(await allow('country', 'DE', '1')).toMatchObject({ status: 403 });
    expect((await show()).scopes).toEqual([]);
  });
});

it('shows viewers the figures without buttons', async () => {
  await act('pause', 'country', 'US');
  const viewer = await signIn(service.passbell, 'viewer');
  const text = await pageText(viewer);
  expect(text).toContain(' Paused United States Paused manually since ');
  for (const label of ['Resume', 'Allow for 24 hours', 'Pause messages', 'Allow messages'])
    expect(text).not.toContain(`${label} `);
});

it("counts the conversion of countries and prefixes, and shows today's cost", async () => {
  await service.verify(`${PREFIX}10`);
  service.passbell.clock.advance(LEARNED_MS);
  for (const to of numbers(PREFIX, 2, 20)) await service.verify(to);
  await service.sendToAll([`${PREFIX}50`, `${UK_PREFIX}10`, `${UK_PREFIX}11`]);
  const { conversion } = await show();
  expect(conversion.countries).toEqual([
    { key: 'GB', sent: 2, verified: 0 },
    { key: 'US', sent: 4, verified: 3 },
  ]);
  // Since the number of recipients was last as usual. The one American recipient since then has no similar numbers.
  expect(conversion.prefixes).toEqual([
    { key: '+44740012', sent: 2, verified: 0 },
    { key: '+447400', sent: 2, verified: 0 },
  ]);
  expect(await pageText()).toContain('0.28 of 500.00 USD used &lt;1% Automatic budget.');
});
