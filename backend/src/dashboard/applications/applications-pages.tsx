import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import type { Application } from '../../modules/applications/application.js';
import { parseApplicationName } from '../../modules/applications/setting-values.js';
import { SettingError } from '../../modules/settings/bounded-setting.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { EMPTY_FORM, filledForm, readForm, statusOf, type FormState } from '../form.js';
import { act, page, redirect, show, type PageReply, type PageRoute, type Visit } from '../page.js';
import { overviewPages, type OverviewModules } from './overview.js';
import { LastUsed, pathOf, StatusBadge } from './parts.js';
import { settingsPages } from './settings.js';

const APPLICATION_COLUMNS: readonly Column<Application>[] = [
  {
    title: 'Application',
    cell: ({ name, appKey }) => (
      <a class="strong" href={pathOf({ appKey })}>
        {name}
      </a>
    ),
  },
  { title: 'App Key', cell: ({ appKey }) => <code>{appKey}</code> },
  { title: 'Status', cell: (application) => <StatusBadge application={application} /> },
  { title: 'Last used', cell: (application) => <LastUsed application={application} /> },
];

const NEW_APPLICATION = (
  <a class="button" href="/dashboard/applications/new">
    New application
  </a>
);

function creationPage(form: FormState) {
  return page(
    'New application',
    <>
      <PageHead
        title="New application"
        lead="You'll get API credentials. Everything else has default values that you can change later."
      />
      <FormProblems form={form} prevented="The application was not created." />
      <Form action="/dashboard/applications/new" class="card narrow" noValidate>
        <Field
          form={form}
          name="name"
          label="Name"
          hint="Recipients see this name, as in “123456 is your My shop code.”"
          maxLength={100}
          autocomplete="organization"
          autofocus
          required
        />
        <Submit label="Create application" cancel="/dashboard/applications" />
      </Form>
    </>,
    statusOf(form),
  );
}

async function createApplication(
  applications: ApplicationsService,
  { person, actor, body }: Visit,
): Promise<PageReply> {
  const read = readForm({ name: parseApplicationName }, body);
  if (!read.ok) return creationPage(read.state);
  const { name } = read.values;
  try {
    const { appKey, appSecret } = await applications.create(actor, { name, accountId: person.accountId });
    const notice = `${name} was created. Copy the App Secret now. It won't be shown again.`;
    return redirect(pathOf({ appKey }), { notice, reveal: { appSecret } });
  } catch (error) {
    if (!(error instanceof SettingError)) throw error;
    return creationPage(filledForm({ name }, { name: error.advice }));
  }
}

export const applicationsPages = (core: OverviewModules): readonly PageRoute[] => [
  show('/applications', 'read', async ({ person, may }) => {
    const all = await core.applications.service.listInAccount(person.accountId);
    const button = may('own') && NEW_APPLICATION;
    return page(
      'Applications',
      all.length === 0 ? (
        <>
          <PageHead title="Applications" />
          <EmptyState title="Create your first application" action={button}>
            Create one application for each shop, workflow or app. Each has its own API credentials, limits and texts.
          </EmptyState>
        </>
      ) : (
        <>
          <PageHead title="Applications" lead="Each application has its own API credentials, limits and texts.">
            {button}
          </PageHead>
          <Table caption="Applications" columns={APPLICATION_COLUMNS} rows={all} keyOf={({ appKey }) => appKey} />
        </>
      ),
    );
  }),

  // This route must come before `/applications/:appKey`, which also matches its path.
  show('/applications/new', 'own', () => creationPage(EMPTY_FORM)),

  act('/applications/new', 'createApplication', (visit) => createApplication(core.applications.service, visit)),

  ...overviewPages(core),
  ...settingsPages(core.applications.service),
];
