/** `/people`: who may use the dashboard of the account, and as what. */
import { invitationLink } from '../../platform/config/config.js';
import { mailboxOf } from '../../modules/people/mailbox.js';
import { ROLES, type Person, type Role } from '../../modules/people/person.js';
import { FieldError, filledIn, readForm, type FormState } from '../form.js';
import { act, page, PageNotFound, redirect, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { PeopleView } from './people-view.js';

const PATH = '/dashboard/people';
const LAST_OWNER = 'An account keeps at least one owner: make somebody else one first.';

const email = (text: string): string => {
  const mailbox = mailboxOf(text);
  if (!mailbox) throw new FieldError('Enter a mail address, such as ana@example.com.');
  return mailbox.email;
};

const role = (text: string): Role => {
  const found = ROLES.find((name) => name === text);
  if (!found) throw new FieldError('Choose what the person may do.');
  return found;
};

const EMPTY = filledIn({ email: '', role: 'member' });

export function peoplePages({ people, audit, url }: DashboardServices): readonly PageRoute[] {
  async function list(visit: Visit, form: FormState = EMPTY) {
    const { accountId } = visit.person;
    const [all, invited] = await Promise.all([people.ofAccount(accountId), people.invited(accountId)]);
    const view = <PeopleView people={all} invited={invited} form={form} link={visit.flash.reveal?.link} />;
    return page('People', view, Object.keys(form.errors).length > 0 ? 422 : 200);
  }

  const idOf = ({ params }: Visit): number => (/^\d{1,9}$/.test(params.id!) ? Number(params.id) : 0);

  /** One of the account's people; those of others are not there. */
  async function somebody(visit: Visit): Promise<Person> {
    const found = await people.find(visit.person.accountId, idOf(visit));
    if (!found) throw new PageNotFound();
    return found;
  }

  return [
    show('/people', 'own', (visit: Visit) => list(visit)),

    act('/people/invite', 'own', async (visit: Visit) => {
      const read = readForm({ email, role }, visit.body);
      if (!read.ok) return list(visit, read.state);
      const { values } = read;
      const { accountId } = visit.person;
      const here = (await people.ofAccount(accountId)).some((one) => one.email === values.email);
      if (here) return list(visit, { ...read.state, errors: { email: 'This person is in the list already.' } });
      const link = invitationLink(url, await people.invite({ accountId, ...values }));
      const changes = [{ name: 'role', before: '', after: values.role }];
      await audit.record(visit.person, { action: 'person.invite', subject: values.email, changes });
      return redirect(PATH, { notice: `${values.email} can join now. Send the link below.`, reveal: { link } });
    }),

    act('/people/invitations/:id/take-back', 'own', async (visit: Visit) => {
      const { accountId } = visit.person;
      const invitation = (await people.invited(accountId)).find(({ id }) => id === idOf(visit));
      if (!invitation || !(await people.takeBack(accountId, invitation.id))) throw new PageNotFound();
      await audit.record(visit.person, { action: 'person.take-back', subject: invitation.email ?? 'a first link' });
      return redirect(PATH, { notice: 'The invitation is over.' });
    }),

    act('/people/:id/role', 'own', async (visit: Visit) => {
      const person = await somebody(visit);
      const read = readForm({ role }, visit.body);
      if (!read.ok || read.values.role === person.role) return redirect(PATH);
      if (!(await people.setRole(person, read.values.role))) return redirect(PATH, { notice: LAST_OWNER });
      const changes = [{ name: 'role', before: person.role, after: read.values.role }];
      await audit.record(visit.person, { action: 'person.role', subject: person.email, changes });
      return redirect(PATH, { notice: `${person.email} is ${read.values.role} now.` });
    }),

    act('/people/:id/remove', 'own', async (visit: Visit) => {
      const person = await somebody(visit);
      if (!(await people.remove(person))) return redirect(PATH, { notice: LAST_OWNER });
      await audit.record(visit.person, { action: 'person.remove', subject: person.email });
      return redirect(PATH, { notice: `${person.email} is out, and signed out everywhere.` });
    }),
  ];
}
