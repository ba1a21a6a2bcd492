/** The facts that need attention on Home. */
import { concernsOf, manualPausesOf } from '../../backend/src/dashboard/home/attention.js';
import {
  COUNTED_FAILURES,
  fullTitle,
  type AccountState,
  type ApplicationState,
} from '../../backend/src/dashboard/home/concern.js';
import type { Sum } from '../../backend/src/dashboard/usage/figures.js';
import type { ChannelView } from '../../backend/src/modules/providers/channel-view.js';
import { PAUSED, type Attempt, type Webhook } from '../../backend/src/modules/webhooks/webhook.js';
import { HOUR, MINUTE } from '../../backend/src/platform/clock.js';
import { account, budgets, FAILURE, quiet, sum, unusualIn } from '../support/account-state.js';

const byCountry = (codes: Sum) => new Map([['US', codes]]);
const titles = (change: Partial<AccountState>) => concernsOf(account(change)).map(({ title }) => title);

it('says nothing about an account where everything works', () => {
  const today = sum({ sent: 1000, delivered: 990, failed: 10, codes: 900, verified: 800 });
  expect(
    titles({
      today,
      latelyByCountry: byCountry(today),
      usual: today,
      applications: [{ ...quiet, budgets: budgets(79) }],
    }),
  ).toEqual([]);
});

it.each([
  ['a few failures', { sent: 4, failed: 4 }, []],
  ['a usual share of failures', { sent: 996, failed: 40 }, []],
  ['many failures', { sent: 95, failed: 5 }, ['5 messages failed today']],
  ['only failures', { failed: 1200 }, ['1,200 messages failed today']],
])('%s', (_name, today, expected) => expect(titles({ today: sum(today) })).toEqual(expected));

it.each([
  ['too few codes to judge', { codes: 49, verified: 0 }, { codes: 1000, verified: 900 }, 0],
  ['no usual rate', { codes: 500, verified: 0 }, { codes: 10, verified: 9 }, 0],
  ['a slightly lower rate', { codes: 100, verified: 68 }, { codes: 1000, verified: 900 }, 0],
  ['a far lower rate', { codes: 100, verified: 67 }, { codes: 1000, verified: 900 }, 1],
])('codes that are not entered: %s', (_name, lately, usual, expected) =>
  expect(titles({ latelyByCountry: byCountry(sum(lately)), usual: sum(usual) })).toHaveLength(expected),
);

it.each<[string, Record<string, [number, number]>, string | undefined]>([
  ['a country without entered codes', { BD: [25, 0], US: [75, 65] }, 'Bangladesh (0 of 25)'],
  ['two countries', { BD: [25, 0], FR: [23, 0], US: [52, 46] }, 'Bangladesh (0 of 25) and France (0 of 23)'],
  ['email', { '': [60, 6], US: [40, 36] }, 'email addresses (6 of 60)'],
  [
    'many countries',
    { AR: [9, 0], BE: [9, 0], CL: [9, 0], DK: [9, 0], ES: [9, 0], FR: [9, 0], US: [46, 40] },
    undefined,
  ],
])('names countries where few codes were entered: %s', (_name, countries, expected) => {
  const latelyByCountry = new Map(
    Object.entries(countries).map(([country, [codes, verified]]) => [country, sum({ codes, verified })]),
  );
  const state = {
    latelyByCountry,
    usual: sum({ codes: 1000, verified: 900 }),
  };
  const [concern] = concernsOf(account({ ...state, now: Date.parse('2027-01-15T08:00Z') }));
  expect(concern!.link.href).toBe('/dashboard/usage?from=2027-01-14&to=2027-01-15#by-country');
  expect(/ Most affected: (.*)\. Codes may not/.exec(concern!.text)?.[1]).toBe(expected);
});

it('lists fewer entered codes than usual, besides those that the entry of an application explains', () => {
  const unusual = [unusualIn('FR', 60)];
  const refusals = { allowed: [], parts: [], unusual };
  const state = (austria: number) => ({
    applications: [{ ...quiet, refusals }],
    latelyByCountry: new Map([
      ['FR', sum({ codes: 60 })],
      ['AT', sum({ codes: 50, verified: austria })],
    ]),
    usual: sum({ codes: 1000, verified: 900 }),
  });
  expect(titles(state(45))).toEqual(['Likely fraud: France, ongoing']);
  const [, other] = concernsOf(account(state(10)));
  expect(other!.text).toMatch(
    /^20% of the other codes have been entered since yesterday; usually, 90% are\. Most affected: Austria \(10 of 50\)\. Codes may /,
  );
});

