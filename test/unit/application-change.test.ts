/** The rights that application changes require, and their audit entries. */
import { DEFAULT_SETTINGS } from '../../backend/src/modules/applications/application.js';
import {
  applyChange,
  auditEntryOf,
  requiredRight,
  type ApplicationChange,
  type EditableApplication,
} from '../../backend/src/modules/applications/application-change.js';

const SHOP: EditableApplication = { name: 'Shop', status: 'active', settings: DEFAULT_SETTINGS };

it.each<[right: string, ApplicationChange]>([
  ['change', {}],
  ['change', { name: 'New', status: 'inactive', settings: { authorizedEndpoints: ['shop.example'] } }],
  [
    'change',
    { settings: { language: 'de', countries: ['US'], channels: ['SMS'] }, design: { title: 'Hi' }, limits: {} },
  ],
  ['own', { limits: { sendsPerDay: 0 } }],
  ['own', { settings: { testRecipients: {} } }],
  ['own', { settings: { strictTwoFactor: false } }],
  ['own', { settings: { verifiedElsewhere: true } }],
  ['change', { settings: { quietHours: '22:00-08:00' } }],
  ['own', { settings: { silentSeconds: 15 } }],
  ['own', { challenge: { kind: 'off' } }],
  ['change', { settings: { webOtpHost: 'shop.example', androidAppHash: 'FA+9qCX9VSu' } }],
  ['own', { fraud: { exemptDays: undefined } }],
])('a change needs the right "%s": %j', (right, change) => {
  expect(requiredRight(change)).toBe(right);
});

it('a change leaves all other properties unchanged', () => {
  const changed = applyChange(SHOP, {
    limits: { sendsPerDay: 3 },
    design: { title: 'Hi' },
    settings: { language: 'de' },
  });
  const { limits, design } = DEFAULT_SETTINGS;
  expect(changed).toEqual({
    ...SHOP,
    settings: {
      ...DEFAULT_SETTINGS,
      language: 'de',
      limits: { ...limits, sendsPerDay: 3 },
      design: { ...design, title: 'Hi' },
    },
  });
});

it.each<[action: string, names: string[], ApplicationChange]>([
  ['application.update', ['name'], { name: 'New' }],
  ['application.update', ['countries'], { settings: { countries: ['US'] } }],
  ['application.update', ['quietHours'], { settings: { quietHours: '22:00-08:00' } }],
  ['application.update', ['silentSeconds'], { settings: { silentSeconds: 15 } }],
  [
    'application.update',
    ['webOtpHost', 'androidAppHash'],
    { settings: { webOtpHost: 'shop.example', androidAppHash: 'FA+9qCX9VSu' } },
  ],
  ['application.allow-list', ['allow-list'], { settings: { authorizedEndpoints: ['shop.example'] } }],
  ['fraud.settings', ['fraud exemptDays'], { fraud: { exemptDays: 30 } }],
  ['application.widget', ['widget title', 'widget radius'], { design: { title: 'Hi', radius: 1 } }],
  [
    'application.update',
    ['allow-list', 'widget title'],
    {
      settings: { authorizedEndpoints: ['shop.example'] },
      design: { title: 'Hi' },
    },
  ],
])('a change is recorded as %s with %j', (action, names, change) => {
  const entry = auditEntryOf(SHOP, applyChange(SHOP, change));
  expect([entry?.action, entry?.changes.map(({ name }) => name)]).toEqual([action, names]);
});

it('a change is not recorded if all values stay the same', () => {
  expect(auditEntryOf(SHOP, applyChange(SHOP, { name: 'Shop', limits: DEFAULT_SETTINGS.limits }))).toBeUndefined();
});

it('a change of test recipients is recorded without their codes, even if only a code changes', () => {
  const before = applyChange(SHOP, { settings: { testRecipients: { 'review@shop.example': '111111' } } });
  const after = applyChange(SHOP, { settings: { testRecipients: { 'review@shop.example': '222222' } } });
  expect(auditEntryOf(SHOP, before)?.changes).toEqual([
    { name: 'testRecipients', before: '', after: 're***@shop.example' },
  ]);
  expect(auditEntryOf(before, after)).toEqual({ action: 'application.update', changes: [] });
});
