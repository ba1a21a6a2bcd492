/** `/account/two-factor`: the person's authenticator, turned on and off. */
import { textOf, filledIn, readForm, FieldError, type FormState } from '../form.js';
import { act, page, redirect, show, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { refused } from '../sign-in/refusal.js';
import { EnrolView, TurnOffView } from './factor-views.js';

const EMPTY = filledIn({ code: '' });

const CODE = {
  code: (text: string): string => {
    const code = text.trim();
    if (code === '') throw new FieldError('Enter the code.');
    return code;
  },
};

const statusOf = (form: FormState): number => (Object.keys(form.errors).length > 0 ? 422 : 200);

export function factorPages({ ownFactor, audit }: DashboardServices, back: string): readonly PageRoute[] {
  async function enrol({ session }: Visit, form: FormState) {
    const { QRCoder: picture, manualKey, maskId } = await ownFactor.enrol(session);
    const view = <EnrolView form={form} picture={picture} manualKey={manualKey} maskId={maskId} />;
    return page('Turn the authenticator on', view, statusOf(form));
  }

  const turnOff = (form: FormState) => page('Turn the authenticator off', <TurnOffView form={form} />, statusOf(form));

  return [
    show('/account/two-factor', 'read', async (visit: Visit) =>
      (await ownFactor.isOn(visit.session)) ? redirect(back) : enrol(visit, EMPTY),
    ),

    act('/account/two-factor', 'read', async (visit: Visit) => {
      const { session, person, body } = visit;
      if (await ownFactor.isOn(session)) return redirect(back);
      const read = readForm(CODE, body);
      if (!read.ok) return enrol(visit, read.state);
      let codes: readonly string[];
      try {
        codes = await ownFactor.confirm(session, textOf(body, 'maskId'), read.values.code);
      } catch (error) {
        return enrol(visit, refused(error, EMPTY, 'code'));
      }
      await audit.record(person, { action: 'person.two-factor-on', subject: person.email });
      return redirect(back, { notice: 'The authenticator is on.', reveal: { recoveryCodes: codes.join(' ') } });
    }),

    act('/account/two-factor/off', 'read', async ({ session, person, body }: Visit) => {
      const read = readForm(CODE, body);
      if (!read.ok) return turnOff(read.state);
      try {
        await ownFactor.turnOff(session, read.values.code);
      } catch (error) {
        return turnOff(refused(error, EMPTY, 'code'));
      }
      await audit.record(person, { action: 'person.two-factor-off', subject: person.email });
      return redirect(back, { notice: 'The authenticator is off.' });
    }),
  ];
}
