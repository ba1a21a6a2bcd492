import type { ComponentChildren } from 'preact';
import { groupBy } from '../group-by.js';
import { Form } from './form.js';

export interface Result {
  readonly label: string;
  readonly about: string;
  readonly href: string;
  /** The heading above the results of this kind. */
  readonly group: string;
}

export const SEARCH_ID = 'search';
export const RESULTS_ID = 'search-results';

interface ResultsProps {
  readonly text: string;
  readonly results: readonly Result[];
}

/** Further results are often less relevant, and would fill the screen. */
export const MAX_RESULTS = 12;

export function Results({ text, results: found }: ResultsProps) {
  const results = found.slice(0, MAX_RESULTS);
  if (results.length === 0)
    return (
      <p class="quiet">
        No results. Try a whole phone number or its last four digits, an email address, an order number, or the name of
        a page.
      </p>
    );
  return (
    <>
      {groupBy(results, ({ group }) => (text === '' ? 'Most used' : group)).map((ofGroup) => {
        const name = text === '' ? 'Most used' : ofGroup[0]!.group;
        return (
          <div key={name} class="search-group">
            <p aria-hidden="true">{name}</p>
            <ul aria-label={name}>
              {ofGroup.map(({ label, about, href }) => (
                <li key={href}>
                  <a href={href}>
                    <span class="strong">{label}</span> <span class="quiet small">{about}</span>
                  </a>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      {found.length > results.length && (
        <p class="quiet small">
          {results.length} of {found.length} results shown. Add a word to narrow the results.
        </p>
      )}
    </>
  );
}

/** Shows the most used pages when it opens, and the results while the person types; without JavaScript, Enter opens a page with the results. */
export const SearchForm = ({ text, children }: { readonly text: string; readonly children?: ComponentChildren }) => (
  <Form
    action="/dashboard/search"
    class="search-form"
    role="search"
    hx-post="/dashboard/search"
    hx-target={`#${RESULTS_ID}`}
    hx-trigger={`input changed delay:150ms from:find input[type=search], submit, toggle once from:#${SEARCH_ID}`}
    hx-sync="this:queue last"
  >
    <input
      type="search"
      name="text"
      value={text}
      aria-label="Search"
      placeholder="Phone number, email address, order, page or setting"
      autocomplete="off"
      spellcheck={false}
      autofocus
    />
    <div id={RESULTS_ID} aria-live="polite">
      {children}
    </div>
  </Form>
);

/** Opens above every page. */
export const SearchPanel = () => (
  <div id={SEARCH_ID} class="search-panel" popover="auto" role="dialog" aria-label="Search">
    <SearchForm text="" />
  </div>
);
