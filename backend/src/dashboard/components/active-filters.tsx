export interface ActiveFilter {
  readonly name: string;
  /** The page without this filter. */
  readonly href: string;
}

interface ActiveFiltersProps {
  readonly filters: readonly ActiveFilter[];
  /** The page without all of these filters. */
  readonly clear: string;
}

/** The filters that limit a page, each with a link that removes it. */
export const ActiveFilters = ({ filters, clear }: ActiveFiltersProps) =>
  filters.length === 0 ? null : (
    <p class="active-filters">
      Filters:{' '}
      {filters.map(({ name, href }) => (
        <a key={name} class="button subtle small" href={href}>
          {name} <span aria-hidden="true">×</span>
          <span class="unseen">: remove this filter</span>
        </a>
      ))}
      {filters.length > 1 && (
        <a class="small nowrap" href={clear}>
          Clear all
        </a>
      )}
    </p>
  );
