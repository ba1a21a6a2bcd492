/** The part of the settings page that deletes and restores an application. */
import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import type { Application } from '../../modules/applications/application.js';
import { DELETION_GRACE_DAYS } from '../../modules/applications/deletion-service.js';
import { Card } from '../components/card.js';
import { Disclosure } from '../components/disclosure.js';
import { Field, Form } from '../components/form.js';
import { Submit } from '../components/submit.js';
import { FieldError, readForm, type FormState } from '../form.js';
import type { ApplicationVisit, Change, PageReply, PageRoute } from '../page.js';
import { actOnApplication, actOnApplicationAfterCheck, redirect } from '../page.js';
import { pathOf, settingsPath } from './parts.js';

function DeleteForm({ application, form }: { readonly application: Application; readonly form: FormState }) {
  return (
    <Disclosure
      label="Delete this application"
      form={form}
      labels={{ confirmedName: 'Name' }}
      prevented="The application was not deleted."
      isDanger
    >
      <Form action={`${pathOf(application)}/settings/delete`} noValidate>
        <Field
          form={form}
          name="confirmedName"
          label={`Type “${application.name}” to confirm`}
          autoComplete="off"
          required
        />
        <Submit label="Delete now" kind="danger" />
      </Form>
    </Disclosure>
  );
}

const RestoreForm = ({ application }: { readonly application: Application }) => (
  <Form action={`${pathOf(application)}/settings/restore`}>
    <Submit label="Restore this application" />
  </Form>
);

export function DeletionCard({ application, form }: { readonly application: Application; readonly form: FormState }) {
  if (application.deleteAt !== null)
    return (
      <Card
        id="delete"
        title="Restore the application"
        class="card beside"
        lead={
          application.status === 'active'
            ? 'Once you restore the application, it accepts requests again, with the same API credentials.'
            : 'Once you restore the application, it is inactive again, with the same API credentials.'
        }
      >
        <RestoreForm application={application} />
      </Card>
    );
  return (
    <Card
      id="delete"
      title="Delete the application"
      beside
      lead="All requests from the application will be rejected immediately."
    >
      <p>
        You can restore the application for {DELETION_GRACE_DAYS} days. After that, all its data is erased: messages,
        end users and their second factors, webhooks, connected shops, automations, custom texts of templates, and
        usage. The audit log is kept.
      </p>
      <DeleteForm application={application} form={form} />
    </Card>
  );
}

export function deletionPages(
  applications: ApplicationsService,
  settingsPage: (visit: ApplicationVisit, form: FormState) => Promise<PageReply>,
): readonly PageRoute[] {
  function remove(visit: ApplicationVisit): Change | Promise<PageReply> {
    const { application, actor, body } = visit;
    const confirmedName = (text: string) => {
      if (text.trim() !== application.name) throw new FieldError(`Type the name exactly as shown: ${application.name}`);
    };
    const read = readForm({ confirmedName }, body);
    if (!read.ok) return settingsPage(visit, read.state);
    return async () => {
      await applications.remove(actor, application.appKey);
      return redirect(settingsPath(application, 'delete'), { notice: `${application.name} was deleted.` });
    };
  }

  async function restore({ application, actor }: ApplicationVisit): Promise<PageReply> {
    const restored = await applications.restore(actor, application.appKey);
    const flash = restored
      ? {
          notice: `${application.name} was restored${application.status === 'active' ? ', and accepts requests again' : '. It is still inactive'}.`,
        }
      : { problem: 'The application could not be restored. It was not deleted, or its data is being erased.' };
    return redirect(restored ? `${pathOf(application)}/settings` : '/dashboard/applications', flash);
  }

  return [
    actOnApplicationAfterCheck('/settings/delete', 'deleteApplication', remove),
    actOnApplication('/settings/restore', 'restoreApplication', restore, { changesDeleted: true }),
  ];
}
