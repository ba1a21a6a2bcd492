/** The form fields of a template's sample values. */
import { sampleVariables, sentenceCase, type VariableName } from '../../modules/templates/template.js';
import { VARIABLES } from '../../platform/contract/generated/templates.js';

export type SampleField = { name: string; label: string; help: string; link: boolean; maxLength: number };

const OTP_FIELDS: Readonly<Record<string, Omit<SampleField, 'name'>>> = {
  code: { label: 'Code', help: 'Code to enter.', link: false, maxLength: 10 },
  minutes: { label: 'Validity in minutes', help: 'Time until the code expires.', link: false, maxLength: 4 },
};

export const sampleFields = (template: string): SampleField[] =>
  Object.keys(sampleVariables(template)).map((name) => {
    const field = OTP_FIELDS[name] ?? VARIABLES[name as VariableName];
    return { ...field, name, label: sentenceCase(field.label) };
  });

export const sampleFieldName = (variable: string): string => `sample-${variable}`;