it('names failing providers, with the reason and a link', () => {
  const through = { id: 'PRV-1', name: 'Twilio' };
  const state = { kind: 'own', through, state: { kind: 'failing', since: 5, reason: 'it rejected the password' } };
  const channels = [{ channel: 'SMS', state, routes: [] }] as unknown as ChannelView[];
  expect(concernsOf(account({ channels }))).toEqual([
    {
      title: 'Twilio failing for SMS since 00:00',
      stopsAt: 5,
      lastingTitle: 'Twilio failing for SMS',
      fact: 'It rejected the password.',
      text: 'Reason: it rejected the password.',
      times: [['since', 5]],
      isUrgent: true,
      link: { href: '/dashboard/channels/providers/PRV-1', label: 'Check provider' },
    },
  ]);
});

it('counts what a failing provider did not send since it is failing, on its channel', () => {
  const through = { id: 'PRV-1', name: 'Twilio' };
  const state = { kind: 'own', through, state: { kind: 'failing', since: 100, reason: 'it is down' }, fallbacks: [] };
  const channels = [{ channel: 'SMS', state, routes: [] }] as unknown as ChannelView[];
  const failure = (finishedAt: number, channel: 'SMS' | 'EMAIL' = 'SMS') => ({
    ...FAILURE,
    channel,
    createdAt: finishedAt - 30,
    finishedAt,
    attempt: undefined,
  });
  const concernWith = (failures: AccountState['failures']) => concernsOf(account({ channels, failures, now: 300 }))[0]!;
  const few = [failure(240, 'EMAIL'), failure(230), failure(110), failure(99)];
  expect(concernWith(few)).toMatchObject({ times: [['since', 100]] });
  expect(concernWith(few).text).toMatch(/ 2 messages failed or expired\.$/);
  const many = Array.from({ length: COUNTED_FAILURES }, () => failure(200));
  expect(concernWith(many).text).toMatch(/ At least 100 messages failed or expired\.$/);
  // Older failures may not have been read, because failures of another channel were.
  const others = Array.from({ length: COUNTED_FAILURES - 1 }, () => failure(200, 'EMAIL'));
  expect(concernWith([...others, failure(190)]).text).toMatch(/ At least 1 message failed or expired\.$/);
  expect(concernWith([failure(200), ...others, failure(99)]).text).toMatch(/ 1 message failed or expired\.$/);
});

it('names budgets from 80% on, refusals, and failing webhooks that nobody paused', () => {
  const failingWebhook = { webhookId: 'wh_1', url: 'https://shop.example/x', failures: 3, restsUntil: 0 } as Webhook;
  const call = (calledAt: number, status: number | null) => ({ calledAt, status }) as Attempt;
  const webhook = { ...failingWebhook, calls: [call(9, 502), call(8, null), call(7, 502), call(6, 204)], pending: 0 };
  const refused = '3 messages to 3 numbers in Cuba were refused today.';
  const part = {
    isManual: false,
    pauses: 'Cuba is paused.',
    reason: 'No codes.',
    messages: 3,
    refused,
    refusals: [{ rule: 'country', country: 'CU', messages: 3, people: 3, isServed: false } as const],
    since: 2,
  };
  const refusals = {
    allowed: [],
    parts: [part],
    unusual: [unusualIn('FR', 23)],
  };
  const applications: ApplicationState[] = [
    { ...quiet, budgets: budgets(100, 7) },
    {
      ...quiet,
      refusals,
      unusual: new Map([
        [
          'FR',
          { latest: { inLastHour: 0, at: 5, delivered: 0, undelivered: 0 }, cost: 11_960, refused: 0, refusedUntil: 0 },
        ],
      ]),
      lastRefused: { country: 'CU', at: 2 + MINUTE },
    },
    { ...quiet, webhooks: [webhook, { ...webhook, failures: 0 }, { ...webhook, restsUntil: PAUSED }] },
  ];
  const concerns = concernsOf(account({ applications }));
  expect(concerns.map((concern) => `${fullTitle(concern)}: ${concern.text}`)).toEqual([
    'Daily budget used up: paid messages refused until 00:00 tomorrow (Shop): 7 messages were refused.',
    'Likely fraud: France, ongoing (Shop): You do not serve France. Pause France if you have no customers there.',
    'Cuba is paused (Shop): No codes. 3 messages to 3 numbers in Cuba were refused today.',
    'Webhook failing since 00:00 (Shop): The last 3 requests to your server failed. Events are retried for up to 24 hours.',
  ]);
  expect(concerns.map(({ figures }) => figures)).toEqual([
    '0.01 of 0.01 USD used since 00:00 (100%) · resets at 00:00 tomorrow',
    '0 of 23 codes entered · about 1.20 USD · latest message: 00:00',
    undefined,
    undefined,
  ]);
  expect(concerns.map(({ times }) => times)).toEqual([
    undefined,
    [['latest message:', 5]],
    [
      ['since', 2],
      ['latest refused message to Cuba:', 2 + MINUTE],
    ],
    // The latest failed request was in the same minute.
    [['since', 7]],
  ]);
  const over = { ...quiet, refusals: { allowed: [], parts: [{ ...part, pauses: '', reason: '' }], unusual: [] } };
  expect(concernsOf(account({ applications: [over] }))).toMatchObject([
    {
      title: 'Messages refused: Cuba',
      text: '3 messages to 3 numbers in Cuba were refused today. Nothing is paused now.',
      isOver: true,
    },
  ]);
  // The attack goes on, so nothing is resolved.
  const unusual = [unusualIn('CU', 10)];
  const counts = new Map([['CU', { latest: undefined, cost: 0, refused: 432, refusedUntil: 0 }]]);
  const continued = {
    ...over,
    refusals: { ...over.refusals, unusual },
    lastRefused: { country: 'CU', at: 9 },
    unusual: counts,
  };
  expect(concernsOf(account({ applications: [continued] }))).toMatchObject([
    {
      title: 'Likely fraud: Cuba, ongoing',
      figures: '0 of 10 codes entered · 432 more refused',
    },
  ]);
});

