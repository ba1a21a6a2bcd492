import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import type { Application } from '../../modules/applications/application.js';
import { parseApplicationName } from '../../modules/applications/setting-values.js';
import { SettingError } from '../../modules/settings/bounded-setting.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Sparkline } from '../components/sparkline.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { EMPTY_FORM, filledForm, readForm, statusOf, type FormState } from '../form.js';
import type { Change, PageReply, PageRoute, Visit } from '../page.js';
import { actAfterCheck, page, redirect, show } from '../page.js';
import { localDay } from '../../platform/local-day.js';
import type { HomeModules } from '../home/home-state.js';
import { conversionRate, countText, deliveryRate, percent, sumOf, type Sum } from '../usage/figures.js';
import { periodOf } from '../usage/period.js';
import { overviewPages } from './overview.js';
import { LastUsed, pathOf, StatusBadge } from './parts.js';
import { settingsPages } from './settings.js';

/** The period of the figures and of the bars, one for each day. */
const SHOWN_DAYS = 14;

interface Row {
  readonly application: Application;
  readonly sum: Sum;
  readonly bars: readonly { readonly name: string; readonly value: number }[];
  /** Whether the application was created in these days. */
  readonly isNew: boolean;
}

const NONE = <span class="quiet none">–</span>;
const share = (rate: number | undefined) => (rate === undefined ? NONE : percent(rate));

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Application',
    cell: ({ application }) => (
      <>
        <a class="strong" href={pathOf(application)}>
          {application.name}
        </a>{' '}
        {(application.status !== 'active' || application.deleteAt !== null) && (
          <StatusBadge application={application} />
        )}
      </>
    ),
  },
  { title: 'Sent', number: true, cell: ({ sum }) => countText(sum.sent) },
  { title: 'Delivered', number: true, cell: ({ sum }) => share(deliveryRate(sum)) },
  { title: 'Failed', number: true, cell: ({ sum }) => countText(sum.failed) },
  { title: 'Codes entered', number: true, cell: ({ sum }) => share(conversionRate(sum)) },
  {
    title: 'By day',
    cell: ({ bars, sum, isNew }) => {
      if (sum.sent > 0) return <Sparkline bars={bars} />;
      if (sum.failed > 0) return NONE;
      return <span class="quiet no-messages">No messages {isNew ? 'yet' : `in ${SHOWN_DAYS} days`}</span>;
    },
  },
  { title: 'Last API call', cell: ({ application }) => <LastUsed application={application} /> },
];

/** The busiest application comes first. */
async function rowsOf({ usage, clock }: HomeModules, applications: readonly Application[]): Promise<Row[]> {
  const today = localDay(clock.now(), applications[0]!.timeZone);
  const { from, to, bars } = periodOf(SHOWN_DAYS, today, today);
  const applicationIds = applications.map(({ id }) => id);
  const sums = await usage.service.sums({ applicationIds, from, to }, ['applicationId', 'day']);
  const rows = applications.map((application) => {
    const own = sums.filter(({ applicationId }) => applicationId === application.id);
    const sentOn = (day: string) => sumOf(own.filter((sum) => sum.day === day)).sent;
    return {
      application,
      sum: sumOf(own),
      bars: bars.map(({ name, first }) => ({ name: `${name}: ${countText(sentOn(first))}`, value: sentOn(first) })),
      isNew: localDay(application.createdAt, application.timeZone) >= from,
    };
  });
  return rows.sort((a, b) => b.sum.sent - a.sum.sent);
}

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
      <Form action="/dashboard/applications/new" class="card narrow" noValidate>
        <FormProblems form={form} labels={{ name: 'Name' }} prevented="The application was not created." />
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

function createApplication(applications: ApplicationsService, { person, actor, body }: Visit): PageReply | Change {
  const read = readForm({ name: parseApplicationName }, body);
  if (!read.ok) return creationPage(read.state);
  const { name } = read.values;
  return async () => {
    try {
      const { appKey, appSecret } = await applications.create(actor, { name, accountId: person.accountId });
      const notice = `${name} was created. Copy the App Secret now. It won't be shown again.`;
      return redirect(pathOf({ appKey }), { notice, reveal: { appSecret } });
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      return creationPage(filledForm({ name }, { name: error.advice }));
    }
  };
}

export const applicationsPages = (core: HomeModules): readonly PageRoute[] => [
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
          <PageHead
            title="Applications"
            lead={`Create one for each shop, workflow or app. The figures cover the last ${SHOWN_DAYS} days.`}
          >
            {button}
          </PageHead>
          <div class="application-list">
            <Table
              caption="Applications"
              columns={COLUMNS}
              rows={await rowsOf(core, all)}
              keyOf={({ application }) => application.appKey}
            />
          </div>
        </>
      ),
    );
  }),

  // This route must come before `/applications/:appKey`, which also matches its path.
  show('/applications/new', 'own', () => creationPage(EMPTY_FORM)),

  actAfterCheck('/applications/new', 'createApplication', (visit) =>
    createApplication(core.applications.service, visit),
  ),

  ...overviewPages(core),
  ...settingsPages(core),
];
