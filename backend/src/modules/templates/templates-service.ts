/** Texts of messages: the service's own, and what applications have in place of them. */
import { ChannelError, type ChannelName, type Content } from '../../channels/channel.js';
import type { Clock } from '../../clock.js';
import { VARIABLES } from '../../generated/templates.js';
import { APPLICATION_CACHE_MS } from '../../limits.js';
import { describeError, type Log } from '../../log.js';
import { createRecall } from '../../recall.js';
import { checkOverride, OverrideError, type OverrideText } from '../../templates/override.js';
import { render, templateVariables, type FindOverride, type MessageVariables } from '../../templates/render.js';
import type { Message } from '../messages/message.js';
import type { Override, OverrideKey, OverridesStore } from './overrides-store.js';

export type TemplatesService = ReturnType<typeof createTemplatesService>;

const SAMPLES: MessageVariables = {
  ...Object.fromEntries(Object.entries(VARIABLES).map(([name, { sample }]) => [name, sample])),
  ...{ code: '123456', minutes: '5' },
};

/** A value to try for each variable of a template. */
export function samplesOf(template: string): MessageVariables {
  const names = templateVariables(template).filter((name) => name !== 'application');
  return Object.fromEntries(names.map((name) => [name, SAMPLES[name] ?? '']));
}

interface Owner {
  readonly id: number;
  readonly name: string;
}

export function createTemplatesService({ store, clock, log }: { store: OverridesStore; clock: Clock; log: Log }) {
  const recall = createRecall({
    clock,
    ms: APPLICATION_CACHE_MS,
    read: (applicationId: number) => store.list(applicationId),
  });

  const finder =
    (overrides: readonly Override[], template: string, channel: ChannelName): FindOverride =>
    (language) =>
      overrides.find((one) => one.template === template && one.channel === channel && one.language === language);

  /** What a text comes to with these variables. */
  function tryOut({ name }: Owner, key: OverrideKey, own: OverrideText | undefined, values: MessageVariables): Content {
    const variables = { ...values, application: name, language: key.language };
    return render(key.template, key.channel, variables, () => own);
  }

  return {
    list: (application: Owner): Promise<Override[]> => store.list(application.id),

    /** Keeps a text; one that cannot be used is refused with an `OverrideError`. */
    async set(application: Owner, override: Override): Promise<void> {
      const known = templateVariables(override.template);
      checkOverride(override.channel, override, { known, needed: override.template === 'otp' ? ['code'] : [] });
      tryOut(application, override, override, samplesOf(override.template));
      await store.set(application.id, override, clock.now());
    },

    /** False when there was none. */
    unset: (application: Owner, key: OverrideKey): Promise<boolean> => store.unset(application.id, key),

    /** What a message with these variables says, with the application's own text when it has one. */
    async preview(application: Owner, key: OverrideKey, values: MessageVariables): Promise<Content> {
      const own = finder(await store.list(application.id), key.template, key.channel)(key.language);
      return tryOut(application, key, own, values);
    },

    /** The content of a message for its channel. A text that fails on real values gives way to the service's own. */
    async contentOf(message: Message, variables: MessageVariables): Promise<Content> {
      const { id: messageId, applicationId, template, channel } = message;
      const overrides = await recall.get(applicationId).catch((error: unknown) => {
        log.warn({ messageId, err: describeError(error) }, 'the texts of the application could not be read');
        throw new ChannelError('passing', 'the texts of the application cannot be read right now');
      });
      try {
        return render(template, channel, variables, finder(overrides, template, channel));
      } catch (error) {
        if (!(error instanceof OverrideError)) throw error;
        log.warn({ messageId, template, channel }, 'the text of the application could not be filled in');
        return render(template, channel, variables);
      }
    },
  };
}
