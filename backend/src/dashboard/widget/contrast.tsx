/** Checks a widget's colors against the WCAG 2.2 contrast ratios. */
import type { WidgetDesign } from '../../modules/applications/application.js';
import { contrast, CONTROL_CONTRAST, isBright, TEXT_CONTRAST } from '../../modules/applications/contrast.js';
import { WIDGET_PALETTES } from '../../platform/contract/generated/widget.js';

type Colors = Pick<WidgetDesign, 'theme' | 'accentColor' | 'backgroundColor' | 'textColor'>;

/** Returns the themes that visitors can see. A custom background determines whether the theme is light or dark. */
function themesOf({ theme, backgroundColor }: Colors): (keyof typeof WIDGET_PALETTES)[] {
  if (backgroundColor) return [isBright(backgroundColor) ? 'light' : 'dark'];
  return theme === 'auto' ? ['light', 'dark'] : [theme];
}

/** Returns a sentence for each color with too little contrast, and how to correct it. */
export const lowContrastTexts = (colors: Colors): string[] =>
  themesOf(colors).flatMap((theme) => {
    const { ground, ink, accent } = WIDGET_PALETTES[theme];
    const background = colors.backgroundColor || ground;
    const change = isBright(background) ? 'darker' : 'lighter';
    const pairs = [
      {
        problem: 'The text is hard to read',
        name: 'text color',
        needed: TEXT_CONTRAST,
        color: colors.textColor || ink,
      },
      {
        problem: 'The main button is hard to see',
        name: 'accent color',
        needed: CONTROL_CONTRAST,
        color: colors.accentColor || accent,
      },
    ];
    return pairs
      .filter(({ needed, color }) => contrast(color, background) < needed)
      .map(({ problem, name }) => `${problem} on the background in the ${theme} theme. Choose a ${change} ${name}.`);
  });

export const CONTRAST_ID = 'contrast';

/** Warns about colors that are hard to read. `design` is undefined if the form contains mistakes. */
export function ContrastNotice({ design }: { design: WidgetDesign | undefined }) {
  const problems = design ? lowContrastTexts(design) : [];
  return (
    <div id={CONTRAST_ID} class={problems.length > 0 ? 'notice warning' : undefined} role="status">
      {problems.length > 0 && <p>{problems.join(' ')}</p>}
    </div>
  );
}
