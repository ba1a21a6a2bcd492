/** The page `/account-settings`: the name of the account, and the branding of its emails and its widget. */
import { UTC } from '../../platform/local-day.js';
import { localText } from '../../platform/local-time.js';
import type { AccountProfile } from '../../modules/applications/account-profile.js';
import {
  accountNameText,
  brandColor,
  brandFooter,
  brandLogo,
  MAX_LOGO_BYTES,
  timeZoneName,
} from '../../modules/applications/account-profile.js';
import { Card } from '../components/card.js';
import { Conflict } from '../components/conflict.js';
import { useNow, useTimeZone } from '../components/context.js';
import { Field, Form, FormProblems, TextArea } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { TimeZoneField } from '../components/time-zone-field.js';
import { EMPTY_FORM, filledForm, isCurrent, readForm, statusOf, type Fields, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import { act, actAfterCheck, page, redirect, show } from '../page.js';
import type { Change, PageReply, PageRoute, Visit } from '../page.js';

const PATH = '/dashboard/account-settings';
const BRANDING_PATH = `${PATH}/branding`;
/** Enough for logos as data URLs that are much too large, so that the page with the form reports the error. */
const LOGO_FORM_BYTES = 2_000_000;

/** The color of links and buttons in emails of accounts without a color. */
const DEFAULT_COLOR = '#1a56db';

const GENERAL = { name: accountNameText, timeZone: timeZoneName };
const BRANDING = { accentColor: brandColor, footer: brandFooter };
type ProfileFields = typeof GENERAL | typeof BRANDING;

const storedIn = (profile: AccountProfile, fields: ProfileFields): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, profile[name as keyof AccountProfile]]));

const LABELS: Readonly<Record<string, string>> = {
  name: 'Account name',
  timeZone: 'Time zone',
  accentColor: 'Accent color',
  footer: 'Email footer',
  logo: 'Logo',
};

interface ProfileProps {
  /** The name that emails show without a logo. */
  readonly applicationName: string;
  readonly profile: AccountProfile;
  readonly form: FormState;
  readonly logoForm: FormState;
}

const GeneralCard = ({ profile, form }: ProfileProps) => (
  <Card beside id="profile" title="General" lead="The name and the time zone that you and your colleagues see.">
    <Form action={PATH} stored={storedIn(profile, GENERAL)} noValidate>
      <Field
        form={form}
        name="name"
        label="Account name"
        hint="This name is shown in the dashboard and in weekly emails. Recipients see the name of the application."
        placeholder={profile.shownName}
        maxLength={100}
        autoComplete="organization"
      />
      <TimeZoneField
        form={form}
        name="timeZone"
        label="Time zone"
        hint={`It is now ${localText(useNow(), useTimeZone()).slice(11)}. Type a city, such as Berlin. Days on Home and Usage start at midnight in this time zone. Days that were already counted don't change.`}
        required
      />
      <Submit label="Save" kind="saved-by-bar" />
    </Form>
  </Card>
);

/** A script submits a chosen file. Without it, the logo is entered as a data URL. */
const LogoField = ({ profile: { logoUrl }, logoForm: form }: ProfileProps) => (
  <div id="logo" class="field">
    <p class="strong">Logo</p>
    <div class="logo-row">
      <div class="logo-tile">
        {logoUrl === '' ? (
          <span class="hint">No logo</span>
        ) : (
          <img class="brand-logo" src={new URL(logoUrl).pathname} alt="" />
        )}
      </div>
      <Form action={`${PATH}/logo`} noValidate>
        <div hidden data-file>
          <input
            id="field-file"
            class="file-input"
            type="file"
            accept="image/png"
            aria-describedby="logo-hint"
            data-file-for="field-logo"
            data-max-bytes={MAX_LOGO_BYTES}
            data-submits
          />
          <label for="field-file" class="button subtle">
            {logoUrl === '' ? 'Upload logo' : 'Replace logo'}
          </label>
        </div>
        <div class="logo-text stack">
          <TextArea form={form} name="logo" label="Logo as a data URL" placeholder="data:image/png;base64,…" rows={2} />
          <Submit label={logoUrl === '' ? 'Save logo' : 'Replace logo'} kind="subtle" />
        </div>
      </Form>
      {logoUrl !== '' && (
        <Form action={`${PATH}/logo/remove`}>
          <Submit label="Remove logo" kind="subtle" />
        </Form>
      )}
    </div>
    <p class="problem" role="alert" data-file-problem hidden />
    <p class="hint" id="logo-hint">
      A PNG of at most 1200 × 600 pixels and 48 kB. It replaces the name of the application in emails. If this server
      uses HTTPS, the widget shows the logo above its title.
    </p>
  </div>
);

