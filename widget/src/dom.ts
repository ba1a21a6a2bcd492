/** Elements by name; text only ever becomes text nodes. */

type Child = Node | string | undefined;
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** An element with attributes (`true` is an empty one; `false` and undefined are left out) and children. */
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

/** A button that does something; `look` is `main` for the one that leads on, `plain` for a way aside. */
export function button(look: 'main' | 'plain' | '', text: string, act: () => unknown): HTMLButtonElement {
  const element = h('button', { type: 'button', class: look || undefined }, text);
  element.addEventListener('click', () => void act());
  return element;
}

/** A drawing of lines on 24 × 24, for the eye only. */
export function icon(path: string): SVGElement {
  const make = (name: string, attributes: Record<string, string>) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    return element as SVGElement;
  };
  const stroke = { fill: 'none', stroke: 'currentColor', 'stroke-width': '2', 'stroke-linecap': 'round' };
  const svg = make('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true', ...stroke });
  svg.append(make('path', { d: path, 'stroke-linejoin': 'round' }));
  return svg;
}
