import { EditConflictError } from '../../modules/access/actor.js';
import { ProviderSettingsError } from '../../modules/providers/provider-account.js';
import type { TestRecipient } from '../../modules/providers/provider-checks.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import type { TestProviders } from '../../modules/test-sends/test-providers.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { ProviderType } from '../../providers/provider-type.js';
import { Conflict } from '../components/conflict.js';
import { versionOf } from '../../platform/crypto.js';
import { filledForm, textOf, type FormState } from '../form.js';
import type { Step } from '../home/checklist.js';
import type { Setup } from '../home/setup.js';
import type { Modules } from '../modules.js';
import type { Change, PageReply, PageRoute, Visit } from '../page.js';
import { act, actAfterCheck, fragment, page, PageNotFound, redirect, show } from '../page.js';
import { createReadActivity } from './activity.js';
import { CHANNELS_PATH, providerPath, sentence } from './labels.js';
import type { SubmittedProvider } from './provider-form.js';
import { conflictFields, newForm, readProvider, storedForm, withProblems } from './provider-form.js';
import { AddPage, FixedProviderPage, ProviderPage, TypeList, TYPES_ID, TypesPage } from './provider-views.js';
import type { TestOutcome } from './test-card.js';

interface FoundProvider {
  readonly provider: ProviderView;
  readonly type: ProviderType;
}

/** State of the page's forms, and the outcome of a test. */
interface PageState {
  readonly form?: FormState;
  readonly problem?: string | undefined;
  readonly testForm?: FormState;
  readonly outcome?: TestOutcome;
  readonly next?: Step | undefined;
}

/** The recipient of a request that is only shown. */
const SAMPLE_NUMBER = '+14155550123';

const CHECKED_NOTE = ' Its credentials are valid.';
const SIGN_IN_NOTE = ' It also sends the sign-in codes of this dashboard, so test it before you sign out.';

/**
 * Returns what the person should do next with a provider that was added or changed. `isOperators`: whether it belongs to
 * the operator's account, whose providers send the sign-in codes of all accounts.
 */
function stateNote({ verified, state, channels }: ProviderView, isOperators: boolean): string {
  if (!verified && state.kind === 'failing')
    return ` It sends no messages yet. ${sentence(state.reason)} Correct its settings, or send a test message.`;
  if (!verified) return ' It is not verified yet. Send a test message to make it live.';
  const sendsSignInCodes = isOperators && channels.includes('EMAIL');
  return `${CHECKED_NOTE}${sendsSignInCodes ? SIGN_IN_NOTE : ' Send a test message to see it arrive.'}`;
}

/** Returns why a test or a change was rejected; undefined for an unexpected error. */
function problemOf(error: unknown): string | undefined {
  if (error instanceof ApiError) return error.sentences;
  return error instanceof ProviderSettingsError ? sentence(error.message) : undefined;
}

/** Returns the form with error messages, and the problem if it does not concern a single field. */
function failed(type: ProviderType, submitted: SubmittedProvider, error: unknown) {
  const problem = problemOf(error);
  if (problem === undefined) throw error;
  const problems = error instanceof ProviderSettingsError ? error.problems : {};
  const form = withProblems(type, submitted, problems);
  return { form, problem: Object.keys(problems).length === 0 ? problem : undefined };
}

/** Returns the change, or the page with the errors. They can also occur later, such as a name that was just taken. */
async function afterCheck(
  check: () => Promise<unknown>,
  change: () => Promise<PageReply>,
  rejected: (error: unknown) => PageReply | Promise<PageReply>,
): Promise<PageReply | Change> {
  try {
    await check();
  } catch (error) {
    return rejected(error);
  }
  return () => change().catch(rejected);
}

function conflictPage(
  { sealedBody }: Visit,
  { provider, type }: FoundProvider,
  { form }: SubmittedProvider,
): PageReply {
  const { id, name, version } = provider;
  const at = providerPath(id);
  const fields = conflictFields(type, storedForm(type, provider), form);
  const view = <Conflict what={name} action={at} back={at} fields={fields} body={sealedBody} stored={version} />;
  return page(name, view, 409);
}