it('manual pauses, and the messages that they refuse, need no attention', () => {
  const refused = '3 messages to 3 numbers in Brazil were refused today.';
  const part = {
    isManual: true,
    pauses: 'Brazil is paused manually.',
    reason: '',
    messages: 3,
    refused,
    refusals: [{ rule: 'person', country: 'BR', messages: 3, people: 3, isServed: false } as const],
    since: 2,
  };
  const paused = { ...quiet, refusals: { allowed: [], parts: [part], unusual: [] } };
  expect(titles({ applications: [paused] })).toEqual([]);
  const link = { href: '/dashboard/applications/pk_1/protection' };
  const text = `The pause lasts until an owner chooses “Resume”. ${refused}`;
  expect(manualPausesOf(account({ applications: [paused] }))).toEqual([
    { title: 'Brazil is paused manually', text, link },
  ]);
  expect(manualPausesOf(account({ applications: [paused, quiet] }))).toMatchObject([
    { title: 'Brazil is paused manually', application: 'Shop', text },
  ]);
  expect(manualPausesOf(account({ applications: [quiet] }))).toEqual([]);
});

it('allowed places are shown with the time at which they end, and counted if there are many', () => {
  const allow = (key: string, until?: number) =>
    ({ scope: 'country', key, state: 'allowed', rule: 'person', from: undefined, until, reason: '' }) as const;
  const titlesOf = (...allowed: readonly ReturnType<typeof allow>[]) =>
    manualPausesOf(account({ applications: [{ ...quiet, refusals: { allowed, parts: [], unusual: [] } }] })).map(
      ({ title, text }) => `${title}. ${text}`,
    );
  const effect =
    'Messages are not paused if too few codes are entered, but bursts of codes, similar numbers and single IP addresses can still be paused.';
  expect(titlesOf(allow('GB', HOUR))).toEqual([`The United Kingdom is allowed until 01:00. ${effect}`]);
  expect(titlesOf(allow('GB', HOUR), allow('DE'))).toEqual([`The United Kingdom and Germany are allowed. ${effect}`]);
  expect(titlesOf(...['GB', 'DE', 'FR', 'IT'].map((key) => allow(key)))).toEqual([
    `4 countries are allowed forever. ${effect}`,
  ]);
  // Allowing the whole application also allows other scopes, and similar numbers.
  const whole = { ...allow(''), scope: 'application' as const };
  expect(titlesOf(...([whole, allow('GB')] as ReturnType<typeof allow>[]))).toEqual([
    'The whole application is allowed forever. Messages are not paused if too few codes are entered.',
  ]);
  expect(titlesOf()).toEqual([]);
});

it.each([
  ['Europe/Berlin', '2027-01-16T06:10Z', ' around 08:15', '01:00', 'at 01:00 tomorrow'],
  ['America/New_York', '2027-01-16T06:10Z', ' around 02:15', '19:00 yesterday', 'at 19:00'],
  ['UTC', '2027-01-16T18:00Z', ' around 21:10', '00:00', 'at 00:00 tomorrow'],
  ['UTC', '2027-01-16T21:00Z', '', '00:00', 'at 00:00 tomorrow'],
])('names the times of a budget in the time zone %s (%s)', (timeZone, now, usedUp, start, resets) => {
  const [concern] = concernsOf(
    account({ applications: [{ ...quiet, budgets: budgets(85) }], timeZone, now: Date.parse(now) }),
  );
  expect(concern!.title).toBe(usedUp ? `Daily budget: paid messages stop${usedUp}` : 'Daily budget 85% used');
  const effect = usedUp
    ? "To send all of today's messages, raise the daily budget to 1 USD or more."
    : 'When it is used up, all SMS, WhatsApp messages and voice calls that cost money are refused.';
  expect(concern).toMatchObject({
    text: effect,
    figures: `0.0085 of 0.01 USD used since ${start} (85%) · resets ${resets}`,
  });
});

