/** Who was refused of late, with one click to let them in. */
import { hostOf, originOf } from '../../modules/applications/allow-list.js';
import { OTHERS, wouldPass, type RefusedCaller } from '../../modules/applications/rejected-caller.js';
import { REFUSED_DAYS } from '../../platform/limits.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Form } from '../components/form.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';

export const REFUSED_ID = 'refused';

interface RefusedProps {
  /** Path of the allow-list's page. */
  readonly at: string;
  readonly entries: readonly string[];
  readonly refused: readonly RefusedCaller[];
}

const VIA = { api: 'API', widget: 'Widget' } as const;

/** What could be listed: the host of a page, and for the API also where the call came from. */
function candidates({ caller, address }: RefusedCaller): string[] {
  const first = originOf(caller) !== undefined ? hostOf(caller)! : caller;
  return address === '' ? [first] : [first, address];
}

function Allow({ at, entry, via }: { at: string; entry: string; via: string }) {
  return (
    <Form action={`${at}/allow`} class="inline">
      <input type="hidden" name="entry" value={entry} />
      <button class="button subtle small long" id={`allow-${via}-${entry}`}>
        Allow {entry}
      </button>
    </Form>
  );
}

function Remedy({ at, entries, refused }: { at: string; entries: readonly string[]; refused: RefusedCaller }) {
  const { may } = useVisit();
  if (wouldPass(entries, refused)) return <Badge kind="good">let in now</Badge>;
  if (!may('change')) return <Badge kind="neutral">refused</Badge>;
  return (
    <div class="actions">
      {candidates(refused).map((entry) => (
        <Allow key={entry} at={at} entry={entry} via={refused.via} />
      ))}
    </div>
  );
}

const columns = (at: string, entries: readonly string[]): readonly Column<RefusedCaller>[] => [
  {
    title: 'Caller',
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
  { title: 'Refused by', cell: ({ via }) => VIA[via] },
  { title: 'Times', number: true, cell: ({ times }) => times.toLocaleString('en') },
  { title: 'Last', cell: ({ lastAt }) => <Time ms={lastAt} /> },
  { title: 'Let it in', cell: (refused) => <Remedy at={at} entries={entries} refused={refused} /> },
];

function Others({ refused }: { refused: readonly RefusedCaller[] }) {
  const times = refused.filter(({ caller }) => caller === OTHERS).reduce((sum, one) => sum + one.times, 0);
  if (times === 0) return null;
  return (
    <p class="quiet small">
      And {times.toLocaleString('en')} more {times === 1 ? 'call' : 'calls'} from callers that are too many to list. The
      most frequent and the latest ones are above.
    </p>
  );
}

/** It looks for news by itself, so that who tries their integration in another window sees it here. */
export function Refused({ at, entries, refused }: RefusedProps) {
  const named = refused.filter(({ caller }) => caller !== OTHERS);
  return (
    <section
      id={REFUSED_ID}
      class="stack"
      aria-labelledby="refused-title"
      hx-get={at}
      hx-trigger="every 5s"
      hx-target={`#${REFUSED_ID}`}
      hx-swap="outerHTML"
    >
      <h2 id="refused-title">Refused lately</h2>
      {named.length === 0 ? (
        <p class="nothing">
          Nobody was refused in the last {REFUSED_DAYS} days. A caller that is shows up here within seconds.
        </p>
      ) : (
        <Table
          caption="Callers that were refused lately"
          columns={columns(at, entries)}
          rows={named}
          keyOf={({ via, caller }) => `${via} ${caller}`}
        />
      )}
      <Others refused={refused} />
    </section>
  );
}
