/** Fields of the events about recipients who stop or allow notifications. */
export const decisionFields = [
  { key: 'appKey', label: 'App Key', type: 'string' },
  { key: 'application', label: 'Application', type: 'string' },
  { key: 'authType', label: 'Channel', type: 'string' },
  { key: 'to', label: 'Masked Recipient', type: 'string' },
  { key: 'source', label: 'Source', type: 'string' },
] as const;

export const decisionSample = {
  appKey: 'pk_0f8fad5bd9cb469fa16570867728950e',
  application: 'Shop',
  authType: 'Sms',
  to: '+1415*****23',
  source: 'reply',
};
