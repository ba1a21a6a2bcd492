/** Figures side by side, in a frame. */
import type { ComponentChildren } from 'preact';

interface FigureProps {
  readonly name: ComponentChildren;
  readonly value: string;
  readonly detail: string;
}

export const Figure = ({ name, value, detail }: FigureProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <span class="value">{value}</span>
      <p class="detail">{detail}</p>
    </dd>
  </div>
);

export const FigureStrip = ({ children }: { readonly children: ComponentChildren }) => (
  <dl class="metrics figure-strip">{children}</dl>
);
