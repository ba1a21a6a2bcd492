import { defineInputFields, defineSearch, type InferInputData, type SearchPerform } from 'zapier-platform-core';
import { displayOf, pickInputs, textsOf } from '../fields.js';
import { FIELDS } from '../generated/connectors.js';
import { withTypes } from '../send-result.js';
import { call } from '../service.js';

interface DailyUsage {
  readonly day: string;
  readonly authType: string;
  readonly sent: number;
  readonly delivered: number;
  readonly undelivered: number;
  readonly failed: number;
  readonly codes: number;
  readonly verified: number;
  readonly charge: string;
  readonly currency: string;
}

interface Usage {
  readonly from: string;
  readonly to: string;
  readonly usage: readonly DailyUsage[];
}

const COUNTS = ['sent', 'delivered', 'undelivered', 'failed', 'codes', 'verified'] as const;

const inputFields = defineInputFields([
  { key: 'from', ...textsOf('from'), type: 'datetime', required: false },
  { key: 'to', ...textsOf('until'), type: 'datetime', required: false },
]);

/** Adds sums, because later steps that need a single value cannot use line items. */
const output = ({ from, to, usage }: Usage) => ({
  id: `${from} ${to}`,
  from,
  to,
  ...Object.fromEntries(COUNTS.map((name) => [name, usage.reduce((sum, day) => sum + day[name], 0)])),
  charge: Number(usage.reduce((sum, { charge }) => sum + Number(charge), 0).toFixed(4)),
  currency: usage[0]?.currency ?? '',
  // Days stay without a time. As a time, Zapier would show the day before in time zones west of UTC.
  days: usage.map(withTypes),
});

const perform = (async (z, bundle) => {
  const params = pickInputs(bundle.inputData, ['from', 'to']) as Record<string, string>;
  const days = Object.fromEntries(Object.entries(params).map(([name, day]) => [name, day.slice(0, 10)]));
  const expects = { 'data.from': 'string', 'data.usage': 'array' } as const;
  const labels = { from: FIELDS.from.label, to: FIELDS.until.label };
  const { data } = await call<Usage>(z, bundle, { method: 'GET', path: '/usage', params: days, expects, labels });
  return [output(data)];
}) satisfies SearchPerform<InferInputData<typeof inputFields>>;

const countFields = [
  { key: 'sent', label: 'Sent', type: 'integer' },
  { key: 'delivered', label: 'Delivered', type: 'integer' },
  { key: 'undelivered', label: 'Undelivered', type: 'integer' },
  { key: 'failed', label: 'Failed', type: 'integer' },
  { key: 'codes', label: 'Codes', type: 'integer' },
  { key: 'verified', label: 'Verified Codes', type: 'integer' },
  { key: 'charge', label: 'Cost', type: 'number' },
  { key: 'currency', label: 'Currency', type: 'string' },
] as const;

export default defineSearch({
  key: 'find_usage',
  noun: 'Usage',
  display: displayOf('usage'),
  operation: {
    perform,
    inputFields,
    outputFields: [
      { key: 'id', label: 'ID', type: 'string', primary: true },
      { key: 'from', label: 'First Day', type: 'string' },
      { key: 'to', label: 'Last Day', type: 'string' },
      ...countFields,
      {
        key: 'days',
        label: 'Days',
        children: [
          { key: 'day', label: 'Day', type: 'string' },
          { key: 'authType', label: 'Channel', type: 'string' },
          ...countFields,
        ],
      },
    ],
    sample: output({
      from: '2026-01-01',
      to: '2026-01-31',
      usage: [
        {
          day: '2026-01-31',
          authType: 'Sms',
          sent: 120,
          delivered: 112,
          undelivered: 3,
          failed: 2,
          codes: 80,
          verified: 74,
          charge: '0.9480',
          currency: 'usd',
        },
      ],
    }),
  },
});
