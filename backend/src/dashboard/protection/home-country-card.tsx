/** The card that sets what happens when unusually many codes are unused in the home country. */
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { ALERT_SHARE } from '../../modules/fraud/decide.js';
import { FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { CHALLENGE_NAMES, settingsPath } from '../applications/parts.js';
import { CHANNELS_PATH } from '../channels/labels.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Presets, type Preset } from '../components/form.js';
import type { FormState } from '../form.js';
import { countText } from '../usage/figures.js';

interface HomeLimit {
  /** How many more people than usual may leave their code unused; 0 if the limit is off. */
  readonly limit: number;
  /** The own country; undefined if it is not known. */
  readonly home: string | undefined;
  readonly alwaysPausesHome: boolean;
}

function emailHint({ limit, home, alwaysPausesHome }: HomeLimit): string {
  if (home === undefined) return 'No email is sent while Passbell does not know your country.';
  if (limit === 0) return 'No email is sent, because the limit is off.';
  if (alwaysPausesHome)
    return 'Emails start a week after the first entered code. Until then, messages above the limit are paused.';
  return `Email when at least ${countText(Math.ceil(limit * ALERT_SHARE))} more people than usual leave their code unused. Your country is not paused.`;
}

function pauseHint({ limit, home }: HomeLimit): string {
  if (home === undefined) return 'Nothing is paused while Passbell does not know your country.';
  if (limit === 0) return 'Nothing is paused, because the limit is off.';
  return `Above ${countText(limit)} more people than usual, new customers get no codes by SMS, WhatsApp or voice call until the pause ends.`;
}

export interface HomeProps {
  readonly application: Application;
  /** Whether codes above the limit are paused, whatever the owner chose. */
  readonly alwaysPausesHome: boolean;
  /** The country of the account's sender number; undefined without one. */
  readonly home: string | undefined;
}

/** Names the home country, and explains how it is determined. */
function HomeCountry({ application, home }: Pick<HomeProps, 'application' | 'home'>) {
  const { mayHaveProviders } = useVisit();
  const sender = 'first sender number';
  return home === undefined ? (
    <>
      Passbell does not know which country is yours, because no provider has a sender number. Add your country to the{' '}
      <a href={settingsPath(application, 'countries')}>countries that you serve</a>.
    </>
  ) : (
    <>
      Your own country is {countryInSentence(home)}, the country of the{' '}
      {mayHaveProviders ? <a href={CHANNELS_PATH}>{sender}</a> : sender}.
    </>
  );
}

/** The challenge as an option that is set elsewhere, because a site must show it first. */
function ChallengeOption({ application }: Pick<HomeProps, 'application'>) {
  const { kind } = application.settings.challenge;
  const link = settingsPath(application, 'challenge');
  return kind === 'off' ? (
    <div class="option">
      <span>
        Require a challenge
        <span class="hint">
          If many codes are unused, people must pass a test before a code is sent. Your site must show it.
        </span>
        <a href={link}>Set up a challenge</a>
      </span>
    </div>
  ) : (
    <div class="option in-use">
      <span>
        Require a challenge <Badge kind="good">In use</Badge>
        <span class="hint">
          If many codes are unused, browsers must pass {CHALLENGE_NAMES[kind]} before a code is sent.
        </span>
        <a href={link}>Change the challenge</a>
      </span>
    </div>
  );
}

export function HomeCountryCard({
  form,
  application,
  home,
  alwaysPausesHome,
}: HomeProps & { readonly form: FormState }) {
  const isOwner = useVisit().may('own');
  const { label: title } = FRAUD_THRESHOLDS.pauseHome;
  const isChallenged = hasChallenge(application);
  const option = <ChallengeOption application={application} />;
  const limit = { limit: appliedSettings(application).homeUnverified, home, alwaysPausesHome };
  const choices: readonly Preset[] = [
    { value: '0', label: 'Email the owners', hint: emailHint(limit) },
    { value: '1', label: 'Pause messages', hint: pauseHint(limit) },
  ];
  return (
    <section class="card beside" aria-labelledby="home-title">
      <div>
        <h2 id="home-title">{title}</h2>
        <p class="lead">
          <HomeCountry application={application} home={home} />
        </p>
      </div>
      <fieldset disabled={!isOwner}>
        <legend class="unseen">{title}</legend>
        {isChallenged && option}
        <Presets
          form={form}
          name="pauseHome"
          label={isChallenged ? 'If you turn the challenge off' : <span class="unseen">If many codes are unused</span>}
          choices={choices}
        >
          {!isChallenged && option}
        </Presets>
      </fieldset>
    </section>
  );
}
