/** The design of the application. */

/** `design` of the authstate reply. Empty texts use the defaults of the widget. */
export interface Design {
  readonly title?: string;
  readonly logoUrl?: string;
  readonly theme?: 'auto' | 'light' | 'dark';
  /** Colors as `#rrggbb`. */
  readonly accentColor?: string;
  readonly backgroundColor?: string;
  readonly textColor?: string;
  /** Corner radius in CSS pixels. */
  readonly radius?: number;
  readonly language?: string;
  /** Texts by their key in `languages/en.ts`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** Whether black has more contrast than white on a color `#rrggbb`. 0.179 is the threshold for WCAG 2 luminance. */
function isBright(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** Sets style properties, because a strict content security policy forbids style attributes. */
export function applyColors(card: HTMLElement, design: Design): void {
  const { theme = 'auto', accentColor, backgroundColor, textColor, radius } = design;
  const updateTheme = () => {
    const system = darkSystem.matches ? 'dark' : 'light';
    const chosen = theme === 'auto' ? system : theme;
    // A custom background determines the theme, so that the text stays readable.
    card.dataset.theme = backgroundColor ? (isBright(backgroundColor) ? 'light' : 'dark') : chosen;
  };
  darkSystem.onchange = updateTheme;
  updateTheme();
  const set = (name: string, value: string | undefined) => value && card.style.setProperty(name, value);
  set('--accent', accentColor);
  set('--on-accent', accentColor && (isBright(accentColor) ? '#000000' : '#ffffff'));
  set('--ground', backgroundColor);
  set('--ink', textColor);
  set('--radius', radius === undefined ? undefined : `${radius}px`);
}
