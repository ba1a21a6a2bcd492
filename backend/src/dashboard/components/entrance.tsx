/** The card of a page without navigation, below the brand. */
import type { ComponentChildren } from 'preact';
import { ASSETS } from '../http/assets.js';

interface EntranceProps {
  readonly title: string;
  readonly lead: ComponentChildren;
  readonly children?: ComponentChildren;
  readonly beside?: ComponentChildren;
}

export function Entrance({ title, lead, children, beside }: EntranceProps) {
  const card = (
    <div class="card entrance">
      <div>
        <h1>{title}</h1>
        <p class="lead">{lead}</p>
      </div>
      {children}
    </div>
  );
  return (
    <>
      <p class="brand">
        <img src={`/dashboard${ASSETS.icon.path}`} alt="" width="36" height="36" />
        Passbell
      </p>
      {beside ? (
        <div class="beside">
          {card}
          {beside}
        </div>
      ) : (
        card
      )}
    </>
  );
}
