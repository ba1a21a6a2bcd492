import { ALLOW_EFFECT, ruleText, serveQuestion } from '../../modules/fraud/fraud-texts.js';
import type { CountedRefusal } from '../../modules/fraud/fraud.js';
import { countryName } from '../../modules/recipients/country.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Form } from '../components/form.js';
import { Table, type Column } from '../components/table.js';
import { countText, total } from '../usage/figures.js';

const nameOf = (country: string): string => (country === '' ? 'No country' : countryName(country));

/** Whether the messages are sent if the owner serves or allows their country. */
const canBeSent = ({ country, rule }: CountedRefusal): boolean =>
  country !== '' && rule !== 'person' && rule !== 'recipient';

/** Lets the owner serve the country, or allow it for a day if the application serves it already. */
function Action({ at, refusal: { country, isServed } }: { at: string; refusal: CountedRefusal }) {
  const [action, label] = isServed
    ? (['allow', 'Allow for 24 hours'] as const)
    : (['serve', 'Add to served countries'] as const);
  return (
    <Form action={at} class="inline">
      <input type="hidden" name="action" value={action} />
      <input type="hidden" name="scope" value="country" />
      <input type="hidden" name="key" value={country} />
      <button
        class="button subtle small"
        aria-label={`${label}: ${nameOf(country)}`}
        data-confirm={isServed ? `${label}? ${ALLOW_EFFECT}` : serveQuestion(country)}
      >
        {label}
      </button>
    </Form>
  );
}

interface RefusalsProps {
  /** The page's path, to which the forms post. */
  readonly at: string;
  readonly refusals: readonly CountedRefusal[];
  /** Estimated cost of the refused messages; undefined if no price is set. */
  readonly saved: string | undefined;
}

export function RefusalsCard({ at, refusals, saved }: RefusalsProps) {
  const { may } = useVisit();
  // A country that was refused for several reasons has one button.
  const isFirst = (refusal: CountedRefusal) =>
    refusals.find((one) => one.country === refusal.country && canBeSent(one)) === refusal;
  const columns: Column<CountedRefusal>[] = [
    { title: 'Country', cell: ({ country }) => nameOf(country) },
    { title: 'Reason', cell: ({ rule }) => ruleText(rule) },
    { title: 'Messages', number: true, cell: ({ messages }) => countText(messages) },
    { title: 'Numbers', number: true, cell: ({ people }) => countText(people) },
    ...(may('own')
      ? [
          {
            title: 'Change',
            cell: (refusal: CountedRefusal) => isFirst(refusal) && <Action at={at} refusal={refusal} />,
          },
        ]
      : []),
  ];
  const messages = total(refusals.map((refusal) => refusal.messages));
  if (messages === 0)
    return <Card id="refusals-title" title="Refused in the last 7 days" lead="Nothing was refused." />;
  const [count, it] = messages === 1 ? ['1 message was', 'It'] : [`${countText(messages)} messages were`, 'They'];
  return (
    <Card
      id="refusals-title"
      title="Refused in the last 7 days"
      lead={
        <>
          {count} not sent.{' '}
          {saved && (
            <>
              {it} would have cost about <strong>{saved}</strong>.
            </>
          )}
        </>
      }
    >
      <Table
        caption="Refused messages"
        columns={columns}
        rows={refusals}
        keyOf={({ rule, country }) => `${rule} ${country}`}
      />
    </Card>
  );
}
