/** The Protection page of an application: pauses, observations, conversion and cost. */
import { DAY, HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { signIn, type Visitor } from '../support/dashboard.js';
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
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
  await service.sendAtOnce(numbers(PREFIX, 25));
  service.passbell.clock.advance(3 * MINUTE);
  expect(await service.send(`${PREFIX}50`)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
}

it('the page links to the messages that were refused in the application, and to no others', async () => {
  await service.endObservation();
  await service.sendToAll(numbers(UK_PREFIX, 11));
  const { appKey } = service.keys;
  const refused = async () => {
    const [, link] = /href="\/dashboard([^"]*)">\s*Refused messages/.exec((await owner.get(path())).html)!;
    expect(link).toBe(`/messages?state=refused&amp;application=${appKey}`);
    const { html } = await owner.get(link!.replace('&amp;', '&'));
    return [...html.matchAll(/class="badge [^"]*">([^<]+)</g)].map(([, state]) => state);
  };
  await until('the refused message', async () => (await refused()).length > 0);
  expect(await refused()).toEqual(['Refused']);
});

describe('the observation period', () => {
  it('counts each message that would have been refused, and no other messages', async () => {
    const observed = async () => {
      const db = service.passbell.openDatabase();
      const own = db('fraud_observations').where({ application_id: await service.applicationId() });
      const rows = await own.select('rule', 'scope', 'scope_key', 'messages');
      await db.destroy();
      return rows;
    };
    await service.verify(`${PREFIX}99`);
    await service.sendAtOnce(numbers(PREFIX, 30));
    expect(await observed()).toEqual([]);
    service.passbell.clock.advance(3 * MINUTE);
    await service.sendToAll(numbers(PREFIX, 3, 50));
    const [row, ...others] = await observed();
    expect(others).toEqual([]);
    expect({ ...row, messages: Number(row.messages) }).toEqual({
      rule: 'R3',
      scope: 'prefix',
      scope_key: RANGE,
      messages: 3,
    });

    const text = await pageText();
    expect(text).toContain('Nothing is paused.');
    expect(text).toContain('(R3 to R5) only record for 7 more days');
    expect(text).toContain(`Numbers that start with ${RANGE} R3: unusually few codes entered 3`);
    expect((await show()).observation).toMatchObject({
      phase: 'observing',
      daysLeft: 7,
      observed: [{ rule: 'R3', scope: 'prefix', key: RANGE, messages: 3 }],
    });

    service.passbell.clock.advance(31 * DAY);
    expect(await pageText(await signIn(service.passbell))).not.toContain('R3: unusually few codes entered');
  });

  it('starts with the first message that costs money', async () => {
    expect(await pageText()).toContain('The guard starts learning when the first message that costs money is sent.');
    await service.send(`${PREFIX}10`);
    expect(await pageText()).toContain('(R3 to R5) only record for 7 more days');
    service.passbell.clock.advance(8 * DAY);
    expect(await pageText(await signIn(service.passbell))).toContain(
      'because no code of this application has been verified or reported yet',
    );
  });
});

it('shows pauses and their reasons, and lets owners allow the scope and end the exception', async () => {
  await service.endObservation();
  await attack();
  let text = await pageText();
  expect(text).toContain('1 prefix is paused.');
  expect(text).toMatch(
    /In \d minutes, \d+ of \d+ recipients whose numbers start with \+1415555 did not enter their code; up to \d+ would be normal\./,
  );
  expect((await show()).state).toBe('1 prefix is paused.');

  const reply = await act('allow', 'prefix', RANGE);
  text = textOf((await owner.follow(reply)).html);
  expect(text).toContain(`Allowed for 24 hours: Numbers that start with ${RANGE}.`);
  expect(text).toContain('Nothing is paused.');
  expect(await service.send(`${PREFIX}51`)).toMatchObject({ success: true });
  expect(text).toContain('Stop allowing');

  await act('allowForEver', 'prefix', RANGE);
  expect(await pageText()).toContain('allowed forever');
  expect((await show()).conversion.prefixes).toMatchObject([{ key: RANGE, state: 'allowed' }]);
  await act('allowForEver', 'prefix', UK_PREFIX.slice(0, -2));
  expect(await pageText()).toContain(`${UK_PREFIX.slice(0, -2)} allowed allowed, not counted`);
  await act('resume', 'prefix', UK_PREFIX.slice(0, -2));
  await act('resume', 'prefix', RANGE);
  expect(await pageText()).not.toContain('Stop allowing');
  expect((await show()).scopes).toEqual([]);
});

