import type { PeopleService } from '../../modules/people/people-service.js';
import type { SignIn } from '../../modules/people/sign-in.js';
import type { Person } from '../../modules/people/person.js';
import { ROLES, type Role } from '../../modules/access/rights.js';
import { parseEmail } from '../fields.js';
import { FieldError, filledForm, readForm, statusOf, type FormState } from '../form.js';
import type { Setup } from '../home/setup.js';
import { act, page, PageNotFound, redirect, show, type PageRoute, type Visit } from '../page.js';
import { PeopleView } from './people-view.js';

const PEOPLE_PATH = '/dashboard/people';
const LAST_OWNER_ERROR = 'An account needs at least one owner. Make someone else an owner first.';

const parseRole = (text: string): Role => {
  const found = ROLES.find((name) => name === text);
  if (!found) throw new FieldError('Choose a role.');
  return found;
};

const EMPTY_INVITATION_FORM = filledForm({ email: '', role: 'member' });

interface Services {
  readonly setup: Setup;
  readonly people: PeopleService;
  readonly signIn: SignIn;
}

export function peoplePages({ setup, people, signIn }: Services): readonly PageRoute[] {
  async function list(visit: Visit, form: FormState = EMPTY_INVITATION_FORM) {
    const { accountId } = visit.person;
    const [all, invited] = await Promise.all([people.ofAccount(accountId), people.invited(accountId)]);
    const link = visit.flash.reveal?.link;
    const next = link === undefined ? undefined : await setup.nextStep(visit);
    const view = <PeopleView people={all} invited={invited} form={form} link={link} next={next} />;
    return page('People', view, statusOf(form));
  }

  const idOf = ({ params }: Visit): number => (/^\d{1,9}$/.test(params.id!) ? Number(params.id) : 0);

  async function existingPerson(visit: Visit): Promise<Person> {
    const found = await people.find(visit.person.accountId, idOf(visit));
    if (!found) throw new PageNotFound();
    return found;
  }

  return [
    show('/people', 'own', (visit) => list(visit)),

    act(
      '/people/invite',
      'own',
      async (visit) => {
        const form = readForm({ email: parseEmail, role: parseRole }, visit.body);
        if (!form.ok) return list(visit, form.state);
        const { values, state } = form;
        const { accountId } = visit.person;
        const exists = (await people.ofAccount(accountId)).some((person) => person.email === values.email);
        if (exists)
          return list(visit, { ...state, errors: { email: 'This person already has access to this account.' } });
        const { link, mailed } = await people.inviteByEmail(visit.actor, { accountId, ...values });
        // Without a mail server, the email is in the dev inbox, where only developers see it.
        const isMailed = mailed && signIn.emailProvider()?.standIn !== true;
        const next = isMailed ? 'We emailed them the link below.' : 'Send them the link below.';
        return redirect(PEOPLE_PATH, { notice: `${values.email} was invited. ${next}`, reveal: { link } });
      },
      { needsConfirmation: true },
    ),

    act('/people/invitations/:id/take-back', 'own', async (visit) => {
      const withdrawn = await people.withdrawInvitation(visit.actor, visit.person.accountId, idOf(visit));
      if (!withdrawn) throw new PageNotFound();
      return redirect(PEOPLE_PATH, { notice: 'Invitation revoked.' });
    }),

    act(
      '/people/:id/role',
      'own',
      async (visit) => {
        const person = await existingPerson(visit);
        const form = readForm({ role: parseRole }, visit.body);
        if (!form.ok || form.values.role === person.role) return redirect(PEOPLE_PATH);
        const changed = await people.setRole(visit.actor, person, form.values.role);
        if (!changed) return redirect(PEOPLE_PATH, { problem: LAST_OWNER_ERROR });
        return redirect(PEOPLE_PATH, { notice: `The role of ${person.email} is now ${form.values.role}.` });
      },
      { needsConfirmation: true },
    ),

    act(
      '/people/:id/remove',
      'own',
      async (visit) => {
        const person = await existingPerson(visit);
        const removed = await people.remove(visit.actor, person);
        if (!removed) return redirect(PEOPLE_PATH, { problem: LAST_OWNER_ERROR });
        return redirect(PEOPLE_PATH, { notice: `${person.email} was removed and signed out everywhere.` });
      },
      { needsConfirmation: true },
    ),
  ];
}
