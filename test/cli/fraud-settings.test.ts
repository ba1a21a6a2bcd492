/** `passbell fraud settings`, `passbell fraud set` and `passbell account ceilings --fraud`, with a running server. */
import { numbers, SEEN_MS, startGuardedService, type GuardedService } from '../support/guarded-service.js';
import { auditLog, json, run } from './command.js';

const UK_PREFIX = '+4474001234';
const CEILINGS_COMMAND = ['account', 'ceilings', '--email', 'operator@localhost'];

let service: GuardedService;
beforeEach(async () => {
  service = await startGuardedService();
});
afterEach(() => service.close());

interface SettingView {
  readonly name: string;
}

const command = (...args: string[]) => json(service.passbell, ...args);
const set = (...changes: string[]) => command('fraud', 'set', service.keys.appKey, ...changes);
const setting = async (name: string) => {
  const { settings } = await command('fraud', 'settings', service.keys.appKey);
  return settings.find((view: SettingView) => view.name === name);
};
const lastChanges = async () => {
  const { action, changes } = (await auditLog(service.passbell)).at(-1)!;
  return [action, changes];
};

/** Sends codes to `count` recipients in a country without a history. Returns how many codes were sent. */
async function sendCount(count: number, first: number): Promise<number> {
  service.passbell.clock.advance(SEEN_MS);
  return (await service.sendToAll(numbers(UK_PREFIX, count, first))).filter(({ success }) => success).length;
}

it('shows the value, default and bound of each setting', async () => {
  expect(await setting('newCountryNotifications')).toEqual({
    name: 'newCountryNotifications',
    value: 20,
    default: 20,
    bound: 'any',
    text: 'Notifications to unverified recipients in a country that is not served, while the number of verified people there is less than ten times `establishedVerifications`',
  });
  const { out } = await run(service.passbell, 'fraud', 'settings', service.keys.appKey);
  expect(out).toMatch(/│ Setting +│ Value +│ Default +│ Bound +│ Meaning +│/);
  expect(out).toMatch(/│ prefixUnverified +│ 10 +│ 10 +│ any +│ Unverified recipients above the usual/);
});

it('changes settings of running servers within two seconds, and restores defaults', async () => {
  await set('newCountryNotifications=3', 'exemptDays=30');
  expect(await sendCount(5, 10)).toBe(3);
  expect(await lastChanges()).toEqual([
    'fraud.settings',
    [
      { name: 'fraud newCountryNotifications', before: 'default', after: '3' },
      { name: 'fraud exemptDays', before: 'default', after: '30' },
    ],
  ]);
  await set('newCountryNotifications=default');
  expect(await lastChanges()).toEqual([
    'fraud.settings',
    [{ name: 'fraud newCountryNotifications', before: '3', after: 'default' }],
  ]);
  expect(await setting('exemptDays')).toMatchObject({ value: 30 });
  expect(await sendCount(20, 30)).toBe(17);
});

it('changes the defaults with the strictness', async () => {
  await set('strictness=3');
  expect(await setting('prefixUnverified')).toMatchObject({ value: 5, default: 5 });
  expect(await setting('newCountryNotifications')).toMatchObject({ value: 20, default: 20 });
  // The default of normal protection is a value of its own in strict protection.
  await set('prefixUnverified=10');
  expect(await setting('prefixUnverified')).toMatchObject({ value: 10, default: 5 });
  await set('strictness=1');
  expect(await setting('prefixUnverified')).toMatchObject({ value: 10, default: 20 });
  await set('prefixUnverified=default', 'strictness=default');
  expect(await setting('prefixUnverified')).toMatchObject({ value: 10, default: 10 });
});

it('adds no audit entry if no value changes', async () => {
  const before = await auditLog(service.passbell);
  await set('newCountryNotifications=20', 'tolerance=default');
  expect(await auditLog(service.passbell)).toEqual(before);
});

