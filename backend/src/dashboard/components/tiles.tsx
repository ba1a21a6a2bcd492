import type { ComponentChildren } from 'preact';

interface TileProps {
  readonly title: string;
  readonly href: string;
  /** The name of the link for screen readers, if the title does not say what it does. */
  readonly label?: string;
  /** Shown after the title. */
  readonly badge?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A choice with its description. The whole tile is a link. */
export const Tile = ({ title, href, label, badge, children }: TileProps) => (
  <li class="tile">
    <div>
      <a class="strong" href={href} aria-label={label}>
        {title}
      </a>
      {badge && <> {badge}</>}
      {children}
    </div>
  </li>
);

export const Tiles = ({ children }: { readonly children: ComponentChildren }) => <ul class="tiles">{children}</ul>;
