/** A new App Secret, and the end of the old one. */
import { HOUR, SECOND } from '../../platform/clock.js';
import { MAX_GRACE_HOURS, wholeNumber } from '../../modules/applications/setting-values.js';
import { readForm } from '../form.js';
import { actOnApplication, redirect, type ApplicationVisit, type PageRoute } from '../page.js';
import type { DashboardServices } from '../services.js';
import { pathOf } from './parts.js';

const graceHours = wholeNumber(0, MAX_GRACE_HOURS);

export const keysPages = ({ applications, audit }: DashboardServices): readonly PageRoute[] => [
  actOnApplication('/secret', 'own', async ({ application, person, body }: ApplicationVisit) => {
    const { appKey, name } = application;
    const read = readForm({ graceHours }, body);
    // Only chosen from a list, never typed.
    if (!read.ok)
      return redirect(pathOf(application), { notice: 'Nothing was changed: choose how long the old one lives.' });
    const hours = read.values.graceHours;
    const { appSecret } = await applications.rotateSecret(appKey, (hours * HOUR) / SECOND);
    const changes = [{ name: 'old secret valid for hours', before: '', after: String(hours) }];
    await audit.record(person, { action: 'application.rotate-secret', subject: name, changes });
    return redirect(pathOf(application), {
      notice: 'There is a new App Secret. Take it along now.',
      reveal: { appSecret },
    });
  }),

  actOnApplication('/secret/end-old', 'own', async ({ application, person }: ApplicationVisit) => {
    await applications.endOldSecrets(application.appKey);
    await audit.record(person, { action: 'application.end-old-secret', subject: application.name });
    return redirect(pathOf(application), { notice: 'Only the newest App Secret is valid now.' });
  }),
];
