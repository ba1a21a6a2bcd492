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
  expect(await setting('newCountryPerHour')).toEqual({
    name: 'newCountryPerHour',
    value: 10,
    default: 10,
    bound: 'any',
    text: 'R2: unverified recipients per hour in a country that is not listed',
  });
  const { out } = await run(service.passbell, 'fraud', 'settings', service.keys.appKey);
  expect(out).toMatch(/│ Setting +│ Value +│ Default +│ Bound +│ Meaning +│/);
  expect(out).toMatch(/│ prefixUnverified +│ 10 +│ 10 +│ any +│ R3: unverified recipients that a prefix/);
});

it('changes settings of running servers within two seconds, and restores defaults', async () => {
  await set('newCountryPerHour=3', 'exemptDays=30');
  expect(await sendCount(5, 10)).toBe(3);
  expect(await lastChanges()).toEqual([
    'fraud.settings',
    [
      { name: 'fraud newCountryPerHour', before: 'default', after: '3' },
      { name: 'fraud exemptDays', before: 'default', after: '30' },
    ],
  ]);
  await set('newCountryPerHour=default');
  expect(await lastChanges()).toEqual([
    'fraud.settings',
    [{ name: 'fraud newCountryPerHour', before: '3', after: 'default' }],
  ]);
  expect(await setting('exemptDays')).toMatchObject({ value: 30 });
  expect(await sendCount(9, 30)).toBe(7);
});

it('adds no audit entry if no value changes', async () => {
  const before = await auditLog(service.passbell);
  await set('newCountryPerHour=10', 'spendBudget=default');
  expect(await auditLog(service.passbell)).toEqual(before);
});

describe('an account bound', () => {
  it('applies to all applications of the account, and can be removed', async () => {
    await set('newCountryPerHour=8');
    const ceilings = await command(
      ...CEILINGS_COMMAND,
      '--fraud',
      'newCountryPerHour=2',
      '--fraud',
      'countryTolerance=90',
    );
    expect(ceilings.fraud).toEqual({ newCountryPerHour: 2, countryTolerance: 90 });
    expect(await lastChanges()).toEqual([
      'account.ceilings',
      [
        { name: 'fraud newCountryPerHour', before: 'any', after: '2' },
        { name: 'fraud countryTolerance', before: 'any', after: '90' },
      ],
    ]);
    expect(await sendCount(4, 10)).toBe(2);
    expect(await setting('newCountryPerHour')).toMatchObject({ value: 2, bound: 'at most 2' });
    expect(await setting('countryTolerance')).toMatchObject({ value: 90, bound: 'at least 90' });
    expect((await run(service.passbell, ...CEILINGS_COMMAND)).out).toMatch(/fraud newCountryPerHour +at most 2\n/);

    const { fraud } = await command(
      ...CEILINGS_COMMAND,
      '--fraud',
      'newCountryPerHour=any',
      '--fraud',
      'countryTolerance=any',
    );
    expect(fraud).toEqual({});
    expect(await setting('newCountryPerHour')).toMatchObject({ value: 8, bound: 'any' });
  });

  it('is loosened when the operator sets a looser value for an application', async () => {
    await command(...CEILINGS_COMMAND, '--fraud', 'newCountryPerHour=2', '--fraud', 'prefixUnverified=20');
    await set('newCountryPerHour=25', 'prefixUnverified=0');
    expect(await setting('newCountryPerHour')).toMatchObject({ value: 25, bound: 'at most 25' });
    expect(await setting('prefixUnverified')).toMatchObject({ value: 0, bound: 'any' });
  });
});

it.each([
  ['nothing: There is no such setting. The settings are exemptDays, newCountryVerifications,', 'nothing=1'],
  ['prefixUnverified: It must be a whole number from 0 to 1000; 0 turns it off.', 'prefixUnverified=1001'],
  ['exemptDays: It must be a whole number from 1 to 365.', 'exemptDays=0'],
  ['spendBudget: It must be a whole number from 0 to 1000000; 0 turns it off.', 'spendBudget=1.5'],
  ['It must be NAME=NUMBER or NAME=default, such as prefixUnverified=20.', 'spendBudget'],
  ['It must be NAME=NUMBER or NAME=default, such as prefixUnverified=20.', 'spendBudget=much'],
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
  ['nothing: There is no such setting. The settings are exemptDays,', 'nothing=any'],
  ['observeDays: It must be a whole number from 0 to 30.', 'observeDays=31'],
  ['It must be NAME=NUMBER or NAME=any', 'observeDays=default'],
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
