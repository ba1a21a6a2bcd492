/** Command-line options. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { CATALOGUE } from './servers/catalogue.mjs';

export const USAGE = `node test/bench/bench.mjs [options]

  --database-url URL   MariaDB or MySQL, as mysql://user:password@host:port (or DATABASE_URL); its user makes databases
  --redis-url URL      Redis with the first of seven empty databases, as redis://host:port/5 (or REDIS_URL)
  --quick              shorter: full cycles, 8 rounds of 1.5 s, 64 in flight, no counts of statements
  --seconds N          seconds a run (3)
  --warm N             cycles of warm-up a server, in at most 20 s (8000: Node has then compiled the hot path)
  --runs N             rounds of each point, of which the median counts (9)
  --in-flight LIST     requests in flight (1,16,64)
  --phases LIST        cycle, send, verify
  --only LIST          servers: ${Object.keys(CATALOGUE).join(', ')}
  --rows N             also measures Passbell with N rows in each growing table
  --better-auth-by     email or phone (email)
  --profile            afterwards, profiles Passbell's processes at the highest number in flight
  --compare FILE       compares the CPU time with the bench-baseline.json of another run (test/bench/main.json)
  --out FOLDER         folder for the results, the baseline and the plot (a new temporary folder)
`;

/** Figures of the main branch. */
const MAIN_BASELINE = fileURLToPath(new URL('main.json', import.meta.url));

const OPTIONS = {
  ...Object.fromEntries(['quick', 'profile', 'help'].map((name) => [name, { type: 'boolean', default: false }])),
  ...Object.fromEntries(
    [
      'database-url',
      'redis-url',
      'seconds',
      'warm',
      'runs',
      'in-flight',
      'phases',
      'only',
      'rows',
      'compare',
      'out',
    ].map((name) => [name, { type: 'string' }]),
  ),
  'better-auth-by': { type: 'string', default: 'email' },
};

const parseList = (text) => text.split(',').filter(Boolean);

function parseNumber(name, text, min) {
  const value = Number(text);
  if (!(value >= min)) throw new Error(`--${name} must be a number of at least ${min}`);
  return value;
}

function parseChoices(name, values, known) {
  const wrong = values.find((value) => !known.includes(value));
  if (wrong !== undefined) throw new Error(`--${name} ${wrong}: known are ${known.join(', ')}`);
  return values;
}

/** Throws an error with a readable message for invalid options. */
export function readOptions(args) {
  const { values } = parseArgs({ args, options: OPTIONS });
  const { quick } = values;
  const rows = parseNumber('rows', values.rows ?? 0, 0);
  const all = Object.keys(CATALOGUE).filter((name) => rows > 0 || !CATALOGUE[name].onlyWithRows);
  const options = {
    help: values.help,
    profile: values.profile,
    quick,
    databaseUrl: values['database-url'] ?? process.env.DATABASE_URL,
    redisUrl: values['redis-url'] ?? process.env.REDIS_URL,
    seconds: parseNumber('seconds', values.seconds ?? (quick ? 1.5 : 3), 0.5),
    warm: parseNumber('warm', values.warm ?? 8000, 0),
    runs: parseNumber('runs', values.runs ?? (quick ? 8 : 9), 1),
    inFlight: parseList(values['in-flight'] ?? (quick ? '64' : '1,16,64')).map((n) => parseNumber('in-flight', n, 1)),
    phases: parseChoices('phases', parseList(values.phases ?? (quick ? 'cycle' : 'cycle,send,verify')), [
      'cycle',
      'send',
      'verify',
    ]),
    only: parseChoices('only', values.only ? parseList(values.only) : all, all),
    rows,
    compare: values.compare ?? MAIN_BASELINE,
    betterAuthBy: parseChoices('better-auth-by', [values['better-auth-by']], ['email', 'phone'])[0],
    out: values.out ?? mkdtempSync(join(tmpdir(), 'passbell-bench-')),
  };
  if (!options.help && !(options.databaseUrl && options.redisUrl))
    throw new Error('--database-url and --redis-url are required');
  return options;
}
