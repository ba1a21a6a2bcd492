/** Whether the widget can be read in an application's colours: the ratios of WCAG 2, in words, with a colour that would do. */
import { WIDGET_PALETTES } from '../../platform/contract/generated/widget.js';
import type { WidgetDesign } from '../../modules/applications/application.js';

export type Theme = keyof typeof WIDGET_PALETTES;
export type ColourField = 'accentColor' | 'backgroundColor' | 'textColor';
type Colours = Pick<WidgetDesign, 'theme' | ColourField>;

export interface ContrastCheck {
  readonly theme: Theme;
  /** What stands on what. */
  readonly what: string;
  readonly ratio: number;
  readonly needed: number;
  readonly good: boolean;
  /** Both colours, to be shown. */
  readonly front: string;
  readonly back: string;
  /** When it is not good. */
  readonly advice?: Advice;
}

export interface Advice {
  /** What to change, in a sentence. */
  readonly words: string;
  /** The colour that would do, in every theme that people can meet, and where it belongs; absent when one is not enough. */
  readonly field?: ColourField;
  readonly colour?: string;
}

/** WCAG 2.2, 1.4.3 for text and 1.4.11 for what is needed to make out a control. */
const TEXT = 4.5;
const CONTROL = 3;

const parts = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function luminance(colour: string): number {
  const [red, green, blue] = parts(colour)
    .map((part) => part / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** From 1 (equal) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright! + 0.05) / (dark! + 0.05);
}

/** As `color-mix(in srgb, a share, b)` does it. */
function mix(a: string, b: string, share: number): string {
  const [from, to] = [parts(a), parts(b)];
  const mixed = from.map((part, n) => Math.round(part * share + to[n]! * (1 - share)));
  return `#${mixed.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

interface Palette {
  readonly accent: string;
  readonly onAccent: string;
  readonly ground: string;
  readonly ink: string;
  readonly bad: string;
  readonly good: string;
}

const isBright = (colour: string): boolean => luminance(colour) > 0.179;

/** The looks that people can meet: a background of the application's own settles which one. */
export function themesOf({ theme, backgroundColor }: Colours): Theme[] {
  if (backgroundColor) return [isBright(backgroundColor) ? 'light' : 'dark'];
  return theme === 'auto' ? ['light', 'dark'] : [theme];
}

/** The colours as the widget paints them. */
function paletteOf(theme: Theme, { accentColor, backgroundColor, textColor }: Colours): Palette {
  const own = WIDGET_PALETTES[theme];
  return {
    ...own,
    ...(accentColor && { accent: accentColor, onAccent: isBright(accentColor) ? '#000000' : '#ffffff' }),
    ...(backgroundColor && { ground: backgroundColor }),
    ...(textColor && { ink: textColor }),
  };
}

interface Pair {
  readonly what: string;
  readonly needed: number;
  /** Whose colour the advice is about, when the application has given it. */
  readonly field: ColourField;
  pair(palette: Palette): readonly [front: string, back: string];
}

const PAIRS: readonly Pair[] = [
  { what: 'Text on the background', needed: TEXT, field: 'textColor', pair: ({ ink, ground }) => [ink, ground] },
  {
    what: 'Small print on the background',
    needed: TEXT,
    field: 'textColor',
    pair: ({ ink, ground }) => [mix(ink, ground, 0.72), ground],
  },
  {
    what: 'Edges of fields and buttons',
    needed: CONTROL,
    field: 'textColor',
    pair: ({ ink, ground }) => [mix(ink, ground, 0.52), ground],
  },
  {
    what: 'Words on the main button',
    needed: TEXT,
    field: 'accentColor',
    pair: ({ onAccent, accent }) => [onAccent, accent],
  },
  {
    what: 'Main button on the background',
    needed: CONTROL,
    field: 'accentColor',
    pair: ({ accent, ground }) => [accent, ground],
  },
  { what: 'Error messages', needed: TEXT, field: 'backgroundColor', pair: ({ bad, ground }) => [bad, ground] },
];

const STEPS = 50;

/** The least change of one colour after which the pair is good in these themes; undefined when there is none. */
function remedy(
  { pair, needed }: Pair,
  themes: readonly Theme[],
  colours: Colours,
  field: ColourField,
): string | undefined {
  const good = (colour: string): boolean => {
    const changed = { ...colours, [field]: colour };
    // A background that turns the theme over is another design.
    const stays = themes.every((theme) => themesOf(changed).includes(theme));
    return stays && themes.every((theme) => contrast(...pair(paletteOf(theme, changed))) >= needed);
  };
  const shades = Array.from({ length: STEPS }, (_, step) => (step + 1) / STEPS).flatMap((share) =>
    ['#000000', '#ffffff'].map((end) => mix(end, colours[field], share)),
  );
  return shades.find(good);
}

const NAMES: Readonly<Record<ColourField, string>> = {
  textColor: 'text colour',
  accentColor: 'accent colour',
  backgroundColor: 'background colour',
};

/** About the colour that the pair is about first; where the application has not given it, about the one that it has. */
function adviceOf(pair: Pair, colours: Colours): Advice {
  const themes = themesOf(colours);
  const fields = [pair.field, 'backgroundColor', 'textColor', 'accentColor'] as const;
  const given = fields.filter((field) => colours[field]);
  for (const field of given) {
    const colour = remedy(pair, themes, colours, field);
    if (colour === undefined) continue;
    const direction = luminance(colour) > luminance(colours[field]) ? 'lighter' : 'darker';
    return { field, colour, words: `Make the ${NAMES[field]} ${direction}, for example ${colour}.` };
  }
  const name = NAMES[given[0] ?? 'textColor'];
  const words =
    themes.length > 1
      ? `No ${name} does in light and in dark: choose one of them, or give a background as well.`
      : 'Choose colours that are further apart.';
  return { words };
}

/** Every pair of colours that has to be told apart, in every theme that people can meet. */
export function checkContrast(colours: Colours): ContrastCheck[] {
  return themesOf(colours).flatMap((theme) =>
    PAIRS.map((pair) => {
      const [front, back] = pair.pair(paletteOf(theme, colours));
      const ratio = contrast(front, back);
      const { what, needed } = pair;
      const good = ratio >= needed;
      return { theme, what, needed, ratio, good, front, back, ...(!good && { advice: adviceOf(pair, colours) }) };
    }),
  );
}
