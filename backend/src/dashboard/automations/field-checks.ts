/** Checks the fields of an automation, on their own and with the values of an event. */
import type { Automation, ShopConnection } from '../../modules/automations/automation.js';
import type { Sample } from '../../modules/automations/automations-service.js';
import { fieldLabel, fillFields, liquidProblem, missingValues } from '../../modules/automations/mapping.js';
import { channelProblem } from '../../modules/automations/refusals.js';
import { SHOP_TYPES } from '../../modules/automations/shop-types.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';

type Problems = Record<string, string>;
type TemplateFields = { readonly required: readonly string[]; readonly oneOf: readonly string[] };

export const requiredFields = ({ template }: Pick<Automation, 'template'>): readonly string[] => [
  'to',
  ...(TEMPLATES[template] as TemplateFields).required,
];

/** Returns the errors that do not depend on an event: invalid Liquid, and fields that must be filled in. */
export function problemsIn(automation: Pick<Automation, 'template' | 'fields'>): Problems {
  const { template, fields } = automation;
  const { oneOf }: TemplateFields = TEMPLATES[template];
  const problems: Problems = {};
  for (const name of requiredFields(automation))
    if (fields[name] === undefined) problems[name] = `Fill in “${fieldLabel(name)}”.`;
  const [first] = oneOf;
  if (first !== undefined && oneOf.every((name) => fields[name] === undefined))
    problems[first] = `Fill in one of these fields: ${oneOf.map(fieldLabel).join(', ')}.`;
  for (const [name, text] of Object.entries(fields)) {
    const problem = liquidProblem(text);
    if (problem !== undefined) problems[name] = `“${fieldLabel(name)}” is not valid. ${problem}`;
  }
  return problems;
}

export interface FilledDraft {
  readonly values: Readonly<Record<string, string>>;
  /** Explanations of empty fields. */
  readonly notes: Problems;
  /** Errors that prevent the event from sending a message. An automation that is on must not have any. */
  readonly problems: Problems;
}

/** Fills in a draft with the values of an event. Throws a `MappingError`. */
export function fillDraft({ kind }: ShopConnection, draft: Automation, { event, body }: Sample): FilledDraft {
  const { fields } = draft;
  const { to, country, language, variables } = fillFields(draft, body);
  const values: Record<string, string> = { ...variables, to, country, language };
  const isSameEvent = event.delivery.events.some(({ name }) => name === draft.event);
  // All events of a shop have the same values, but those of other systems can differ.
  const isComparable = isSameEvent || SHOP_TYPES[kind].events !== undefined;
  const notes: Problems = {};
  for (const [name, text] of Object.entries(fields)) {
    const [first] = values[name] || !isComparable ? [] : missingValues(text, body);
    if (first !== undefined) notes[name] = `The event has no value named ${first}.`;
  }
  const { oneOf }: TemplateFields = TEMPLATES[draft.template];
  const alternatives = oneOf.some((name) => values[name]) ? [] : oneOf.filter((name) => fields[name]);
  const problems: Problems = {};
  for (const name of [...requiredFields(draft), ...alternatives].filter((one) => !values[one])) {
    const note = notes[name];
    if (note !== undefined) problems[name] = note;
    // Some customers leave out their phone number. The next order may have one.
    else if (isSameEvent && name === 'to') notes.to = 'Events without a recipient send nothing.';
    else if (isSameEvent) problems[name] = `“${fieldLabel(name)}” is empty in the last event.`;
  }
  const problem = isComparable ? channelProblem(draft.channel, to) : undefined;
  if (problem !== undefined) problems.to = problem;
  return { values, notes, problems };
}