it('messages to wrong numbers are not an outage, and a channel is not called recovered after them', () => {
  const now = Date.parse('2027-01-15T08:00Z');
  const wrong = { ...FAILURE, hasWrongRecipient: true, createdAt: now - 1, finishedAt: now, attempt: undefined };
  const failures = Array.from({ length: 20 }, () => wrong);
  const state = {
    failures,
    now,
    today: sum({ sent: 80, failed: 20 }),
    lastSent: new Map([['SMS', { at: now, provider: 'Twilio' }]] as const),
  };
  expect(concernsOf(account(state))).toMatchObject([
    {
      title: '20 messages failed today',
      text: "That is 20% of today's messages. The phone numbers or email addresses are invalid or do not exist. Validate them in your form before you send a message.",
      isOver: false,
    },
  ]);
  const [mixed] = concernsOf(account({ ...state, failures: [...failures, { ...wrong, hasWrongRecipient: false }] }));
  expect(mixed).toMatchObject({ text: expect.stringMatching(/ SMS is working again\.$/), isOver: true });
});

it('names providers that failed while others sent the messages', () => {
  const at = Date.parse('2027-01-15T01:00Z');
  const failed = { channel: 'SMS', provider: 'Twilio', success: false, message: 'it is overloaded (503)' } as const;
  const sent = { channel: 'SMS', provider: 'Vonage', success: true, message: 'sent' } as const;
  const rescued = Array.from({ length: 5 }, (_, n) => {
    const createdAt = at - n * 60_000;
    return { channel: 'SMS' as const, createdAt, attempts: [sent, { ...failed, at: createdAt }] };
  });
  expect(concernsOf(account({ rescued, now: at + HOUR }))).toMatchObject([
    {
      title: 'Twilio outage, 00:56–01:00',
      fact: 'Nothing to do: 5 SMS messages went through Vonage.',
      text: '5 SMS messages went through Vonage. No message was lost. Reason: it is overloaded.',
      times: [
        ['from', at - 4 * MINUTE],
        ['to', at],
      ],
      isOver: true,
      link: { href: `/dashboard/messages?application=pk_1&from=${at - 4 * MINUTE}&until=${at}&zone=UTC&channel=SMS` },
    },
  ]);
  const sentThrough = (name: string) => {
    const lastThrough = new Map([[`SMS ${name}`, at + MINUTE]]);
    return concernsOf(account({ rescued, lastThrough }))[0]!;
  };
  expect(sentThrough('Twilio').text).toMatch(/ Twilio works again\.$/);
  expect(sentThrough('Twilio').times!.at(-1)).toEqual(['latest message through Twilio:', at + MINUTE]);
  expect(sentThrough('Vonage').text).toMatch(/overloaded\.$/);
  const lost = { ...FAILURE, createdAt: at, finishedAt: at, attempt: failed };
  expect(concernsOf(account({ rescued, failures: [lost] }))[0]!.text).toMatch(/ 1 message failed\. Reason: /);
  expect(titles({ rescued: rescued.slice(1) })).toEqual([]);
  const through = { id: 'PRV-1', name: 'Twilio' };
  const state = { kind: 'own', through, state: { kind: 'failing', since: at - 120_000, reason: 'it is down' } };
  const channels = [{ channel: 'SMS', state, routes: [] }] as unknown as ChannelView[];
  expect(concernsOf(account({ channels, rescued }))).toMatchObject([
    {
      title: expect.stringMatching(/^Twilio failing for SMS since /),
      text: 'Reason: it is down. 3 messages went through Vonage instead.',
      isUrgent: false,
    },
  ]);
  const lastSent = new Map([['SMS', { at, provider: 'Vonage' }]] as const);
  expect(concernsOf(account({ channels, lastSent }))[0]!.text).toMatch(/ SMS messages now go through Vonage\.$/);
});

it('names sender domains with wrong DNS records, but not those that could not be checked', () => {
  const of = (domain: string, state: 'problem' | 'unknown') => ({
    domain,
    isRunning: false,
    checkedAt: 0,
    findings: [{ check: 'SPF', state, text: '' } as const],
  });
  expect(titles({ domains: [of('shop.com', 'problem'), of('other.com', 'unknown')] })).toEqual([
    'Emails may be rejected: shop.com',
  ]);
});
