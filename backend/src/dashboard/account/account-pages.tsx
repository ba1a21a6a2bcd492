/** `/account`: what belongs to the person alone. */
import { act, page, PageNotFound, redirect, show, type PageRoute, type Visit } from '../page.js';
import { textOf } from '../form.js';
import type { DashboardServices } from '../services.js';
import { AccountView } from './account-view.js';
import { factorPages } from './factor-pages.js';

const PATH = '/dashboard/account';

export const accountPages = (services: DashboardServices): readonly PageRoute[] => {
  const { sessions, people, ownFactor } = services;
  return [
    show('/account', 'read', async ({ person, session, flash }: Visit) => {
      const [browsers, memberships, factor] = await Promise.all([
        sessions.count(person),
        people.memberships(person.email),
        ownFactor.isOn(session),
      ]);
      const codes = flash.reveal?.recoveryCodes?.split(' ');
      return page(
        'Your account',
        <AccountView browsers={browsers} memberships={memberships} factor={factor} recoveryCodes={codes} />,
      );
    }),

    act('/account/switch', 'read', async ({ person, session, body }: Visit) => {
      const memberships = await people.memberships(person.email);
      const wanted = memberships.find((one) => String(one.person.id) === textOf(body, 'person'));
      if (!wanted) throw new PageNotFound();
      await sessions.switchTo(session, wanted.person);
      return redirect('/dashboard/applications', { notice: `This is the account ${wanted.account}.` });
    }),

    act('/sign-out', 'read', async ({ session }: Visit) => {
      await sessions.end(session);
      return redirect('/dashboard/sign-in');
    }),

    act('/account/sign-out-everywhere', 'read', async ({ person }: Visit) => {
      await sessions.endAll(person);
      return redirect('/dashboard/sign-in');
    }),

    ...factorPages(services, PATH),
  ];
};
