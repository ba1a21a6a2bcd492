import { EditConflictError } from '../../modules/access/actor.js';
import type { ApplicationChange, EditableApplication } from '../../modules/applications/application-change.js';
import type { Application } from '../../modules/applications/application.js';
import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import { PHONE_CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import { SettingError } from '../../modules/settings/bounded-setting.js';
import { Conflict } from '../components/conflict.js';
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems } from '../components/form.js';
import { LinkNav } from '../components/link-nav.js';
import { PageHead } from '../components/page-head.js';
import type { FormBody, FormState } from '../form.js';
import { CONFIRMED, EMPTY_FORM, FieldError, filledForm, isCurrent, statusOf, textOf } from '../form.js';
import type { ApplicationVisit, Change, PageReply, PageRoute } from '../page.js';
import { actOnApplicationAfterCheck, page, redirect, showForApplication } from '../page.js';
import { DeletionCard, deletionPages } from './deletion.js';
import { createReadTraffic, type HomeModules } from '../home/home-state.js';
import { budgetConcern, budgetTraffic } from '../home/traffic.js';
import { BUDGET_NAMES, type LimitsUse } from './limits.js';
import { pathOf, settingsPath } from './parts.js';
import type { Section } from './section.js';
import { SETTINGS_PAGES, type SettingsPage } from './sections.js';

function leadOf({ sections, isImmediate }: SettingsPage, { application, may }: ApplicationVisit): string {
  if (application.deleteAt !== null) return 'The settings can be changed again after the application is restored.';
  if (sections.every(({ right }) => right === 'own') && !may('own'))
    return 'You can view these settings. Only owners can change them.';
  if (!may('change')) return 'You can view the settings. Members and owners can change them.';
  const locked = sections.filter(({ right }) => !may(right));
  const effect = isImmediate ? 'Saved changes apply immediately.' : 'Saved changes apply to new messages.';
  if (locked.length === 0) return effect;
  return `${effect} Only owners can change “${locked.map(({ title }) => title).join('”, “')}”.`;
}

const textsFor = ({ right, texts, maskedTexts = texts }: Section, may: ApplicationVisit['may']) =>
  may(right) ? texts : maskedTexts;

interface SectionCardProps {
  readonly section: Section;
  readonly stored: Application;
  readonly path: string;
  /** The submitted form; undefined to show the stored values. */
  readonly submitted: FormState | undefined;
  readonly use: LimitsUse | undefined;
  readonly unprovided: readonly ChannelName[];
}

function SectionCard({ section, stored, path, submitted, use, unprovided }: SectionCardProps) {
  const { may } = useVisit();
  const form = submitted ?? filledForm(textsFor(section, may)(stored));
  const { id, right, title, lead, labels, fields, above, confirmation, more } = section;
  const action = `${path}/settings/${id}`;
  const mayEdit = may(right);
  return (
    <section class="card beside" id={id} aria-labelledby={`${id}-title`}>
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        <p class="lead">{lead}</p>
      </div>
      {above?.(stored, action)}
      <Form
        action={action}
        stored={textsFor(section, may)(stored)}
        form={form}
        data-unsaved={form === submitted || undefined}
        noValidate
      >
        <fieldset disabled={!mayEdit}>
          <legend class="unseen">{title}</legend>
          {fields({
            form,
            application: stored,
            use,
            unprovided,
            fieldProps: (name) => ({ form, name, label: labels[name]! }),
          })}
          {confirmation && <ConfirmationBox form={form} label={confirmation.label} />}
          {mayEdit && (
            <div class="actions">
              <button class="button saved-by-bar">Save</button>
              {more && (
                <button class="button subtle" name="more" value="yes">
                  {more}
                </button>
              )}
            </div>
          )}
        </fieldset>
      </Form>
    </section>
  );
}

/** A form with errors, with a row to add, or with a suggested value. */
interface SubmittedForm {
  /** The section that was submitted, or `delete`. */
  readonly section: Section | 'delete';
  readonly form: FormState;
}

const sectionsOf = ({ sections }: SettingsPage): string[] => sections.map(({ id }) => id);
const [FIRST_PAGE] = SETTINGS_PAGES;