describe('an account bound', () => {
  it('applies to all applications of the account, and can be removed', async () => {
    await set('newCountryNotifications=8');
    const ceilings = await command(
      ...CEILINGS_COMMAND,
      '--fraud',
      'newCountryNotifications=2',
      '--fraud',
      'tolerance=90',
    );
    expect(ceilings.fraud).toEqual({ newCountryNotifications: 2, tolerance: 90 });
    expect(await lastChanges()).toEqual([
      'account.ceilings',
      [
        { name: 'fraud newCountryNotifications', before: 'any', after: '2' },
        { name: 'fraud tolerance', before: 'any', after: '90' },
      ],
    ]);
    expect(await sendCount(4, 10)).toBe(2);
    expect(await setting('newCountryNotifications')).toMatchObject({ value: 2, bound: 'at most 2' });
    expect(await setting('tolerance')).toMatchObject({ value: 90, bound: 'at least 90' });
    expect((await run(service.passbell, ...CEILINGS_COMMAND)).out).toMatch(
      /fraud newCountryNotifications +at most 2\n/,
    );

    const { fraud } = await command(
      ...CEILINGS_COMMAND,
      '--fraud',
      'newCountryNotifications=any',
      '--fraud',
      'tolerance=any',
    );
    expect(fraud).toEqual({});
    expect(await setting('newCountryNotifications')).toMatchObject({ value: 8, bound: 'any' });
  });

  it('is loosened when the operator sets a looser value for an application', async () => {
    await command(...CEILINGS_COMMAND, '--fraud', 'newCountryNotifications=2', '--fraud', 'prefixUnverified=20');
    await set('newCountryNotifications=25', 'prefixUnverified=0');
    expect(await setting('newCountryNotifications')).toMatchObject({ value: 25, bound: 'at most 25' });
    expect(await setting('prefixUnverified')).toMatchObject({ value: 0, bound: 'any' });
  });
});

it.each([
  ['nothing: There is no such setting. The settings are strictness, exemptDays, codesInARow,', 'nothing=1'],
  ['prefixUnverified: Enter a whole number from 0 to 100,000; 0 turns it off.', 'prefixUnverified=100001'],
  ['exemptDays: Enter a whole number from 1 to 365.', 'exemptDays=0'],
  ['codesInARow: Enter a whole number from 0 to 1,000; 0 turns it off.', 'codesInARow=1.5'],
  ['strictness: Enter a whole number from 1 to 3.', 'strictness=4'],
  ['It must be NAME=NUMBER or NAME=default, such as prefixUnverified=20.', 'tolerance'],
  ['It must be NAME=NUMBER or NAME=default, such as prefixUnverified=20.', 'tolerance=much'],
  ['__proto__: There is no such setting.', '__proto__=1'],
])('fails with "%s" for %s, and changes nothing', async (text, ...changes) => {
  const { code, out, err } = await run(
    service.passbell,
    'fraud',
    'set',
    service.keys.appKey,
    'exemptDays=9',
    ...changes,
  );
  expect({ code, out, err }).toEqual({ code: 1, out: '', err: expect.stringContaining(text) });
  expect(await setting('exemptDays')).toMatchObject({ value: 90 });
});

it.each([
  ['nothing: There is no such setting. The settings are strictness, exemptDays,', 'nothing=any'],
  ['exemptDays: Enter a whole number from 1 to 365.', 'exemptDays=366'],
  ['It must be NAME=NUMBER or NAME=any', 'exemptDays=default'],
])('fails with "%s" for the bound %s', async (text, change) => {
  const { code, err } = await run(service.passbell, ...CEILINGS_COMMAND, '--fraud', change);
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(text) });
});

it('turns --verified-elsewhere on and off', async () => {
  const { appKey } = service.keys;
  expect(await command('app', 'update', appKey, '--verified-elsewhere', 'on')).toMatchObject({
    verifiedElsewhere: true,
  });
  expect(await lastChanges()).toEqual([
    'application.update',
    [{ name: 'verifiedElsewhere', before: 'off', after: 'on' }],
  ]);
  expect(await command('fraud', 'settings', appKey)).toMatchObject({ verifiedElsewhere: true });
  expect((await run(service.passbell, 'app', 'update', appKey, '--verified-elsewhere', 'off')).out).toMatch(
    /Verified elsewhere +off\n/,
  );
});
