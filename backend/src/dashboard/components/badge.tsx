import type { ComponentChildren } from 'preact';

export type BadgeKind = 'good' | 'bad' | 'warning' | 'info' | 'neutral';

export function Badge({ kind, children }: { readonly kind: BadgeKind; readonly children: ComponentChildren }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
