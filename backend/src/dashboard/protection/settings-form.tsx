/** The form for the fraud guard's settings. */
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems, Presets } from '../components/form.js';
import { labelsOf } from '../components/setting-fields.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';
import { HomeCountryCard, type HomeProps } from './home-country-card.js';
import { levelChoices } from './levels.js';
import { LimitsCard } from './limits-card.js';
import { fraudTexts, NUMBERS, LimitsOff } from './setting-groups.js';

interface FraudSettingsFormProps extends HomeProps {
  readonly action: string;
  readonly form: FormState;
}

export function FraudSettingsForm({ action, form, ...homeProps }: FraudSettingsFormProps) {
  const { application } = homeProps;
  const isOwner = useVisit().may('own');
  const stored = fraudTexts(application);
  const isCustom = NUMBERS.some((name) => stored[name] !== '');
  return (
    <>
      <FormProblems form={form} labels={labelsOf(FRAUD_THRESHOLDS)} />
      <Form class="stack" action={action} stored={stored} form={form} noValidate>
        <section class="card beside" aria-labelledby="strictness-title">
          <div>
            <h2 id="strictness-title">Protection level</h2>
            <p class="lead">
              Passbell {hasChallenge(application) ? 'pauses or challenges' : 'pauses'} a country if unusually many
              people leave their code unused. Each limit is how many more people than usual may do so.{' '}
              <a href="/docs/fraud-rules#unused-codes">How unused codes are counted</a>
            </p>
          </div>
          <fieldset disabled={!isOwner}>
            <legend class="unseen">Protection level</legend>
            <Presets
              form={form}
              name="strictness"
              label={<span class="unseen">{FRAUD_THRESHOLDS.strictness.label}</span>}
              choices={levelChoices(application)}
              stored={stored.strictness}
            />
            {isCustom && (
              <p class="hint">
                <LimitsOff application={application} /> Custom values apply at every level.
              </p>
            )}
          </fieldset>
        </section>
        <HomeCountryCard form={form} {...homeProps} />
        <LimitsCard form={form} application={application} />
        <ConfirmationBox
          form={form}
          label="Save looser values"
          consequence="If you save this, an attack can cost more, or may not be stopped."
        />
        {isOwner && <Submit label="Save" kind="saved-by-bar" />}
      </Form>
    </>
  );
}
