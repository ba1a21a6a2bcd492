/** The card that sets what happens when unusually many codes are unused in the home country. */
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { CHALLENGE_NAMES, settingsPath } from '../applications/parts.js';
import { CHANNELS_PATH } from '../channels/labels.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Presets, type Preset } from '../components/form.js';
import type { FormState } from '../form.js';
import { countText } from '../usage/figures.js';

const PAUSE_HOME: readonly Preset[] = [
  {
    value: '0',
    label: 'Email the owners',
    hint: 'You get the email early, at about a fifth of the limit. Messages are sent up to your daily budget.',
  },
  {
    value: '1',
    label: 'Pause messages',
    hint: 'New customers get no codes by SMS, WhatsApp or voice call until the pause ends.',
  },
];

/** `Its limit is 65 more people than usual.` */
function limitSentence(application: Application): string {
  const { homeUnverified: limit } = appliedSettings(application);
  return limit === 0 ? 'Its limit is off.' : `Its limit is ${countText(limit)} more people than usual.`;
}

interface HomeProps {
  readonly application: Application;
  /** The country of the account's sender number; undefined without one. */
  readonly home: string | undefined;
}

/** Names the home country, and explains how it is determined. */
function HomeCountry({ application, home }: HomeProps) {
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
      {mayHaveProviders ? <a href={CHANNELS_PATH}>{sender}</a> : sender}. {limitSentence(application)}
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

export function HomeCountryCard({ form, application, home }: HomeProps & { readonly form: FormState }) {
  const isOwner = useVisit().may('own');
  const { label: title } = FRAUD_THRESHOLDS.pauseHome;
  const isChallenged = hasChallenge(application);
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
            !isChallenged &&
            'In your first week, messages above the limit are paused with either choice. The week starts when a customer enters the first code.'
          }
          choices={PAUSE_HOME}
        >
          {!isChallenged && option}
        </Presets>
      </fieldset>
    </section>
  );
}
