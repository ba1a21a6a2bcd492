import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { utcDay } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { isWebLink } from '../../platform/http/web-link.js';
import { SettingError } from '../settings/bounded-setting.js';
import type { Operation, OperationName, ParametersOf } from './operations.js';

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  useDefaults: true,
  formats: {
    uri: isWebLink,
    date: (text: string) => utcDay(Date.parse(`${text}T00:00:00Z`) || 0) === text,
    'date-time': (text: string) => !Number.isNaN(Date.parse(text)),
  },
});

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'It must be a link that starts with http:// or https://, without a password.',
  date: 'It must be a date such as 2026-01-31.',
  'date-time': 'It must be a time such as 2026-01-31T15:04:05Z.',
};

const validators = new Map<OperationName, ValidateFunction>();

function validatorOf({ name, parameters }: Operation): ValidateFunction {
  // `required` of a parameter is not a keyword of its schema.
  const properties = Object.entries(parameters).map(([each, { required: _required, ...schema }]) => [each, schema]);
  const required = Object.keys(parameters).filter((each) => parameters[each]!.required);
  const schema = { type: 'object', required, properties: Object.fromEntries(properties), additionalProperties: false };
  const validate = validators.get(name) ?? ajv.compile(schema);
  validators.set(name, validate);
  return validate;
}

/**
 * Checks the parameters of an operation against the contract, and adds default values. Throws an {@link ApiError} for
 * parameters that the contract does not define, so that spelling mistakes are found.
 */
export function readParameters<N extends OperationName>(operation: Operation, source: object): ParametersOf<N> {
  const parameters = { ...source };
  const validate = validatorOf(operation);
  if (validate(parameters)) return parameters as ParametersOf<N>;
  const { instancePath, params, message } = validate.errors![0]!;
  const { format = '' } = params as { format?: string };
  if (Object.hasOwn(FORMATS, format)) throw new SettingError(instancePath.slice(1), FORMATS[format]!);
  const { missingProperty, additionalProperty } = params as Record<string, string | undefined>;
  if (missingProperty !== undefined && instancePath === '')
    throw new ApiError('MISSING_PARAMETERS', { field: missingProperty });
  const named = additionalProperty ?? missingProperty;
  const path = instancePath.split('/').slice(1);
  const field = (named === undefined ? path : [...path, named]).join('.');
  const text = additionalProperty === undefined ? `${field} ${message}` : `there is no parameter ${field.slice(0, 40)}`;
  throw new ApiError('INVALID_PARAMETER', { values: { text }, field });
}
