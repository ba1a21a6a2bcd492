import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import { EditConflictError } from '../../modules/access/actor.js';
import type { ApplicationChange, EditableApplication } from '../../modules/applications/application-change.js';
import type { Application } from '../../modules/applications/application.js';
import { SettingError } from '../../modules/settings/bounded-setting.js';
import { Conflict } from '../components/conflict.js';
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems } from '../components/form.js';
import { LinkNav } from '../components/link-nav.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import type { FormBody, FormState } from '../form.js';
import { EMPTY_FORM, FieldError, filledForm, isCurrent, readForm, textOf } from '../form.js';
import type { ApplicationVisit, PageReply, PageRoute } from '../page.js';
import { actOnApplication, page, redirect, showForApplication } from '../page.js';
import { DeletionCard, deletionPages } from './deletion.js';
import { DeletionNotice, pathOf } from './parts.js';
import { SECTIONS, type Section } from './sections.js';

const LEADS_BY_RIGHT = [
  ['own', 'Changes apply to new requests.'],
  ['change', 'Changes apply to new requests. Only owners can change limits, test recipients and access to the widget.'],
  ['read', 'You can view the settings. Members and owners can change them.'],
] as const;

const textsFor = ({ right, texts, maskedTexts = texts }: Section, may: ApplicationVisit['may']) =>
  may(right) ? texts : maskedTexts;

interface SectionCardProps {
  readonly section: Section;
  readonly stored: Application;
  readonly path: string;
  readonly form: FormState;
}

function SectionCard({ section, stored, path, form }: SectionCardProps) {
  const { may } = useVisit();
  const { id, right, title, lead, labels, fields, confirmation } = section;
  return (
    <section class="card beside" id={id} aria-labelledby={`${id}-title`}>
      <div>
        <h2 id={`${id}-title`}>{title}</h2>
        <p class="lead">{lead}</p>
      </div>
      <FormProblems form={form} />
      <Form action={`${path}/settings/${id}`} stored={textsFor(section, may)(stored)} noValidate>
        <fieldset disabled={!may(right)}>
          <legend class="unseen">{title}</legend>
          {fields({ form, ceilings: stored.ceilings, fieldProps: (name) => ({ form, name, label: labels[name]! }) })}
          {confirmation && <ConfirmationBox form={form} name="confirmed" label={confirmation.label} />}
          {may(right) && <Submit label="Save" />}
        </fieldset>
      </Form>
    </section>
  );
}

interface InvalidForm {
  /** The section that was submitted, or `delete`. */
  readonly section: Section | 'delete';
  readonly form: FormState;
}

/** Returns the settings page. `invalid`: a submitted form with errors. */
function settingsPage({ application, may }: ApplicationVisit, invalid?: InvalidForm) {
  const path = pathOf(application);
  return page(
    'Settings',
    <>
      <PageHead title="Settings" lead={LEADS_BY_RIGHT.find(([right]) => may(right))![1]} />
      <DeletionNotice application={application} />
      <LinkNav
        class="pills"
        label="Sections"
        links={SECTIONS.map(({ id, title }) => ({ href: `#${id}`, label: title, current: false }))}
      />
      {SECTIONS.map((section) => (
        <SectionCard
          key={section.id}
          section={section}
          stored={application}
          path={path}
          form={invalid?.section === section ? invalid.form : filledForm(textsFor(section, may)(application))}
        />
      ))}
      {may('own') && (
        <DeletionCard application={application} form={invalid?.section === 'delete' ? invalid.form : EMPTY_FORM} />
      )}
    </>,
    invalid ? 422 : 200,
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
    'Someone else changed this first',
    <Conflict
      what={`“${section.title}” of ${now.name}`}
      action={`${path}/settings/${section.id}`}
      back={`${path}/settings#${section.id}`}
      fields={fields}
      body={withoutSecret(section, body)}
      stored={texts}
    />,
    409,
  );
}

/** Returns the values without the section's secret, which no page may contain. */
const withoutSecret = <T,>(
  { secretField }: Section,
  values: Readonly<Record<string, T>>,
): Readonly<Record<string, T>> => Object.fromEntries(Object.entries(values).filter(([name]) => name !== secretField));

function readSection(section: Section, body: FormBody) {
  const read = readForm(section.readers, body);
  return { ...read, state: { ...read.state, typed: withoutSecret(section, read.state.typed) } };
}

/** Parses a section's submitted form. Returns no change if the form has errors. */
function changeOf(section: Section, body: FormBody): { form: FormState; change?: ApplicationChange } {
  const read = readSection(section, body);
  if (!read.ok) return { form: read.state };
  try {
    return { form: read.state, change: section.change(read.values as never) };
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    const [first] = Object.keys(section.labels);
    return { form: { ...read.state, errors: { [first!]: error.message } } };
  }
}

export function settingsPages(applications: ApplicationsService): readonly PageRoute[] {
  async function save(visit: ApplicationVisit, section: Section): Promise<PageReply> {
    const { application, actor, body } = visit;
    const { form, change } = changeOf(section, body);
    if (!change) return settingsPage(visit, { section, form });
    const { confirmation } = section;
    if (confirmation?.isNeeded(application, change) && textOf(body, 'confirmed') !== 'yes')
      return settingsPage(visit, { section, form: { ...form, errors: { confirmed: confirmation.warning } } });
    try {
      await applications.update(actor, application.appKey, change, (stored) => isCurrent(body, section.texts(stored)));
    } catch (error) {
      if (error instanceof SettingError)
        return settingsPage(visit, { section, form: { ...form, errors: { [error.setting]: error.advice } } });
      if (!(error instanceof EditConflictError)) throw error;
      return conflictPage(visit, section, await applications.load(application.appKey), form);
    }
    return redirect(`${pathOf(application)}/settings#${section.id}`, { notice: `${section.title}: saved.` });
  }

  return [
    showForApplication('/settings', 'read', (visit) => settingsPage(visit)),
    ...SECTIONS.map((section) =>
      // Sections that only owners can change, such as limits, require confirmation.
      actOnApplication(`/settings/${section.id}`, section.right, (visit) => save(visit, section), {
        needsConfirmation: section.right === 'own',
      }),
    ),
    ...deletionPages(applications, (visit, form) => settingsPage(visit, { section: 'delete', form })),
  ];
}
