/** Fills the messages table with realistic rows. Plain SQL inserts a million rows in seconds. */
import type { Database } from '../../backend/src/platform/db/database.js';
import { updateStatistics } from '../../backend/src/platform/db/statistics.js';

/** Rows per INSERT statement. */
const BATCH = 100_000;
const DIGITS =
  '(select 0 as d union all select 1 union all select 2 union all select 3 union all select 4 union all '.concat(
    'select 5 union all select 6 union all select 7 union all select 8 union all select 9)',
  );
const NUMBERS = `select a.d + 10 * b.d + 100 * c.d + 1000 * d.d + 10000 * e.d as n from ${['a', 'b', 'c', 'd', 'e']
  .map((name) => `${DIGITS} ${name}`)
  .join(', ')}`;

export interface ManyMessages {
  readonly rows: number;
  /** The rows are assigned to these applications in turn. */
  readonly applicationIds: readonly number[];
  /** Time of the newest row. Each row is one millisecond older than the previous row. */
  readonly now: number;
  /** Whether to update the statistics of the table. Default: true. */
  readonly analyze?: boolean;
}

/**
 * Inserts messages. Of 1000 messages, about 970 are SMS, 29 are emails and one is a call; 900 are delivered, 90 are
 * sent, and one each is expired, undelivered and failed. Each recipient has a few messages.
 */
export async function fillMessages(
  db: Database,
  { rows, applicationIds, now, analyze = true }: ManyMessages,
): Promise<void> {
  const mysql = db.client.dialect === 'mysql';
  const id = mysql ? 'md5(concat(uuid(), i))' : 'lower(hex(randomblob(16)))';
  const application = `case i % ${applicationIds.length} ${applicationIds.map((one, n) => `when ${n} then ${one}`).join(' ')} end`;
  // The moduli are coprime to the number of applications, so that each application gets the same mix.
  const channel = `case when i % 997 = 5 then 'VOICE' when i % 997 < 30 then 'EMAIL' else 'SMS' end`;
  const ending = `case when i % 991 = 3 then 'failed' when i % 991 = 7 then 'expired' when i % 991 = 11 then 'undelivered' when i % 991 < 100 then '' else 'delivered' end`;
  const state = `case when i % 991 in (3, 7) then ${ending} else 'sent' end`;
  const report = `case when i % 991 in (3, 7) or i % 991 < 100 and i % 991 <> 11 then null else ${ending} end`;
  const recipient = `case when i % 997 < 30 and i % 997 <> 5 then concat('person', (i * 7) % 400009, '@example.com') else concat('+1415', 2000000 + (i * 7) % 400009) end`;
  const tried = `concat('[{"channel":"', ${channel}, '","success":true,"message":"sent"}]')`;
  for (let from = 0; from < rows; from += BATCH) {
    const size = Math.min(BATCH, rows - from);
    await db.raw(
      `insert into messages (id, application_id, mask_id, template, request_id, recipient, plan, state, channel, ending, report, tried, attempts, expires_at, created_at, finished_at)
       select ${id}, ${application}, ${id}, 'otp', '', ${recipient}, concat('["', ${channel}, '"]'), ${state}, ${channel}, ${ending}, ${report}, ${tried}, 1, ${now} - i + 300000, ${now} - i, ${now} - i + 200
       from (select ${from} + n as i from (${NUMBERS}) numbers where n < ${size}) seeds`,
    );
  }
  if (analyze) await (mysql ? db.raw('analyze table messages') : updateStatistics(db));
}
