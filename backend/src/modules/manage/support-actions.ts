/** Operations for support: explanations of messages, and test codes. */
import { isoTime, type Clock } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Application } from '../applications/application.js';
import { explanationOf } from '../messages/explanation.js';
import type { Message } from '../messages/message.js';
import type { MessageLookup } from '../messages/message-lookup.js';
import { messageView } from '../messages/message-view.js';
import { timelineOf, type TimelineStep } from '../messages/timeline.js';
import type { OtpService } from '../otp/index.js';
import { parseRecipient } from '../recipients/recipient.js';
import { SettingError } from '../settings/bounded-setting.js';
import type { TestCodes } from '../test-sends/test-codes.js';
import type { Actions } from './action.js';
import type { DataOf, ParametersOf } from './operations.js';
import type { OwnApplications } from './own-applications.js';

const MAX_EXPLAINED = 5;

const NO_MESSAGE =
  'There is no such message. Messages are stored for 30 days. If an application should have sent this message in the last 30 days, the request did not reach Passbell, or was rejected.';

/** The fields of all kinds of steps that are shown. */
type StepFields = Pick<TimelineStep, 'kind' | 'at'> &
  Partial<
    Pick<Extract<TimelineStep, { kind: 'attemptFailed' }>, 'channel' | 'provider' | 'times' | 'details'> &
      Pick<Extract<TimelineStep, { kind: 'reported' }>, 'report' | 'reason'> &
      Pick<Extract<TimelineStep, { kind: 'neverAccepted' }>, 'refusal'> &
      Pick<Extract<TimelineStep, { kind: 'fallback' }>, 'to'>
  >;
type StepView = DataOf<'explainMessages'>['messages'][number]['timeline'][number];

function stepView(step: TimelineStep): StepView {
  const { kind, at, channel, to, provider, reason, refusal, report, times, details }: StepFields = step;
  const fields = {
    step: kind,
    at: at === undefined ? undefined : isoTime(at),
    channel: to ?? channel,
    provider,
    reason: refusal?.reason ?? reason,
    report,
    times,
    errorCode: details?.code,
    link: details?.link,
    reply: details?.reply,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as StepView;
}

interface Services {
  readonly own: OwnApplications;
  readonly lookup: Pick<MessageLookup, 'find' | 'page'>;
  readonly otp: Pick<OtpService, 'find' | 'status'>;
  readonly testCodes: Pick<TestCodes, 'send'>;
  readonly currency: () => string;
  readonly clock: Clock;
}

export function createSupportActions(services: Services) {
  const { own, lookup, otp, testCodes, currency, clock } = services;

  async function findMessages(
    applicationIds: readonly number[],
    { recipient, messageId, maskId }: ParametersOf<'explainMessages'>,
  ): Promise<readonly Message[]> {
    if (recipient === undefined) {
      const id = messageId ?? (await otp.find(maskId!))?.messageId ?? '';
      const message = await lookup.find(applicationIds, id);
      return message ? [message] : [];
    }
    const address = parseRecipient(recipient)?.address;
    if (address === undefined)
      throw new SettingError('recipient', 'This is neither a phone number with its country code nor an email address.');
    return (await lookup.page({ applicationIds, recipient: address }, undefined, MAX_EXPLAINED)).messages;
  }

  /** Returns the state of the code in a message; undefined if it has none, or if the code has been deleted. */
  const codeOf = (application: Application, { template, maskId }: Message) =>
    template !== 'otp' || maskId === ''
      ? undefined
      : otp.status(application, maskId).catch((error: unknown) => {
          if (error instanceof ApiError && error.code === 'MESSAGE_NOT_FOUND') return undefined;
          throw error;
        });

  async function explain(message: Message, applications: readonly Application[]) {
    const application = applications.find(({ id }) => id === message.applicationId)!;
    const code = await codeOf(application, message);
    return {
      appKey: application.appKey,
      message: messageView(message, currency()),
      ...explanationOf(message, clock.now()),
      ...(code && { code }),
      timeline: timelineOf(message).map(stepView),
    };
  }

  return {
    async explainMessages(call, parameters) {
      const applications = await own(call);
      const ids = applications.map(({ id }) => id);
      const messages = [];
      for (const message of await findMessages(ids, parameters)) messages.push(await explain(message, applications));
      return messages.length > 0 ? { messages } : { messages, note: NO_MESSAGE };
    },

    async sendTestCode({ actor, application }, { to }) {
      // All keys share a limit, so that more keys do not allow more codes.
      const sender = { actor, limitKey: `test-code:account-${application.accountId}` };
      const { attempts, standIn, ...sent } = await testCodes.send(sender, application, to, '');
      const shown = attempts.map(({ authType, success, message }) => ({ authType, success, message }));
      return { ...sent, attempts: shown, devInbox: standIn };
    },
  } satisfies Partial<Actions>;
}
