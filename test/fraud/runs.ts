/** Runs scenarios, and returns the rows of the simulator's tables. */
import type { FraudSettings } from '../../backend/src/modules/fraud/fraud-settings.js';
import { ATTACKS, ATTACK_START, type AttackScenario } from './attacks.js';
import { HOME } from './numbers.js';
import type { LegitimateScenario } from './scenarios.js';
import { authgear, passbell, simulate, mergeAttempts, WARM_UP_DAYS, type Result } from './simulation.js';
import { attackTraffic, legitimateTraffic } from './traffic.js';

export interface Row {
  readonly name: string;
  readonly days: number;
  readonly passbell: Result;
  readonly authgear: Result;
}

export const pausesPer100Days = ({ days }: Pick<Row, 'days'>, { falsePauses }: Result): number =>
  (falsePauses * 100) / days;

export const refusedPercent = ({ legitimate, legitimateRefused }: Result): number =>
  legitimate === 0 ? 0 : (100 * legitimateRefused) / legitimate;

export function legitimateRow(scenario: LegitimateScenario, seed: number, settings: Partial<FraudSettings> = {}): Row {
  const traffic = legitimateTraffic({ ...scenario, seed, days: scenario.days + WARM_UP_DAYS });
  return {
    name: scenario.name,
    days: scenario.days,
    passbell: simulate(traffic, passbell({ homeCountry: scenario.home.code, settings })),
    authgear: simulate(traffic, authgear()),
  };
}

/** Simulates the attack on a shop with a conversion rate of 70% and `perHour` people per hour. */
export function attackRow(
  scenario: AttackScenario,
  perHour: number,
  seed: number,
  settings: Partial<FraudSettings> = {},
): Row {
  const days = 1 + scenario.hours / 24;
  const people = legitimateTraffic({ seed, days: WARM_UP_DAYS + days, perHour, conversion: 0.7, home: HOME });
  const traffic = mergeAttempts(people, attackTraffic({ ...scenario, seed: seed + 1000, from: ATTACK_START }));
  const guard = passbell({
    homeCountry: HOME.code,
    settings,
    ...(scenario.listed ? { countries: scenario.listed } : {}),
  });
  return { name: scenario.name, days, passbell: simulate(traffic, guard), authgear: simulate(traffic, authgear()) };
}

export const attackNamed = (name: string): AttackScenario => ATTACKS.find((attack) => attack.name === name)!;
