/** Checks the colours of a widget against the contrast ratios of WCAG 2.2, and suggests a colour where one fails. */
import type { WidgetDesign } from '../../modules/applications/application.js';
import { WIDGET_PALETTES } from '../../platform/contract/generated/widget.js';

export type Theme = keyof typeof WIDGET_PALETTES;
type ColourField = 'accentColor' | 'backgroundColor' | 'textColor';
type Colours = Pick<WidgetDesign, 'theme' | ColourField>;

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
  /** A colour that passes in every theme, and its field; absent when changing one colour is not enough. */
  readonly field?: ColourField;
  readonly colour?: string;
}

/** WCAG 2.2: 1.4.3 for text, 1.4.11 for user interface components. */
const TEXT = 4.5;
const CONTROL = 3;

/** `#0a7cff` → [10, 124, 255]. */
const channelsOf = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

function luminance(colour: string): number {
  const [red, green, blue] = channelsOf(colour)
    .map((channel) => channel / 255)
    .map((channel) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** From 1 (equal) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright! + 0.05) / (dark! + 0.05);
}

/** Like `color-mix(in srgb, a share, b)` in CSS. */
function mix(a: string, b: string, share: number): string {
  const [from, to] = [channelsOf(a), channelsOf(b)];
  const mixed = from.map((channel, n) => Math.round(channel * share + to[n]! * (1 - share)));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

/** Whether black has more contrast than white on the colour. The same threshold as in the widget. */
const isBright = (colour: string): boolean => luminance(colour) > 0.179;

/** Colours by their use. `small` is small print, and `edge` the border of fields and buttons. */
type Palette = Readonly<Record<'accent' | 'onAccent' | 'ground' | 'ink' | 'bad' | 'small' | 'edge', string>>;

/** The themes that visitors can get. A custom background decides between light and dark. */
export function themesOf({ theme, backgroundColor }: Colours): Theme[] {
  if (backgroundColor) return [isBright(backgroundColor) ? 'light' : 'dark'];
  return theme === 'auto' ? ['light', 'dark'] : [theme];
}

function paletteOf(theme: Theme, { accentColor, backgroundColor, textColor }: Colours): Palette {
  const { bad, ...own } = WIDGET_PALETTES[theme];
  const ground = backgroundColor || own.ground;
  const ink = textColor || own.ink;
  const onAccent = accentColor ? (isBright(accentColor) ? '#000000' : '#ffffff') : own.onAccent;
  const accent = accentColor || own.accent;
  return { accent, onAccent, ground, ink, bad, small: mix(ink, ground, 0.72), edge: mix(ink, ground, 0.52) };
}

interface Pair {
  readonly what: string;
  readonly needed: number;
  /** The colour that the advice changes first, if it is a custom colour. */
  readonly field: ColourField;
  readonly front: keyof Palette;
  readonly back: keyof Palette;
}

const PAIRS: readonly Pair[] = [
  { what: 'Text on the background', needed: TEXT, field: 'textColor', front: 'ink', back: 'ground' },
  { what: 'Small print on the background', needed: TEXT, field: 'textColor', front: 'small', back: 'ground' },
  { what: 'Edges of fields and buttons', needed: CONTROL, field: 'textColor', front: 'edge', back: 'ground' },
  { what: 'Words on the main button', needed: TEXT, field: 'accentColor', front: 'onAccent', back: 'accent' },
  { what: 'Main button on the background', needed: CONTROL, field: 'accentColor', front: 'accent', back: 'ground' },
  { what: 'Error messages', needed: TEXT, field: 'backgroundColor', front: 'bad', back: 'ground' },
];

const STEPS = 50;

/** The smallest change of one colour after which the pair passes in every theme that visitors get. */
function closestPassing({ front, back, needed }: Pair, colours: Colours, field: ColourField): string | undefined {
  const themes = themesOf(colours);
  const shades = Array.from({ length: STEPS }, (_, step) => (step + 1) / STEPS).flatMap((share) =>
    ['#000000', '#ffffff'].map((end) => mix(end, colours[field], share)),
  );
  return shades.find((shade) => {
    const changed = { ...colours, [field]: shade };
    return themes.every((theme) => {
      const palette = paletteOf(theme, changed);
      // A background that switches the theme would change the whole design.
      return themesOf(changed).includes(theme) && contrast(palette[front], palette[back]) >= needed;
    });
  });
}

const NAMES: Readonly<Record<ColourField, string>> = {
  textColor: 'text colour',
  accentColor: 'accent colour',
  backgroundColor: 'background colour',
};

/** Suggests changing a custom colour, preferably the pair's `field`. */
function adviceOf(pair: Pair, colours: Colours): Advice {
  const fields = [pair.field, 'backgroundColor', 'textColor', 'accentColor'] as const;
  const custom = fields.filter((field) => colours[field]);
  for (const field of custom) {
    const colour = closestPassing(pair, colours, field);
    if (colour === undefined) continue;
    const direction = luminance(colour) > luminance(colours[field]) ? 'lighter' : 'darker';
    return { field, colour, words: `Make the ${NAMES[field]} ${direction}, for example ${colour}.` };
  }
  if (themesOf(colours).length === 1) return { words: 'Choose colours that are further apart.' };
  const name = NAMES[custom[0] ?? 'textColor'];
  return { words: `No ${name} does in light and in dark: choose one of them, or give a background as well.` };
}

export function checkContrast(colours: Colours): ContrastCheck[] {
  return themesOf(colours).flatMap((theme) => {
    const palette = paletteOf(theme, colours);
    return PAIRS.map((pair) => {
      const { what, needed } = pair;
      const [front, back] = [palette[pair.front], palette[pair.back]];
      const ratio = contrast(front, back);
      const good = ratio >= needed;
      return { theme, what, needed, ratio, good, front, back, ...(!good && { advice: adviceOf(pair, colours) }) };
    });
  });
}
