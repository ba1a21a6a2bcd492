/** The application's look, as its settings have it. */

/** `design` of the authstate reply; an empty text leaves it to the widget. */
export interface Design {
  readonly title?: string;
  readonly logoUrl?: string;
  readonly theme?: 'auto' | 'light' | 'dark';
  /** Colours as `#rrggbb`. */
  readonly accentColor?: string;
  readonly backgroundColor?: string;
  readonly textColor?: string;
  /** Of the corners, in CSS pixels. */
  readonly radius?: number;
  readonly language?: string;
  /** Texts by their name in `languages/en.ts`. */
  readonly texts?: Readonly<Record<string, string>>;
}

/** Whether black stands out more than white on a colour `#rrggbb` (WCAG 2: from this relative luminance on). */
function isBright(color: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179;
}

const darkSystem = matchMedia('(prefers-color-scheme: dark)');

/** Sets properties rather than attributes: a strict page policy forbids style attributes. */
export function paint(card: HTMLElement, design: Design): void {
  const { theme = 'auto', accentColor, backgroundColor, textColor, radius } = design;
  const follow = () => {
    const system = darkSystem.matches ? 'dark' : 'light';
    const wanted = theme === 'auto' ? system : theme;
    // What stands on a given ground has to be readable on it, whatever the system prefers.
    card.dataset.theme = backgroundColor ? (isBright(backgroundColor) ? 'light' : 'dark') : wanted;
  };
  darkSystem.onchange = follow;
  follow();
  const set = (name: string, value: string | undefined) => value && card.style.setProperty(name, value);
  set('--accent', accentColor);
  set('--on-accent', accentColor && (isBright(accentColor) ? '#000000' : '#ffffff'));
  set('--ground', backgroundColor);
  set('--ink', textColor);
  set('--radius', radius === undefined ? undefined : `${radius}px`);
}
