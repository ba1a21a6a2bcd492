/** `/applications/new`. */
import { applicationName } from '../../modules/applications/setting-values.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { filledIn, readForm, type FormState } from '../form.js';
import { act, page, redirect, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { pathOf } from './parts.js';

function form(state: FormState) {
  return page(
    'New application',
    <>
      <PageHead
        title="New application"
        lead="A key pair is made for it. Everything else can be set afterwards, and has values that work."
      />
      <FormProblems form={state} />
      <Form action="/dashboard/applications/new" class="card narrow" noValidate>
        <Field
          form={state}
          name="name"
          label="Name"
          hint="People read it in every message: “Your My shop code is …”"
          maxLength={100}
          autocomplete="organization"
          autofocus
          required
        />
        <div class="actions">
          <button class="button">Create the application</button>
          <a class="button subtle" href="/dashboard/applications">
            Cancel
          </a>
        </div>
      </Form>
    </>,
    Object.keys(state.errors).length > 0 ? 422 : 200,
  );
}

export const createPages = ({ applications, audit }: DashboardServices): readonly PageRoute[] => [
  show('/applications/new', 'own', () => form(filledIn({ name: '' }))),

  act('/applications/new', 'own', async ({ person, body }: Visit) => {
    const read = readForm({ name: applicationName }, body);
    if (!read.ok) return form(read.state);
    const { name } = read.values;
    const { appKey, appSecret } = await applications.create({ name, accountId: person.accountId });
    await audit.record(person, { action: 'application.create', subject: name });
    return redirect(pathOf({ appKey }), {
      notice: `${name} is there. Take its App Secret along now.`,
      reveal: { appSecret },
    });
  }),
];
