/** The sentences about yesterday on Home, and about the week in emails. */
import { periodText } from '../../backend/src/dashboard/home/ended-period.js';
import { sumOf, type Sum } from '../../backend/src/dashboard/usage/figures.js';

const sum = (counts: Partial<Sum>): Sum => ({ ...sumOf([]), ...counts });
const NOTHING = { sum: sum({}), named: [], others: sum({}), refused: [], challenged: [] };

it.each([
  [{}, 'No messages were sent.'],
  [{ sent: 1 }, '1 message was sent.'],
  [{ failed: 2 }, '0 messages were sent. 2 messages failed.'],
  [
    { sent: 1204, codes: 1000, verified: 910, failed: 12 },
    '1,204 messages were sent, and 91% of the codes were entered. 12 messages failed.',
  ],
])('the sentence about yesterday: %j', (counts, expected) =>
  expect(periodText({ ...NOTHING, sum: sum(counts) }, 'usd')).toBe(expected),
);

it.each([
  [[{ country: 'FR', people: 3 }], '3 recipients in France'],
  [[{ country: 'FR', people: 1 }], '1 recipient in France'],
  [
    [
      { country: 'US', people: 30 },
      { country: 'CU', people: 9 },
    ],
    '39 recipients, most of them in the United States,',
  ],
])('challenged people in the sentence about yesterday: %j', (challenged, expected) =>
  expect(periodText({ ...NOTHING, sum: sum({ sent: 1 }), challenged }, 'usd')).toBe(
    `1 message was sent. ${expected} had to solve a challenge first.`,
  ),
);

const BRAZIL = { country: 'BR', messages: 400, cost: 310_000 };
it.each([
  ['one country', [BRAZIL], '400 messages to Brazil. They would have cost about 31.00 USD'],
  [
    'several rules',
    [BRAZIL, { ...BRAZIL, messages: 12, cost: 0 }],
    '412 messages to Brazil. They would have cost about 31.00 USD',
  ],
  ['no prices', [{ country: 'BR', messages: 1, cost: 0 }], '1 message to Brazil'],
  [
    'mostly one country',
    [
      { ...BRAZIL, cost: 0 },
      { country: 'FR', messages: 9, cost: 0 },
    ],
    '409 messages, most of them to Brazil',
  ],
  [
    'two equal countries',
    [
      { ...BRAZIL, cost: 0 },
      { ...BRAZIL, country: 'FR', cost: 0 },
    ],
    '800 messages',
  ],
  ['no country', [{ ...BRAZIL, country: '', cost: 0 }], '400 messages'],
])('refused messages in the sentence about yesterday: %s', (_name, refused, expected) =>
  expect(periodText({ ...NOTHING, refused }, 'usd')).toBe(`No messages were sent. Passbell refused ${expected}.`),
);

it.each([
  [{ codes: 100, verified: 90 }, ' (90% without Bangladesh and France)'],
  [{ codes: 100, verified: 65 }, ''],
])('fewer entered codes are explained by countries that look like fraud: %j', (others, expected) => {
  const all = sum({ sent: 152, codes: 152, verified: 90 });
  expect(periodText({ ...NOTHING, sum: all, named: ['BD', 'FR'], others: sum(others) }, 'usd')).toBe(
    `152 messages were sent, and 59% of the codes were entered${expected}.`,
  );
});
