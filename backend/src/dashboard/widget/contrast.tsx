/** Checks a widget's colors against the WCAG 2.2 contrast ratios. */
import type { WidgetDesign } from '../../modules/applications/application.js';
import { contrast, CONTROL_CONTRAST, isBright, ratioText, TEXT_CONTRAST } from '../../modules/applications/contrast.js';
import { WIDGET_PALETTES } from '../../platform/contract/generated/widget.js';

type Colors = Pick<WidgetDesign, 'theme' | 'accentColor' | 'backgroundColor' | 'textColor'>;

/** Returns the themes that visitors can see. A custom background determines whether the theme is light or dark. */
function themesOf({ theme, backgroundColor }: Colors): (keyof typeof WIDGET_PALETTES)[] {
  if (backgroundColor) return [isBright(backgroundColor) ? 'light' : 'dark'];
  return theme === 'auto' ? ['light', 'dark'] : [theme];
}

/** Returns the color pairs with too little contrast: `text on the background (dark theme): 1.2:1 instead of 4.5:1`. */
export const lowContrastPairs = (colors: Colors): string[] =>
  themesOf(colors).flatMap((theme) => {
    const { ground, ink, accent } = WIDGET_PALETTES[theme];
    const pairs = [
      { what: 'text', needed: TEXT_CONTRAST, color: colors.textColor || ink },
      { what: 'the main button', needed: CONTROL_CONTRAST, color: colors.accentColor || accent },
    ];
    return pairs.flatMap(({ what, needed, color }) => {
      const ratio = contrast(color, colors.backgroundColor || ground);
      const text = `${what} on the background (${theme} theme): ${ratioText(ratio)} instead of ${needed}:1`;
      return ratio >= needed ? [] : [text];
    });
  });

export const CONTRAST_ID = 'contrast';

/** Warns about colors that are hard to read. `design` is undefined if the form contains mistakes. */
export function ContrastNotice({ design }: { design: WidgetDesign | undefined }) {
  const pairs = design ? lowContrastPairs(design) : [];
  return (
    <div id={CONTRAST_ID} class={pairs.length > 0 ? 'notice warning' : undefined} role="status">
      {pairs.length > 0 && <p>Some colors are hard to read (WCAG 2.2, level AA): {pairs.join('; ')}.</p>}
    </div>
  );
}
