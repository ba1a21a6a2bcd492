/** The fraud guard's settings page, and the "verified elsewhere" setting. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { CONFIRMED_MINUTES } from '../../backend/src/modules/people/confirmation.js';
import { MINUTE } from '../../backend/src/platform/clock.js';
import { FRAUD_SETTINGS } from '../../backend/src/modules/fraud/fraud-settings.js';
import { hiddenFields, signIn, type Visitor } from '../support/dashboard.js';
import { startService, type TestService } from '../support/service.js';

let passbell: TestService;
let owner: Visitor;
let path: string;
let page: string;
beforeAll(async () => {
  passbell = await startService();
});
afterAll(() => passbell.stop());

const ACCOUNT_EMAIL = 'settings@shop.example';
let appKey: string;
beforeEach(async () => {
  const { applications } = passbell.core;
  ({ appKey } = await applications.service.create(OPERATOR, { name: 'Shop', email: ACCOUNT_EMAIL }));
  owner = await signIn(passbell, 'owner', { account: ACCOUNT_EMAIL });
  path = `/applications/${appKey}`;
  page = `${path}/protection/settings`;
});

const application = () => passbell.core.applications.service.load(appKey);
const storedSettings = async () => (await application()).settings.fraud;
const EMPTY = { ...Object.fromEntries(FRAUD_SETTINGS.map((name) => [name, ''])), strictness: '2', pauseHome: '0' };
const save = (fields: Record<string, string>, who = owner) => who.submit(page, page, { ...EMPTY, ...fields });
const setBounds = async (bounds: Record<string, number | undefined>) => {
  const { applications, fraud } = passbell.core;
  await fraud.settings.setBounds(OPERATOR, (await applications.service.accountId(ACCOUNT_EMAIL))!, bounds);
};

const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([,.])/g, '$1')
    .trim();

/** The limits, with the numbers of the three levels, of which the style sheet shows one. */
async function limitRows(): Promise<Readonly<Record<string, string>>> {
  const { html } = await owner.get(page);
  const rows = [
    ...html.matchAll(
      /<details class="limit editable"[^>]*><summary><span class="limit-name"><span>([^<]+)<.*?<span class="limit-number">(.*?)<span class="opens">/g,
    ),
  ];
  return Object.fromEntries(
    rows.map(([, label, number]) => [label, textOf(number!.replace(/<span class="limit-unsaved".*/, ''))]),
  );
}

it('shows a field with the bound of each setting, the numbers that apply while it is empty, and what 0 means', async () => {
  await setBounds({ prefixUnverified: 20, exemptDays: 30 });
  const { html } = await owner.get(page);
  for (const name of FRAUD_SETTINGS) expect(html).toContain(`name="${name}"`);
  expect(html).toContain('codes to these numbers are paused. Your account allows at most 20.<');
  expect(html).toContain('still apply to these people. Your account allows at most 30.<');
  expect(await limitRows()).toMatchObject({
    'Similar phone numbers': '20 people 10 people 5 people',
    'Trust people who enter a code': '30 days',
  });
  expect(textOf(html)).toContain('Default: 20 (Relaxed), 10 (Normal) or 5 (Strict). Similar');
  expect(textOf(html)).toContain('Default: 16 (Relaxed), 8 (Normal) or 4 (Strict). 0 turns this limit off.');
  expect(textOf(html)).toContain('Default: 30 days. Unused codes in a row');
  expect(textOf(html)).toContain('Default: 4 codes. 0 turns this limit off.');
  await save({ prefixUnverified: '9', exemptDays: '20', countryUnverified: '20' });
  expect(await limitRows()).toMatchObject({
    'Similar phone numbers': '9 people Custom Default: 20 people 10 people 5 people',
    'Trust people who enter a code': '20 days Custom Default: 30 days',
  });
  await setBounds({ prefixUnverified: undefined, exemptDays: undefined });
});

