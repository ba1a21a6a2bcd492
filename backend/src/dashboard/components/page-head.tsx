/** Title of a page, what it is about, and what can be done on it. */
import type { ComponentChildren } from 'preact';

interface PageHeadProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** Buttons and links of the whole page. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, lead, children }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
