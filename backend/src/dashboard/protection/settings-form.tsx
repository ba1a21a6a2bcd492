/** The form for the fraud guard's settings. */
import type { Application } from '../../modules/applications/application.js';
import { hasChallenge } from '../../modules/applications/challenge-settings.js';
import { FRAUD_THRESHOLDS } from '../../modules/fraud/fraud-settings.js';
import { Badge } from '../components/badge.js';
import { useVisit } from '../components/context.js';
import { ConfirmationBox, Form, FormProblems, Presets } from '../components/form.js';
import { labelsOf } from '../components/setting-fields.js';
import { Submit } from '../components/submit.js';
import type { FormState } from '../form.js';
import { HomeCountryCard } from './home-country-card.js';
import { LEVELS, LevelTable } from './levels.js';
import { fraudTexts, NUMBERS, NumberGroups, RulesOff } from './setting-groups.js';

interface FraudSettingsFormProps {
  readonly action: string;
  readonly application: Application;
  readonly form: FormState;
  /** The country of the account's sender number; undefined without one. */
  readonly home: string | undefined;
  /** Label of the checkbox that confirms the submitted changes. */
  readonly confirmation?: string | undefined;
}

export function FraudSettingsForm({ action, application, form, home, confirmation }: FraudSettingsFormProps) {
  const isOwner = useVisit().may('own');
  const stored = fraudTexts(application);
  const isCustom = NUMBERS.some((name) => stored[name] !== '');
  return (
    <>
      <FormProblems form={form} labels={labelsOf(FRAUD_THRESHOLDS)} />
      <Form class="stack" action={action} stored={stored} noValidate>
        <section class="card beside" aria-labelledby="strictness-title">
          <div>
            <h2 id="strictness-title">Protection level</h2>
            <p class="lead">
              Passbell learns how many people usually leave their code unused. The level sets how many more people may
              do so before Passbell acts.
            </p>
          </div>
          <fieldset disabled={!isOwner}>
            <legend class="unseen">Protection level</legend>
            <Presets
              form={form}
              name="strictness"
              label={<span class="unseen">{FRAUD_THRESHOLDS.strictness.label}</span>}
              choices={LEVELS}
            />
            <LevelTable application={application} />
            {isCustom && (
              <p class="hint">
                <RulesOff application={application} /> The numbers that you entered under Advanced replace those of the
                level.
              </p>
            )}
          </fieldset>
        </section>
        <HomeCountryCard form={form} application={application} home={home} />
        <section class="card" aria-labelledby="advanced-title">
          <div>
            <h2 id="advanced-title">Advanced {isCustom && <Badge kind="neutral">Custom</Badge>}</h2>
            <p class="lead">
              Most shops need no changes. An empty field uses the number that it shows. 0 turns a limit off.
              {hasChallenge(application) &&
                ' While your challenge is on, Passbell requires it instead of pausing messages, except in new countries.'}
            </p>
          </div>
          <fieldset disabled={!isOwner}>
            <legend class="unseen">Advanced</legend>
            <NumberGroups form={form} application={application} />
            <ConfirmationBox form={form} label={confirmation ?? ''} />
            {isOwner && <Submit label="Save" kind="saved-by-bar" />}
          </fieldset>
        </section>
      </Form>
    </>
  );
}
