import type { ComponentChildren } from 'preact';

type PageHeadProps = { title: ComponentChildren; lead?: ComponentChildren; children?: ComponentChildren };

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
