import { isSentWhenServed, ruleText, serveQuestion } from '../../modules/fraud/fraud-texts.js';
import type { CountedRefusal } from '../../modules/fraud/fraud.js';
import { countryName } from '../../modules/recipients/country.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Table, type Column } from '../components/table.js';
import { MAX_STORED_PER_HOUR } from '../../modules/messages/record-refusal.js';
import { urlOf, type MessageQuery } from '../messages/filter.js';
import { countText, total } from '../usage/figures.js';
import { PlaceButton } from './place-button.js';

const nameOf = (country: string): string => (country === '' ? 'No country' : countryName(country));

/** Whether such messages are sent once their country is added to the served countries. */
export const canBeServed = ({ country, rule, isServed }: CountedRefusal): boolean =>
  country !== '' && !isServed && isSentWhenServed(rule);

const ServeButton = ({ at, country }: { at: string; country: string }) => (
  <PlaceButton
    at={at}
    action="serve"
    place={{ scope: 'country', key: country }}
    label="Add to served countries"
    name={`Add to served countries: ${nameOf(country)}`}
    question={serveQuestion(country)}
    class="button subtle small"
  />
);

interface RefusalsProps {
  /** The page's path, to which the forms post. */
  readonly at: string;
  readonly refusals: readonly CountedRefusal[];
  /** The filter for the refused messages of the application. */
  readonly messages: MessageQuery;
  /** When the oldest of them may have been refused, in epoch milliseconds. */
  readonly from: number;
  /** Estimated cost of the refused messages; undefined if no price is set. */
  readonly saved: string | undefined;
}

export function RefusalsCard({ at, refusals, messages: query, from, saved }: RefusalsProps) {
  const { may, timeZone } = useVisit();
  // A country that was refused for several reasons has one button.
  const isFirst = (refusal: CountedRefusal) =>
    refusals.find((one) => one.country === refusal.country && canBeServed(one)) === refusal;
  const columns: Column<CountedRefusal>[] = [
    { title: 'Country', cell: ({ country }) => nameOf(country) },
    { title: 'Reason', cell: ({ rule }) => ruleText(rule) },
    { title: 'Attempts', number: true, cell: ({ messages }) => countText(messages) },
    { title: 'Numbers', number: true, cell: ({ people }) => countText(people) },
    {
      title: 'Messages',
      cell: ({ rule, country }) => (
        <a
          href={urlOf('/messages', { ...query, country: country || undefined, rule, from, zone: timeZone })}
          aria-label={`Show messages: ${nameOf(country)}, ${ruleText(rule)}`}
        >
          Show messages
        </a>
      ),
    },
    ...(may('own') && refusals.some(canBeServed)
      ? [
          {
            title: 'Action',
            cell: (refusal: CountedRefusal) => isFirst(refusal) && <ServeButton at={at} country={refusal.country} />,
          },
        ]
      : []),
  ];
  const messages = total(refusals.map((refusal) => refusal.messages));
  if (messages === 0)
    return <Card id="refusals-title" title="Refused in the last 7 days" lead="Nothing was refused." />;
  const [count, it] = messages === 1 ? ['1 attempt', 'It'] : [`${countText(messages)} attempts`, 'They'];
  return (
    <Card
      id="refusals-title"
      title="Refused in the last 7 days"
      lead={
        <>
          Passbell refused {count} to send a message.{' '}
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
      <p class="quiet small">The Messages page lists at most {MAX_STORED_PER_HOUR} refused messages an hour.</p>
    </Card>
  );
}