const pageWith = (id: string) => SETTINGS_PAGES.find((candidate) => sectionsOf(candidate).includes(id)) ?? FIRST_PAGE!;

/** Returns the settings page with a section. `invalid`: a submitted form with errors, or with a row to add. */
function settingsPage(
  visit: ApplicationVisit,
  id: string,
  use: LimitsUse | undefined,
  unprovided: readonly ChannelName[],
  invalid?: SubmittedForm,
) {
  const { application, actor } = visit;
  const path = pathOf(application);
  const shown = pageWith(id);
  const links = SETTINGS_PAGES.map((candidate) => ({
    href: candidate === FIRST_PAGE ? `${path}/settings` : `${path}/settings/${sectionsOf(candidate)[0]}`,
    label: candidate.title,
    current: candidate === shown,
  }));
  return page(
    'Settings',
    <>
      <PageHead title="Settings" lead={leadOf(shown, visit)} />
      <LinkNav class="tabs" label="Settings" links={links} />
      {invalid && invalid.section !== 'delete' && (
        <FormProblems
          form={invalid.form}
          labels={{ ...labelsOf(invalid.section), ...invalid.section.rowLabels?.(invalid.form) }}
        />
      )}
      {shown.sections.map((section) => (
        <SectionCard
          key={section.id}
          section={section}
          stored={application}
          path={path}
          use={use}
          unprovided={unprovided}
          submitted={invalid?.section === section ? invalid.form : undefined}
        />
      ))}
      {shown === FIRST_PAGE && actor.may('own') && (
        <DeletionCard application={application} form={invalid?.section === 'delete' ? invalid.form : EMPTY_FORM} />
      )}
    </>,
    statusOf(invalid?.form ?? EMPTY_FORM),
  );
}

function conflictPage(
  { application, body }: ApplicationVisit,
  section: Section,
  now: EditableApplication,
  form: FormState,
) {
  const path = pathOf(application);
  const texts = section.texts(now);
  const fields = Object.entries(section.labels).map(([name, label]) => {
    return { name, label, stored: texts[name] ?? '', typed: form.typed[name] ?? '' };
  });
  return page(
    'These settings have changed',
    <Conflict
      what={`“${section.title}” of ${now.name}`}
      action={`${path}/settings/${section.id}`}
      back={settingsPath(application, section.id)}
      fields={fields}
      body={withoutSecret(section, body)}
      stored={texts}
    />,
    409,
  );
}

const labelsOf = ({ labels, secretField }: Section) =>
  secretField ? { ...labels, [secretField.name]: secretField.label } : labels;

/** Returns the values without the section's secret, which no page may contain. */
const withoutSecret = <T,>(
  { secretField }: Section,
  values: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== secretField?.name));

function readSection(section: Section, body: FormBody) {
  const read = section.read(body);
  return { ...read, state: { ...read.state, typed: withoutSecret(section, read.state.typed) } };
}

const withErrors = (form: FormState, { advices }: SettingError): FormState => ({ ...form, errors: advices });

/** Parses a section's submitted form. Returns no change if the form has errors. */
function changeOf(
  applications: ApplicationsService,
  section: Section,
  { application, body }: ApplicationVisit,
): { form: FormState; change?: ApplicationChange } {
  const read = readSection(section, body);
  if (!read.ok) return { form: read.state };
  try {
    const change = section.change(read.values as never);
    applications.checkChange(application, change);
    return { form: read.state, change };
  } catch (error) {
    if (error instanceof SettingError) return { form: withErrors(read.state, error) };
    if (!(error instanceof FieldError)) throw error;
    const [first] = Object.keys(section.labels);
    return { form: { ...read.state, errors: { [first!]: error.message } } };
  }
}

