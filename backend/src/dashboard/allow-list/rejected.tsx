import { entryForOrigin, originOf } from '../../modules/applications/allow-list.js';
import { OTHER_CALLERS, wouldBeAuthorized, type RejectedCaller } from '../../modules/applications/rejected-caller.js';
import { REJECTED_CALLER_DAYS } from '../../modules/applications/rejected-callers.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Form } from '../components/form.js';
import { polling } from '../components/polling.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import { countText } from '../usage/figures.js';

export const REJECTED_ID = 'refused';

/** Returns the allow-list entries that would each accept the caller. For a web page, the first entry is its host. */
function candidateEntries({ caller, address }: RejectedCaller): string[] {
  const first = originOf(caller) !== undefined ? entryForOrigin(caller) : caller;
  return address === '' ? [first] : [first, address];
}

function AllowButtons({ at, entries, caller }: { at: string; entries: readonly string[]; caller: RejectedCaller }) {
  const { may } = useVisit();
  if (wouldBeAuthorized(entries, caller)) return <Badge kind="good">Now allowed</Badge>;
  if (!may('change')) return <Badge kind="neutral">Rejected</Badge>;
  return (
    <div class="actions">
      {candidateEntries(caller).map((entry) => (
        <Form key={entry} action={`${at}/allow`} class="inline">
          <input type="hidden" name="entry" value={entry} />
          <button class="button subtle small long" id={`allow-${caller.via}-${entry}`}>
            Allow {entry}
          </button>
        </Form>
      ))}
    </div>
  );
}

const columns = (at: string, entries: readonly string[]): readonly Column<RejectedCaller>[] => [
  {
    title: 'Site or server',
    cell: ({ caller, address }) => (
      <div>
        <code>{caller}</code>
        {address && (
          <div class="quiet small">
            from <code>{address}</code>
          </div>
        )}
      </div>
    ),
  },
  { title: 'Rejected by', cell: ({ via }) => (via === 'api' ? 'API' : 'Widget') },
  { title: 'Requests', number: true, cell: ({ times }) => countText(times) },
  { title: 'Last request', cell: ({ lastAt }) => <Time ms={lastAt} /> },
  { title: 'Action', cell: (caller) => <AllowButtons at={at} entries={entries} caller={caller} /> },
];

function OtherCallers({ rejected }: { rejected: readonly RejectedCaller[] }) {
  const times = rejected
    .filter(({ caller }) => caller === OTHER_CALLERS)
    .reduce((sum, caller) => sum + caller.times, 0);
  if (times === 0) return null;
  return (
    <p class="quiet small">
      {countText(times)} more {times === 1 ? 'request came' : 'requests came'} from other sites and servers. Only the
      most frequent and the latest are listed.
    </p>
  );
}

interface RejectedProps {
  readonly at: string;
  readonly entries: readonly string[];
  readonly rejected: readonly RejectedCaller[];
}

/**
 * Lists the rejected callers. The section refreshes itself, so that people who test an integration see its rejected
 * calls.
 */
export function RejectedCallersSection({ at, entries, rejected }: RejectedProps) {
  const named = rejected.filter(({ caller }) => caller !== OTHER_CALLERS);
  return (
    <section id={REJECTED_ID} class="stack" aria-labelledby="refused-title" {...polling(at, REJECTED_ID, '5s')}>
      <h2 id="refused-title">Rejected requests</h2>
      {named.length === 0 ? (
        <p class="nothing">
          No rejected requests in the last {REJECTED_CALLER_DAYS} days. New ones appear here within seconds.
        </p>
      ) : (
        <Table
          caption="Rejected requests"
          columns={columns(at, entries)}
          rows={named}
          keyOf={({ via, caller }) => `${via} ${caller}`}
        />
      )}
      <OtherCallers rejected={rejected} />
    </section>
  );
}
