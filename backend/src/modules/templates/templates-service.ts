/** Texts of messages: the service's own, and what applications have in place of them. */
import { ChannelError, type ChannelName, type Content } from '../../providers/provider.js';
import type { Clock } from '../../platform/clock.js';
import { VARIABLES } from '../../platform/contract/generated/templates.js';
import { APPLICATION_CACHE_MS } from '../../platform/limits.js';
import { describeError, type Log } from '../../platform/log.js';
import { createRecall } from '../../platform/cache.js';
import { builtInText } from './rendering/built-in.js';
import { languageOf } from './rendering/languages.js';
import { overrideProblems, type OverrideProblem } from './rendering/override-problems.js';
import { checkOverride, OverrideError, type OverrideText } from './rendering/override.js';
import { render, templateVariables, type FindOverride, type MessageVariables } from './rendering/render.js';
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

/** What a text of a template can use, and what it must. */
const rulesOf = (template: string) => ({
  known: templateVariables(template),
  needed: template === 'otp' ? ['code'] : [],
});

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

  function check(application: Owner, own: Override): void {
    checkOverride(own.channel, own, rulesOf(own.template));
    tryOut(application, own, own, samplesOf(own.template));
  }

  const textOf = ({ subject, text }: OverrideText): OverrideText => ({ subject, text });

  return {
    /** The application's own text, as it is stored now; null while it has the service's. */
    async own(application: Owner, key: OverrideKey): Promise<OverrideText | null> {
      const found = finder(await store.list(application.id), key.template, key.channel)(key.language);
      return found ? textOf(found) : null;
    },

    /** The service's own text, in the form in which an application writes its own. */
    builtIn: ({ template, channel, language }: OverrideKey): OverrideText =>
      builtInText(template, channel, languageOf(language)),

    /** What keeps a text from being used, line by line; with these variables, too. */
    problems(application: Owner, own: Override, values: MessageVariables): OverrideProblem[] {
      const problems = overrideProblems(own.channel, own, rulesOf(own.template));
      if (problems.length > 0) return problems;
      try {
        tryOut(application, own, own, values);
        return [];
      } catch (error) {
        if (!(error instanceof OverrideError)) throw error;
        return [{ part: 'text', line: null, message: `With these values, ${error.message}.` }];
      }
    },

    /** What a message would say with this text, or with the service's own; throws an `OverrideError`. */
    tryOut: (application: Owner, key: OverrideKey, own: OverrideText | null, values: MessageVariables): Content =>
      tryOut(application, key, own ?? undefined, values),

    /** Keeps a text in place of `before`; false when that is not what is stored by now. Throws an `OverrideError`. */
    replace(application: Owner, before: OverrideText | null, own: Override): Promise<boolean> {
      check(application, own);
      return store.replace(application.id, before, own, clock.now());
    },

    /** Goes back from `before` to the service's own text; false when that is not what is stored by now. */
    remove: (application: Owner, key: OverrideKey, before: OverrideText): Promise<boolean> =>
      store.remove(application.id, key, before),

    list: (application: Owner): Promise<Override[]> => store.list(application.id),

    /** Keeps a text; one that cannot be used is refused with an `OverrideError`. */
    async set(application: Owner, override: Override): Promise<void> {
      check(application, override);
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
