/** Checks a widget's colors against the WCAG 2.2 contrast ratios. Suggests a color for each failed check. */
import type { WidgetDesign } from '../../modules/applications/application.js';
import { WIDGET_PALETTES } from '../../platform/contract/generated/widget.js';

export type Theme = keyof typeof WIDGET_PALETTES;
type ColorField = 'accentColor' | 'backgroundColor' | 'textColor';
type Colors = Pick<WidgetDesign, 'theme' | ColorField>;

export interface ContrastCheck {
  readonly theme: Theme;
  readonly what: string;
  readonly ratio: number;
  readonly needed: number;
  readonly good: boolean;
  readonly front: string;
  readonly back: string;
  readonly advice?: Advice;
}

interface Advice {
  readonly words: string;
  /** The color to change. Undefined if changing a single color is not enough. */
  readonly field?: ColorField;
  /** A new value for `field` that passes the check in every theme. */
  readonly color?: string;
}

/** Minimum contrast ratios in WCAG 2.2: criterion 1.4.3 for text, and 1.4.11 for user interface components. */
const TEXT_CONTRAST = 4.5;
const CONTROL_CONTRAST = 3;

/** Returns red, green and blue: `#0a7cff` → [10, 124, 255]. */
const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color)
    .map((channel) => channel / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Returns the contrast ratio of two colors, from 1 (equal) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright! + 0.05) / (dark! + 0.05);
}

/** Mixes two colors like `color-mix(in srgb, a share, b)` in CSS. */
function mix(a: string, b: string, share: number): string {
  const [from, to] = [channelsOf(a), channelsOf(b)];
  const mixed = from.map((channel, n) => Math.round(channel * share + to[n]! * (1 - share)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Whether black text has more contrast on the color than white text. The widget uses the same threshold. */
const isBright = (color: string): boolean => luminance(color) > 0.179;

/** Widget colors by use. `small` is used for small print, and `edge` for the borders of fields and buttons. */
type Palette = Readonly<Record<'accent' | 'onAccent' | 'ground' | 'ink' | 'bad' | 'small' | 'edge', string>>;

/** Returns the themes that visitors can see. A custom background determines whether the theme is light or dark. */
export function themesOf({ theme, backgroundColor }: Colors): Theme[] {
  if (backgroundColor) return [isBright(backgroundColor) ? 'light' : 'dark'];
  return theme === 'auto' ? ['light', 'dark'] : [theme];
}

function paletteOf(theme: Theme, { accentColor, backgroundColor, textColor }: Colors): Palette {
  const { bad, ...own } = WIDGET_PALETTES[theme];
  const ground = backgroundColor || own.ground;
  const ink = textColor || own.ink;
  const onAccent = accentColor ? (isBright(accentColor) ? '#000000' : '#ffffff') : own.onAccent;
  const accent = accentColor || own.accent;
  return { accent, onAccent, ground, ink, bad, small: mix(ink, ground, 0.72), edge: mix(ink, ground, 0.52) };
}

interface ColorPair {
  readonly what: string;
  readonly needed: number;
  /**
   * The color to change. If the design does not set it, the advice is to change another color that the design sets.
   */
  readonly field: ColorField;
  readonly front: keyof Palette;
  readonly back: keyof Palette;
}

const COLOR_PAIRS: readonly ColorPair[] = [
  { what: 'Text on the background', needed: TEXT_CONTRAST, field: 'textColor', front: 'ink', back: 'ground' },
  { what: 'Small text on the background', needed: TEXT_CONTRAST, field: 'textColor', front: 'small', back: 'ground' },
  {
    what: 'Borders of fields and buttons',
    needed: CONTROL_CONTRAST,
    field: 'textColor',
    front: 'edge',
    back: 'ground',
  },
  { what: 'Text on the main button', needed: TEXT_CONTRAST, field: 'accentColor', front: 'onAccent', back: 'accent' },
  {
    what: 'Main button on the background',
    needed: CONTROL_CONTRAST,
    field: 'accentColor',
    front: 'accent',
    back: 'ground',
  },
  { what: 'Error messages', needed: TEXT_CONTRAST, field: 'backgroundColor', front: 'bad', back: 'ground' },
];

const MIX_STEPS = 50;

/** Returns the color closest to `field` that makes the pair pass in every theme that visitors can see. */
function closestPassing({ front, back, needed }: ColorPair, colors: Colors, field: ColorField): string | undefined {
  const themes = themesOf(colors);
  const shades = Array.from({ length: MIX_STEPS }, (_, step) => (step + 1) / MIX_STEPS).flatMap((share) =>
    ['#000000', '#ffffff'].map((end) => mix(end, colors[field], share)),
  );
  return shades.find((shade) => {
    const changed = { ...colors, [field]: shade };
    return themes.every((theme) => {
      const palette = paletteOf(theme, changed);
      // Skips a background that would switch between the light and the dark theme.
      return themesOf(changed).includes(theme) && contrast(palette[front], palette[back]) >= needed;
    });
  });
}

const COLOR_NAMES: Readonly<Record<ColorField, string>> = {
  textColor: 'text color',
  accentColor: 'accent color',
  backgroundColor: 'background color',
};

/** Suggests a change to a color that the design sets, preferably to the pair's `field`. */
function adviceOf(pair: ColorPair, colors: Colors): Advice {
  const fields = [pair.field, 'backgroundColor', 'textColor', 'accentColor'] as const;
  const custom = fields.filter((field) => colors[field]);
  for (const field of custom) {
    const color = closestPassing(pair, colors, field);
    if (color === undefined) continue;
    const direction = luminance(color) > luminance(colors[field]) ? 'lighter' : 'darker';
    return { field, color, words: `Make the ${COLOR_NAMES[field]} ${direction}, for example ${color}.` };
  }
  if (themesOf(colors).length === 1) return { words: 'Choose colors with more contrast.' };
  const name = COLOR_NAMES[custom[0] ?? 'textColor'];
  return {
    words: `No ${name} works in both the light and the dark theme. Choose one theme, or set a background color.`,
  };
}

export function checkContrast(colors: Colors): ContrastCheck[] {
  return themesOf(colors).flatMap((theme) => {
    const palette = paletteOf(theme, colors);
    return COLOR_PAIRS.map((pair) => {
      const { what, needed } = pair;
      const [front, back] = [palette[pair.front], palette[pair.back]];
      const ratio = contrast(front, back);
      const good = ratio >= needed;
      return { theme, what, needed, ratio, good, front, back, ...(!good && { advice: adviceOf(pair, colors) }) };
    });
  });
}
