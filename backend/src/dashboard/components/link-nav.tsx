import type { BadgeKind } from './badge.js';

interface LinkNavProps {
  readonly label: string;
  readonly class?: string;
  readonly links: readonly {
    href: string;
    label: string;
    current: boolean;
    title?: string | undefined;
    count?: string | undefined;
    /** The color of the count; gray if undefined. */
    kind?: BadgeKind | undefined;
  }[];
  /** The value of `aria-current`: `true` for links that filter the current page, `page` for links to other pages. */
  readonly currentAs?: 'page' | 'true';
}

/** A list of links, such as tabs or filters. The current link is marked. */
export function LinkNav({ label, class: className, links, currentAs = 'page' }: LinkNavProps) {
  return (
    <nav class={className} aria-label={label}>
      <ul>
        {links.map((link) => (
          <li key={link.href}>
            <a href={link.href} aria-current={link.current ? currentAs : undefined} title={link.title}>
              {link.label}
              {link.count !== undefined && <span class={link.kind ?? 'quiet'}> {link.count}</span>}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
