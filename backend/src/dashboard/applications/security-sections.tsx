/** The sections of the settings page “Security”. */
import type { Application } from '../../modules/applications/application.js';
import type { EditableApplication } from '../../modules/applications/application-change.js';
import type { ChallengeKind } from '../../modules/applications/challenge-settings.js';
import * as values from '../../modules/applications/setting-values.js';
import { Badge } from '../components/badge.js';
import { Field, Presets, type Preset } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { oneOf } from '../fields.js';
import { pathOf, protectionPath } from './parts.js';
import { defineSection, type SectionFields } from './section.js';

const WIDGET_CHOICES: readonly Preset[] = [
  {
    value: 'open',
    label: 'Open',
    hint: 'Works on the sites in your allow-list, or on any site if the list is empty.',
  },
  {
    value: 'strict',
    label: (
      <>
        Strict <Badge kind="neutral">Recommended</Badge>
      </>
    ),
    hint: 'Safer: your server must also confirm who the user is.',
  },
  { value: 'off', label: 'Off', hint: 'For sites without the widget.' },
];

function widgetText({ settings }: EditableApplication): string {
  if (!settings.twoFactorWidget) return 'off';
  return settings.strictTwoFactor ? 'strict' : 'open';
}

export const twoFactorSection = defineSection({
  id: 'two-factor',
  right: 'own',
  title: 'Two-factor widget',
  lead: (
    <>
      A form on your site in which customers enter a code from their authenticator app when they sign in. Use{' '}
      <strong>Strict</strong> as soon as your server supports it.
    </>
  ),
  labels: { widget: 'Access to the widget' },
  readers: { widget: oneOf(['open', 'strict', 'off']) },
  texts: (stored) => ({ widget: widgetText(stored) }),
  change: ({ widget }) => ({ settings: { twoFactorWidget: widget !== 'off', strictTwoFactor: widget === 'strict' } }),
  fields: ({ fieldProps, application }) => (
    <>
      {widgetText(application) === 'open' && application.settings.authorizedEndpoints.length === 0 && (
        <Notice
          kind="warning"
          after={
            <a class="button subtle small" href={`${pathOf(application)}/allow-list`}>
              Add your site
            </a>
          }
        >
          The widget works on any site, because your allow-list is empty.
        </Notice>
      )}
      <Presets
        {...fieldProps('widget')}
        hint={
          <>
            <strong>Strict</strong> needs a{' '}
            <a href="/docs/two-factor#usertoken-your-server-confirms-who-the-user-is">signed token</a> from your server.
            The <a href={`${pathOf(application)}/widget/code`}>Widget page</a> shows your developer how to create it.
          </>
        }
        choices={WIDGET_CHOICES}
      />
    </>
  ),
  confirmation: {
    label: 'Change the access to the widget',
    effects(stored, { settings: { twoFactorWidget, strictTwoFactor } = {} }) {
      if (!stored.settings.twoFactorWidget) return '';
      if (!twoFactorWidget)
        return 'Your site will no longer be able to ask users for their second factor: the widget will stop working.';
      return stored.settings.strictTwoFactor && !strictTwoFactor
        ? 'Anyone who knows the email address of a user can then find out whether the user has a second factor, and set one up if the user has none.'
        : '';
    },
  },
});

const VERIFIED_CHOICES: readonly Preset[] = [
  { value: 'here', label: 'Passbell', hint: 'Your server sends the entered code to Passbell.' },
  { value: 'elsewhere', label: 'Your server', hint: 'Your server reports to Passbell which codes were entered.' },
];

export const verificationSection = defineSection({
  id: 'verification',
  right: 'own',
  title: 'Code verification',
  lead: 'Codes that nobody enters are a sign of fraud, so Passbell must know which ones are entered.',
  labels: { verified: 'Who checks the codes' },
  readers: { verified: oneOf(['here', 'elsewhere']) },
  texts: ({ settings }) => ({ verified: settings.verifiedElsewhere ? 'elsewhere' : 'here' }),
  change: ({ verified }) => ({ settings: { verifiedElsewhere: verified === 'elsewhere' } }),
  fields: ({ fieldProps, application }) => (
    <Presets
      {...fieldProps('verified')}
      hint={
        application.settings.verifiedElsewhere && (
          <>
            Until your server reports entered codes, Passbell cannot pause messages whose codes nobody enters.{' '}
            <a href="/docs/fraud#codes-that-you-check-yourself">Report entered codes</a>
          </>
        )
      }
      choices={VERIFIED_CHOICES}
    />
  ),
  confirmation: {
    label: 'My server checks the codes',
    effects: (stored, { settings }) =>
      !stored.settings.verifiedElsewhere && settings?.verifiedElsewhere
        ? 'Unless your server reports entered codes with /auth/reportverified, Passbell cannot pause messages whose codes nobody enters. Without these reports, only the daily budget and the limits for new countries stop SMS pumping.'
        : '',
  },
});

