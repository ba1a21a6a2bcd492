/** Price lists: vendors' CSV files, and lines that people type. */
import { mergePrices, parsePriceList, priceChanges } from '../../backend/src/modules/providers/price-list.js';

const read = (text: string) => parsePriceList(text, 'SMS');

it.each([
  ['IN = 0.0042\nDE=0.07', { DE: '0.0700', IN: '0.0042' }],
  ['India 0.0042\nunited states 0.0079', { IN: '0.0042', US: '0.0079' }],
  ['* 0.05\nall other countries,0.06', { '*': '0.0600' }],
  ['\uFEFFcountry,price\r\nIN,0.0042\r\n\r\n', { IN: '0.0042' }],
  ['ISO;Land;Price / SMS;MCC\nDE;Germany;0,0755;262', { DE: '0.0755' }],
  ['Country,ISO,Dial code,Price\n"Congo, Democratic Republic",CD,243,"$0.1"', { CD: '0.1000' }],
  ['IN\tIndia\t0.00421 USD', { IN: '0.0043' }],
  ['Network,ISO,Price\n"A, B ""C""",DE,0.1\n"D",FR,0.2', { DE: '0.1000', FR: '0.2000' }],
  ['\t\tPrice\nx\tIN\t0.3', { IN: '0.3000' }],
  ['IN,0.00999999', { IN: '0.0100' }],
  ['IN,0.00990000', { IN: '0.0099' }],
])('reads %j', (text, prices) => {
  expect(read(text)).toMatchObject({ prices, problems: [] });
});

it('lists only the lines that it cannot read', () => {
  const { prices, problems } = read('country,price\nIN,0.0042\nUK,0.1\nDE,free\n\nFR,-1');
  expect(prices).toEqual({ IN: '0.0042' });
  expect(problems.map((text) => text.split('.')[0])).toEqual([
    'Line 3: “UK” is not a country',
    'Line 4: no price',
    'Line 6: no price',
  ]);
  expect(read('XX,abc').problems).toEqual(['Line 1: “XX” is not a country.']);
  expect(parsePriceList('IN,1', 'EMAIL').problems).toEqual(['Line 1: emails have no country. Use *.']);
  expect(read('IN').problems).toHaveLength(1);
});

it('does not read lines that are too long, which would keep the process busy', () => {
  expect(read(`IN,1${',x'.repeat(1000)}\nDE,1`)).toMatchObject({
    prices: { DE: '1.0000' },
    problems: [expect.stringContaining('Line 1: too long')],
  });
});

it('uses the highest price of a country with several networks, and counts the other lines', () => {
  expect(read('IN,0.1\nIN,0.3\nIN,0.2\nDE,1')).toMatchObject({ prices: { IN: '0.3000', DE: '1.0000' }, repeated: 2 });
});

it('lists changes and merges prices', () => {
  const before = { '*': '0.0500', IN: '0.0042' };
  const after = mergePrices(before, { IN: undefined, DE: '0.0700' });
  expect(after).toEqual({ '*': '0.0500', DE: '0.0700' });
  expect(priceChanges(before, after)).toEqual([
    { country: 'DE', before: undefined, after: '0.0700' },
    { country: 'IN', before: '0.0042', after: undefined },
  ]);
});