async function outcomeOf(
  testProviders: TestProviders,
  { person, body }: Visit,
  { provider }: FoundProvider,
): Promise<TestOutcome> {
  const channel = CHANNELS.find((name) => name === textOf(body, 'channel'));
  if (!channel) throw new PageNotFound();
  const test = textOf(body, 'test');
  const to = textOf(body, 'to').trim() || (test === 'request' ? SAMPLE_NUMBER : '');
  const recipient: TestRecipient = { channel, to };
  switch (test) {
    case 'credentials':
      return { kind: 'credentials', result: await testProviders.check(person, provider) };
    case 'request':
      return { kind: 'request', result: await testProviders.dryRun(person, provider, recipient) };
    default:
      return { kind: 'message', ...(await testProviders.send(person, provider, recipient)) };
  }
}

function createLookup({ service: providers }: Modules<'providers'>['providers']) {
  /** Returns the provider types. Throws {@link PageNotFound} unless the account may have its own providers. */
  async function typesFor({ person: { accountId } }: Visit): Promise<readonly ProviderType[]> {
    if (!(await providers.isAllowed(accountId))) throw new PageNotFound();
    return providers.typesFor(accountId);
  }

  async function typeOf(visit: Visit): Promise<ProviderType> {
    const type = (await typesFor(visit)).find(({ name }) => name === visit.params.type);
    if (!type) throw new PageNotFound();
    return type;
  }

  async function existing(visit: Visit): Promise<{ provider: ProviderView; type: ProviderType | undefined }> {
    const types = await typesFor(visit);
    const all = await providers.list(visit.actor, visit.person.accountId);
    const provider = all.find(({ id }) => id === visit.params.id);
    if (!provider) throw new PageNotFound();
    return { provider, type: types.find(({ name }) => name === provider.type) };
  }

  /** Returns a provider and its type. Throws {@link PageNotFound} if the provider cannot be changed. */
  async function changeable(visit: Visit): Promise<FoundProvider> {
    const { provider, type } = await existing(visit);
    if (!type || provider.readOnly || provider.channels.length === 0) throw new PageNotFound();
    return { provider, type };
  }

  return { typesFor, typeOf, existing, changeable };
}

