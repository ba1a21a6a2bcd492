/** Legitimate traffic of shops: quiet and busy, with good and bad conversion, on ordinary and on special days. */
import { DAY, HOUR } from '../../backend/src/platform/clock.js';
import { HOME, SMALL_HOME } from './numbers.js';
import { WARM_UP_DAYS } from './simulation.js';
import { START, type LegitimateTraffic } from './traffic.js';

const dayOf = (at: number): number => Math.floor((at - START) / DAY) - WARM_UP_DAYS;
const hourOf = (at: number): number => (at % DAY) / HOUR;

type Season = NonNullable<LegitimateTraffic['season']>;

/** Every tenth day from 9 to 21 h: six times as many people, more of whom are only curious. */
export const campaign: Season = (at) =>
  dayOf(at) >= 0 && dayOf(at) % 10 === 4 && hourOf(at) >= 9 && hourOf(at) < 21
    ? { volume: 6, conversion: 0.88 }
    : { volume: 1, conversion: 1 };

/** A product launch on day 10 at 10 h: twelve times as many people, then fewer each hour. */
export const launch: Season = (at) => {
  const hours = (dayOf(at) - 10) * 24 + hourOf(at) - 10;
  return hours < 0 ? { volume: 1, conversion: 1 } : { volume: 1 + 11 * Math.exp(-hours / 12), conversion: 1 };
};

/** Every tenth day, 15 h: codes do not arrive for 40 minutes. */
export const outage: Season = (at) =>
  dayOf(at) >= 0 && dayOf(at) % 10 === 4 && hourOf(at) >= 15 && hourOf(at) < 15.667
    ? { volume: 1, conversion: 0 }
    : { volume: 1, conversion: 1 };

export interface LegitimateScenario extends Omit<LegitimateTraffic, 'seed'> {
  readonly name: string;
}

const DEFAULTS = { perHour: 60, conversion: 0.7, home: HOME, days: 100 } as const;

export const LEGITIMATE: readonly LegitimateScenario[] = [
  { name: '20/h, 70%', ...DEFAULTS, perHour: 20 },
  { name: '60/h, 70%', ...DEFAULTS },
  { name: '200/h, 70%', ...DEFAULTS, perHour: 200 },
  { name: '60/h, 70%, half in groups of 20', ...DEFAULTS, bursts: 0.5 },
  { name: '60/h, 70%, campaign every tenth day', ...DEFAULTS, season: campaign },
  { name: '60/h, 70%, product launch', ...DEFAULTS, season: launch },
  { name: '60/h, 70%, small country', ...DEFAULTS, home: SMALL_HOME },
  { name: '60/h, 70%, a third are travelers', ...DEFAULTS, travelers: 0.33 },
  { name: '60/h, 70%, half are returning users', ...DEFAULTS, returning: 0.5 },
  { name: '60/h, 30%', ...DEFAULTS, conversion: 0.3 },
  { name: '60/h, 50%', ...DEFAULTS, conversion: 0.5 },
  { name: '60/h, 85%', ...DEFAULTS, conversion: 0.85 },
  { name: '60/h, 70%, codes do not arrive for 40 minutes every tenth day', ...DEFAULTS, season: outage },
];
