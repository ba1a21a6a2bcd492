/** Groups messages that did not arrive by their reason, and finds out which of these people got a code anyway. */
import type { Application } from '../../modules/applications/application.js';
import type { ScopeView } from '../../modules/fraud/fraud-pauses.js';
import type { Message, Rescued } from '../../modules/messages/message.js';
import { groupBy } from '../group-by.js';
import type { Modules } from '../modules.js';
import { reasonKey } from './reasons.js';

/** Messages of one application that did not arrive for the same reason. */
export interface ReasonGroup {
  readonly key: string;
  readonly application: Application;
  /** Newest first. */
  readonly messages: readonly Message[];
  /** The pause that refuses messages to the newest recipient now. */
  readonly pause: ScopeView | undefined;
  readonly people: number;
  /** Number of these people who entered a later code. */
  readonly enteredLater: number;
  /** The provider that sent codes to other people after an attempt had failed for the same reason, and their number. */
  readonly rescue: { readonly provider: string; readonly count: number } | undefined;
}

/** More reasons would make the list hard to find. */
export const MAX_GROUPS = 10;

type GroupModules = Modules<'clock' | 'fraud' | 'messages' | 'otp'>;

/** Counts people, and those who entered a code that was sent after their first message. The messages are of one application, newest first. */
export function createPeopleOf({ clock, messages: { lookup }, otp }: Modules<'clock' | 'messages' | 'otp'>) {
  return async function peopleOf(messages: readonly Message[]) {
    const known = messages.filter(({ recipient }) => recipient !== '');
    const firstTimes = new Map(known.map(({ recipient, createdAt }) => [recipient, createdAt]));
    const codes = (
      await lookup.codesTo(messages[0]!.applicationId, [...firstTimes.keys()], messages.at(-1)!.createdAt)
    ).filter(({ recipient, createdAt }) => createdAt > firstTimes.get(recipient)!);
    const entered = await otp.service.areEntered(
      codes.map(({ codeId }) => codeId),
      clock.now(),
    );
    const later = codes.filter(({ codeId }) => entered.get(codeId) === true);
    return { people: firstTimes.size, enteredLater: new Set(later.map(({ recipient }) => recipient)).size };
  };
}

export function createGroupByReason(core: GroupModules) {
  const { fraud } = core;
  const { lookup } = core.messages;
  const peopleOf = createPeopleOf(core);

  /** Of the codes that first failed for the same reason as these messages, returns the provider that then sent most. */
  function rescueOf(messages: readonly Message[], rescued: readonly Rescued[]): ReasonGroup['rescue'] {
    const failure = messages[0]!.attempts.at(-1);
    if (!failure || failure.success) return undefined;
    const providers = rescued
      .filter(({ createdAt }) => createdAt >= messages.at(-1)!.createdAt && createdAt <= messages[0]!.createdAt)
      .filter(({ attempts }) =>
        attempts.some(({ provider, message }) => provider === failure.provider && message === failure.message),
      )
      .flatMap(({ attempts }) => attempts.find(({ success }) => success)?.provider ?? []);
    const [most] = groupBy(providers, (provider) => provider).sort((a, b) => b.length - a.length);
    return most && { provider: most[0]!, count: most.length };
  }

  /** Returns the largest groups, the largest first. */
  return async function groupByReason(
    messages: readonly Message[],
    applications: readonly Application[],
  ): Promise<readonly ReasonGroup[]> {
    const sorted = groupBy(messages, reasonKey).sort((a, b) => b.length - a.length);
    const failed = messages.filter(({ state }) => state === 'failed');
    const failedOf = [...new Set(failed.map(({ applicationId }) => applicationId))];
    const rescued = failed.length > 0 ? await lookup.rescued(failedOf, failed.at(-1)!.createdAt) : [];
    return Promise.all(
      sorted.slice(0, MAX_GROUPS).map(async (group): Promise<ReasonGroup> => {
        const newest = group[0]!;
        const application = applications.find(({ id }) => id === newest.applicationId)!;
        return {
          key: reasonKey(newest),
          application,
          messages: group,
          pause: newest.refusal ? await fraud.pauses.pauseOf(application, newest.recipient) : undefined,
          rescue: rescueOf(group, rescued),
          ...(await peopleOf(group)),
        };
      }),
    );
  };
}
