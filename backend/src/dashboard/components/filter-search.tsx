import type { ComponentChildren } from 'preact';

interface FilterSearchProps {
  readonly action: string;
  /** Id of the list. It is updated while the person types; without JavaScript, Enter submits the search. */
  readonly target: string;
  readonly label: string;
  readonly placeholder?: string;
  readonly text: string;
  /** Hidden fields. */
  readonly children?: ComponentChildren;
}

export const FilterSearch = ({ action, target, label, placeholder = label, text, children }: FilterSearchProps) => (
  <form
    class="filter-search"
    method="get"
    action={action}
    role="search"
    hx-get={action}
    hx-target={`#${target}`}
    hx-swap="outerHTML"
    hx-trigger="input changed delay:150ms from:find input[type=search], submit"
    hx-sync="this:queue last"
  >
    {children}
    <input
      type="search"
      name="text"
      value={text}
      aria-label={label}
      placeholder={placeholder}
      autocomplete="off"
      spellcheck={false}
    />
  </form>
);
