/** The card that sets what happens when unusually many codes are unused in the home country. */
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { appliedSettings } from '../../modules/fraud/fraud-application.js';
import { ALERT_SHARE } from '../../modules/fraud/decide.js';
import type { HomeReaction } from '../../modules/fraud/fraud-overview.js';
import { FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import { CHALLENGE_NAMES, settingsPath } from '../applications/parts.js';
import { CHANNELS_PATH } from '../channels/labels.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { Presets, type Preset } from '../components/form.js';
import type { FormState } from '../form.js';
import { countText } from '../usage/figures.js';
import { AtChosenLevel, settingsAt } from './levels.js';
import { fraudTexts } from './setting-groups.js';

export interface HomeProps {
  readonly application: Application;
  readonly homeReaction: HomeReaction;
  /** The country of the account's sender number; undefined without one. */
  readonly home: string | undefined;
}

/** Why neither choice has an effect; undefined if both can have one. */
function inactiveReason({ application, home, homeReaction }: HomeProps): string | undefined {
  if (home === undefined) return 'while Passbell does not know your country';
  if (appliedSettings(application).homeUnverified === 0) return 'because the limit is off';
  if (homeReaction !== 'none') return undefined;
  return application.settings.verifiedElsewhere
    ? 'until enough entered codes are reported'
    : 'until people enter codes';
}

/** The limit of the home country at the chosen level, or a share of it. */
const HomeLimit = ({ application, share }: Pick<HomeProps, 'application'> & { readonly share: number }) => (
  <AtChosenLevel textAt={(level) => countText(Math.ceil(settingsAt(level, application).homeUnverified * share))} />
);

function EmailHint(props: HomeProps) {
  const reason = inactiveReason(props);
  if (reason) return <>This choice has no effect {reason}.</>;
  if (props.homeReaction === 'pause')
    return <>Emails start a week after the first entered code. Until then, messages above the limit are paused.</>;
  return (
    <>
      Email when at least <HomeLimit application={props.application} share={ALERT_SHARE} /> more people than usual leave
      their code unused. Your country is not paused.
    </>
  );
}

function PauseHint(props: HomeProps) {
  const reason = inactiveReason(props);
  if (reason) return <>This choice has no effect {reason}.</>;
  return (
    <>
      Above <HomeLimit application={props.application} share={1} /> more people than usual, new customers get no codes
      by SMS, WhatsApp or voice call until the pause ends.
    </>
  );
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

export function HomeCountryCard({ form, ...home }: HomeProps & { readonly form: FormState }) {
  const { application } = home;
  const isOwner = useVisit().may('own');
  const { label: title } = FRAUD_THRESHOLDS.pauseHome;
  const isChallenged = hasChallenge(application);
  const option = <ChallengeOption application={application} />;
  const choices: readonly Preset[] = [
    { value: '0', label: 'Email the owners', hint: <EmailHint {...home} /> },
    { value: '1', label: 'Pause messages', hint: <PauseHint {...home} /> },
  ];
  return (
    <section class="card beside" aria-labelledby="home-title">
      <div>
        <h2 id="home-title">{title}</h2>
        <p class="lead">
          <HomeCountry {...home} />
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
          stored={fraudTexts(application).pauseHome}
        >
          {!isChallenged && option}
        </Presets>
      </fieldset>
    </section>
  );
}