it('stores only values that differ from the defaults, and records each change', async () => {
  expect((await save({ countryUnverified: '30', tolerance: '40', confirmed: 'yes' })).status).toBe(303);
  expect(await storedSettings()).toEqual({ countryUnverified: 30, tolerance: 40 });
  await save({ countryUnverified: '25', tolerance: '40' });
  expect(await storedSettings()).toEqual({ tolerance: 40 });
  const { html } = await owner.get('/audit');
  expect(html).toMatch(
    /changed the Protection settings[\s\S]*Any other country[\s\S]*<del>30 people<\/del>[^\n]*?<ins>default<\/ins>/,
  );
});

it('opens the limits if there are own numbers, and lists these in the summary', async () => {
  const limits = async () => {
    const { html } = await owner.get(page);
    const [, attributes, summary] = /<details class="limits"([^>]*)><summary>(.*?)<\/summary>/.exec(html)!;
    return [attributes!.trim(), textOf(summary!)];
  };
  expect(await limits()).toEqual([
    '',
    'Protection limits View or change the limits. Most shops can keep the defaults.',
  ]);
  await save({ countryUnverified: '30', rangeUnverified: '0', confirmed: 'yes' });
  expect(await limits()).toEqual([
    'open',
    'Protection limits 2 custom values Any other country: 30 people instead of 25 people Similar phone numbers, larger range: no limit instead of 25 people',
  ]);
  const { html } = await owner.get(page);
  expect(html).toContain('Custom values apply at every level.');
  expect(await limitRows()).toMatchObject({
    'Any other country': expect.stringContaining('30 people Custom'),
    'Similar phone numbers, larger range': expect.stringContaining('Off Custom'),
  });
  await save({});
  expect((await limits())[0]).toBe('');
});

it('turns a limit off only after it was confirmed', async () => {
  const asked = await save({ countryUnverified: '0' });
  expect([asked.status, asked.html]).toEqual([
    422,
    expect.stringContaining('<li>Any other country: no limit instead of 25 people</li>'),
  ]);
  expect(await storedSettings()).toEqual({});
  expect((await save({ countryUnverified: '0', confirmed: 'yes' })).status).toBe(303);
  expect(await storedSettings()).toEqual({ countryUnverified: 0 });
});

it('saves looser numbers only after they were confirmed, and warns about limits that are off', async () => {
  const looser = { countryUnverified: '100', exemptDays: '100' };
  const asked = await save(looser);
  expect([asked.status, asked.html]).toEqual([
    422,
    expect.stringContaining(
      '<li>Any other country: 100 people instead of 25 people</li><li>Trust people who enter a code: 100 days instead of 90 days</li>',
    ),
  ]);
  expect(asked.html).toMatch(/Save looser values/);
  expect(asked.html).toMatch(/<details class="limits" open/);
  const opened = asked.html.matchAll(
    /<details class="limit editable" open><summary><span class="limit-name"><span>([^<]+)/g,
  );
  expect([...opened].map(([, label]) => label)).toEqual(['Any other country', 'Trust people who enter a code']);
  expect(await storedSettings()).toEqual({});
  expect((await save({ ...looser, confirmed: 'yes' })).status).toBe(303);
  // The same numbers, and stricter ones, need no confirmation.
  expect((await save({ ...looser, countryUnverified: '99' })).status).toBe(303);

  await save({ countryUnverified: '0', homeUnverified: '0', confirmed: 'yes' });
  for (const shown of [page, page.replace('/settings', '')])
    expect((await owner.get(shown)).html).toMatch(/class="badge warning"[^>]*>2 limits are off</);
});

it('restores the number of the level if its field is cleared, a looser one only after it was confirmed', async () => {
  await save({ strictness: '3', prefixUnverified: '3', tolerance: '80' });
  const asked = await save({ strictness: '3' });
  expect([asked.status, asked.html]).toEqual([
    422,
    expect.stringMatching(
      /(?=[^]*Similar phone numbers: 5 people instead of 3 people)[^]*Lowest normal share of entered codes: 75% of usual instead of 80% of usual/,
    ),
  ]);
  expect(await storedSettings()).toMatchObject({ prefixUnverified: 3 });
  expect((await save({ strictness: '3', confirmed: 'yes' })).status).toBe(303);
  expect(await storedSettings()).toEqual({ strictness: 3 });

  await save({ strictness: '3', prefixUnverified: '30', confirmed: 'yes' });
  expect((await save({ strictness: '3' })).status).toBe(303);
  expect(await storedSettings()).toEqual({ strictness: 3 });
});

