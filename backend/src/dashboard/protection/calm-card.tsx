/** Says that no attack is in progress, with the figures of the fraud guard. */
import type { Application } from '../../modules/applications/application.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import type { FraudOverview } from '../../modules/fraud/fraud-overview.js';
import { protectionPath } from '../applications/parts.js';
import { Card } from '../components/card.js';
import type { MessageQuery } from '../messages/filter.js';
import { Mark } from '../home/concerns-view.js';
import { GuardFigures } from './guard-figures.js';

interface CalmProps {
  readonly application: Application;
  readonly overview: FraudOverview;
  /** The list of the refused messages. */
  readonly query: MessageQuery;
  /** Estimated cost of the refused messages; undefined if no price is set. */
  readonly saved: string | undefined;
}

/** Whether both rules that the text describes are on. */
function isPausing(application: Application): boolean {
  const { countryUnverified, prefixUnverified } = appliedSettings(application);
  return countryUnverified > 0 && prefixUnverified > 0;
}

export const CalmCard = ({ application, overview, query, saved }: CalmProps) => (
  <Card
    id="calm"
    title={
      <>
        <Mark kind="good" /> No attack in progress
      </>
    }
    lead={
      isPausing(application) ? (
        <>
          Passbell automatically pauses countries and groups of similar numbers with too many unused codes.{' '}
          <a class="nowrap" href={`${protectionPath(application)}/settings`}>
            Show the limits
          </a>
        </>
      ) : undefined
    }
  >
    <GuardFigures query={query} overview={overview} saved={saved} />
  </Card>
);
