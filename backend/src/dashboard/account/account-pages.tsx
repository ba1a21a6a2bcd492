/** Pages below `/account`: the person's sessions, second factor, passkeys and memberships. */
import { parseApplicationName as oneLine } from '../../modules/applications/setting-values.js';
import { parseCode } from '../fields.js';
import { EMPTY_FORM, readForm, statusOf, textOf, type FormState } from '../form.js';
import { passkeySiteOf } from '../../modules/people/passkey.js';
import { readPasskeyResponse } from '../components/passkey-form.js';
import type { Setup } from '../home/setup.js';
import type { Modules } from '../modules.js';
import { act, page, PageNotFound, redirect, show, type PageReply, type PageRoute, type Visit } from '../page.js';
import { NEXT_CODE_HINT, withError } from '../sign-in/sign-in-errors.js';
import { AccountView } from './account-view.js';
import { EnrollView, TurnOffView } from './factor-views.js';

const ACCOUNT_PATH = '/dashboard/account';

const PASSKEY_NOT_ACCEPTED = 'This passkey was not accepted. Reload the page and try again.';

export const accountPages = (core: Modules<'people'>, setup: Setup): readonly PageRoute[] => {
  const { sessions, service: people, secondFactor, passkeys, weeklyEmails } = core.people;

  async function account(visit: Visit, form: FormState = EMPTY_FORM) {
    const { person, session, flash, serviceUrl } = visit;
    const site = passkeySiteOf(serviceUrl);
    const [open, memberships, weekly, recoveryCodesLeft, own, prompt] = await Promise.all([
      sessions.list(person),
      people.memberships(person.email),
      weeklyEmails.isOn(person),
      secondFactor.recoveryCodesLeft(session),
      passkeys.ofEmail(person.email),
      site && passkeys.promptToAdd(session, site),
    ]);
    const recoveryCodes = flash.reveal?.recoveryCodes?.split(' ');
    const next = recoveryCodes && (await setup.nextStep(visit));
    const view = (
      <AccountView
        sessions={open}
        memberships={memberships}
        weekly={weekly}
        recoveryCodesLeft={recoveryCodesLeft}
        recoveryCodes={recoveryCodes}
        next={next}
        passkeys={own}
        prompt={prompt}
        form={form}
      />
    );
    return page('Your profile', view, statusOf(form));
  }

  async function enroll({ session }: Visit, form: FormState) {
    const { QRCoder: picture, manualKey, maskId } = await secondFactor.enroll(session);
    const view = <EnrollView form={form} picture={picture} manualKey={manualKey} maskId={maskId} />;
    return page('Turn on the authenticator', view, statusOf(form));
  }

  const turnOffPage = (form: FormState) =>
    page('Turn off the authenticator', <TurnOffView form={form} />, statusOf(form));

  async function addPasskey(visit: Visit): Promise<PageReply> {
    const { body, session, serviceUrl } = visit;
    const form = readForm({ name: oneLine }, body);
    if (!form.ok) return account(visit, form.state);
    const site = passkeySiteOf(serviceUrl);
    const { name } = form.values;
    const added = site && (await passkeys.add(session, site, { name, ...readPasskeyResponse(body) }));
    if (!added) return account(visit, { ...form.state, errors: { passkey: PASSKEY_NOT_ACCEPTED } });
    return redirect(`${ACCOUNT_PATH}#passkeys`, { notice: `You can now sign in with the passkey ${name}.` });
  }

  async function removePasskey({ session, params }: Visit): Promise<PageReply> {
    const id = /^\d{1,9}$/.test(params.id!) ? Number(params.id) : 0;
    if (!(await passkeys.remove(session, id))) throw new PageNotFound();
    return redirect(`${ACCOUNT_PATH}#passkeys`, { notice: 'Passkey removed.' });
  }

  async function switchAccount({ person, session, body }: Visit): Promise<PageReply> {
    const memberships = await people.memberships(person.email);
    const membership = memberships.find(({ person: member }) => String(member.id) === textOf(body, 'person'));
    if (!membership) throw new PageNotFound();
    await sessions.switchTo(session, membership.person);
    const notice = `You have switched to this account: ${membership.accountName}.`;
    return redirect('/dashboard/applications', { notice });
  }

  async function turnOn(visit: Visit): Promise<PageReply> {
    const { session, body } = visit;
    if (await secondFactor.isOn(session)) return redirect(ACCOUNT_PATH);
    const form = readForm({ code: parseCode }, body);
    if (!form.ok) return enroll(visit, form.state);
    try {
      const codes = await secondFactor.turnOn(session, textOf(body, 'maskId'), form.values.code);
      return redirect(ACCOUNT_PATH, {
        notice: 'Authenticator turned on. Save your recovery codes now.',
        reveal: { recoveryCodes: codes.join(' ') },
      });
    } catch (error) {
      return enroll(visit, withError(error, EMPTY_FORM, 'code', NEXT_CODE_HINT));
    }
  }

  async function turnOff({ session, body }: Visit): Promise<PageReply> {
    const form = readForm({ code: parseCode }, body);
    if (!form.ok) return turnOffPage(form.state);
    try {
      await secondFactor.turnOff(session, form.values.code);
    } catch (error) {
      return turnOffPage(withError(error, EMPTY_FORM, 'code', NEXT_CODE_HINT));
    }
    return redirect(ACCOUNT_PATH, { notice: 'Authenticator turned off.' });
  }

  return [
    show('/account', 'read', (visit) => account(visit)),
    act('/account/passkeys', 'read', addPasskey, { needsConfirmation: true }),
    act('/account/passkeys/:id/remove', 'read', removePasskey, { needsConfirmation: true }),
    act('/account/switch', 'read', switchAccount),
    act('/account/weekly-email', 'read', async ({ person, body }) => {
      const isOn = textOf(body, 'weekly') === 'on';
      await weeklyEmails.set(person, isOn);
      const notice = isOn ? 'You will get an email every Monday morning.' : 'The weekly email is off.';
      return redirect(`${ACCOUNT_PATH}#weekly-email`, { notice });
    }),
    act('/sign-out', 'read', async ({ session }) => {
      await sessions.end(session);
      return redirect('/dashboard/sign-in');
    }),
    act('/account/sessions/:id/revoke', 'read', async ({ person, params }) => {
      if (!(await sessions.revoke(person, params.id!))) throw new PageNotFound();
      return redirect(`${ACCOUNT_PATH}#signed-in`, { notice: 'The other browser was signed out.' });
    }),
    act('/account/sign-out-everywhere', 'read', async ({ person }) => {
      await sessions.endAll(person);
      return redirect('/dashboard/sign-in');
    }),
    show('/account/two-factor', 'read', async (visit) =>
      (await secondFactor.isOn(visit.session)) ? redirect(ACCOUNT_PATH) : enroll(visit, EMPTY_FORM),
    ),
    // Asks for confirmation before showing the QR code. If confirmation followed the form with the authenticator code,
    // the code could expire in the meantime.
    act('/account/two-factor/start', 'read', () => redirect(`${ACCOUNT_PATH}/two-factor`), { needsConfirmation: true }),
    act('/account/two-factor', 'read', turnOn, { needsConfirmation: true }),
    act('/account/two-factor/off', 'read', turnOff),
  ];
};
