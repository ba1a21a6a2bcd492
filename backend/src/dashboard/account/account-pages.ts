/** The person's own pages. */
import { act, redirect, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';

export const accountPages = ({ sessions }: DashboardServices): readonly PageRoute[] => [
  act('/sign-out', 'read', async ({ session }: Visit) => {
    await sessions.end(session);
    return redirect('/dashboard/sign-in');
  }),
];
