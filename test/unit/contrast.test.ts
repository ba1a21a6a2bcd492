/** The contrast check for widget colors. */
import fc from 'fast-check';
import { checkContrast, contrast, themesOf } from '../../backend/src/dashboard/widget/contrast.js';

const DEFAULT_COLORS = { theme: 'auto', accentColor: '', backgroundColor: '', textColor: '' } as const;
const failingPairs = (colors: Parameters<typeof checkContrast>[0]) => checkContrast(colors).filter(({ good }) => !good);

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#0a7cff', '#ffffff', 3.9],
])('%s on %s has the contrast %d', (a, b, ratio) => {
  expect(contrast(a, b)).toBeCloseTo(ratio, 1);
  expect(contrast(b, a)).toBe(contrast(a, b));
});

it('accepts the default colors in both themes', () => {
  expect(themesOf(DEFAULT_COLORS)).toEqual(['light', 'dark']);
  expect(failingPairs(DEFAULT_COLORS)).toEqual([]);
});

it('derives the theme from a custom background', () => {
  expect(themesOf({ ...DEFAULT_COLORS, theme: 'light', backgroundColor: '#20124d' })).toEqual(['dark']);
  expect(themesOf({ ...DEFAULT_COLORS, theme: 'dark', backgroundColor: '#fff8e1' })).toEqual(['light']);
});

it('reports a color that fails in one of the two themes', () => {
  const [found] = failingPairs({ ...DEFAULT_COLORS, textColor: '#000000' });
  expect(found).toMatchObject({ theme: 'dark', what: 'Text on the background' });
  expect(found!.advice).toEqual({ words: expect.stringContaining('Choose one theme, or set a background color.') });
});

it('reports the theme in which an accent color fails', () => {
  const [found] = failingPairs({ ...DEFAULT_COLORS, accentColor: '#ffcc00' });
  expect(found).toMatchObject({
    theme: 'light',
    what: 'Main button on the background',
    advice: { field: 'accentColor', words: expect.stringMatching(/^Make the accent color darker, for example #/) },
  });
  expect(failingPairs({ ...DEFAULT_COLORS, accentColor: '#ffcc00', theme: 'dark' })).toEqual([]);
});

it('reports gray text on a gray background', () => {
  const colors = { ...DEFAULT_COLORS, backgroundColor: '#eeeeee', textColor: '#888888' };
  expect(failingPairs(colors).map(({ what }) => what)).toEqual([
    'Text on the background',
    'Small text on the background',
    'Borders of fields and buttons',
  ]);
});

it("accepts the main button's text on every accent color", () => {
  const byte = fc.integer({ min: 0, max: 255 }).map((n) => n.toString(16).padStart(2, '0'));
  const color = fc.tuple(byte, byte, byte).map((bytes) => `#${bytes.join('')}`);
  fc.assert(
    fc.property(color, (accentColor) => {
      const found = failingPairs({ ...DEFAULT_COLORS, accentColor }).filter(
        ({ what }) => what === 'Words on the main button',
      );
      expect(found).toEqual([]);
    }),
  );
});

it('suggests colors that pass the check', () => {
  const byte = fc.integer({ min: 0, max: 255 }).map((n) => n.toString(16).padStart(2, '0'));
  const color = fc.oneof(
    fc.constant(''),
    fc.tuple(byte, byte, byte).map((bytes) => `#${bytes.join('')}`),
  );
  const colors = fc.record({
    theme: fc.constantFrom('auto' as const, 'light' as const, 'dark' as const),
    accentColor: color,
    backgroundColor: color,
    textColor: color,
  });
  fc.assert(
    fc.property(colors, (entered) => {
      for (const { what, advice } of failingPairs(entered)) {
        if (!advice?.field) continue;
        const changed = failingPairs({ ...entered, [advice.field]: advice.color });
        expect(changed.map((check) => check.what)).not.toContain(what);
      }
    }),
  );
});
