/** Helpers that create elements. Text always becomes text nodes, never HTML. */

type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Creates an element with attributes (`true` is empty; `false` and undefined are omitted) and children. */
export function h<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : value);
  element.append(...children.filter((child) => child !== undefined));
  return element;
}

/** Creates a button; `variant` is `main` for the primary action and `plain` for a link-like one. */
export function button(variant: 'main' | 'plain' | '', text: string, onClick: () => unknown): HTMLButtonElement {
  const element = h('button', { type: 'button', class: variant || undefined }, text);
  element.addEventListener('click', () => void onClick());
  return element;
}

export const spinner = (): HTMLElement => h('div', { class: 'spinner' });

/** A decorative line icon of 24 × 24 pixels. */
export function icon(path: string): SVGElement {
  const createSvgElement = (name: string, attributes: Record<string, string>) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element as SVGElement;
  };
  const stroke = { fill: 'none', stroke: 'currentColor', 'stroke-width': '2', 'stroke-linecap': 'round' };
  const svg = createSvgElement('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true', ...stroke });
  svg.append(createSvgElement('path', { d: path, 'stroke-linejoin': 'round' }));
  return svg;
}
