/** The entries of the audit log: a sentence for each change, below its day. */
import { capitalized } from '../../platform/capitalized.js';
import type { AuditEntry } from '../../modules/audit/audit.js';
import { localDay } from '../../platform/local-day.js';
import { localText } from '../../platform/local-time.js';
import { Breakable } from '../components/breakable.js';
import { useNow } from '../components/context.js';
import { Table, type Column } from '../components/table.js';
import { dayName } from '../components/time.js';
import { groupBy } from '../group-by.js';
import { sentenceParts, targetPath, targetText, type Targets } from './actions.js';
import { changesInWords } from './changes.js';

/** More changes are behind a summary, so that an entry does not fill the screen. */
const SHOWN_CHANGES = 3;

/** Captures ISO times and the ends of IDs, so that `split` returns them at odd positions. */
const TIMES_AND_IDS = /(\d{4}-\d{2}-\d{2}T[\d:.]+Z|(?<=[\da-f]{8})[\da-f]{24})/;

const TIME = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const;

/** Returns a value with times in the account's time zone, and with the first 8 digits of IDs. The export contains the whole IDs. */
const valueOf = (text: string, timeZone: string): string =>
  text
    .split(TIMES_AND_IDS)
    .map((part, position) => {
      if (position % 2 === 0) return part;
      return part.endsWith('Z')
        ? new Intl.DateTimeFormat('en-US', { ...TIME, timeZone }).format(Date.parse(part))
        : '…';
    })
    .join('');

type ChangesProps = { readonly entry: AuditEntry } & Pick<EntriesProps, 'targets' | 'timeZone'>;

function ChangeList({ entry, targets: { names = [] }, timeZone }: ChangesProps) {
  const changes = changesInWords(entry).map((change) => {
    const named = names.find(({ id }) => change.name.endsWith(id));
    return named ? { ...change, name: change.name.replace(named.id, named.name) } : change;
  });
  if (changes.length === 0) return <span class="none" />;
  const nothing = entry.action === 'recipient.erase' ? 'erased' : 'none';
  const list = (
    <ul class="changes">
      {changes.map(({ name, before, after }) => (
        <li key={name}>
          <span class="quiet">{valueOf(capitalized(name), timeZone)}:</span>{' '}
          {before !== '' && (
            <>
              <del>{valueOf(before, timeZone)}</del> <span aria-hidden="true">→</span>{' '}
            </>
          )}
          <ins>{valueOf(after || nothing, timeZone)}</ins>
        </li>
      ))}
    </ul>
  );
  if (changes.length <= SHOWN_CHANGES) return list;
  return (
    <details class="small">
      <summary>{changes.length} changes</summary>
      {list}
    </details>
  );
}

/** Names of actors that are no people. */
const ACTOR_NAMES: Readonly<Record<string, string>> = { operator: 'Operator', 'someone not signed in': 'Someone' };

interface EntriesProps {
  readonly entries: readonly AuditEntry[];
  readonly targets: Targets;
  readonly timeZone: string;
  /** Returns the page with the entries about a person. */
  readonly urlOfActor: (actor: string) => string;
}

function Sentence({ entry, targets, urlOfActor }: Omit<EntriesProps, 'entries'> & { readonly entry: AuditEntry }) {
  const { actor } = entry;
  const [before, after] = sentenceParts(entry);
  const path = targetPath(entry, targets);
  const target = <Breakable text={targetText(entry)} />;
  return (
    <>
      <a class="actor" href={urlOfActor(actor)} title={`Show only entries with “${actor}”`}>
        <Breakable text={ACTOR_NAMES[actor] ?? actor} />
      </a>{' '}
      {before}
      {after !== undefined && (path ? <a href={path}>{target}</a> : <strong>{target}</strong>)}
      {after}
    </>
  );
}

/** Returns the columns of a day. Times are those of the account, like the days. */
const columnsOf = (props: Omit<EntriesProps, 'entries'>): readonly Column<AuditEntry>[] => [
  {
    title: 'Time',
    cell: ({ createdAt }) => <time class="quiet">{localText(createdAt, props.timeZone).slice(11)}</time>,
  },
  { title: 'Change', cell: (entry) => <Sentence entry={entry} {...props} /> },
  { title: 'Details', cell: (entry) => <ChangeList entry={entry} {...props} /> },
];

export function Entries({ entries, ...props }: EntriesProps) {
  const dayOf = ({ createdAt }: Pick<AuditEntry, 'createdAt'>) => localDay(createdAt, props.timeZone);
  const today = dayOf({ createdAt: useNow() });
  return (
    <>
      {groupBy(entries, dayOf).map((ofDay) => {
        const day = dayOf(ofDay[0]!);
        return (
          <section key={day} class="audit-day" aria-labelledby={`day-${day}`}>
            <h2 id={`day-${day}`}>{dayName(day, today)}</h2>
            <Table
              caption={`${dayName(day, today)}: changes, newest first`}
              columns={columnsOf(props)}
              rows={ofDay}
              keyOf={({ id }) => id}
            />
          </section>
        );
      })}
    </>
  );
}
