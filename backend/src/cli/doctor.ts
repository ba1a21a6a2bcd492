import type { Command } from 'commander';
import { ConfigError, type Config } from '../platform/config/config.js';
import { DataDirError, MissingDatabaseError } from '../platform/data-dir.js';
import { explainDatabaseError } from '../platform/db/explain-database-error.js';
import { addAction, OperatorError, withExamples, type Context } from './context.js';
import {
  type Finding,
  checkBaseUrl,
  checkClock,
  checkDisk,
  checkProviders,
  checkProxy,
  checkRedis,
  checkSecretKey,
  checkSenderDomains,
  checkService,
  ok,
  problem,
} from './doctor-checks.js';

const MARKS: Readonly<Record<Finding['state'], string>> = { ok: 'ok     ', warning: 'WARNING', problem: 'PROBLEM' };

async function settingsOf(context: Context): Promise<{ readonly config?: Config; readonly finding: Finding }> {
  const check = 'settings';
  try {
    return { config: await context.config(), finding: ok(check, 'They are complete and valid.') };
  } catch (error) {
    if (error instanceof OperatorError) return { finding: problem('database', error.message) };
    if (!(error instanceof ConfigError)) throw error;
    return { finding: problem(check, error.message) };
  }
}

async function checkCore(context: Context): Promise<readonly Finding[]> {
  try {
    const core = await context.core();
    const services = Object.entries(core.checks).map(([name, call]) =>
      name === 'redis' ? checkRedis(core) : checkService(name, call),
    );
    return [
      ...(await Promise.all(services)),
      checkClock(core),
      await checkSecretKey(core),
      ...(await checkProviders(core)),
      ...(await checkSenderDomains(core)),
    ];
  } catch (error) {
    const isExplained = error instanceof DataDirError || error instanceof MissingDatabaseError;
    const text = isExplained
      ? error.message
      : (explainDatabaseError(error) ?? 'It cannot be opened. Check DATABASE_URL and DATA_DIR.');
    return [problem('database', text)];
  }
}

async function findings(context: Context): Promise<readonly Finding[]> {
  const { config, finding } = await settingsOf(context);
  if (!config) return [finding];
  const core = await checkCore(context);
  const disk = await checkDisk(config).catch(() =>
    problem('disk', `${config.DATA_DIR} cannot be read. Check that it exists.`),
  );
  return [finding, ...core, disk, await checkBaseUrl(config), checkProxy(config)];
}

/** Adds the command `doctor`. It fails if it finds a problem. */
export function complete(doctor: Command, context: Context): void {
  addAction(withExamples(doctor, ['', '--json']), context, async () => {
    const data = await findings(context);
    const lines = data.map(
      ({ check, state, text }) => `${MARKS[state]}  ${check}: ${text.replaceAll('\n', '\n         ')}`,
    );
    return { data, text: lines.join('\n'), failed: data.some(({ state }) => state === 'problem') };
  });
}
