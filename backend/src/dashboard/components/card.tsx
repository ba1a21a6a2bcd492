import type { ComponentChildren } from 'preact';

interface CardProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly lead?: ComponentChildren;
  readonly class?: string;
  readonly children?: ComponentChildren;
}

export function Card({ id, title, lead, class: className = 'card', children }: CardProps) {
  const heading = <h2 id={id}>{title}</h2>;
  return (
    <section class={className} aria-labelledby={id}>
      {lead === undefined ? (
        heading
      ) : (
        <div>
          {heading}
          <p class="lead">{lead}</p>
        </div>
      )}
      {children}
    </section>
  );
}
