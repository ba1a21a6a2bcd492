/**
 * `npm start` on the database of an earlier version logs the rules that became stricter, until the operator dismisses
 * the notice.
 */
import { rmSync } from 'node:fs';
import { STRICTER_RULES } from '../../backend/src/modules/upgrades/stricter.js';
import { createDataFolder } from '../support/data-folder.js';
import { createEarlierDatabase } from '../support/earlier-version.js';
import { runCommandWith, startProcess } from '../support/process.js';

const dataDir = createDataFolder('upgrade');
const settings = { DATA_DIR: dataDir, SECRET_KEY: 'a key that only tests use and nobody else' };
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function outputOfStart(folder = settings): Promise<string> {
  const service = await startProcess(folder);
  expect(await service.stop('SIGTERM')).toBe(0);
  return service.output();
}

it('logs each entry on every start until the command dismisses the notice', async () => {
  const db = await createEarlierDatabase(dataDir, '0008-refused-callers');
  await db.destroy();
  const output = [await outputOfStart(), await outputOfStart()];
  for (const { text } of STRICTER_RULES)
    for (const one of output) expect(one).toContain(JSON.stringify(text).slice(1, -1));
  expect(output[0]).toContain('npm run --silent passbell -- upgrade-notice --dismiss');

  const shown = JSON.parse(await runCommandWith(settings, 'upgrade-notice', '--json'));
  expect(shown).toEqual({ stricter: STRICTER_RULES, dismissed: false });
  expect(await runCommandWith(settings, 'upgrade-notice', '--dismiss')).toMatch(/^Dismissed:\n- /);
  expect(await runCommandWith(settings, 'upgrade-notice')).toBe('No rules became stricter.\n');
  expect(await outputOfStart()).not.toContain('stricter since');
});

it('logs nothing on a new installation', async () => {
  const fresh = createDataFolder('new');
  try {
    expect(await outputOfStart({ ...settings, DATA_DIR: fresh })).not.toContain('stricter since');
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
});
