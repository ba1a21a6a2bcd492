/** Numbers with bounds: limits of an application, and numbers of the fraud guard. */
import { Command } from 'commander';
import { DEFAULT_CEILINGS, LIMITS } from '../../backend/src/modules/applications/application-limits.js';
import { FRAUD_THRESHOLDS } from '../../backend/src/modules/fraud/fraud-settings.js';
import {
  boundText,
  changeValues,
  checkChange,
  effectiveValues,
  hintOf,
  higherIsStricter,
  looserValues,
  lowerIsStricter,
  optionOf,
  SettingError,
  type SettingTable,
} from '../../backend/src/modules/settings/bounded-setting.js';

const texts = { label: 'Label', text: 'label' };
const TABLE = {
  perDay: { ...lowerIsStricter({ default: 10, min: 0, max: 10_000 }), ...texts, hint: 'Per UTC day.' },
  pause: { ...higherIsStricter({ default: 30, min: 0, max: 100 }), ...texts },
  tolerance: { ...higherIsStricter({ default: 60, min: 10, max: 95 }), ...texts },
  days: { ...lowerIsStricter({ default: 7, min: 0, max: 30, zeroIsStrictest: true }), ...texts },
  budget: { ...lowerIsStricter({ default: 0, min: 0, max: 100 }), ...texts, zeroIsAutomatic: true },
} as const satisfies SettingTable;
type Name = keyof typeof TABLE;

function errorOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
}

it.each<[Name, stored: number | undefined, bound: number | undefined, effective: number, allowed: string | undefined]>([
  ['perDay', undefined, undefined, 10, undefined],
  ['perDay', undefined, 5, 5, undefined],
  ['perDay', 20, undefined, 20, undefined],
  ['perDay', 20, 20, 20, undefined],
  ['perDay', 21, 20, 20, 'from 1 to 20'],
  ['perDay', 1, 20, 1, undefined],
  ['perDay', 0, 20, 20, 'from 1 to 20'],
  ['perDay', 0, undefined, 0, undefined],
  ['perDay', 21, 0, 21, undefined],
  ['perDay', 0, 0, 0, undefined],
  ['pause', 9, 10, 10, 'of at least 10'],
  ['pause', 0, 10, 10, 'of at least 10'],
  ['pause', 11, 10, 11, undefined],
  ['pause', 0, 0, 0, undefined],
  ['tolerance', 50, 70, 70, 'of at least 70'],
  ['tolerance', 80, 70, 80, undefined],
  ['days', 0, 3, 0, undefined],
  ['budget', 0, 20, 0, undefined],
  ['budget', 21, 20, 20, 'from 1 to 20'],
  ['days', 4, 3, 3, 'from 0 to 3'],
  ['days', 3, 0, 0, 'from 0 to 0'],
])('%s: stored %p with the bound %p is %p', (name, stored, bound, effective, allowed) => {
  const change = stored === undefined ? {} : { [name]: stored };
  const bounds = bound === undefined ? {} : { [name]: bound };
  expect(effectiveValues(TABLE, change, bounds)[name]).toBe(effective);
  const only = 'Only the operator of this server can allow other values.';
  const error = allowed === undefined ? undefined : `${name}: Enter a number ${allowed}. ${only}`;
  expect(errorOf(() => looserValues(TABLE, change, bounds as Record<string, number>, false))).toBe(error);
  expect(looserValues(TABLE, change, bounds as Record<string, number>, true)).toEqual(error ? change : {});
});

it('omits stored values that are not in the table', () => {
  expect(effectiveValues(TABLE, { removed: 3 } as object, {})).toEqual({
    perDay: 10,
    pause: 30,
    tolerance: 60,
    days: 7,
    budget: 0,
  });
});

it.each([
  [{ perDay: 0, tolerance: 95, days: undefined }, undefined],
  [{ budget: 101 }, 'budget: Enter a whole number from 0 to 100; 0 is automatic.'],
  [{ perDay: 10_001 }, 'perDay: Enter a whole number from 0 to 10,000; 0 turns it off.'],
  [{ perDay: -1 }, 'perDay: Enter a whole number from 0 to 10,000; 0 turns it off.'],
  [{ tolerance: 10.5 }, 'tolerance: Enter a whole number from 10 to 95.'],
  [{ days: Number.NaN }, 'days: Enter a whole number from 0 to 30.'],
  [{ other: undefined }, 'other: There is no such setting. The settings are perDay, pause, tolerance, days, budget.'],
  [{ toString: 1 }, 'toString: There is no such setting. The settings are perDay, pause, tolerance, days, budget.'],
])('checks the change %p', (change, error) => {
  expect(errorOf(() => checkChange(TABLE, change as Record<string, number>))).toBe(error);
});

it('changes and removes values', () => {
  expect(changeValues({ perDay: 3, days: 1 }, { perDay: 4, days: undefined })).toEqual({ perDay: 4 });
});

it.each<[Name, number | undefined, string, string]>([
  ['perDay', undefined, 'any', 'Per UTC day.'],
  ['perDay', 0, 'any', 'Per UTC day.'],
  ['perDay', 1000, 'at most 1,000', 'Per UTC day. Your account allows at most 1,000.'],
  ['pause', 10, 'at least 10', 'Your account allows at least 10.'],
  ['tolerance', undefined, 'any', ''],
  ['days', 3, 'at most 3', 'Your account allows at most 3. 0 is the strictest value.'],
])('%s with the bound %p: %s', (name, bound, text, hint) => {
  expect(boundText(TABLE[name], bound)).toBe(text);
  expect(hintOf(TABLE[name], bound)).toBe(hint);
});

it.each(Object.entries<SettingTable>({ limits: LIMITS, fraud: FRAUD_THRESHOLDS }))(
  'describes all %s, with valid defaults',
  (_name, table) => {
    for (const [name, { default: usual, label, hint = '.', text }] of Object.entries(table)) {
      expect(errorOf(() => checkChange(table, { [name]: usual }))).toBeUndefined();
      expect([label, hint, text]).toEqual([
        expect.stringMatching(/^[A-Z].*[^.]$/),
        expect.stringMatching(/\.$/),
        expect.stringMatching(/^\S.*[^.]$/),
      ]);
    }
  },
);

it('allows the default limits below the default ceilings', () => {
  const defaults = effectiveValues(LIMITS, {}, {});
  expect(looserValues(LIMITS, defaults, DEFAULT_CEILINGS, true)).toEqual({});
});

it('derives options whose values commander stores under the name of the limit', () => {
  expect(optionOf('sendsPer10Minutes')).toBe('sends-per-10-minutes');
  const command = new Command();
  for (const name of Object.keys(LIMITS)) command.option(`--${optionOf(name)} <N>`);
  expect(command.options.map((option) => option.attributeName())).toEqual(Object.keys(LIMITS));
});
