export interface ActiveFilter {
  readonly name: string;
  /** The page without this filter. */
  readonly href: string;
}

/** The filters that limit a page, each with a link that removes it. */
export const ActiveFilters = ({ filters }: { readonly filters: readonly ActiveFilter[] }) =>
  filters.length === 0 ? null : (
    <p class="active-filters">
      Only{' '}
      {filters.map(({ name, href }) => (
        <a key={name} class="button subtle small" href={href}>
          {name} <span aria-hidden="true">×</span>
          <span class="unseen">: remove this filter</span>
        </a>
      ))}
    </p>
  );