export function providerPages(
  core: Modules<'applications' | 'clock' | 'fraud' | 'messages' | 'otp' | 'providers'>,
  setup: Setup,
  testProviders: TestProviders,
): readonly PageRoute[] {
  const { service: providers } = core.providers;
  const { typesFor, typeOf, existing, changeable } = createLookup(core.providers);

  const addPage = (type: ProviderType, form: FormState, problem?: string, status = 200): PageReply =>
    page(type.title, <AddPage type={type} form={form} problem={problem} />, status);

  async function add(visit: Visit): Promise<PageReply | Change> {
    const { actor, person, body } = visit;
    const type = await typeOf(visit);
    const submitted = readProvider(type, body);
    const { name, settings } = submitted;
    const request = { type: type.name, name, settings };
    const rejected = (error: unknown): PageReply => {
      const { form, problem } = failed(type, submitted, error);
      return addPage(type, form, problem, 422);
    };
    return afterCheck(
      () => providers.validate(person.accountId, request),
      async () => {
        const added = await providers.add(actor, person.accountId, request, testProviders.checkOf(person));
        const kind = added.state.kind === 'failing' ? 'warning' : 'notice';
        const note = stateNote(added, await providers.isOperatorAccount(person.accountId));
        return redirect(providerPath(added.id), { [kind]: `${name} was added.${note}` });
      },
      rejected,
    );
  }

  const readActivity = createReadActivity(core);
  async function activityOf({ person }: Visit, { name }: ProviderView) {
    const recent = await readActivity(await core.applications.service.listInAccount(person.accountId));
    return { activity: recent.activityOf(name), since: recent.since };
  }

  async function providerPage(
    visit: Visit,
    { provider, type }: FoundProvider,
    shown: PageState = {},
    status = 200,
  ): Promise<PageReply> {
    const { person } = visit;
    const [channel = ''] = provider.channels;
    const emptyTest = filledForm({ to: channel === 'EMAIL' ? person.email : '', channel });
    const { form = storedForm(type, provider), problem, testForm = emptyTest, outcome, next } = shown;
    const view = (
      <ProviderPage
        provider={provider}
        type={type}
        {...await activityOf(visit, provider)}
        form={form}
        problem={problem}
        testForm={testForm}
        outcome={outcome}
        next={next}
      />
    );
    return page(provider.name, view, status);
  }

  async function showProvider(visit: Visit): Promise<PageReply> {
    const { provider, type } = await existing(visit);
    const isFixed = provider.readOnly || provider.channels.length === 0;
    if (!type || isFixed) {
      const recent = await activityOf(visit, provider);
      return page(provider.name, <FixedProviderPage provider={provider} type={type} {...recent} />);
    }
    return providerPage(visit, { provider, type });
  }

  async function save(visit: Visit): Promise<PageReply | Change> {
    const { actor, person, body } = visit;
    const { accountId } = person;
    const found = await changeable(visit);
    const { id, version } = found.provider;
    const submitted = readProvider(found.type, body);
    if (textOf(body, 'version') !== versionOf(version)) return conflictPage(visit, found, submitted);
    const { name, enabled, settings } = submitted;
    const change = { name, enabled, settings, version };
    async function rejected(error: unknown): Promise<PageReply> {
      if (error instanceof EditConflictError) return conflictPage(visit, await changeable(visit), submitted);
      return providerPage(visit, found, failed(found.type, submitted, error), 422);
    }
    return afterCheck(
      () => providers.validateChange(accountId, id, change),
      async () => {
        const saved = await providers.change(actor, accountId, id, change, testProviders.checkOf(person));
        const note = saved.verified
          ? ' The change applies to new messages within 2 seconds.'
          : stateNote(saved, await providers.isOperatorAccount(accountId));
        return redirect(providerPath(id), { notice: `${name} saved.${note}` });
      },
      rejected,
    );
  }

  async function test(visit: Visit): Promise<PageReply> {
    const { body } = visit;
    const found = await changeable(visit);
    const typed = filledForm({ to: textOf(body, 'to'), channel: textOf(body, 'channel') });
    try {
      const outcome = await outcomeOf(testProviders, visit, found);
      const isSent = outcome.kind === 'message' && outcome.message.ok;
      return providerPage(visit, await changeable(visit), {
        testForm: typed,
        outcome,
        next: isSent ? await setup.nextStep(visit) : undefined,
      });
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      const testForm = filledForm(typed.typed, { to: problem });
      return providerPage(visit, found, { testForm }, 422);
    }
  }

  async function remove(visit: Visit): Promise<PageReply> {
    const { provider } = await existing(visit);
    if (provider.readOnly) throw new PageNotFound();
    await providers.remove(visit.actor, visit.person.accountId, provider.id);
    return redirect(CHANNELS_PATH, { notice: `${provider.name} was removed.` });
  }

  return [
    show('/channels/add', 'own', async (visit) => {
      const props = {
        types: await typesFor(visit),
        providers: await providers.list(visit.actor, visit.person.accountId),
        text: (visit.query.text ?? '').trim(),
      };
      if (visit.target === TYPES_ID) return fragment(<TypeList {...props} />);
      return page('Add a provider', <TypesPage {...props} />);
    }),
    show('/channels/add/:type', 'own', async (visit) => {
      const type = await typeOf(visit);
      return addPage(type, newForm(type));
    }),
    actAfterCheck('/channels/add/:type', 'createProvider', add),
    show('/channels/providers/:id', 'own', showProvider),
    actAfterCheck('/channels/providers/:id', 'updateProvider', save),
    act('/channels/providers/:id/test', 'testProvider', test),
    act('/channels/providers/:id/remove', 'deleteProvider', remove),
  ];
}
