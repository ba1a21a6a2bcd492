/** Summarizes the fraud guard's current pauses and refusals for Home, in a sentence for each application. */
import type { Application } from '../applications/application.js';
import { refusedText, stateText } from './fraud-overview-texts.js';
import type { FraudPauses } from './fraud-pauses.js';
import type { RefusalCounts } from './refusal-counts.js';

/** Leaves out applications for which the guard has paused and refused nothing. */
export type FraudNews = (
  applications: readonly Application[],
) => Promise<{ readonly application: Application; readonly text: string }[]>;

interface Dependencies {
  readonly pauses: Pick<FraudPauses, 'list'>;
  readonly refusals: Pick<RefusalCounts, 'today'>;
}

export function createFraudNews({ pauses, refusals }: Dependencies): FraudNews {
  async function textOf(application: Application): Promise<string> {
    const active = (await pauses.list(application)).filter(({ state }) => state !== 'allowed');
    const refused = refusedText(await refusals.today(application.id));
    return [active.length > 0 ? stateText(active) : '', refused].filter(Boolean).join(' ');
  }

  return async function news(applications) {
    const all = await Promise.all(
      applications.map(async (application) => ({ application, text: await textOf(application) })),
    );
    return all.filter(({ text }) => text !== '');
  };
}
