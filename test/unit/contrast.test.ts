/** The contrast check for widget colors. */
import fc from 'fast-check';
import { lowContrastTexts } from '../../backend/src/dashboard/widget/contrast.js';
import { contrast, isBright, TEXT_CONTRAST } from '../../backend/src/modules/applications/contrast.js';

const DEFAULT_COLORS = { theme: 'auto', accentColor: '', backgroundColor: '', textColor: '' } as const;

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
  expect(lowContrastTexts(DEFAULT_COLORS)).toEqual([]);
});

it('derives the theme from a custom background', () => {
  const black = { ...DEFAULT_COLORS, textColor: '#000000' };
  expect(lowContrastTexts({ ...black, theme: 'dark', backgroundColor: '#fff8e1' })).toEqual([]);
  expect(lowContrastTexts({ ...black, theme: 'light', backgroundColor: '#20124d' })[0]).toMatch(
    /^The text is hard to read on the background in the dark theme\. Choose a lighter text color\.$/,
  );
});

it('names the theme in which a color fails', () => {
  expect(lowContrastTexts({ ...DEFAULT_COLORS, textColor: '#000000' })[0]).toContain('in the dark theme');
  const yellow = { ...DEFAULT_COLORS, accentColor: '#ffcc00' };
  expect(lowContrastTexts(yellow)).toEqual([
    'The main button is hard to see on the background in the light theme. Choose a darker accent color.',
  ]);
  expect(lowContrastTexts({ ...yellow, theme: 'dark' })).toEqual([]);
});

it('reports gray text on a gray background', () => {
  const pairs = lowContrastTexts({ ...DEFAULT_COLORS, backgroundColor: '#eeeeee', textColor: '#888888' });
  expect(pairs).toEqual(['The text is hard to read on the background in the light theme. Choose a darker text color.']);
});

it("the widget's choice of black or white text is readable on every accent color", () => {
  const byte = fc.integer({ min: 0, max: 255 }).map((n) => n.toString(16).padStart(2, '0'));
  const color = fc.tuple(byte, byte, byte).map((bytes) => `#${bytes.join('')}`);
  fc.assert(
    fc.property(color, (accentColor) => {
      const text = isBright(accentColor) ? '#000000' : '#ffffff';
      expect(contrast(text, accentColor)).toBeGreaterThanOrEqual(TEXT_CONTRAST);
    }),
  );
});
