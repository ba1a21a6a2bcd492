export type BadgeKind = 'good' | 'bad' | 'warning' | 'info' | 'neutral';

export function Badge({ kind, children }: { readonly kind: BadgeKind; readonly children: string }) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
