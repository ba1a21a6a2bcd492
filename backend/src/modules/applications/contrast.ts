/** Contrast of colors, as defined by WCAG 2.2. Colors have the form `#rrggbb`. */

/** Minimum contrast ratios in WCAG 2.2: criterion 1.4.3 for text, and 1.4.11 for user interface components. */
export const TEXT_CONTRAST = 4.5;
export const CONTROL_CONTRAST = 3;

/** Returns red, green and blue: `#0a7cff` → [10, 124, 255]. */
const rgbOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

function luminance(color: string): number {
  const [red, green, blue] = rgbOf(color)
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

/** Returns the contrast ratio of two colors, from 1 (equal) to 21 (black on white). */
export function contrast(a: string, b: string): number {
  const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (bright! + 0.05) / (dark! + 0.05);
}

/** Whether black text has more contrast on the color than white text. */
export const isBright = (color: string): boolean => contrast(color, '#000000') > contrast(color, '#ffffff');

/** Formats a contrast ratio. Rounds down, so that a ratio just below the minimum does not look sufficient. */
export const ratioText = (ratio: number): string => `${(Math.floor(ratio * 10) / 10).toFixed(1)}:1`;