describe('the form for pausing', () => {
  it.each([
    ['prefix', '+1 (415) 555', `Numbers that start with ${RANGE}`, '1 prefix is paused.', [`${PREFIX}10`]],
    [
      'prefix',
      '+54 11 23',
      'Numbers that start with +5491123',
      '1 prefix is paused.',
      ['+541123456789', '+5491123456780'],
    ],
    ['country', 'us', 'United States', '1 country is paused.', [`${PREFIX}10`]],
    ['application', '', 'The whole application', 'The whole application is paused.', [`${PREFIX}10`]],
  ])('pauses a %s (%s)', async (scope, key, name, state, refused) => {
    const reply = await act('pause', scope, key);
    const text = textOf((await owner.follow(reply)).html);
    expect(text).toContain(`Paused: ${name}.`);
    expect(text).toContain(state);
    expect(text).toContain('until resumed');
    for (const to of refused) expect(await service.send(to)).toMatchObject({ code: 'FRAUD_SUSPECTED' });
  });

  it.each([
    ['prefix', '4915', 'It must be a number without its last four or six digits'],
    ['country', 'Germany', 'It must be an ISO 3166 code'],
    ['country', '', 'It must be an ISO 3166 code'],
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
    expect(textOf((await owner.get('/audit')).html)).toMatch(/allowed messages.*country GB: allowed until \d{4}-/);
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
    ['country', 'Germany', '1', 'It must be an ISO 3166 code'],
    ['country', '', '1', 'It must be an ISO 3166 code'],
    ['country', 'DE', 'forever', 'Only a prefix can be allowed until you end it.'],
    ['country', 'DE', '31', 'It must be a whole number from 1 to 30.'],
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
  expect(text).toContain('1 country is paused.');
  for (const label of ['Resume', 'Allow for 24 hours', 'Pause now', 'Allow in advance'])
    expect(text).not.toContain(`${label} `);
});

it("shows the conversion of countries and prefixes, and today's cost", async () => {
  for (const to of numbers(PREFIX, 3)) await service.verify(to);
  await service.sendToAll([`${PREFIX}50`, `${UK_PREFIX}10`, `${UK_PREFIX}11`]);
  const { conversion } = await show();
  expect(conversion.countries).toEqual([
    { key: 'GB', sent: 2, verified: 0 },
    { key: 'US', sent: 4, verified: 3 },
  ]);
  expect(conversion.prefixes).toEqual([
    { key: '+44740012', sent: 2, verified: 0 },
    { key: RANGE, sent: 4, verified: 3 },
  ]);
  const bars = [...(await owner.get(path())).html.matchAll(/<rect class="tint-(plain|a)" width="([\d.]+)"/g)];
  const ofEach = ['plain 500', 'a 0', 'plain 1000', 'a 750'];
  expect(bars.map(([, tint, width]) => `${tint} ${width}`)).toEqual([...ofEach, ...ofEach]);
  const text = await pageText();
  expect(text).toContain('Countries: 50% of 6 recipients entered a code');
  expect(text).toContain('United States 75% of 4');
  expect(text).toContain('Messages have cost 0.2800 USD today (UTC). The automatic daily budget is 500.00 USD.');
});

it('shows that the daily cost limit has been reached', async () => {
  const db = service.passbell.openDatabase();
  await service.send(`${PREFIX}10`);
  const own = { dimension: 'application', application_id: await service.applicationId() };
  await db('fraud_counters').where(own).update({ spend: 100_000 });
  await db.destroy();
  const text = await pageText();
  expect(text).toContain("Nothing is paused, but today's cost limit has been reached.");
  expect((await show()).spend.stopped).toContain('exceed the limit of 10.00');
});
