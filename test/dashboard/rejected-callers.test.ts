/** Records of rejected callers, whose number stays limited even during a flood of calls. */
import { MAX_FREQUENT_CALLERS, MAX_LATEST_CALLERS } from '../../backend/src/modules/applications/rejected-caller.js';
import { REJECTED_CALLER_DAYS } from '../../backend/src/modules/applications/rejected-callers.js';
import { CLEANUP_INTERVAL_MS } from '../../backend/src/core.js';
import type { Database } from '../../backend/src/platform/db/database.js';
import { DAY } from '../../backend/src/platform/clock.js';
import { startService, type TestService } from '../support/service.js';
import { advancing, until } from '../support/wait.js';

const MAX_CALLERS = MAX_FREQUENT_CALLERS + MAX_LATEST_CALLERS;

let passbell: TestService;
let db: Database;
beforeAll(async () => {
  passbell = await startService();
  db = passbell.openDatabase();
});
afterAll(async () => {
  await db.destroy();
  await passbell.stop();
});

const createShop = () => passbell.application({ settings: { authorizedEndpoints: ['https://shop.example'] } });
type Keys = Awaited<ReturnType<typeof createShop>>;

const callApi = (keys: Keys, headers: Record<string, string>) =>
  passbell.get('/auth/authentication', {}, { keys, headers });
const callWidget = (keys: Keys, domainUrl: string) =>
  passbell.post('/authserviceclient/authstate', { appKey: keys.appKey, domainUrl, identity: 'ana@example.com' });

interface Row {
  via: string;
  caller: string;
  address: string;
  times: number;
}

/** Waits until the counts in an application's rows add up to `calls`, and returns the rows. */
function rowsOf({ appKey }: Keys, calls: number): Promise<Row[]> {
  const read = async () => {
    const rows: Row[] = await db('refused_callers')
      .select('via', 'caller', 'address', 'times')
      .whereIn('application_id', db('applications').select('id').where({ app_key: appKey }))
      .orderBy(['via', 'caller']);
    const counted = rows.map((row) => ({ ...row, times: Number(row.times) }));
    return counted.reduce((sum, { times }) => sum + times, 0) >= calls && counted;
  };
  return until(`${calls} rejected calls`, read, advancing(passbell.clock, 2000));
}

const namedCallers = (rows: Row[]) => rows.filter(({ caller }) => caller !== '');

it('records the origin or address, the call count, and whether the API or the widget was called', async () => {
  const keys = await createShop();
  const refusals = [
    await callApi(keys, {}),
    await callApi(keys, { origin: 'https://Evil.example/' }),
    await callApi(keys, { referer: 'https://evil.example/a/page?token=1' }),
    await callApi(keys, { origin: 'null' }),
    await callWidget(keys, 'https://evil.example/checkout'),
  ];
  for (const refusal of refusals) expect(refusal).toMatchObject({ success: false, message: 'Invalid endpoint' });
  expect(namedCallers(await rowsOf(keys, 5))).toEqual([
    { via: 'api', caller: '127.0.0.1', address: '', times: 2 },
    { via: 'api', caller: 'https://evil.example', address: '127.0.0.1', times: 2 },
    { via: 'widget', caller: 'https://evil.example', address: '', times: 1 },
  ]);
});

it('records neither accepted calls nor calls with wrong credentials', async () => {
  const keys = await createShop();
  expect(await callApi(keys, { origin: 'https://shop.example' })).toMatchObject({ success: true });
  expect(await callWidget(keys, 'https://shop.example')).toMatchObject({ success: true });
  await callApi({ ...keys, appSecret: 'wrong' }, { origin: 'https://evil.example' });
  await callWidget({ ...keys, appKey: 'pk_unknown' }, 'https://evil.example');
  await callApi(keys, {});
  expect(await rowsOf(keys, 1)).toMatchObject([
    { caller: '', times: 0 },
    { caller: '127.0.0.1', times: 1 },
  ]);
});

it('counts a flood of callers in a limited number of rows, and keeps frequent callers and API callers', async () => {
  const keys = await createShop();
  const flood = async (from: number) => {
    for (let n = from; n < from + 150; n += 25)
      await Promise.all(Array.from({ length: 25 }, (_, k) => callWidget(keys, `https://flood-${n + k}.example`)));
  };
  await callApi(keys, {});
  for (let n = 0; n < 6; n++) await callWidget(keys, 'https://staging.shop.example');
  expect(namedCallers(await rowsOf(keys, 7))).toHaveLength(2);
  await flood(0);
  await rowsOf(keys, 157);
  await flood(150);
  const rows = await rowsOf(keys, 307);

  expect(rows.reduce((sum, { times }) => sum + times, 0)).toBe(307);
  expect(namedCallers(rows).filter(({ via }) => via === 'widget').length).toBeLessThanOrEqual(MAX_CALLERS);
  expect(rows).toContainEqual({ via: 'api', caller: '127.0.0.1', address: '', times: 1 });
  expect(rows).toContainEqual({ via: 'widget', caller: 'https://staging.shop.example', address: '', times: 6 });
});

it('counts a call whose origin is too long for an allow-list entry, without storing the origin', async () => {
  const keys = await createShop();
  await callWidget(keys, `https://${'a'.repeat(400)}.example`);
  expect(await rowsOf(keys, 1)).toEqual([{ via: 'widget', caller: '', address: '', times: 1 }]);
});

it('deletes callers after some days, and keeps them across a restart', async () => {
  const keys = await createShop();
  await callApi(keys, {});
  passbell = await passbell.restart();
  await db.destroy();
  db = passbell.openDatabase();
  expect(await rowsOf(keys, 1)).toHaveLength(2);
  passbell.clock.advance(REJECTED_CALLER_DAYS * DAY);
  const areDeleted = async () => (await db('refused_callers')).length === 0;
  await until('the deletion of rejected callers', areDeleted, advancing(passbell.clock, CLEANUP_INTERVAL_MS));
});
