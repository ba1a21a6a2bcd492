import type { ComponentChildren } from 'preact';

interface PageHeadProps {
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly guide?: string | undefined;
  readonly guideLabel?: string;
  /** The main action of the page. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, lead, guide, guideLabel = 'Read the guide', children }: PageHeadProps) {
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {(lead || guide) && (
          <p class="lead">
            {lead}
            {lead && guide && ' '}
            {guide && (
              <a class="nowrap" href={guide} rel="noreferrer">
                {guideLabel}
              </a>
            )}
          </p>
        )}
      </div>
      {children && <div class="actions">{children}</div>}
    </div>
  );
}
