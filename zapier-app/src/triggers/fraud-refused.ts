import { eventTrigger } from '../events.js';

export default eventTrigger({
  key: 'fraud_refused',
  event: 'fraud.refused',
  noun: 'Refusal',
  outputFields: [
    { key: 'appKey', label: 'App Key', type: 'string' },
    { key: 'application', label: 'Application', type: 'string' },
    { key: 'day', label: 'Day (UTC)', type: 'string' },
    { key: 'messages', label: 'Messages', type: 'integer' },
    { key: 'people', label: 'Recipients', type: 'integer' },
    {
      key: 'refusals',
      label: 'By Rule and Country',
      children: [
        { key: 'rule', label: 'Rule', type: 'string' },
        { key: 'country', label: 'Country', type: 'string' },
        { key: 'messages', label: 'Messages', type: 'integer' },
        { key: 'people', label: 'Recipients', type: 'integer' },
        { key: 'isServed', label: 'Served by You', type: 'boolean' },
      ],
    },
  ],
  sample: {
    appKey: 'pk_0f8fad5bd9cb469fa16570867728950e',
    application: 'Shop',
    day: '2026-03-05',
    messages: 31,
    people: 29,
    refusals: [
      { rule: 'prefix', country: 'GB', messages: 28, people: 26, isServed: true },
      { rule: 'newCountries', country: 'LV', messages: 3, people: 3, isServed: false },
    ],
  },
});
