/** Reads the file of `passbell apply`: parses YAML, inserts environment variables, and checks the result. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { isMap, LineCounter, parseDocument, visit, type Document, type Node } from 'yaml';
import { BACKEND_FOLDER } from '../platform/folders.js';
import { isWebLink } from '../platform/http/web-link.js';
import { isObject } from '../platform/json.js';
import { OperatorError } from './context.js';

export type Values = Record<string, unknown>;
export type Path = readonly string[];

const REFERENCE = /\$\{([A-Za-z_]\w*)\}/g;
/** Shorter values are not secret, and occur in other texts. */
const MIN_SECRET_LENGTH = 4;

export const hasReference = (written: unknown): boolean => (JSON.stringify(written) ?? '').search(REFERENCE) >= 0;

/** Returns the path and the problem of a value that does not match the schema. Does not repeat the value. */
function problemOf({ instancePath, params, message, propertyName, keyword }: ErrorObject): readonly [Path, string] {
  const steps = instancePath.split('/').slice(1);
  const path = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const { additionalProperty, unevaluatedProperty, type, allowedValues } = params as Values;
  const unknown = additionalProperty ?? unevaluatedProperty ?? propertyName;
  if (unknown !== undefined) return [[...path, String(unknown)], 'is neither a known field nor a valid ID'];
  if (Array.isArray(allowedValues)) return [path, `must be one of ${allowedValues.join(', ')}`];
  if (keyword === 'format') return [path, 'must be a URL that starts with http:// or https://'];
  return [path, type === 'string' ? 'must be a string; put it in quotes' : message!];
}

function problemsOf(values: unknown): (readonly [Path, string])[] {
  const schema = JSON.parse(readFileSync(new URL('openapi/apply.schema.json', BACKEND_FOLDER), 'utf8')) as object;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: isWebLink } });
  if (ajv.validate(schema, values)) return [];
  return ajv.errors!.filter(({ keyword }) => keyword !== 'propertyNames').map(problemOf);
}

/** Throws for unknown anchors, for anchors that are repeated excessively, and for merge keys without a mapping. */
function toValues(document: Document): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new OperatorError(`an anchor or merge key cannot be used: ${(error as Error).message}`);
  }
}

export type ConfigurationFile = ReturnType<typeof parseConfiguration>;

/** Parses a configuration. Throws an {@link OperatorError} that lists all problems with their lines. */
export function parseConfiguration(text: string, environment: NodeJS.ProcessEnv) {
  const lines = new LineCounter();
  const lineAt = (offset: number): number => lines.linePos(offset).line;
  const reject = (problems: readonly (readonly [line: number, text: string])[]): void => {
    const sorted = [...problems].sort(([a], [b]) => a - b).map(([line, problem]) => `line ${line}: ${problem}`);
    if (sorted.length > 0) throw new OperatorError([...new Set(sorted)].join('\n'));
  };
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  const isRepeated = 'this name or ID occurs twice';
  reject(document.errors.map((e) => [lineAt(e.pos[0]), e.code === 'DUPLICATE_KEY' ? isRepeated : e.message]));

  const written = toValues(document);
  const secrets = new Map<string, string>();
  const missing: [number, string][] = [];
  visit(document, {
    Scalar(key, node) {
      if (key === 'key' || typeof node.value !== 'string') return;
      node.value = node.value.replace(REFERENCE, (reference, name: string) => {
        const value = (Object.hasOwn(environment, name) && environment[name]) || '';
        if (value === '') missing.push([lineAt(node.range![0]), `set the environment variable ${name}`]);
        if (value.length >= MIN_SECRET_LENGTH) secrets.set(value, reference);
        return value;
      });
    },
  });
  reject(missing);

  /** Returns the line of a path, or of the innermost part around it that has one. */
  const lineOf = (path: Path): number => {
    if (path.length === 0) return 1;
    const around = path.slice(0, -1);
    const parent = around.length === 0 ? document.contents : document.getIn(around, true);
    const pair = isMap(parent) ? parent.items.find(({ key }) => String(key) === path.at(-1)) : undefined;
    const node = (pair?.key ?? document.getIn(path, true)) as Node | undefined;
    return node?.range ? lineAt(node.range[0]) : lineOf(around);
  };
  const values = toValues(document);
  const describe = (path: Path, problem: string) => `${path.join('.') || 'the file'} ${problem}`;
  reject(problemsOf(values).map(([path, problem]) => [lineOf(path), describe(path, problem)]));
  return {
    values: values as Values,
    lineOf,
    reject,
    /** Returns a part of the file in which references are not replaced. */
    writtenAt: (path: Path) => path.reduce<unknown>((part, step) => (isObject(part) ? part[step] : undefined), written),
    /** Replaces the values of environment variables in a text with references. Starts with the longest values. */
    hide: (shown: string) =>
      [...secrets]
        .sort(([a], [b]) => b.length - a.length)
        .reduce((hidden, [value, reference]) => hidden.replaceAll(value, reference), shown),
  };
}
