import type { Application } from '../../modules/applications/application.js';
import type { FraudPauses, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import type { Message } from '../../modules/messages/message.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { sentence } from '../channels/labels.js';
import { Card } from '../components/card.js';
import { Time } from '../components/time.js';
import { groupBy } from '../group-by.js';
import { countText } from '../usage/figures.js';
import { Fix } from './fix.js';
import { refusalReason } from './message-list.js';

/** Messages of one application that were refused for the same reason. */
export interface RefusedGroup {
  readonly application: Application;
  /** Newest first. */
  readonly messages: readonly Message[];
  /** The pause that refuses messages to the newest recipient now. */
  readonly pause: ScopeView | undefined;
}

/** The country that the fraud guard may have paused; "" for other refusals. */
const placeOf = ({ refusal, recipient }: Message): string =>
  refusal?.code === 'FRAUD_SUSPECTED' ? countryOf(recipient) : '';

const keyOf = (message: Message): string =>
  [message.applicationId, message.refusal?.code, message.refusal?.reason, placeOf(message)].join(' ');

/** Groups refused messages by their reason, the largest group first. */
export async function groupRefused(
  messages: readonly Message[],
  applications: readonly Application[],
  pauses: Pick<FraudPauses, 'pauseOf'>,
): Promise<readonly RefusedGroup[]> {
  const sorted = groupBy(messages, keyOf).sort((a, b) => b.length - a.length);
  return Promise.all(
    sorted.map(async (group) => {
      const application = applications.find(({ id }) => id === group[0]!.applicationId)!;
      return { application, messages: group, pause: await pauses.pauseOf(application, group[0]!.recipient) };
    }),
  );
}

interface RefusedGroupsProps {
  readonly groups: readonly RefusedGroup[];
  readonly applicationCount: number;
}

/** Explains why the listed messages were refused, with the button that allows them. */
export function RefusedGroups({ groups, applicationCount }: RefusedGroupsProps) {
  if (groups.length === 0) return null;
  return (
    <Card id="refused" title="Why they were refused">
      <ul class="plain-list">
        {groups.map(({ application, messages, pause }) => {
          const newest = messages[0]!;
          return (
            <li key={keyOf(newest)}>
              <div>
                <p class="strong">
                  {countText(messages.length)} {messages.length === 1 ? 'message' : 'messages'}
                  {placeOf(newest) !== '' && ` to ${countryInSentence(placeOf(newest))}`}
                  {applicationCount > 1 && ` from ${application.name}`}
                </p>
                <p>{newest.refusal && sentence(refusalReason(newest.refusal))}</p>
                <p class="quiet small">
                  {messages.length > 1 && (
                    <>
                      First <Time ms={messages.at(-1)!.createdAt} /> · latest{' '}
                    </>
                  )}
                  <Time ms={newest.createdAt} />
                  {pause && ' · still paused'}
                  {!pause && newest.refusal?.code === 'FRAUD_SUSPECTED' && ' · no longer paused'}
                </p>
              </div>
              <Fix message={newest} application={application} pause={pause} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
