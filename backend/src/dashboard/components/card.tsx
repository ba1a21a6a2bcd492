import type { ComponentChildren } from 'preact';

interface CardProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly class?: string;
  /** Whether the title stands beside the content, if there is enough space. */
  readonly beside?: boolean;
  readonly children?: ComponentChildren;
}

export function Card({ id, title, lead, class: className = 'card', beside = false, children }: CardProps) {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section class={beside ? 'card beside' : className} aria-labelledby={id}>
      {lead === undefined ? (
        heading
      ) : (
        <div>
          {heading}
          <p class="lead">{lead}</p>
        </div>
      )}
      {beside ? <div class="stack">{children}</div> : children}
    </section>
  );
}
