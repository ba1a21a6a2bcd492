import type { FraudOverview } from '../../modules/fraud/fraud-overview.js';
import { phaseText, placeName, ruleText } from '../../modules/fraud/fraud-overview-texts.js';
import { Card } from '../components/card.js';
import { Table, type Column } from '../components/table.js';
import { countText } from '../usage/figures.js';

type Observed = FraudOverview['observation']['observed'][number];

const COLUMNS: readonly Column<Observed>[] = [
  { title: 'Would have refused', cell: (observed) => placeName(observed) },
  { title: 'Rule', cell: ({ rule }) => ruleText(rule) },
  { title: 'Messages', number: true, cell: ({ messages }) => countText(messages) },
];

export function ObservationCard({ observation }: Pick<FraudOverview, 'observation'>) {
  const { phase, observed } = observation;
  if (phase === 'acting' && observed.length === 0) return null;
  return (
    <Card id="observation-title" title="Observation" lead={phaseText(observation)}>
      {observed.length === 0 ? (
        <p class="nothing">No messages would have been refused so far.</p>
      ) : (
        <Table
          caption="Messages that would have been refused"
          columns={COLUMNS}
          rows={observed}
          keyOf={({ rule, scope, key }) => `${rule} ${scope} ${key}`}
        />
      )}
    </Card>
  );
}
