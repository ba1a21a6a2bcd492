/**
 * The operations of the management API, read from its contract. Each is declared there once, with its parameters and the
 * required right; routes, commands and pages are made from the declaration.
 */
import type { operations } from '../../platform/contract/generated/manage.js';
import { OPERATION_TABLE } from '../../platform/contract/generated/operations.js';
import type { Right } from '../access/rights.js';
import type { Area } from '../management-keys/management-key.js';

export type OperationName = keyof operations;

type Part<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type BodyOf<T> = T extends { requestBody?: { content: { 'application/json': infer Body } } } ? Body : unknown;

/** The parameters of an operation, from the path, the query and the body. */
export type ParametersOf<N extends OperationName> = Part<operations[N]['parameters']['path']> &
  Part<operations[N]['parameters']['query']> &
  BodyOf<operations[N]>;

export type DataOf<N extends OperationName> = operations[N]['responses'][200]['content']['application/json']['data'];

/** The schema of a parameter, with hints for the command. */
export interface OperationParameter {
  readonly place: 'path' | 'query' | 'body';
  readonly required: boolean;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly items?: { readonly enum?: readonly string[] };
  /** The name of the value in the command's help. */
  readonly 'x-placeholder'?: string;
  /** The name of the command's option. */
  readonly 'x-option'?: string;
  /** The value if the command's option is missing. */
  readonly 'x-default'?: unknown;
  /** The page of the dashboard for this parameter, if it is not {@link Operation.page}. */
  readonly 'x-page'?: string;
}

export interface Operation {
  readonly name: OperationName;
  readonly method: string;
  /** Path below `/api/v1/manage`, such as `/applications/{application}`. */
  readonly path: string;
  readonly summary: string;
  /** Markdown; "" without a description. */
  readonly description: string;
  readonly area: Area;
  readonly right: Right;
  readonly needsConfirmation: boolean;
  /** Set if the MCP server offers the operation: its description, and the fields of the listed objects that it returns. */
  readonly tool?: { readonly text: string; readonly fields?: readonly string[] };
  /** The page below `/dashboard` on which people do the same. */
  readonly page?: string;
  readonly parameters: Readonly<Record<string, OperationParameter>>;
  /** Keywords of JSON Schema that say which parameters are sent together. */
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: Readonly<Record<string, readonly string[]>>;
  readonly fields: readonly string[];
}

export const OPERATIONS = OPERATION_TABLE as readonly Operation[];

/** Returns the JSON Schema of an operation's parameters, without the hints for the command. */
export function parametersSchema({ parameters, minProperties, maxProperties, dependentRequired }: Operation) {
  const properties = Object.entries(parameters).map(([name, described]) => {
    const schema = Object.entries(described).filter(([key]) => !/^(x-.*|place|required)$/.test(key));
    return [name, Object.fromEntries(schema)];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as object,
    required: Object.keys(parameters).filter((name) => parameters[name]!.required),
    additionalProperties: false,
    ...(minProperties === undefined ? {} : { minProperties, maxProperties }),
    ...(dependentRequired === undefined ? {} : { dependentRequired }),
  };
}

export const operationNamed = (name: OperationName): Operation => OPERATIONS.find((each) => each.name === name)!;
