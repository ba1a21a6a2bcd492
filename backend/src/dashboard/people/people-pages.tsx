import type { Person } from '../../modules/people/person.js';
import { ROLES } from '../../modules/access/rights.js';
import { oneOf, parseEmail } from '../fields.js';
import { filledForm, readForm, statusOf, type FormState } from '../form.js';
import type { Setup } from '../home/setup.js';
import type { Modules } from '../modules.js';
import type { Change, PageReply, PageRoute, Visit } from '../page.js';
import { act, actAfterCheck, page, PageNotFound, redirect, show } from '../page.js';
import { InvitationView, PeopleView, PEOPLE_PATH } from './people-view.js';

const LAST_OWNER_ERROR = 'An account needs at least one owner. Make someone else an owner first.';

const parseRole = oneOf(ROLES);

const EMPTY_INVITATION_FORM = filledForm({ email: '', role: 'member' });

export function peoplePages(
  { people: { service: people, signIn, secondFactor, passkeys } }: Modules<'people'>,
  setup: Setup,
): readonly PageRoute[] {
  async function list(visit: Visit) {
    const { accountId } = visit.person;
    const [found, invited] = await Promise.all([people.ofAccount(accountId), people.invited(accountId)]);
    const emails = found.map(({ email }) => email);
    const [withFactor, withPasskey] = await Promise.all([secondFactor.onAmong(emails), passkeys.ownersAmong(emails)]);
    const all = found.map((person) => ({
      ...person,
      hasAuthenticator: withFactor.includes(person.email),
      hasPasskey: withPasskey.includes(person.email),
    }));
    const link = visit.flash.reveal?.link;
    const next = link === undefined ? undefined : await setup.nextStep(visit);
    return page('People', <PeopleView people={all} invited={invited} link={link} next={next} />);
  }

  const invitationPage = (form: FormState = EMPTY_INVITATION_FORM): PageReply =>
    page('Invite someone', <InvitationView form={form} />, statusOf(form));

  const idOf = ({ params }: Visit): number => (/^\d{1,9}$/.test(params.id!) ? Number(params.id) : 0);

  async function existingPerson(visit: Visit): Promise<Person> {
    const found = await people.find(visit.person.accountId, idOf(visit));
    if (!found) throw new PageNotFound();
    return found;
  }

  async function invite(visit: Visit): Promise<PageReply | Change> {
    const form = readForm({ email: parseEmail, role: parseRole }, visit.body);
    if (!form.ok) return invitationPage(form.state);
    const { values, state } = form;
    const { accountId } = visit.person;
    const exists = (await people.ofAccount(accountId)).some((person) => person.email === values.email);
    if (exists)
      return invitationPage({ ...state, errors: { email: 'This person already has access to this account.' } });
    return async () => {
      const { link, mailed } = await people.inviteByEmail(visit.actor, { accountId, ...values });
      // Without a mail server, the email is in the dev inbox, where only developers see it.
      const isMailed = mailed && signIn.emailProvider()?.standIn !== true;
      const next = isMailed
        ? 'We emailed them the invitation link. You can also copy it below.'
        : 'Copy the link below, and send it to them.';
      return redirect(PEOPLE_PATH, { notice: `${values.email} was invited. ${next}`, reveal: { link } });
    };
  }

  async function withdrawInvitation(visit: Visit): Promise<PageReply> {
    const withdrawn = await people.withdrawInvitation(visit.actor, visit.person.accountId, idOf(visit));
    if (!withdrawn) throw new PageNotFound();
    return redirect(PEOPLE_PATH, { notice: 'The invitation was revoked.' });
  }

  async function setRole(visit: Visit): Promise<PageReply> {
    const person = await existingPerson(visit);
    const form = readForm({ role: parseRole }, visit.body);
    if (!form.ok || form.values.role === person.role) return redirect(PEOPLE_PATH);
    const changed = await people.setRole(visit.actor, person, form.values.role);
    if (!changed) return redirect(PEOPLE_PATH, { problem: LAST_OWNER_ERROR });
    return redirect(PEOPLE_PATH, { notice: `The role of ${person.email} is now ${form.values.role}.` });
  }

  async function remove(visit: Visit): Promise<PageReply> {
    const person = await existingPerson(visit);
    const removed = await people.remove(visit.actor, person);
    if (!removed) return redirect(PEOPLE_PATH, { problem: LAST_OWNER_ERROR });
    return redirect(PEOPLE_PATH, {
      notice: `${person.email} was removed, and was signed out of this account everywhere.`,
    });
  }

  return [
    show('/people', 'own', list),
    show('/people/invite', 'own', () => invitationPage()),
    actAfterCheck('/people/invite', 'own', invite, { needsConfirmation: true }),
    act('/people/invitations/:id/take-back', 'own', withdrawInvitation),
    act('/people/:id/role', 'own', setRole, { needsConfirmation: true }),
    act('/people/:id/remove', 'own', remove, { needsConfirmation: true }),
  ];
}
