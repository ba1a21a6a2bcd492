interface PagerProps {
  /** URL of the first page; false on the first page. */
  readonly latest: string | false;
  /** URL of the next page; false on the last page. */
  readonly older: string | false;
}

/** Links to the newest and the next older entries of a list. */
export const Pager = ({ latest, older }: PagerProps) =>
  latest === false && older === false ? null : (
    <nav class="paging" aria-label="Pages">
      {latest !== false && (
        <a class="button subtle" href={latest}>
          Newest
        </a>
      )}
      {older !== false && (
        <a class="button subtle" rel="next" href={older}>
          Older
        </a>
      )}
    </nav>
  );
