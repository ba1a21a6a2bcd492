/** Groups messages that did not arrive by their reason, and finds out which of these people got a code anyway. */
import type { Application } from '../../modules/applications/application.js';
import type { CountedRefusal } from '../../modules/fraud/fraud.js';
import type { ScopeView } from '../../modules/fraud/fraud-pauses.js';
import type { Message } from '../../modules/messages/message.js';
import { ruleOfHint } from '../../modules/fraud/fraud-texts.js';
import { countryOf } from '../../modules/recipients/recipient.js';
import { DAY } from '../../platform/clock.js';
import { groupBy } from '../group-by.js';
import type { Modules } from '../modules.js';
import { total } from '../usage/figures.js';
import { placeOf, reasonKey } from './reasons.js';

/** Messages of one application that did not arrive for the same reason. */
export interface ReasonGroup {
  readonly key: string;
  readonly application: Application;
  /** Newest first. */
  readonly messages: readonly Message[];
  /** Number of messages, including those that the fraud guard refused, but did not store. */
  readonly count: number;
  /** The pause that refuses messages to the newest recipient now. */
  readonly pause: ScopeView | undefined;
  /** Number of the messages in whose time entered codes are still stored. */
  readonly codes: number;
  /** Number of these codes that were entered, so that their messages arrived. */
  readonly arrived: number;
  /** Number of people whom the others of these codes were sent to. */
  readonly people: number;
  /** Number of these people who entered a later code. */
  readonly enteredLater: number;
}

export interface RefusedCounts {
  readonly since: number;
  /** The messages that the fraud guard refused since `since`, including those that it did not store; undefined if they were not counted. */
  readonly counts: readonly (CountedRefusal & { readonly applicationId: number })[] | undefined;
}

/** More reasons would make the list hard to find. */
export const MAX_GROUPS = 10;
/** Entered codes are deleted after this time. */
export const CODES_KEPT_MS = 7 * DAY;

type CodeModules = Modules<'clock' | 'messages' | 'otp'>;

type EnteredLater = (messages: readonly Message[]) => Promise<ReadonlySet<Message>>;

/** Finds the messages whose recipients entered their code or a later one. The messages are sorted, newest first. */
export function createEnteredLater({ clock, messages: { lookup }, otp }: CodeModules): EnteredLater {
  async function ofApplication(messages: readonly Message[]): Promise<readonly Message[]> {
    const recipients = new Set(messages.map(({ recipient }) => recipient));
    const codes = await lookup.codesTo(messages[0]!.applicationId, [...recipients], messages.at(-1)!.createdAt);
    const ids = codes.map(({ codeId }) => codeId);
    const entered = await otp.service.areEntered(ids, clock.now());
    const latest = new Map<string, number>();
    for (const { recipient, createdAt, codeId } of codes)
      if (entered.get(codeId)) latest.set(recipient, Math.max(createdAt, latest.get(recipient) ?? 0));
    return messages.filter(({ recipient, createdAt }) => createdAt <= (latest.get(recipient) ?? -1));
  }

  return async function enteredLater(messages) {
    // A code does not replace a lost notification.
    const known = messages.filter(({ recipient, template }) => recipient !== '' && template === 'otp');
    const ofApplications = groupBy(known, ({ applicationId }) => `${applicationId}`);
    return new Set((await Promise.all(ofApplications.map(ofApplication))).flat());
  };
}

/** Counts people, and those who entered a code that was sent after their last message. The messages are sorted, newest first. */
export function createPeopleOf(core: CodeModules) {
  const findLater = createEnteredLater(core);
  return async function peopleOf(messages: readonly Message[]) {
    const known = messages.filter(({ recipient }) => recipient !== '');
    const last = groupBy(known, ({ recipient }) => recipient).map(([newest]) => newest!);
    return { people: last.length, enteredLater: (await findLater(last)).size };
  };
}

export function createGroupByReason(core: CodeModules & Modules<'fraud'>) {
  const { fraud } = core;
  const peopleOf = createPeopleOf(core);

  function countOf(messages: readonly Message[], { since, counts }: RefusedCounts): number {
    const { applicationId, refusal, recipient } = messages[0]!;
    const country = countryOf(recipient);
    const rule = ruleOfHint(refusal?.hint);
    const same = (counts ?? []).filter(
      (one) => one.applicationId === applicationId && one.country === country && one.rule === rule,
    );
    const listed = messages.filter(({ createdAt }) => createdAt >= since).length;
    return messages.length + Math.max(0, total(same.map((one) => one.messages)) - listed);
  }

  /** Returns the largest groups, the largest first. Those of the same country follow each other. */
  return async function groupByReason(
    messages: readonly Message[],
    applications: readonly Application[],
    refused: RefusedCounts,
    isEntered: (message: Message) => boolean,
  ): Promise<readonly ReasonGroup[]> {
    const sorted = groupBy(messages, reasonKey).sort((a, b) => b.length - a.length);
    const groups = await Promise.all(
      sorted.slice(0, MAX_GROUPS).map(async (group): Promise<ReasonGroup> => {
        const newest = group[0]!;
        const codes = group.filter(({ createdAt }) => createdAt > core.clock.now() - CODES_KEPT_MS);
        const lost = codes.filter((message) => !isEntered(message));
        const application = applications.find(({ id }) => id === newest.applicationId)!;
        return {
          key: reasonKey(newest),
          application,
          messages: group,
          count: countOf(group, refused),
          pause: newest.refusal ? await fraud.pauses.pauseOf(application, newest.recipient) : undefined,
          codes: codes.length,
          arrived: codes.length - lost.length,
          ...(await peopleOf(lost)),
        };
      }),
    );
    const largestFirst = groups.sort((a, b) => b.count - a.count);
    const placed = groupBy(largestFirst, ({ key, messages: [newest] }) =>
      placeOf(newest!) === '' ? key : `${newest!.applicationId} ${placeOf(newest!)}`,
    );
    return placed.flat();
  };
}
