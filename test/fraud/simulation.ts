/** Runs a scenario's traffic through the rules of the fraud guard, and counts what they refuse. */
import type { Decision } from '../../backend/src/modules/fraud/fraud.js';
import type { FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';
import { MINUTE, SECOND, startOfDay } from '../../backend/src/platform/clock.js';
import { HOME } from './numbers.js';
import { createRandom } from './random.js';
import { createReplay } from './replay.js';
import type { Scenario } from './scenarios.js';
import type { Attempt } from './traffic.js';

/** Counts of one run, from the scenario's `from` to its `until`. */
export interface Figures {
  /** Messages that legitimate users asked for, also after a refusal. */
  readonly legitimate: number;
  readonly refused: number;
  readonly challenged: number;
  /** Messages that the attacker asked for, and those that were sent and whose code was not entered. */
  readonly asked: number;
  readonly paid: number;
  /** Of all messages to the attacker, also of those whose code was entered, in US dollars. */
  readonly cost: number;
  /** Notices to the owners about pauses, challenges and low conversions, at most one a day about the home country. */
  readonly notices: number;
  /** Minutes until the first notice; null if there is none. */
  readonly toldAfter: number | null;
}

const SOLVE_MS = 8 * SECOND;
const RETRY_MS = 5 * MINUTE;
/** Share of legitimate users who ask once more after a refusal. */
const RETRY_SHARE = 0.5;

interface Step {
  readonly at: number;
  readonly attempt: Attempt;
  readonly type: 'first' | 'retry' | 'solved' | 'verified';
}

/** Inserts a step into a list in descending order of time. The lists are short. */
function insert(steps: Step[], step: Step): void {
  let i = steps.length;
  while (i > 0 && steps[i - 1]!.at < step.at) i--;
  steps.splice(i, 0, step);
}

/** Yields the attempts and the steps that follow from them, in chronological order. */
function* stepsOf(attempts: readonly Attempt[], later: Step[]): Generator<Step> {
  for (const attempt of attempts) {
    while (later.length > 0 && later.at(-1)!.at <= attempt.at) yield later.pop()!;
    yield { at: attempt.at, attempt, type: 'first' };
  }
  while (later.length > 0) yield later.pop()!;
}

export interface RunOptions {
  readonly seed: number;
  readonly hasChallenge: boolean;
  readonly settings?: FraudSettings | undefined;
}

/** Counts the notices to the owners. */
function createNotices() {
  const times: number[] = [];
  const alertDays = new Set<number>();
  return {
    times,
    add(decision: Decision, at: number): void {
      const isAlert = decision.outcome === 'allowed' && decision.alert !== undefined;
      const isPause = decision.outcome !== 'allowed' && decision.trip !== undefined;
      if (isPause || (isAlert && !alertDays.has(startOfDay(at)))) times.push(at);
      if (isAlert) alertDays.add(startOfDay(at));
    },
  };
}

export function simulate(scenario: Scenario, attempts: readonly Attempt[], options: RunOptions): Figures {
  const { from, until, countries = [] } = scenario;
  const { seed, hasChallenge, settings } = options;
  const replay = createReplay({ homeCountry: HOME, countries, hasChallenge, verifiedElsewhere: false }, settings);
  const random = createRandom(seed + 5000);
  const notices = createNotices();
  const later: Step[] = [];
  const counts = { legitimate: 0, refused: 0, challenged: 0, asked: 0, paid: 0, cost: 0 };

  function count({ attempt, type }: Step, { outcome }: Decision): void {
    if (type !== 'solved') counts[attempt.isLegitimate ? 'legitimate' : 'asked']++;
    if (attempt.isLegitimate) {
      if (outcome === 'refused') counts.refused++;
      if (outcome === 'challenged' && type !== 'solved') counts.challenged++;
    } else if (outcome === 'allowed') {
      counts.cost += attempt.price;
      if (attempt.verifiesAfter === undefined) counts.paid++;
    }
  }

  /** Adds what the person or the attacker does next. */
  function react({ at, attempt, type }: Step, { outcome }: Decision): void {
    const { isLegitimate, verifiesAfter, solvesChallenges } = attempt;
    if (outcome === 'allowed' && verifiesAfter !== undefined)
      insert(later, { at: at + verifiesAfter, attempt, type: 'verified' });
    if (outcome === 'challenged' && type !== 'solved' && solvesChallenges)
      insert(later, { at: at + SOLVE_MS, attempt, type: 'solved' });
    if (outcome === 'refused' && type === 'first' && isLegitimate && random.chance(RETRY_SHARE))
      insert(later, { at: at + RETRY_MS, attempt, type: 'retry' });
  }

  for (const step of stepsOf(attempts, later)) {
    const { at, attempt, type } = step;
    if (type === 'verified') {
      replay.settle(attempt, 'verified', at);
      continue;
    }
    const decision = replay.send({ ...attempt, isChallengeSolved: type === 'solved' }, at);
    react(step, decision);
    if (at < from || at >= until) continue;
    count(step, decision);
    notices.add(decision, at);
  }
  const [told] = notices.times;
  const toldAfter = told === undefined ? null : Math.round((10 * (told - from)) / MINUTE) / 10;
  return { ...counts, cost: Math.round(100 * counts.cost) / 100, notices: notices.times.length, toldAfter };
}
