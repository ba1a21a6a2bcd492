/** The way in: address, code, authenticator; and the link of an invitation, which begins it with an account to join. */
import { mailboxOf } from '../../modules/people/mailbox.js';
import {
  actAtEntrance,
  enter,
  entrancePage,
  lead,
  showAtEntrance,
  type EntranceAnswer,
  type EntranceRoute,
  type Stranger,
} from '../entrance.js';
import { FieldError, filledIn, readForm, type FormState } from '../form.js';
import type { DashboardServices } from '../services.js';
import { refused } from './refusal.js';
import { AddressView, CodeView, DeadLinkView, FactorView } from './views.js';

const HOME = '/dashboard/applications';
const SIGN_IN = '/dashboard/sign-in';
const START = '/dashboard/start';

/** A page of ours, and nothing that leads elsewhere, however it is written. */
function nextOf(text: string | undefined): string {
  if (text === undefined || !/^\/dashboard\/[\w\-./?=&%:+,]*$/.test(text)) return HOME;
  const { pathname, search } = new URL(text, 'http://localhost');
  return pathname.startsWith('/dashboard/') ? pathname + search : HOME;
}

const ASK = {
  email: (text: string): string => {
    const mailbox = mailboxOf(text);
    if (!mailbox) throw new FieldError('Enter a mail address, such as ana@example.com.');
    return mailbox.email;
  },
};

const CODE = {
  code: (text: string): string => {
    const code = text.replace(/[\s-]/g, '');
    if (code === '') throw new FieldError('Enter the code.');
    return code;
  },
};

const EMPTY = filledIn({ code: '' });
const statusOf = (form: FormState): number => (Object.keys(form.errors).length > 0 ? 422 : 200);

const factorPage = (form: FormState): EntranceAnswer =>
  entrancePage('One more code', FactorView({ form }), { status: statusOf(form) });

const deadLink = (): EntranceAnswer => entrancePage('This link is over', DeadLinkView(), { status: 410 });

/** Code and authenticator, for who has given an address. */
function proofPages({ signIn, audit }: DashboardServices): readonly EntranceRoute[] {
  const codePage = ({ attempt }: Stranger, form: FormState): EntranceAnswer => {
    const again = attempt.invitation === undefined ? SIGN_IN : START;
    const view = CodeView({ form, email: attempt.asked!.email, again, mail: signIn.mail() });
    return entrancePage('Enter the code', view, { status: statusOf(form) });
  };

  /** Everything is proved. */
  async function arrive({ attempt }: Stranger): Promise<EntranceAnswer> {
    const { email } = attempt.asked!;
    const person = await signIn.person(email, attempt.invitation);
    if (!person) return deadLink();
    if (attempt.invitation === undefined) return enter(person, nextOf(attempt.next));
    const changes = [{ name: 'role', before: '', after: person.role }];
    await audit.record(person, { action: 'person.join', subject: email, changes });
    return enter(person, HOME);
  }

  return [
    showAtEntrance('/sign-in/code', (stranger) => (stranger.attempt.asked ? codePage(stranger, EMPTY) : lead(SIGN_IN))),

    actAtEntrance('/sign-in/code', async (stranger) => {
      const { attempt, source, body } = stranger;
      if (!attempt.asked) return lead(SIGN_IN);
      const form = readForm(CODE, body);
      if (!form.ok) return codePage(stranger, form.state);
      try {
        await signIn.prove(attempt.asked, form.values.code, source);
      } catch (error) {
        return codePage(stranger, refused(error, EMPTY, 'code'));
      }
      if (await signIn.needsFactor(attempt.asked.email)) return lead(`${SIGN_IN}/factor`, { proved: true });
      return arrive(stranger);
    }),

    showAtEntrance('/sign-in/factor', ({ attempt }) => (attempt.proved ? factorPage(EMPTY) : lead(SIGN_IN))),

    actAtEntrance('/sign-in/factor', async (stranger) => {
      const { attempt, source, body } = stranger;
      if (!attempt.proved || !attempt.asked) return lead(SIGN_IN);
      const form = readForm(CODE, body);
      if (!form.ok) return factorPage(form.state);
      try {
        await signIn.proveFactor(attempt.asked.email, form.values.code, source);
      } catch (error) {
        return factorPage(refused(error, EMPTY, 'code'));
      }
      return arrive(stranger);
    }),
  ];
}

export function signInPages(services: DashboardServices): readonly EntranceRoute[] {
  const { signIn, people } = services;

  /** `invited`: the address that an invitation is for, null for any; undefined where there is none. */
  const addressView = (form: FormState, invited?: string | null) =>
    AddressView({ form, invited, action: invited === undefined ? SIGN_IN : START, mail: signIn.mail() });

  async function ask(stranger: Stranger, invitation?: string, invited?: string | null): Promise<EntranceAnswer> {
    const again = (form: FormState) => entrancePage('Sign in', addressView(form, invited), { status: statusOf(form) });
    const form = readForm(ASK, stranger.body);
    if (!form.ok) return again(form.state);
    const { source, requestId } = stranger;
    try {
      const asked = await signIn.ask({ email: form.values.email, invitation, source, requestId });
      // The invitation of this form alone: another site may have led this browser to one meanwhile.
      return lead(`${SIGN_IN}/code`, { asked, invitation, proved: false });
    } catch (error) {
      return again(refused(error, form.state, 'email'));
    }
  }

  const invitationOf = async ({ attempt: { invitation } }: Stranger) =>
    invitation === undefined ? undefined : people.invitation(invitation);

  return [
    showAtEntrance('/sign-in', ({ query, person }) => {
      const next = nextOf(query.next);
      if (person) return lead(next);
      // Who comes here has left the link of an invitation behind.
      return entrancePage('Sign in', addressView(filledIn({ email: '' })), {
        progress: { next, invitation: undefined },
      });
    }),
    actAtEntrance('/sign-in', (stranger) => ask(stranger)),

    showAtEntrance('/start', async (stranger) => {
      const { key } = stranger.query;
      // The address bar, and whatever keeps what it shows, forgets the key at once.
      if (key !== undefined) return lead(START, { invitation: key, asked: undefined, proved: false });
      const invitation = await invitationOf(stranger);
      if (!invitation) return deadLink();
      return entrancePage('Welcome', addressView(filledIn({ email: invitation.email ?? '' }), invitation.email));
    }),
    actAtEntrance('/start', async (stranger) => {
      const invitation = await invitationOf(stranger);
      return invitation ? ask(stranger, stranger.attempt.invitation, invitation.email) : deadLink();
    }),

    ...proofPages(services),
  ];
}
