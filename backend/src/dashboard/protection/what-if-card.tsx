/**
 * A form that calculates which messages different settings would have refused. Uses POST, because the calculation is
 * expensive.
 */
import {
  checkFraudSetting,
  FRAUD_THRESHOLDS,
  FraudSettingError,
  type FraudSetting,
} from '../../modules/fraud/fraud-settings.js';
import { ruleText, WHAT_IF_BASIS, whatIfText } from '../../modules/fraud/fraud-overview-texts.js';
import { WHAT_IF_SETTINGS, type WhatIf } from '../../modules/fraud/fraud-what-if.js';
import { Card } from '../components/card.js';
import { Field, Form, FormProblems } from '../components/form.js';
import { Table, type Column } from '../components/table.js';
import { FieldError, type FieldReader, type FormState } from '../form.js';
import { countText, moneyText } from '../usage/figures.js';
import { FRAUD_LABELS } from './settings-form.js';

export const WHAT_IF_ID = 'what-if';

export const WHAT_IF_READERS = Object.fromEntries(
  WHAT_IF_SETTINGS.map((name) => [name, (text: string) => parseSetting(name, text)]),
) as Record<FraudSetting, FieldReader<number>>;

function parseSetting(name: FraudSetting, text: string): number {
  const value = /^\s*\d{1,12}\s*$/.test(text) ? Number(text) : NaN;
  try {
    checkFraudSetting(name, value);
  } catch (error) {
    throw error instanceof FraudSettingError ? new FieldError(`${FRAUD_LABELS[name]}: ${error.advice}`) : error;
  }
  return value;
}

type ResultByRule = WhatIf['byRule'][number];

const columns = (currency: string): readonly Column<ResultByRule>[] => [
  { title: 'Rule', cell: ({ rule }) => ruleText(rule) },
  { title: 'Refused', number: true, cell: ({ messages }) => countText(messages) },
  { title: 'Saved', number: true, cell: ({ cost }) => moneyText(cost, currency) },
  { title: 'Verified later', number: true, cell: ({ verified }) => countText(verified) },
];

function Result({ result, currency }: { result: WhatIf; currency: string }) {
  return (
    <div class="stack" role="status">
      <p class="strong">{whatIfText(result, (units) => moneyText(units, currency))}</p>
      {result.byRule.length > 0 && (
        <Table
          caption="Refused messages by rule"
          columns={columns(currency)}
          rows={result.byRule}
          keyOf={({ rule }) => rule}
        />
      )}
    </div>
  );
}

interface WhatIfProps {
  readonly at: string;
  readonly form: FormState;
  readonly result: WhatIf | undefined;
  readonly currency: string;
}

export const WhatIfCard = ({ at, form, result, currency }: WhatIfProps) => (
  <Card
    id={WHAT_IF_ID}
    title="What if?"
    lead="See how many messages other settings would have refused. This does not change your settings."
  >
    {result && <Result result={result} currency={currency} />}
    <FormProblems form={form} prevented="" />
    <Form action={`${at}/what-if#${WHAT_IF_ID}`} noValidate>
      <details open={result !== undefined || Object.keys(form.errors).length > 0}>
        <summary>Other settings</summary>
        <div class="columns">
          {WHAT_IF_SETTINGS.map((name) => (
            <Field
              key={name}
              form={form}
              name={name}
              label={FRAUD_LABELS[name]}
              hint={FRAUD_THRESHOLDS[name].text}
              inputMode="numeric"
              autocomplete="off"
            />
          ))}
        </div>
      </details>
      <div class="actions">
        <button class="button">Calculate</button>
      </div>
    </Form>
    <p class="quiet small">{WHAT_IF_BASIS}</p>
  </Card>
);
