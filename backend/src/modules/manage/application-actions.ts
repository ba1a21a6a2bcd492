import { HOUR, isoTime, SECOND } from '../../platform/clock.js';
import { EditConflictError } from '../access/actor.js';
import type { Application } from '../applications/application.js';
import { applicationChangeOf } from '../applications/application-parameters.js';
import { applicationVersion, applicationView } from '../applications/application-view.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import { SettingError } from '../settings/bounded-setting.js';
import { accountOf, found, isExpected, requireNotDeleted, type Actions, type Caller } from './action.js';
import type { ParametersOf } from './operations.js';

/** IDs that callers choose. App Keys start with `pk_`, so that an ID is never taken for one. */
const EXTERNAL_ID = /^(?!pk_)[a-z0-9][a-z0-9._-]{0,63}$/;

export function createApplicationActions(applications: ApplicationsService) {
  const view = ({ actor }: Caller, application: Application) => applicationView(application, actor.may('own'));
  const reload = async (call: Caller, { appKey }: Application) => view(call, await applications.load(appKey));

  async function create(call: Caller, parameters: ParametersOf<'createApplication'>, externalId?: string) {
    const change = applicationChangeOf(parameters);
    const owner = { accountId: accountOf(call), ...(externalId === undefined ? {} : { externalId }) };
    const { appKey, appSecret } = await applications.create(call.actor, { ...owner, name: change.name!, change });
    return { ...view(call, await applications.load(appKey)), appSecret };
  }

  async function update(call: Caller, application: Application, parameters: Parameters<typeof applicationChangeOf>[0]) {
    requireNotDeleted(application);
    const change = applicationChangeOf(parameters);
    const isBasedOn = (stored: Parameters<typeof applicationVersion>[0]) =>
      isExpected(call, applicationVersion(stored));
    return view(call, await applications.update(call.actor, application.appKey, change, isBasedOn));
  }

  return {
    async listApplications(call, { after, limit = 50 }) {
      const accountId = accountOf(call);
      const last =
        after === undefined
          ? undefined
          : found(await applications.findInAccount(accountId, after), `application ${after}`);
      const page = await applications.listInAccount(accountId, limit + 1, last?.appKey);
      const shown = page.slice(0, limit);
      const next = page.length > limit ? { next: shown.at(-1)!.appKey } : {};
      return { applications: shown.map((application) => view(call, application)), ...next };
    },

    createApplication: (call, parameters) => create(call, parameters),
    getApplication: (call) => view(call, call.application),

    async putApplication(call, { application: reference, ...parameters }) {
      const find = () => applications.findInAccount(accountOf(call), reference);
      const stored = await find();
      if (stored) return update(call, stored, parameters);
      if (!EXTERNAL_ID.test(reference))
        throw new SettingError(
          'application',
          'An ID of your choice can contain only lowercase letters, digits, dots, - and _.',
        );
      if (call.version !== undefined) throw new EditConflictError();
      try {
        return await create(call, parameters, reference);
      } catch (error) {
        // A concurrent request has created it.
        const other = error instanceof EditConflictError && (await find());
        if (!other) throw error;
        return update(call, other, parameters);
      }
    },

    updateApplication: (call, { application: _reference, ...parameters }) => update(call, call.application, parameters),

    async deleteApplication(call) {
      const { actor, application } = call;
      await applications.remove(actor, application.appKey);
      return reload(call, application);
    },

    async restoreApplication(call) {
      const { actor, application } = call;
      if (!(await applications.restore(actor, application.appKey)))
        throw new SettingError(
          'application',
          'The application cannot be restored. It was not deleted, or it is being erased.',
        );
      return reload(call, application);
    },

    async rotateAppSecret({ actor, application }, { graceHours = 24 }) {
      const rotated = await applications.rotateSecret(actor, application.appKey, (graceHours * HOUR) / SECOND);
      return { ...rotated, oldSecretValidUntil: isoTime(rotated.oldSecretValidUntil) };
    },

    async revokeOldAppSecrets(call) {
      await applications.expireOldSecrets(call.actor, call.application.appKey);
      return reload(call, found(call.application, 'application'));
    },
  } satisfies Partial<Actions>;
}
