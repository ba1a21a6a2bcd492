/** Something the page has to say. */
import type { ComponentChildren } from 'preact';

export type NoticeKind = 'good' | 'bad' | 'warning' | 'info';

/** `bad` ones are read out at once. */
export function Notice({ kind, children }: { readonly kind: NoticeKind; readonly children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <p>{children}</p>
    </div>
  );
}

/** What a list says before it has anything to show. */
export function EmptyState({
  title,
  children,
  action,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}