it('offers three degrees of protection, which change the defaults of the numbers that were not changed', async () => {
  await save({ addressUnverified: '9', confirmed: 'yes' });
  const { html } = await owner.get(page);
  for (const label of ['Relaxed', 'Normal', 'Strict'])
    expect(html).toMatch(new RegExp(`type="radio"[^>]*/><span>${label}<`));
  await save({ addressUnverified: '9', strictness: '3' });
  expect(await storedSettings()).toEqual({ addressUnverified: 9, strictness: 3 });
  expect((await limitRows())['One IP address']).toBe('9 people Custom Default: 16 people 8 people 4 people');
});

it('shows the numbers of each level before it is saved, within the bounds of the account, and names the own country', async () => {
  expect(await limitRows()).toMatchObject({
    'Your own country': '130 people 65 people 33 people',
    'Any other country': '50 people 25 people 13 people',
    'Similar phone numbers': '20 people 10 people 5 people',
    'Unused codes in a row': '4 codes',
  });
  const effects = async () =>
    [
      ...(await owner.get(page)).html.matchAll(
        /Served countries <strong>(\d+|Off)\b.*?Other countries <strong>(\d+|Off)\b/g,
      ),
    ].map((found) => found.slice(1));
  expect(await effects()).toEqual([
    ['80', '50'],
    ['40', '25'],
    ['20', '13'],
  ]);
  await setBounds({ countryUnverified: 20 });
  expect((await limitRows())['Any other country']).toBe('20 people 20 people 13 people');
  expect(await effects()).toEqual([
    ['32', '20'],
    ['32', '20'],
    ['20', '13'],
  ]);
  await setBounds({ countryUnverified: undefined });
  await save({ countryUnverified: '30', confirmed: 'yes' });
  expect(await effects()).toEqual(Array(3).fill(['48', '30']));
  await save({ countryUnverified: '0', confirmed: 'yes' });
  expect(await effects()).toEqual(Array(3).fill(['Off', 'Off']));
  const { html } = await owner.get(page);
  expect(html).toContain('Passbell does not know which country is yours, because no provider has a sender number.');
});

it('shows the challenge as an option for the own country, and as the one in use while it is on', async () => {
  const option = async () => {
    const [, html] = /<div class="option([^]*?)<\/div>/.exec((await owner.get(page)).html)!;
    return textOf(html!);
  };
  expect(await option()).toContain('Require a challenge If many codes are unused, people must pass a test');
  expect((await owner.get(page)).html).toContain(
    'This choice has no effect while Passbell does not know your country.',
  );
  const { applications } = passbell.core;
  await applications.service.update(OPERATOR, appKey, { challenge: { kind: 'turnstile', siteKey: 'k', secret: 's' } });
  expect(await option()).toContain(
    'In use If many codes are unused, browsers must pass Cloudflare Turnstile before a code is sent.',
  );
  const { html } = await owner.get(page);
  expect(html).toContain('If you turn the challenge off');
  expect(html).toContain('While your challenge is on, Passbell requires it instead of pausing codes');
  expect((await save({ pauseHome: '1' })).status).toBe(303);
  expect(await storedSettings()).toEqual({ pauseHome: 1 });
});

it('rejects values out of range, and keeps them in their fields', async () => {
  const reply = await save({ prefixUnverified: '100001', exemptDays: 'many', tolerance: '40' });
  expect(reply.status).toBe(422);
  expect(reply.html).toContain('Enter a whole number from 0 to 100,000.');
  expect(reply.html).toContain('Enter a whole number from 1 to 365.');
  expect(reply.html).toContain('value="many"');
  const opened = reply.html.matchAll(/<details class="limit editable" open>.*?name="(\w+)"/g);
  expect([...opened].map(([, name]) => name)).toEqual(['prefixUnverified', 'exemptDays', 'tolerance']);
  expect(await storedSettings()).toEqual({});
});