/** A budget from the query fills in its field, for a link that suggests it. Returns undefined for a value that cannot be saved. */
function suggestionIn(applications: ApplicationsService, visit: ApplicationVisit): SubmittedForm | undefined {
  const { application, query, may } = visit;
  const section = SETTINGS_PAGES.flatMap(({ sections }) => sections).find(({ id }) => id === 'limits')!;
  const name = BUDGET_NAMES.find((one) => /^[1-9]\d{0,8}$/.test(query[one] ?? ''));
  const texts = section.texts(application);
  if (!name || query[name] === texts[name] || !may(section.right)) return undefined;
  const filled = Object.entries({ ...texts, [name]: query[name]! }).map(([field, text]) => [field, [text]]);
  const { form, change } = changeOf(applications, section, { ...visit, body: Object.fromEntries(filled) as FormBody });
  return change && { section, form };
}

export function settingsPages(core: HomeModules): readonly PageRoute[] {
  const { applications, budgets, providers } = core;
  const readTraffic = createReadTraffic(core);

  async function useOf({ application }: ApplicationVisit, id: string): Promise<LimitsUse | undefined> {
    if (!sectionsOf(pageWith(id)).includes('limits')) return undefined;
    const { settings } = application;
    const limits = { ...settings.limits, budgetPerDay: 0, messageBudgetPerDay: 0 };
    const automatic = await budgets.overview({ ...application, settings: { ...settings, limits } });
    const { traffic, usualCost } = await readTraffic(application.accountId, [application]);
    const {
      currency,
      applications: [state],
    } = traffic;
    const { verdict, isSuspicious } = budgetTraffic(state!.budgets, traffic);
    return {
      budgets: state!.budgets,
      automatic,
      currency,
      usualCost,
      verdict: verdict.trim(),
      isSuspicious,
      concern: budgetConcern(state!, traffic),
    };
  }

  const showSection = async (visit: ApplicationVisit, id: string, invalid?: SubmittedForm): Promise<PageReply> =>
    settingsPage(visit, id, await useOf(visit, id), await unprovidedFor(visit.application), invalid);

  /** The phone channels without a provider, if the account may add providers. The dev inbox is not a provider. */
  const unprovidedFor = async ({ accountId }: Application): Promise<readonly ChannelName[]> =>
    (await providers.service.isAllowed(accountId))
      ? PHONE_CHANNELS.filter(
          (channel) =>
            providers.routing.isFree({ accountId }, channel) ||
            providers.routing.providerFor(accountId, channel, '') === undefined,
        )
      : [];

  async function check(visit: ApplicationVisit, section: Section): Promise<PageReply | Change> {
    const { application, actor, body } = visit;
    const { form, change } = changeOf(applications.service, section, visit);
    const show = (shown: FormState) => showSection(visit, section.id, { section, form: shown });
    if (!change) return show(form);
    const { confirmation } = section;
    const effects = confirmation?.effects(application, change, await useOf(visit, section.id));
    if (effects && textOf(body, CONFIRMED) !== 'yes') return show({ ...form, errors: { [CONFIRMED]: effects } });
    return async () => {
      try {
        await applications.service.update(actor, application.appKey, change, (stored) =>
          isCurrent(body, section.texts(stored)),
        );
      } catch (error) {
        if (error instanceof SettingError) return show(withErrors(form, error));
        if (!(error instanceof EditConflictError)) throw error;
        return conflictPage(visit, section, await applications.service.load(application.appKey), form);
      }
      // The first section of a page is below the title, which stays in view without an anchor.
      const path = settingsPath(application, section.id);
      const isFirst = pageWith(section.id).sections[0] === section;
      return redirect(isFirst ? path.replace(/#.*/, '') : path, {
        notice: section.notice ?? `${section.title} saved.`,
      });
    };
  }

  const settings = (id: string) =>
    showForApplication(`/settings${id && `/${id}`}`, 'read', (visit) =>
      showSection(visit, id, id === 'limits' ? suggestionIn(applications.service, visit) : undefined),
    );

  return [
    settings(''),
    ...SETTINGS_PAGES.flatMap(({ sections }) => sections).flatMap((section) => [
      settings(section.id),
      // Sections that only owners can change, such as limits, require confirmation.
      actOnApplicationAfterCheck(`/settings/${section.id}`, section.right, (visit) => check(visit, section), {
        needsConfirmation: section.right === 'own',
      }),
    ]),
    settings('delete'),
    ...deletionPages(applications.service, (visit, form) => showSection(visit, 'delete', { section: 'delete', form })),
  ];
}
