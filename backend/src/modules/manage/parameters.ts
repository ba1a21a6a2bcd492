import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { isDay } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import { isWebLink } from '../../platform/http/web-link.js';
import { SettingError } from '../settings/bounded-setting.js';
import { parametersSchema, type Operation, type OperationName, type ParametersOf } from './operations.js';

/** `Date.parse` also accepts `5`, and reads a time without a zone as the server's local time. */
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d))?$/;

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  useDefaults: true,
  formats: {
    uri: isWebLink,
    date: isDay,
    'date-time': (text: string) => TIME.test(text) && isDay(text.slice(0, 10)) && !Number.isNaN(Date.parse(text)),
  },
});

const FORMATS: Readonly<Record<string, string>> = {
  uri: 'It must be a URL that starts with http:// or https://, without a password.',
  date: 'It must be a date such as 2026-01-31.',
  'date-time': 'It must be a time such as 2026-01-31T15:04:05Z.',
};

/** Names of unknown parameters are repeated up to this length. */
const MAX_FIELD_LENGTH = 40;

const validators = new Map<OperationName, ValidateFunction>();

function validatorOf(operation: Operation): ValidateFunction {
  const validate = validators.get(operation.name) ?? ajv.compile(parametersSchema(operation));
  validators.set(operation.name, validate);
  return validate;
}

const invalid = (field: string, text: string): ApiError =>
  new ApiError('INVALID_PARAMETER', { values: { text }, field });

const noParameter = (path: string): ApiError =>
  invalid(path.slice(0, MAX_FIELD_LENGTH), `there is no parameter ${path.slice(0, MAX_FIELD_LENGTH)}`);

function errorOf({ keyword, instancePath, params, message }: ErrorObject, { parameters }: Operation): Error {
  const { format, missingProperty, additionalProperty, allowedValues } = params as Record<string, string | undefined>;
  const path = instancePath.split('/').slice(1);
  const field = path.join('.');
  if (format !== undefined && Object.hasOwn(FORMATS, format)) return new SettingError(field, FORMATS[format]!);
  if (missingProperty !== undefined && field === '')
    return new ApiError('MISSING_PARAMETERS', { field: missingProperty });
  if (missingProperty !== undefined) return invalid([...path, missingProperty].join('.'), `${field} ${message}`);
  if (additionalProperty !== undefined) return noParameter([...path, additionalProperty].join('.'));
  if (keyword === 'enum') return invalid(field, `${field} must be one of ${[allowedValues].flat().join(', ')}`);
  if (field !== '') return invalid(field, `${field} ${message}`);
  const names = Object.keys(parameters);
  return invalid(names[0]!, `send exactly one of ${names.join(', ')}`);
}

/**
 * Checks the parameters of an operation against the contract, and adds default values. Throws an {@link ApiError} for
 * parameters that the contract does not define, so that spelling mistakes are found.
 */
export function readParameters<N extends OperationName>(operation: Operation, source: object): ParametersOf<N> {
  // A misspelled name is reported before the missing one.
  const unknown = Object.keys(source).find((name) => !Object.hasOwn(operation.parameters, name));
  if (unknown !== undefined) throw noParameter(unknown);
  const parameters = { ...source };
  const validate = validatorOf(operation);
  if (!validate(parameters)) throw errorOf(validate.errors![0]!, operation);
  return parameters as ParametersOf<N>;
}
