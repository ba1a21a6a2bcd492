/** The names and App Keys of the person's applications. The documentation shows them in its examples. */
import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import { file, show, type PageRoute } from '../page.js';

export const appKeysPages = (applications: ApplicationsService): readonly PageRoute[] => [
  show('/app-keys.json', 'read', async ({ person }) => {
    const all = await applications.listInAccount(person.accountId);
    async function* json() {
      yield JSON.stringify(all.map(({ name, appKey }) => ({ name, appKey })));
    }
    return file('app-keys.json', 'application/json', json());
  }),
];
