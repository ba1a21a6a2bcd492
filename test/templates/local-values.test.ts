/** Dates and amounts in the format of the message's language. */
import type { Content } from '../../backend/src/providers/provider.js';
import type { ChannelName } from '../../backend/src/platform/contract/channels.js';
import { VARIABLES } from '../../backend/src/platform/contract/generated/templates.js';
import { LANGUAGE_CODES } from '../../backend/src/modules/templates/language-codes.js';
import { writtenValue } from '../../backend/src/modules/templates/rendering/local-values.js';
import { LOCAL_VARIABLES } from '../../backend/src/modules/templates/rendering/notification.js';
import { render, type FindOverride } from '../../backend/src/modules/templates/rendering/render.js';
import type { VariableName } from '../../backend/src/modules/templates/template.js';

/** Returns what a recipient of an order confirmation reads. */
function confirmation(channel: ChannelName, language: string, values: object, findOverride?: FindOverride): string {
  const variables = { ...values, application: 'Corner Shop', language };
  const content: Content = render('order_confirmed', channel, variables, findOverride);
  if (content.kind === 'speech') return content.sentences.join('\n');
  return content.text.replace(/[\u2068\u2069]/g, '');
}

it.each(LANGUAGE_CODES)('the sample amounts and dates are shown in the format of %s', (code) => {
  for (const name of LOCAL_VARIABLES as readonly VariableName[]) {
    const { sample } = VARIABLES[name];
    expect([name, writtenValue(sample, code)]).not.toEqual([name, sample]);
  }
});

const localCases = [
  ['en', 'EMAIL', 'March 5, 2026', '$1,059.90'],
  ['en', 'SMS', 'March 5, 2026', 'USD 1,059.90'],
  ['de', 'EMAIL', '5. März 2026', '1.059,90\u00a0$'],
  ['fr', 'WHATSAPP', '5 mars 2026', '1\u00a0059,90\u00a0$US'],
  ['pl', 'SMS', '5 marca 2026', '1059,90 USD'],
  ['ar', 'WHATSAPP', '5 مارس 2026', '1,059.90'],
] as const;
it.each(localCases)('formats dates and amounts in %s on %s', (language, channel, date, amount) => {
  const values = { orderId: '1', orderTotal: 'USD 1059.90', estimatedDelivery: '2026-03-05' };
  const text = confirmation(channel, language, values);
  expect(text).toContain(date);
  expect(text).toContain(amount);
  const custom = {
    subject: channel === 'EMAIL' ? 'x' : null,
    text: '{{ estimatedDelivery }}; {{ orderTotal | local }}',
  };
  const own = confirmation(channel, language, values, () => custom);
  expect(own).toContain('2026-03-05');
  expect(own).toContain(amount);
});

it.each(['59,90 EUR', '$120.00', 'EUR 1.2345', 'tomorrow', '2026-02', '2026-02-30', '1059.90'])(
  'leaves %j as it is',
  (value) => {
    const values = { orderId: '1', orderTotal: value, estimatedDelivery: value };
    expect(confirmation('WHATSAPP', 'de', values).split(value)).toHaveLength(3);
  },
);

it('keeps the time of a date, as the caller wrote it', () => {
  const values = { orderId: '1', estimatedDelivery: '2026-03-05T17:30:00+01:00' };
  const text = confirmation('WHATSAPP', 'de', values);
  expect(text).toContain('5. März 2026 um 17:30');
  const utc = { orderId: '1', estimatedDelivery: '2026-03-05T17:30:00Z' };
  expect(confirmation('WHATSAPP', 'de', utc)).toContain('17:30 UTC');
});
