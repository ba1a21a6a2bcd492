/**
 * `npm run workflows`: runs the shell lines of the GitHub workflows, step by step, in a fresh clone for each job. Steps that need
 * GitHub, Docker or another registry are listed instead. `--list` runs nothing; `--only TEXT` runs the steps whose job, name or
 * command contains the text. Each matrix is reduced to its first combination, and tests find their own servers.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from './prepare.mjs';

/** Outside of this folder, because its clone would find the packages that are installed here. */
const work = mkdtempSync(join(tmpdir(), 'passbell-workflows-'));
const clone = join(work, 'clone');
/** Commands that only work on GitHub, or that need the services of others. */
const ELSEWHERE = {
  'npm publish': 'publishes',
  'npm audit': "needs npm's advisory database",
  'gh ': 'changes the repository on GitHub',
  'cosign ': 'signs with the identity of the workflow',
  'pipx ': 'needs PyPI',
  'docker ': 'needs Docker and its registry',
};
/** Replaces placeholders in publisher.json of the clone, because a release does not allow them. */
const SAMPLE_PUBLISHER = {
  name: 'Ana Silva',
  email: 'ana@shop.example',
  repository: 'https://github.com/ana/passbell',
  domain: 'passbell.shop.example',
  image: 'ghcr.io/ana/passbell',
};

const version = () => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/** Returns the first combination of a matrix. */
function firstCombination(matrix = {}) {
  const lists = Object.entries(matrix).filter(([name]) => name !== 'include' && name !== 'exclude');
  return Object.fromEntries(lists.map(([name, values]) => [name, values[0]]));
}

/** Replaces expressions with the values that are known here. Returns undefined if one is unknown. */
function evaluate(text, context) {
  let isKnown = true;
  const result = String(text).replace(/\$\{\{\s*([\w.-]+)\s*\}\}/g, (_all, path) => {
    const value = path.split('.').reduce((object, key) => object?.[key], context);
    isKnown &&= value !== undefined;
    return value;
  });
  return isKnown && !result.includes('${{') ? result : undefined;
}

/** Returns why a step does not run here; undefined if it does. */
function reasonToSkip(step) {
  if (step.uses !== undefined) return `action ${step.uses.split('@')[0]}`;
  const found = Object.keys(ELSEWHERE).find((command) => step.run.includes(command));
  return found && ELSEWHERE[found];
}

function runStep(step, context) {
  const outputs = join(work, 'outputs');
  writeFileSync(outputs, '');
  const env = { ...process.env, CI: 'true', GITHUB_OUTPUT: outputs, GITHUB_REF_NAME: `v${version()}` };
  for (const [name, value] of Object.entries(step.env ?? {})) {
    env[name] = evaluate(value, context);
    if (env[name] === undefined) return { skipped: `unknown value ${value}` };
  }
  const run = evaluate(step.run, context);
  // The options that GitHub uses for bash.
  const { status } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', run], {
    cwd: clone,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const lines = readFileSync(outputs, 'utf8').trim().split('\n');
  return { status, outputs: Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2))) };
}

/** Clones the repository, and fills in what a release needs: who publishes, and the date of the version. */
function createClone() {
  rmSync(clone, { recursive: true, force: true });
  execFileSync('git', ['clone', '--quiet', root, clone], { stdio: 'ignore' });
  const changelog = join(clone, 'CHANGELOG.md');
  writeFileSync(changelog, readFileSync(changelog, 'utf8').replace('(unreleased)', '(2026-12-31)'));
  const file = join(clone, 'publisher.json');
  if (readFileSync(file, 'utf8').includes('passbell.example')) {
    writeFileSync(file, JSON.stringify(SAMPLE_PUBLISHER, null, 2));
    // Exits with an error only if placeholders are left, which the workflow checks itself.
    spawnSync(process.execPath, ['scripts/publisher.mjs'], { cwd: clone });
  }
  // Committed, because `npm run release` clones the last commit.
  const author = ['-c', 'user.name=Passbell', '-c', 'user.email=passbell@localhost'];
  execFileSync('git', [...author, 'commit', '--quiet', '--all', '--message=Fill in what a release needs'], {
    cwd: clone,
  });
}

function* stepsOf(folder) {
  for (const file of readdirSync(folder).sort()) {
    const { jobs } = parse(readFileSync(join(folder, file), 'utf8'));
    const needs = {};
    for (const [name, job] of Object.entries(jobs)) {
      const context = { matrix: firstCombination(job.strategy?.matrix), needs, steps: {}, github: {} };
      for (const step of job.steps)
        yield { title: `${file} ${name}: ${step.name ?? step.run ?? step.uses}`, step, context };
      const outputs = Object.entries(job.outputs ?? {}).map(([key, value]) => [key, evaluate(value, context)]);
      needs[name] = { outputs: Object.fromEntries(outputs) };
    }
  }
}

function main(args) {
  const isList = args.includes('--list');
  const only = args.includes('--only') ? args[args.indexOf('--only') + 1] : '';
  const counts = { passed: 0, failed: 0, elsewhere: 0 };
  let job;
  for (const { title, step, context } of stepsOf(join(root, '.github/workflows'))) {
    const reason = reasonToSkip(step);
    const line = title.split('\n')[0];
    if (reason !== undefined) {
      counts.elsewhere++;
      if (step.run !== undefined || isList) console.log(`only on GitHub  ${line} (${reason})`);
      continue;
    }
    if (isList || !`${title}\n${step.run}`.includes(only)) {
      if (isList) console.log(`here            ${line}`);
      continue;
    }
    // The context is the same for all steps of a job.
    if (context !== job) createClone();
    job = context;
    console.log(`\n— ${line}`);
    const { status, outputs, skipped } = runStep(step, context);
    if (step.id) context.steps[step.id] = { outputs };
    counts[status === 0 ? 'passed' : 'failed']++;
    console.log(status === 0 ? 'passed' : `FAILED: ${skipped ?? `exit code ${status}`}`);
  }
  rmSync(work, { recursive: true, force: true });
  if (!isList)
    console.log(`\n${counts.passed} passed, ${counts.failed} failed; ${counts.elsewhere} steps only run on GitHub`);
  return counts.failed === 0;
}

process.exitCode = main(process.argv.slice(2)) ? 0 : 1;
