/** Fields and sending of both kinds of notifications. */
import { defineInputFields, type Bundle, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { channel, pickInputs, language, reference, to } from './fields.js';
import { send } from './send-result.js';
import { templateChoices, variableFields, variableNames, type Kind } from './templates.js';

interface Inputs extends Record<string, unknown> {
  readonly templateType?: string;
}

export const notificationFields = (kind: Kind) =>
  defineInputFields([
    to,
    {
      key: 'templateType',
      label: 'Template',
      type: 'string',
      required: true,
      choices: templateChoices(kind),
      altersDynamicFields: true,
      helpText: 'Message to send. Its fields appear below.',
    },
    channel,
    language,
    reference,
    (_z: ZObject, bundle: Bundle<Inputs>): PlainInputField[] => variableFields(kind, bundle.inputData.templateType),
  ]);

export const sendNotification = (kind: Kind) => async (z: ZObject, bundle: Bundle<Inputs>) => {
  const path = `/notifications/${kind}`;
  const { inputData } = bundle;
  const body = {
    ...pickInputs(inputData, ['to', 'channel', 'templateType', 'language']),
    // Excludes leftover values of a previously selected template.
    variables: pickInputs(inputData, variableNames(kind, inputData.templateType ?? '')),
  };
  return send(z, bundle, path, body);
};
