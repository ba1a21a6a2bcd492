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

/** `limit`: of the own country; 0 if it is off. `home`: the own country; undefined if it is not known. */
function emailHint(limit: number, home: string | undefined): string {
  if (home === undefined) return 'No email is sent while Passbell does not know your country.';
  if (limit === 0) return 'The limit is off, so no email is sent.';
  const from = countText(Math.ceil(limit * ALERT_SHARE));
  return `Sent at ${from} more people than usual, or later if few people enter codes. Your country is not paused.`;
}

/** `Its limit is 65 more people than usual.` */
const limitSentence = (limit: number): string =>
  limit === 0 ? 'Its limit is off.' : `Its limit is ${countText(limit)} more people than usual.`;

export interface HomeProps {
  readonly application: Application;
  /** Whether people have entered codes for a week, so that the choice applies. */
  readonly isMature: boolean;
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
      {mayHaveProviders ? <a href={CHANNELS_PATH}>{sender}</a> : sender}.{' '}
      {limitSentence(appliedSettings(application).homeUnverified)}
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
          Above the limit, people must pass a test before a code is sent. Your site must show it.
        </span>
        <a href={link}>Set up a challenge</a>
      </span>
    </div>
  ) : (
    <div class="option in-use">
      <span>
        Require a challenge <Badge kind="good">In use</Badge>
        <span class="hint">Above the limit, browsers must pass {CHALLENGE_NAMES[kind]} before a code is sent.</span>
        <a href={link}>Change the challenge</a>
      </span>
    </div>
  );
}

export function HomeCountryCard({ form, application, home, isMature }: HomeProps & { readonly form: FormState }) {
  const isOwner = useVisit().may('own');
  const { label: title } = FRAUD_THRESHOLDS.pauseHome;
  const isChallenged = hasChallenge(application);
  const { homeUnverified: limit } = appliedSettings(application);
  const choices: readonly Preset[] = [
    { value: '0', label: 'Email the owners', hint: emailHint(limit, home) },
    {
      value: '1',
      label: 'Pause messages',
      hint: 'New customers get no codes by SMS, WhatsApp or voice call until the pause ends.',
    },
  ];
  // Without customers to lose, an attack costs more than it earns.
  const isAlwaysPaused = !isChallenged && !isMature && home !== undefined && limit > 0;
  const option = <ChallengeOption application={application} />;
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
          label={isChallenged ? 'If you turn the challenge off' : <span class="unseen">Above the limit</span>}
          hint={
            isAlwaysPaused &&
            'For now, messages above the limit are paused with either choice. Your choice applies once people have entered codes for a week.'
          }
          choices={choices}
        >
          {!isChallenged && option}
        </Presets>
      </fieldset>
    </section>
  );
}