const challengeChoices = (application: Application): readonly Preset[] => [
  {
    value: 'off',
    label: 'Off',
    hint: (
      <>
        Suspicious messages are paused. For your own country, the{' '}
        <a href={`${protectionPath(application)}/settings`}>Protection settings</a> apply.
      </>
    ),
  },
  {
    value: 'altcha',
    label: (
      <>
        ALTCHA <Badge kind="neutral">Recommended</Badge>
      </>
    ),
    hint: "The browser does a short calculation. Visitors don't have to do anything, and you don't need an account.",
  },
  {
    value: 'turnstile',
    label: 'Cloudflare Turnstile',
    hint: 'Checks the browser, usually without a puzzle. Needs two keys from Cloudflare.',
  },
  {
    value: 'hcaptcha',
    label: 'hCaptcha',
    hint: 'May show a picture puzzle. Needs two keys from hCaptcha.',
  },
];

/** A page of a vendor. It opens in a new tab, because the keys are not saved yet. */
const VendorLink = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <a href={href} target="_blank" rel="noreferrer">
    {children}
  </a>
);

/** Says where to find the site key, for the chosen vendor. */
const SiteKeyHint = () => (
  <>
    <span class="of-turnstile">
      Add your site as a widget in the{' '}
      <VendorLink href="https://dash.cloudflare.com/?to=/:account/turnstile">Cloudflare dashboard</VendorLink>, and copy
      the site key of this widget.
    </span>
    <span class="of-hcaptcha">
      Add your site in the hCaptcha dashboard under{' '}
      <VendorLink href="https://dashboard.hcaptcha.com/sites">Sites</VendorLink>, and copy its site key.
    </span>
  </>
);

interface SecretKeyProps {
  /** The vendor of the stored key; undefined without one. */
  readonly storedFor: ChallengeKind | undefined;
}

const SecretKeyHint = ({ storedFor }: SecretKeyProps) => (
  <>
    {storedFor && <span class={`of-${storedFor}`}>Leave this empty to keep the stored key. </span>}
    <span class="of-turnstile">Copy it from the same widget.</span>
    <span class="of-hcaptcha">
      Copy it from the <VendorLink href="https://dashboard.hcaptcha.com/settings">Settings</VendorLink> of your hCaptcha
      account.
    </span>{' '}
    Passbell stores it encrypted, and never shows it again.
  </>
);

const CHALLENGE_SECRET = { name: 'challengeSecret', label: 'Secret key' } as const;

/** Marks a label. `class`: the vendor for which the mark is shown. */
const Required = ({ class: className = '' }: { readonly class?: string }) => (
  <span class={`quiet ${className}`.trim()}>(required)</span>
);

/** The keys of the chosen vendor. The panel is connected with the option of the vendor. */
function VendorKeys({ form, fieldProps, application }: SectionFields) {
  const { kind, secretSealed } = application.settings.challenge;
  const storedFor = secretSealed === '' ? undefined : kind;
  const otherVendor = storedFor === 'turnstile' ? 'of-hcaptcha' : 'of-turnstile';
  return (
    <div class="stack vendor-keys">
      <h3>
        <span class="of-turnstile">Cloudflare Turnstile</span>
        <span class="of-hcaptcha">hCaptcha</span> keys
      </h3>
      <Field
        {...fieldProps('challengeSiteKey')}
        label={
          <>
            Site key <Required />
          </>
        }
        hint={<SiteKeyHint />}
        required
        spellcheck={false}
        autocomplete="off"
      />
      <Field
        form={form}
        name={CHALLENGE_SECRET.name}
        label={
          <>
            Secret key <Required {...(storedFor && { class: otherVendor })} />
          </>
        }
        hint={<SecretKeyHint storedFor={storedFor} />}
        required={!storedFor}
        type="password"
        autocomplete="new-password"
      />
    </div>
  );
}

export const challengeSection = defineSection({
  id: 'challenge',
  right: 'own',
  title: 'Challenge',
  lead: (
    <>
      While traffic looks suspicious, visitors get a code only after a test that slows down bots. First,{' '}
      <a href="/docs/challenge">add the challenge to your site</a>.
    </>
  ),
  labels: { challenge: 'When traffic looks suspicious', challengeSiteKey: 'Site key' },
  secretField: CHALLENGE_SECRET,
  readers: {
    challenge: values.parseChallengeKind,
    challengeSiteKey: values.parseChallengeKey,
    challengeSecret: values.parseChallengeKey,
  },
  texts: ({ settings: { challenge } }) => ({ challenge: challenge.kind, challengeSiteKey: challenge.siteKey }),
  change: ({ challenge: kind, challengeSiteKey: siteKey, challengeSecret: secret }) => ({
    challenge: { kind, siteKey, secret },
  }),
  fields: (fields) => (
    <Presets
      {...fields.fieldProps('challenge')}
      hint="Suspicious messages to new countries are always paused, even with a challenge."
      choices={challengeChoices(fields.application)}
    >
      <VendorKeys {...fields} />
    </Presets>
  ),
});
