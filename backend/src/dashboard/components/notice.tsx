import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';

export type NoticeKind = 'good' | 'bad' | 'warning' | 'info';

interface NoticeProps {
  readonly kind: NoticeKind;
  readonly class?: string;
  /** Shown after the text, such as a button. */
  readonly after?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A notice. Screen readers announce `bad` notices immediately. */
export function Notice({ kind, class: className = '', after, children }: NoticeProps) {
  return (
    <div class={`notice ${kind} ${className}`.trim()} role={kind === 'bad' ? 'alert' : 'status'}>
      <p>{children}</p>
      {after}
    </div>
  );
}

type EmptyStateProps = { title: string; children: ComponentChildren; action?: ComponentChildren };

export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{children}</p>
      {action}
    </div>
  );
}

/** A link to an application, or to the list of applications if there is no application. */
export function ApplicationButton({ application }: { readonly application: Application | undefined }) {
  return application ? (
    <a class="button" href={`/dashboard/applications/${application.appKey}`}>{`Open ${application.name}`}</a>
  ) : (
    <a class="button" href="/dashboard/applications">
      Go to applications
    </a>
  );
}
