import type { Application } from '../../modules/applications/application.js';
import type { FraudPauses, ScopeView } from '../../modules/fraud/fraud-pauses.js';
import { hasWrongRecipient } from '../../modules/messages/explanation.js';
import { acceptedAttempt, type Message, type VisibleState } from '../../modules/messages/message.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { sentence } from '../channels/labels.js';
import { HOUR } from '../../platform/clock.js';
import { Card } from '../components/card.js';
import { useNow, useVisit } from '../components/context.js';
import { Time } from '../components/time.js';
import { groupBy } from '../group-by.js';
import { countText, messagesText } from '../usage/figures.js';
import { Fix } from './fix.js';
import { REASON_TITLES } from './labels.js';
import { NO_REASON, problemsOf } from './message-list.js';

/** Messages of one application that did not arrive for the same reason. */
interface ReasonGroup {
  readonly application: Application;
  /** Newest first. */
  readonly messages: readonly Message[];
  /** The pause that refuses messages to the newest recipient now. */
  readonly pause: ScopeView | undefined;
}

/** The country that the fraud guard may have paused; "" for other reasons. */
const placeOf = ({ refusal, recipient }: Message): string =>
  refusal?.code === 'FRAUD_SUSPECTED' ? countryOf(recipient) : '';

/** The reason, with the provider that accepted the message, or that was the only one tried. */
function reasonOf(message: Message): string {
  const reason = problemsOf(message);
  const accepted = acceptedAttempt(message);
  const [only] = message.attempts.length === 1 ? message.attempts : [];
  const provider = (accepted ?? only)?.provider;
  if (reason === '' || reason === NO_REASON) return `${provider ?? 'the provider'} reported no reason`;
  return provider === undefined ? reason : `${provider}: ${reason}`;
}

const keyOf = (message: Message): string =>
  [message.applicationId, message.refusal?.code, reasonOf(message), placeOf(message)].join(' ');

/** Groups messages by the reason why they did not arrive, the largest group first. */
export async function groupByReason(
  messages: readonly Message[],
  applications: readonly Application[],
  pauses: Pick<FraudPauses, 'pauseOf'>,
): Promise<readonly ReasonGroup[]> {
  const sorted = groupBy(messages, keyOf).sort((a, b) => b.length - a.length);
  return Promise.all(
    sorted.map(async (group) => {
      const newest = group[0]!;
      const application = applications.find(({ id }) => id === newest.applicationId)!;
      const pause = newest.refusal ? await pauses.pauseOf(application, newest.recipient) : undefined;
      return { application, messages: group, pause };
    }),
  );
}

const isOver = ({ createdAt }: Message, now: number): boolean => createdAt < now - HOUR;

/** The button that fixes the reason, or advice. Refusals have their own. */
function GroupFix({ application, messages, pause }: ReasonGroup) {
  const { may, now } = useVisit();
  const newest = messages[0]!;
  if (newest.refusal) return <Fix message={newest} application={application} pause={pause} />;
  if (hasWrongRecipient(newest) || isOver(newest, now) || !may('own')) return null;
  return (
    <a class="button subtle" href="/dashboard/channels">
      Check the provider
    </a>
  );
}

/** Delivery reports can be wrong: a message whose code was entered has arrived. */
function arrivedText(messages: readonly Message[], isEntered: (message: Message) => boolean): string | undefined {
  const count = messages.filter(isEntered).length;
  if (count === 0) return undefined;
  return count === messages.length
    ? 'All of these codes were entered, so the messages arrived.'
    : `${countText(count)} of the ${countText(messages.length)} codes were entered, so those messages arrived.`;
}

const isExpiredCode = ({ template, expiresAt }: Message, now: number): boolean => template === 'otp' && expiresAt < now;

interface ReasonGroupsProps {
  readonly state: VisibleState;
  readonly groups: readonly ReasonGroup[];
  readonly applicationCount: number;
  /** Number of messages that were grouped, if there are more; otherwise undefined. */
  readonly newestOnly: number | undefined;
  /** Whether the code of a message was entered; undefined for messages that no provider accepted. */
  readonly isEntered: ((message: Message) => boolean) | undefined;
}

/** Explains why messages did not arrive, with the button that helps. */
export function ReasonGroups({ state, groups, applicationCount, newestOnly, isEntered }: ReasonGroupsProps) {
  const now = useNow();
  if (groups.length === 0) return null;
  const arrived =
    isEntered &&
    arrivedText(
      groups.flatMap(({ messages }) => messages),
      isEntered,
    );
  const basis = newestOnly && `Based on the ${countText(newestOnly)} newest messages.`;
  return (
    <Card id="reasons" title={REASON_TITLES[state]!} lead={[arrived, basis].filter(Boolean).join(' ') || undefined}>
      <ul class="plain-list">
        {groups.map((group) => {
          const { application, messages, pause } = group;
          const newest = messages[0]!;
          return (
            <li key={keyOf(newest)}>
              <div>
                <p class="strong">
                  {messagesText(messages.length)}
                  {placeOf(newest) !== '' && ` to ${countryInSentence(placeOf(newest))}`}
                  {applicationCount > 1 && ` from ${application.name}`}
                </p>
                <p>{sentence(reasonOf(newest))}</p>
                {hasWrongRecipient(newest) && <p>Another message to the same recipient will also fail.</p>}
                {!newest.refusal &&
                  !hasWrongRecipient(newest) &&
                  isExpiredCode(newest, now) &&
                  !(isEntered && messages.every(isEntered)) && (
                    <p>The codes have expired. Your customers can request new ones.</p>
                  )}
                <p class="quiet small">
                  {messages.length > 1 && (
                    <>
                      First <Time ms={messages.at(-1)!.createdAt} /> · latest{' '}
                    </>
                  )}
                  <Time ms={newest.createdAt} />
                  {!newest.refusal && isOver(newest, now) && ' · none in the last hour'}
                  {pause && ' · still paused'}
                  {!pause && newest.refusal?.code === 'FRAUD_SUSPECTED' && ' · the pause has ended'}
                </p>
              </div>
              <GroupFix {...group} />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