it("never lets an owner exceed the operator's bounds, and does not store values that come from a bound", async () => {
  await setBounds({ prefixUnverified: 5, establishedVerifications: 90 });
  for (const [name, value, allowed] of [
    ['prefixUnverified', '6', 'from 1 to 5'],
    ['prefixUnverified', '0', 'from 1 to 5'],
    ['establishedVerifications', '89', 'of at least 90'],
  ] as const) {
    const reply = await save({ [name]: value });
    expect(reply.status).toBe(422);
    expect(reply.html).toContain(`Enter a number ${allowed}. Only the operator of this server can allow other values.`);
  }
  expect((await save({ tolerance: '40', confirmed: 'yes' })).status).toBe(303);
  expect(await storedSettings()).toEqual({ tolerance: 40 });
  await setBounds({ prefixUnverified: undefined, establishedVerifications: undefined });
});

it.each(['member', 'viewer'] as const)('lets a %s only view the settings', async (role) => {
  const visitor = await signIn(passbell, role, { account: ACCOUNT_EMAIL });
  const { status, html } = await visitor.get(page);
  expect(status).toBe(200);
  expect(html).toContain('Only owners can change them.');
  expect(html).not.toContain('>Save<');
  expect(html).not.toContain('name="homeUnverified"');
  expect(textOf(html)).toContain('View the limits.');
  expect(textOf(html)).toMatch(/4 codes Details Close .* Default: 4 codes\. 0 turns this limit off\./);
  const token = /name="token" value="([^"]+)"/.exec(html)![1]!;
  expect((await visitor.post(page, { ...EMPTY, token, tolerance: '40' })).status).toBe(403);
  expect((await visitor.post(`${path}/settings/verification`, { token, verified: 'elsewhere' })).status).toBe(403);
  expect(await storedSettings()).toEqual({});
});

it.each([
  ['a setting', '/protection/settings', '/protection/settings', { ...EMPTY, tolerance: '40', confirmed: 'yes' }],
  ['the switch', '/settings/verification', '/settings/verification', { verified: 'elsewhere', confirmed: 'yes' }],
])('asks for confirmation before storing %s', async (_name, from, to, fields) => {
  passbell.clock.advance(CONFIRMED_MINUTES * MINUTE);
  const reply = await owner.submit(`${path}${from}`, `${path}${to}`, fields);
  expect(reply.status).toBe(403);
  expect(reply.html).toContain('name="confirmationCode"');
  const { fraud, verifiedElsewhere } = (await application()).settings;
  expect([fraud, verifiedElsewhere]).toEqual([{}, false]);
});

it('reports an edit conflict with another tab, and overwrites the values only when the form is submitted again', async () => {
  const before = await owner.get(page);
  await save({ tolerance: '40', confirmed: 'yes' });
  const fields = { ...hiddenFields(before.html, `/dashboard${page}`), ...EMPTY, tolerance: '60', confirmed: 'yes' };
  const late = await owner.post(page, fields);
  expect(late.status).toBe(409);
  expect(late.html).toMatch(/Lowest normal share of entered codes[\s\S]*40[\s\S]*60/);
  expect(await storedSettings()).toEqual({ tolerance: 40 });
  expect((await owner.post(page, hiddenFields(late.html, `/dashboard${page}`))).status).toBe(303);
  expect(await storedSettings()).toEqual({ tolerance: 60 });
});

it('turns "verified elsewhere" on and off', async () => {
  const change = (verified: string) =>
    owner.submit(`${path}/settings/verification`, `${path}/settings/verification`, {
      verified,
      confirmed: 'yes',
    });
  expect((await change('elsewhere')).status).toBe(303);
  expect((await application()).settings.verifiedElsewhere).toBe(true);
  expect((await change('maybe')).html).toContain('Choose one of the options.');
  expect((await change('here')).status).toBe(303);
  expect((await application()).settings.verifiedElsewhere).toBe(false);
});
