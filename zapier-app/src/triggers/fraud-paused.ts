import { eventTrigger } from '../events.js';

export default eventTrigger({
  key: 'fraud_paused',
  event: 'fraud.paused',
  noun: 'Pause',
  outputFields: [
    { key: 'appKey', label: 'App Key', type: 'string' },
    { key: 'application', label: 'Application', type: 'string' },
    { key: 'scope', label: 'Scope', type: 'string' },
    { key: 'key', label: 'Prefix or Country', type: 'string' },
    { key: 'rule', label: 'Rule', type: 'string' },
    { key: 'level', label: 'Level', type: 'integer' },
    { key: 'reason', label: 'Reason', type: 'string' },
    { key: 'sent', label: 'Recipients', type: 'integer' },
    { key: 'verified', label: 'Verified Recipients', type: 'integer' },
    { key: 'since', label: 'Counted Since', type: 'datetime' },
    { key: 'until', label: 'Paused Until', type: 'datetime' },
    { key: 'isChallenged', label: 'Requires a Challenge', type: 'boolean' },
  ],
  sample: {
    appKey: 'pk_0f8fad5bd9cb469fa16570867728950e',
    application: 'Shop',
    scope: 'prefix',
    key: '+1415555',
    rule: 'prefix',
    level: 1,
    reason:
      'In 4 minutes, 10 of 11 recipients whose numbers start with +1415555 did not enter their code; up to 5 would be normal.',
    sent: 11,
    verified: 1,
    since: 1772704590,
    until: 1772708430,
    isChallenged: false,
  },
});
