/** `/applications/:appKey/settings`. */
import { StaleError } from '../../modules/applications/applications-service.js';
import { changesBetween } from '../../modules/audit/audit-service.js';
import { Conflict } from '../components/conflict.js';
import { useVisit } from '../components/context.js';
import { Form, FormProblems } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { FieldError, filledIn, isCurrent, readForm, type FormState } from '../form.js';
import {
  actOnApplication,
  page,
  redirect,
  showOfApplication,
  type Answer,
  type ApplicationVisit,
  type PageRoute,
} from '../page.js';
import type { DashboardServices } from '../services.js';
import { pathOf } from './parts.js';
import { SECTIONS, type Section, type Stored } from './sections.js';

const LEADS = [
  ['own', 'They hold from the next call on.'],
  ['change', "They hold from the next call on. Limits, test recipients and the widget's rules are for owners."],
  ['read', 'You may look; members and owners may change them.'],
] as const;

/** What a section shows: to who may not change it, nothing that is secret. */
const textsFor = ({ right, texts, told = texts }: Section, may: ApplicationVisit['may']) => (may(right) ? texts : told);

interface SectionCardProps {
  readonly section: Section;
  readonly stored: Stored;
  readonly path: string;
  readonly form: FormState;
}

function SectionCard({ section, stored, path, form }: SectionCardProps) {
  const { may } = useVisit();
  const { id, right, title, lead, fields } = section;
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
          {fields(form)}
          {may(right) && (
            <div class="actions">
              <button class="button">Save</button>
            </div>
          )}
        </fieldset>
      </Form>
    </section>
  );
}

/** The page, with one section as it was typed where that could not be taken. */
function settingsPage({ application, may }: ApplicationVisit, refused?: { section: Section; form: FormState }): Answer {
  const path = pathOf(application);
  return page(
    'Settings',
    <>
      <PageHead title="Settings" lead={LEADS.find(([right]) => may(right))![1]} />
      {SECTIONS.map((section) => (
        <SectionCard
          key={section.id}
          section={section}
          stored={application}
          path={path}
          form={refused?.section === section ? refused.form : filledIn(textsFor(section, may)(application))}
        />
      ))}
    </>,
    refused ? 422 : 200,
  );
}

function conflictPage(
  { application, body }: ApplicationVisit,
  section: Section,
  now: Stored,
  typed: FormState,
): Answer {
  const path = pathOf(application);
  const texts = section.texts(now);
  return page(
    'Somebody was quicker',
    <Conflict
      what={`“${section.title}” of ${now.name}`}
      action={`${path}/settings/${section.id}`}
      back={`${path}/settings#${section.id}`}
      fields={Object.entries(section.labels).map(([name, label]) => ({
        name,
        label,
        stored: texts[name] ?? '',
        typed: String(typed.typed[name] ?? ''),
      }))}
      body={body}
      stored={texts}
    />,
    409,
  );
}

/** What the fields of a section come to; their state where they cannot be taken. */
function changeOf(section: Section, body: ApplicationVisit['body']) {
  const read = readForm(section.readers, body);
  if (!read.ok) return { problem: read.state, state: read.state };
  try {
    return { change: section.change(read.values as never), state: read.state };
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    const [first] = Object.keys(section.labels);
    return { problem: { ...read.state, errors: { [first!]: error.message } }, state: read.state };
  }
}

export function settingsPages({ applications, audit }: DashboardServices): readonly PageRoute[] {
  const save = (section: Section) =>
    actOnApplication(`/settings/${section.id}`, section.right, async (visit: ApplicationVisit) => {
      const { application, person, body } = visit;
      const { change, problem, state } = changeOf(section, body);
      if (!change) return settingsPage(visit, { section, form: problem! });
      const { appKey } = application;
      try {
        const unchanged = (stored: Stored) => isCurrent(body, section.texts(stored));
        const changed = await applications.update(appKey, change, unchanged);
        const told = section.told ?? section.texts;
        const changes = changesBetween(told(application), told(changed));
        await audit.record(person, { action: 'application.update', subject: changed.name, changes });
      } catch (error) {
        if (!(error instanceof StaleError)) throw error;
        const now = (await applications.ofAccountWith(person.accountId, appKey)) ?? application;
        return conflictPage(visit, section, now, state);
      }
      return redirect(`${pathOf(application)}/settings#${section.id}`, { notice: `${section.title}: saved.` });
    });

  return [
    showOfApplication('/settings', 'read', (visit: ApplicationVisit) => settingsPage(visit)),
    ...SECTIONS.map(save),
  ];
}