/** Shows the branding in an email. A script updates the color while a person chooses one. */
const EmailSample = ({ profile: { accentColor, footer, logoUrl }, applicationName }: ProfileProps) => (
  <figure class="brand-sample">
    <figcaption class="strong">Preview</figcaption>
    <div class="brand-email">
      {logoUrl === '' ? (
        <p class="quiet small">{applicationName}</p>
      ) : (
        <img class="brand-logo" src={new URL(logoUrl).pathname} alt="Your logo" />
      )}
      <p class="strong">Your order is on its way</p>
      <svg width="150" height="40" viewBox="0 0 150 40" role="img" aria-label="A button in the accent color">
        <rect
          width="150"
          height="40"
          rx="8"
          fill={accentColor || DEFAULT_COLOR}
          data-color-of="field-accentColor"
          data-own={DEFAULT_COLOR}
        />
        <text x="75" y="25" text-anchor="middle" fill="#ffffff">
          Track the order
        </text>
      </svg>
      <p class="hint brand-footer" data-text-of="field-footer">
        {footer}
      </p>
    </div>
  </figure>
);

const BrandingCard = (props: ProfileProps) => {
  const { profile, form } = props;
  return (
    <Card beside id="branding" title="Branding" lead="The look of emails, and of widgets without their own design.">
      <EmailSample {...props} />
      <LogoField {...props} />
      <Form action={BRANDING_PATH} stored={storedIn(profile, BRANDING)} noValidate>
        <div class="color">
          <Field
            form={form}
            name="accentColor"
            label="Accent color"
            hint="For links and buttons. White text must be readable on this color. Leave this empty to use blue."
            placeholder={DEFAULT_COLOR}
            maxLength={7}
            spellcheck={false}
            autocomplete="off"
          />
          <input
            type="color"
            data-color="field-accentColor"
            data-own={DEFAULT_COLOR}
            aria-label="Pick the accent color"
            hidden
          />
        </div>
        <TextArea
          form={form}
          name="footer"
          label="Email footer"
          hint="Plain text below every email, such as your company name and address. At most 300 characters."
          rows={3}
        />
        <Submit label="Save" kind="saved-by-bar" />
      </Form>
    </Card>
  );
};

const ProfileView = (props: ProfileProps) => (
  <>
    <PageHead title="Account settings" lead="The name, the time zone and the branding of your account." />
    <FormProblems form={props.form} labels={LABELS} />
    <FormProblems form={props.logoForm} labels={LABELS} prevented="The logo was not changed." />
    <GeneralCard {...props} />
    <BrandingCard {...props} />
  </>
);

export function profilePages({ profiles, service }: Modules<'applications'>['applications']): readonly PageRoute[] {
  async function profilePage(
    { person, lastAppKey }: Visit,
    { typed, errors }: FormState = EMPTY_FORM,
    logoForm = EMPTY_FORM,
  ): Promise<PageReply> {
    const profile = await profiles.find(person.accountId);
    const { name, timeZone, accentColor, footer } = profile;
    const form = filledForm({ name, timeZone: timeZone || UTC, accentColor, footer, ...typed }, errors);
    const status = Math.max(statusOf(form), statusOf(logoForm));
    const applications = await service.listInAccount(person.accountId);
    const application = applications.find(({ appKey }) => appKey === lastAppKey) ?? applications[0];
    const applicationName = application?.name ?? 'The name of the application';
    const shown = { profile, form, logoForm, applicationName };
    return page('Account settings', <ProfileView {...shown} />, status);
  }

  const check = async (visit: Visit, path: string, fields: ProfileFields): Promise<PageReply | Change> => {
    const { actor, person, body } = visit;
    const read = readForm(fields as Fields, body);
    const stored = storedIn(await profiles.find(person.accountId), fields);
    if (!isCurrent(body, stored)) {
      const changed = Object.keys(fields).map((name) => ({
        name,
        label: LABELS[name]!,
        stored: stored[name]!,
        typed: read.state.typed[name]!,
      }));
      const shown = { what: 'the account', action: path, back: PATH, fields: changed, body, stored };
      return page('Account settings', <Conflict {...shown} />, 409);
    }
    if (!read.ok) return profilePage(visit, read.state);
    // An account without a name keeps the one that it was created with.
    if ('name' in read.values && read.values.name === '' && stored.name !== '')
      return profilePage(visit, { ...read.state, errors: { name: 'Enter a name.' } });
    return async () => {
      await profiles.update(actor, person.accountId, read.values);
      return redirect(PATH, { notice: fields === GENERAL ? 'General settings saved.' : 'Branding saved.' });
    };
  };

  async function saveLogo(visit: Visit): Promise<PageReply> {
    const read = readForm({ logo: brandLogo }, visit.body);
    // The rejected file is not shown again, because it may be large.
    if (!read.ok) return profilePage(visit, undefined, { ...EMPTY_FORM, errors: read.state.errors });
    await profiles.update(visit.actor, visit.person.accountId, { logo: read.values.logo });
    return redirect(`${PATH}#logo`, { notice: 'Logo saved.' });
  }

  return [
    show('/account-settings', 'own', (visit) => profilePage(visit)),
    actAfterCheck('/account-settings', 'own', (visit) => check(visit, PATH, GENERAL)),
    actAfterCheck('/account-settings/branding', 'own', (visit) => check(visit, BRANDING_PATH, BRANDING)),
    act('/account-settings/logo', 'own', saveLogo, { bodyLimit: LOGO_FORM_BYTES }),
    act('/account-settings/logo/remove', 'own', async ({ actor, person }) => {
      await profiles.update(actor, person.accountId, { logo: null });
      return redirect(`${PATH}#logo`, { notice: 'The logo was removed.' });
    }),
  ];
}
