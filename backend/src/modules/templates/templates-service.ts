import type { Knex } from 'knex';
import type { Base } from '../../platform/base.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { describeError } from '../../platform/log.js';
import type { Settings } from '../../platform/settings-cache.js';
import { ProviderError, type Content } from '../../providers/provider.js';
import { EditConflictError, requireRight, type Actor } from '../access/actor.js';
import type { AuditService } from '../audit/audit-service.js';
import { changesBetween } from '../audit/audit.js';
import type { OverridesStore } from './overrides-store.js';
import { builtInText } from './rendering/built-in.js';
import { languageOf } from './rendering/languages.js';
import { overrideProblems, type OverrideProblem } from './rendering/override-problems.js';
import { checkOverride, OverrideError, type TextRules } from './rendering/override.js';
import { render, type FindOverride } from './rendering/render.js';
import type { Autofill, Branding, MessageVariables, Override, OverrideKey, OverrideText } from './template.js';
import { overrideTitle, sampleVariables, templateVariables } from './template.js';

export type TemplatesService = ReturnType<typeof createTemplatesService>;

export interface TemplatesServiceDependencies extends Pick<Base, 'clock' | 'inTransaction' | 'log'> {
  readonly store: OverridesStore;
  readonly audit: Pick<AuditService, 'record'>;
  readonly settings: Pick<Settings, 'createCache'>;
  readonly brandingOf: (applicationId: number) => Promise<Branding>;
}

type TextOwner = {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  readonly branding: Branding;
  readonly settings: Autofill;
};

const rulesFor = (template: string): TextRules => ({
  known: templateVariables(template),
  needed: template === 'otp' ? ['code'] : [],
});

const isSameText = (a: OverrideText | null, b: OverrideText | null): boolean =>
  a?.text === b?.text && a?.subject === b?.subject;

const createFindOverride =
  (overrides: readonly Override[], { template, channel }: Omit<OverrideKey, 'language'>): FindOverride =>
  (language) =>
    overrides.find((found) => found.template === template && found.channel === channel && found.language === language);

export function createTemplatesService(dependencies: TemplatesServiceDependencies) {
  const { store, inTransaction, audit, settings, clock, log } = dependencies;
  const brandings = settings.createCache(dependencies.brandingOf);
  const cache = settings.createCache(store.list);

  const list = (application: TextOwner): Promise<Override[]> => store.list(application.id);

  async function find(application: TextOwner, key: OverrideKey): Promise<OverrideText | null> {
    const found = createFindOverride(await list(application), key)(key.language);
    return found ? { subject: found.subject, text: found.text } : null;
  }

  const builtIn = ({ template, channel, language }: OverrideKey): OverrideText =>
    builtInText(template, channel, languageOf(language));

  /** Renders `text`, or the built-in text if `text` is null. Throws an {@link OverrideError}. */
  function preview(
    application: TextOwner,
    key: OverrideKey,
    text: OverrideText | null,
    values: MessageVariables,
  ): Content {
    const { webOtpHost, androidAppHash } = application.settings;
    const variables = { ...values, application: application.name, language: key.language, webOtpHost, androidAppHash };
    return render(key.template, key.channel, variables, () => text ?? undefined, application.branding);
  }

  /** Returns all problems that prevent a text from being used, including a failure to render it with `values`. */
  function problems(application: TextOwner, override: Override, values: MessageVariables): OverrideProblem[] {
    const found = overrideProblems(override.channel, override, rulesFor(override.template));
    if (found.length > 0) return found;
    try {
      preview(application, override, override, values);
      return [];
    } catch (error) {
      if (!(error instanceof OverrideError)) throw error;
      return [{ part: 'text', line: null, message: `With these values, ${error.message}.` }];
    }
  }

  /**
   * Locks and returns the stored text; null if the application uses the built-in text. Throws an {@link
   * EditConflictError} if `expected` is given and differs from the stored text.
   */
  async function lock(trx: Knex, application: TextOwner, key: OverrideKey, expected: OverrideText | null | undefined) {
    const stored = await store.lock(trx, application.id, key);
    if (expected !== undefined && !isSameText(stored, expected)) throw new EditConflictError();
    return stored;
  }

  /** Stores a text that replaces the built-in text. Throws an {@link OverrideError} if the text cannot be used. */
  async function save(actor: Actor, application: TextOwner, override: Override, expected?: OverrideText | null) {
    requireRight(actor, 'change');
    checkOverride(override.channel, override, rulesFor(override.template));
    preview(application, override, override, sampleVariables(override.template, override.language));
    await inTransaction(async (trx) => {
      const before = await lock(trx, application, override, expected);
      // If a concurrent insert makes this insert fail, the transaction is retried.
      await (before ? store.update : store.insert)(trx, application.id, override, clock.now());
      const { subject, text } = override;
      await audit.record(trx, actor, {
        accountId: application.accountId,
        action: 'template.set',
        subject: `${application.name}: ${overrideTitle(override)}`,
        changes: changesBetween(before ?? {}, { subject, text }),
      });
    });
  }

  /** Restores the built-in text. Returns false if the application already uses it. */
  async function remove(actor: Actor, application: TextOwner, key: OverrideKey, expected?: OverrideText | null) {
    requireRight(actor, 'change');
    return inTransaction(async (trx) => {
      const before = await lock(trx, application, key, expected);
      if (!before) return false;
      await store.remove(trx, application.id, key);
      await audit.record(trx, actor, {
        accountId: application.accountId,
        action: 'template.reset',
        subject: `${application.name}: ${overrideTitle(key)}`,
        changes: changesBetween(before, { subject: null, text: null }),
      });
      return true;
    });
  }

  /** Renders a message's content. Falls back to the built-in text if the application's text cannot be rendered. */
  async function contentOf(
    message: { id: string; applicationId: number; template: string; channel: ChannelName },
    variables: MessageVariables,
  ): Promise<Content> {
    const { id: messageId, applicationId, template, channel } = message;
    const stored = Promise.all([cache.get(applicationId), brandings.get(applicationId)]);
    const [overrides, branding] = await stored.catch((error: unknown) => {
      log.warn({ messageId, err: describeError(error) }, "could not read the application's texts");
      throw new ProviderError('transient', "the application's texts cannot be read at the moment");
    });
    try {
      return render(template, channel, variables, createFindOverride(overrides, message), branding);
    } catch (error) {
      if (!(error instanceof OverrideError)) throw error;
      log.warn({ messageId, template, channel }, "could not render the application's text");
      return render(template, channel, variables, undefined, branding);
    }
  }

  return { list, find, builtIn, preview, problems, save, remove, contentOf };
}
