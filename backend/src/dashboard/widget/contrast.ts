/** Checks a widget's colors against the WCAG 2.2 contrast ratios. */
import type { WidgetDesign } from '../../modules/applications/application.js';
import {
  contrast,
  CONTROL_CONTRAST,
  isBright,
  ratioText,
  rgbOf,
  TEXT_CONTRAST,
} from '../../modules/applications/contrast.js';
import { WIDGET_PALETTES } from '../../platform/contract/generated/widget.js';

type Theme = keyof typeof WIDGET_PALETTES;
type Colors = Pick<WidgetDesign, 'theme' | 'accentColor' | 'backgroundColor' | 'textColor'>;

/** Mixes two colors like `color-mix(in srgb, a share, b)` in CSS. */
function mix(a: string, b: string, share: number): string {
  const from = rgbOf(a);
  const to = rgbOf(b);
  const mixed = from.map((value, n) => Math.round(value * share + to[n]! * (1 - share)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** Returns the themes that visitors can see. A custom background determines whether the theme is light or dark. */
function themesOf({ theme, backgroundColor }: Colors): Theme[] {
  if (backgroundColor) return [isBright(backgroundColor) ? 'light' : 'dark'];
  return theme === 'auto' ? ['light', 'dark'] : [theme];
}

/** Returns pairs of colors that touch in the widget, with their minimum contrast. */
function colorPairs(theme: Theme, { accentColor, backgroundColor, textColor }: Colors) {
  const own = WIDGET_PALETTES[theme];
  const background = backgroundColor || own.ground;
  const text = textColor || own.ink;
  const accent = accentColor || own.accent;
  const onAccent = accentColor ? (isBright(accentColor) ? '#000000' : '#ffffff') : own.onAccent;
  return [
    { what: 'text on the background', needed: TEXT_CONTRAST, front: text, back: background },
    {
      what: 'small text on the background',
      needed: TEXT_CONTRAST,
      front: mix(text, background, 0.72),
      back: background,
    },
    {
      what: 'borders of fields and buttons',
      needed: CONTROL_CONTRAST,
      front: mix(text, background, 0.52),
      back: background,
    },
    { what: 'text on the main button', needed: TEXT_CONTRAST, front: onAccent, back: accent },
    { what: 'the main button on the background', needed: CONTROL_CONTRAST, front: accent, back: background },
    { what: 'error messages', needed: TEXT_CONTRAST, front: own.bad, back: background },
  ];
}

/** Returns the color pairs with too little contrast: `text on the background (dark theme): 1.2:1 instead of 4.5:1`. */
export const lowContrastPairs = (colors: Colors): string[] =>
  themesOf(colors).flatMap((theme) =>
    colorPairs(theme, colors).flatMap(({ what, needed, front, back }) => {
      const ratio = contrast(front, back);
      return ratio >= needed ? [] : [`${what} (${theme} theme): ${ratioText(ratio)} instead of ${needed}:1`];
    }),
  );
