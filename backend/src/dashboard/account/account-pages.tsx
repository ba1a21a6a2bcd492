/** `/account`: sessions, second factor and memberships of the person. */
import { code } from '../fields.js';
import { filledIn, readForm, statusOf, textOf, type FormState } from '../form.js';
import { act, page, PageNotFound, redirect, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { withError } from '../sign-in/sign-in-errors.js';
import { AccountView } from './account-view.js';
import { EnrolView, TurnOffView } from './factor-views.js';

const PATH = '/dashboard/account';
const EMPTY = filledIn({ code: '' });

export const accountPages = ({ sessions, people, secondFactor }: DashboardServices): readonly PageRoute[] => {
  async function enrol({ session }: Visit, form: FormState) {
    const { QRCoder: picture, manualKey, maskId } = await secondFactor.enrol(session);
    const view = <EnrolView form={form} picture={picture} manualKey={manualKey} maskId={maskId} />;
    return page('Turn the authenticator on', view, statusOf(form));
  }

  const turnOff = (form: FormState) => page('Turn the authenticator off', <TurnOffView form={form} />, statusOf(form));

  return [
    show('/account', 'read', async ({ person, session, flash }) => {
      const [browsers, memberships, factor] = await Promise.all([
        sessions.count(person),
        people.memberships(person.email),
        secondFactor.isOn(session),
      ]);
      const codes = flash.reveal?.recoveryCodes?.split(' ');
      return page(
        'Your account',
        <AccountView browsers={browsers} memberships={memberships} factor={factor} recoveryCodes={codes} />,
      );
    }),

    act('/account/switch', 'read', async ({ person, session, body }) => {
      const memberships = await people.memberships(person.email);
      const membership = memberships.find((one) => String(one.person.id) === textOf(body, 'person'));
      if (!membership) throw new PageNotFound();
      await sessions.switchTo(session, membership.person);
      return redirect('/dashboard/applications', { notice: `This is the account ${membership.account}.` });
    }),

    act('/sign-out', 'read', async ({ session }) => {
      await sessions.end(session);
      return redirect('/dashboard/sign-in');
    }),

    act('/account/sign-out-everywhere', 'read', async ({ person }) => {
      await sessions.endAll(person);
      return redirect('/dashboard/sign-in');
    }),

    show('/account/two-factor', 'read', async (visit) =>
      (await secondFactor.isOn(visit.session)) ? redirect(PATH) : enrol(visit, EMPTY),
    ),

    act('/account/two-factor', 'read', async (visit) => {
      const { session, body } = visit;
      if (await secondFactor.isOn(session)) return redirect(PATH);
      const form = readForm({ code }, body);
      if (!form.ok) return enrol(visit, form.state);
      try {
        const codes = await secondFactor.turnOn(session, textOf(body, 'maskId'), form.values.code);
        return redirect(PATH, { notice: 'The authenticator is on.', reveal: { recoveryCodes: codes.join(' ') } });
      } catch (error) {
        return enrol(visit, withError(error, EMPTY, 'code'));
      }
    }),

    act('/account/two-factor/off', 'read', async ({ session, body }) => {
      const form = readForm({ code }, body);
      if (!form.ok) return turnOff(form.state);
      try {
        await secondFactor.turnOff(session, form.values.code);
      } catch (error) {
        return turnOff(withError(error, EMPTY, 'code'));
      }
      return redirect(PATH, { notice: 'The authenticator is off.' });
    }),
  ];
};
