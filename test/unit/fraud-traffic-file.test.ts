/** `npm run simulate:fraud -- --traffic FILE`: the events that it reads, and the decisions that it prints. */
import { fraudSettingsOf } from '../../backend/src/modules/fraud/fraud-settings.js';
import { parseOptions } from '../fraud/options.js';
import { createTrafficReplay, parseEvent, type DecisionLine } from '../fraud/traffic-file.js';

const TIME = '2026-01-05T10:00:00.000Z';
const event = (fields: object = {}): string =>
  JSON.stringify({ time: TIME, application: 'shop', kind: 'send', recipient: '+4915112345678', ...fields });

function replay(lines: readonly string[], ...options: string[]): (DecisionLine | undefined)[] {
  const { applicationOf, settings } = parseOptions(options);
  return lines.map(createTrafficReplay(applicationOf, settings ?? fraudSettingsOf()));
}

it('prints a line for each message, but not for other events', () => {
  const lines = [event({ price: 0.08 }), event({ kind: 'verified' }), event({ kind: 'delivered' }), ''];
  expect(replay(lines)).toEqual([
    { line: 1, time: TIME, application: 'shop', price: 0.08, outcome: 'allowed' },
    undefined,
    undefined,
    undefined,
  ]);
});

it('prints the rule of a refusal, the scope and its end', () => {
  const codes = Array.from({ length: 30 }, (_, i) => event({ recipient: `+99890${1_000_000 + 70_000 * i}` }));
  const lines = [event(), event({ kind: 'verified' }), ...codes];
  expect(replay(lines, '--home', 'DE').at(-1)).toEqual({
    line: 32,
    time: TIME,
    application: 'shop',
    price: 0,
    outcome: 'refused',
    rule: 'country',
    scope: 'country',
    key: 'UZ',
    until: '2026-01-05T11:00:00.000Z',
  });
});

it('asks for a challenge if the application has one, and accepts a solved one', () => {
  const codes = Array.from({ length: 30 }, () => event({ address: '192.0.2.1' })).map((line, i) =>
    line.replace('+4915112345678', `+49151${10_000_000 + 700_000 * i}`),
  );
  const lines = [
    event(),
    event({ kind: 'verified' }),
    ...codes,
    event({ recipient: '+4917012345678', address: '192.0.2.1', challenge: true }),
  ];
  const decisions = replay(lines, '--home', 'DE', '--challenge');
  expect(decisions.at(-2)).toMatchObject({ outcome: 'challenged', rule: 'address', until: null });
  expect(decisions.at(-1)).toMatchObject({ outcome: 'allowed' });
});

it('refuses numbers that Passbell never sends to', () => {
  expect(replay([event({ recipient: '+881612345678' })])[0]).toMatchObject({ outcome: 'refused', rule: 'number' });
});

it('takes the country from the number unless the event has one, and the time as text or number', () => {
  expect(parseEvent(event({ time: 1_767_607_200_000 }))).toMatchObject({ country: 'DE', time: Date.parse(TIME) });
  expect(parseEvent(event({ country: 'AT' })).country).toBe('AT');
});

it('counts an IPv6 address by its /64', () => {
  expect(parseEvent(event({ address: '2001:db8::1' })).address).toBe(
    parseEvent(event({ address: '2001:db8::2' })).address,
  );
});

it.each([
  ['no JSON', '{', 'it is not JSON'],
  ['no object', '[]', 'it is not a JSON object'],
  [
    'an unknown kind',
    event({ kind: 'sent' }),
    '"kind" must be one of send, notification, verified, delivered, undelivered',
  ],
  ['an unknown channel', event({ channel: 'EMAIL' }), '"channel" must be one of SMS, WHATSAPP, VOICE'],
  ['a wrong time', event({ time: 'today' }), '"time" must be an ISO date or epoch milliseconds'],
  ['an email address', event({ recipient: 'a@b.example' }), '"recipient" must be a phone number with its country code'],
  ['a negative price', event({ price: -1 }), '"price" must be a number of at least 0'],
  ['a wrong challenge', event({ challenge: 'yes' }), '"challenge" must be true or false'],
  ['an earlier time', event({ time: '2026-01-05T09:59:59Z' }), 'its time is before that of an earlier line'],
])('names the line with %s', (_name, line, problem) => {
  expect(() => replay([event(), line])).toThrow(`Line 2: ${problem}.`);
});

it('options after --application apply to this application only', () => {
  const { applicationOf } = parseOptions([
    '--home',
    'DE',
    '--application',
    'b',
    '--home',
    'FR',
    '--countries',
    'AT,CH',
    '--challenge',
  ]);
  expect(applicationOf('a')).toEqual({
    homeCountry: 'DE',
    countries: [],
    hasChallenge: false,
    verifiedElsewhere: false,
  });
  expect(applicationOf('b')).toEqual({
    homeCountry: 'FR',
    countries: ['AT', 'CH'],
    hasChallenge: true,
    verifiedElsewhere: false,
  });
});

it('refuses unknown settings and values', () => {
  expect(() => parseOptions(['--set', 'countryLimit=3'])).toThrow('There is no such setting');
  expect(() => parseOptions(['--set', 'countryUnverified='])).toThrow('Enter a whole number');
  expect(() => parseOptions(['--seeds', 'x'])).toThrow('--seeds must be whole numbers');
});
