/** The page `/account-settings`: the name of the account, and the branding of its emails and its widget. */
import type { AccountProfiles } from '../../modules/applications/account-profile-service.js';
import type { AccountProfile } from '../../modules/applications/account-profile.js';
import { accountNameText, brandColor, brandFooter, brandLogo } from '../../modules/applications/account-profile.js';
import { Card } from '../components/card.js';
import { Field, Form, FormProblems, TextArea } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { EMPTY_FORM, filledForm, readForm, statusOf, type FormState } from '../form.js';
import { act, page, redirect, show, type PageReply, type PageRoute, type Visit } from '../page.js';

const PATH = '/dashboard/account-settings';
/** Enough for the largest logo as a data URL in a form. */
const LOGO_FORM_BYTES = 150_000;

const FIELDS = { name: accountNameText, accentColor: brandColor, footer: brandFooter };

function LogoCard({ logoUrl, form }: { readonly logoUrl: string; readonly form: FormState }) {
  return (
    <Card id="logo" title="Logo" lead="Shown at the top of emails and, if this server uses HTTPS, in the widget.">
      {logoUrl !== '' && (
        <p>
          <img class="brand-logo" src={new URL(logoUrl).pathname} alt="Your logo" />
        </p>
      )}
      <FormProblems form={form} prevented="The logo was not changed." />
      <Form action={`${PATH}/logo`} noValidate>
        <div class="field" hidden data-file>
          <label for="field-file">PNG file</label>
          <input id="field-file" type="file" accept="image/png" data-file-for="field-logo" />
        </div>
        <TextArea
          form={form}
          name="logo"
          label="Logo as a data URL"
          hint="Choose a file, or paste a data URL. At most 1200 × 600 pixels and 48 kB. Metadata is removed."
          placeholder="data:image/png;base64,…"
          rows={2}
          required
        />
        <Submit label={logoUrl === '' ? 'Upload logo' : 'Replace logo'} />
      </Form>
      {logoUrl !== '' && (
        <Form action={`${PATH}/logo/remove`}>
          <Submit label="Remove logo" kind="subtle" />
        </Form>
      )}
    </Card>
  );
}

interface ProfileProps {
  readonly profile: AccountProfile;
  readonly form: FormState;
  readonly logoForm: FormState;
}

const ProfileView = ({ profile, form, logoForm }: ProfileProps) => (
  <>
    <PageHead title="Account settings" lead="The name of your account, and the look of its emails and widgets." />
    <Card id="profile" title="Name and branding">
      <FormProblems form={form} />
      <Form action={PATH} noValidate>
        <Field
          form={form}
          name="name"
          label="Account name"
          hint="You and your colleagues see it in the dashboard. Recipients see the names of applications."
          maxLength={100}
          autoComplete="organization"
        />
        <Field
          form={form}
          name="accentColor"
          label="Accent color"
          hint="For links and buttons in emails, and for widgets that have no color of their own. It needs a contrast of 4.5:1 with white."
          placeholder="#1a56db"
          maxLength={7}
        />
        <TextArea
          form={form}
          name="footer"
          label="Email footer"
          hint="Plain text below every email, such as your company name and address. At most 300 characters."
          rows={3}
        />
        <Submit label="Save" />
      </Form>
    </Card>
    <LogoCard logoUrl={profile.logoUrl} form={logoForm} />
  </>
);

export function profilePages(profiles: AccountProfiles): readonly PageRoute[] {
  async function profilePage({ person }: Visit, form?: FormState, logoForm = EMPTY_FORM): Promise<PageReply> {
    const profile = await profiles.find(person.accountId);
    const { name, accentColor, footer } = profile;
    const shown = form ?? filledForm({ name, accentColor, footer });
    const status = Math.max(statusOf(shown), statusOf(logoForm));
    return page('Account settings', <ProfileView profile={profile} form={shown} logoForm={logoForm} />, status);
  }

  async function save(visit: Visit): Promise<PageReply> {
    const read = readForm(FIELDS, visit.body);
    if (!read.ok) return profilePage(visit, read.state);
    await profiles.update(visit.actor, visit.person.accountId, read.values);
    return redirect(PATH, { notice: 'Saved. New emails use this branding.' });
  }

  async function saveLogo(visit: Visit): Promise<PageReply> {
    const read = readForm({ logo: brandLogo }, visit.body);
    // The rejected file is not shown again, because it may be large.
    if (!read.ok) return profilePage(visit, undefined, { ...EMPTY_FORM, errors: read.state.errors });
    await profiles.update(visit.actor, visit.person.accountId, { logo: read.values.logo });
    return redirect(`${PATH}#logo`, { notice: 'The logo was saved.' });
  }

  return [
    show('/account-settings', 'own', (visit) => profilePage(visit)),
    act('/account-settings', 'own', save),
    act('/account-settings/logo', 'own', saveLogo, { bodyLimit: LOGO_FORM_BYTES }),
    act('/account-settings/logo/remove', 'own', async ({ actor, person }) => {
      await profiles.update(actor, person.accountId, { logo: null });
      return redirect(`${PATH}#logo`, { notice: 'The logo was removed.' });
    }),
  ];
}
