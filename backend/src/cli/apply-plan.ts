/** Compares the file of `passbell apply` with what the server stores. */
import { isDeepStrictEqual } from 'node:util';
import { diffLines } from 'diff';
import { isObject } from '../platform/json.js';
import { hasReference, type ConfigurationFile, type Path, type Values } from './apply-file.js';
import { objectsOf, routedProviders, STORED, type ChosenIds, type ConfiguredObject } from './apply-objects.js';

/** Sends a GET request. Returns undefined for an object that does not exist. */
type Get = (path: string) => Promise<Values | undefined>;

interface FieldChange {
  /** Path in the object. */
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

export interface PlannedChange {
  readonly object: ConfiguredObject;
  readonly isNew: boolean;
  readonly fields: readonly FieldChange[];
  /** Whether the object has secrets, which only the server can compare. */
  readonly hasSecrets: boolean;
  readonly version: string | undefined;
}

export const titleOf = ({ at }: ConfiguredObject): string => at.join('/');

/** The order of texts matters only for channels. An empty text is the same as none. */
function isSame(name: string, a: unknown, b: unknown): boolean {
  const comparable = (value: unknown) => {
    if (Array.isArray(value) && name !== 'channels' && value.every((each) => typeof each === 'string'))
      return [...(value as string[])].sort();
    return value === '' || value === null ? undefined : value;
  };
  return isDeepStrictEqual(comparable(a), comparable(b));
}

function differences(replaced: readonly string[], fields: Values, stored: Values, path: Path = []): FieldChange[] {
  const isReplaced = replaced.includes(path.join('.'));
  const names = new Set([...Object.keys(fields), ...(isReplaced ? Object.keys(stored) : [])]);
  return [...names].flatMap((name) => {
    const here = [...path, name];
    const before = stored[name];
    const after = fields[name];
    if (isObject(after)) return differences(replaced, after, isObject(before) ? before : {}, here);
    return isSame(name, before, after) ? [] : [{ path: here, before, after }];
  });
}

/** Returns the changes after which the server stores what the file describes, apart from secrets. */
export function changesOf({ fields: described, replaced = [] }: ConfiguredObject, stored: Values = {}) {
  const all = differences(replaced, described, stored);
  const fields = all.filter(({ before }) => before !== STORED);
  return { fields, hasSecrets: fields.length < all.length };
}

/** Throws if the file contains a secret instead of a reference to an environment variable. */
async function rejectSecrets({ values, writtenAt, lineOf, reject }: ConfigurationFile, get: Get): Promise<void> {
  const providers = Object.entries((values.providers ?? {}) as Record<string, Values>);
  const types = providers.length > 0 ? (((await get('/provider-types'))?.types ?? []) as Values[]) : [];
  const ofProviders = providers.flatMap(([id, { type: name }]) => {
    const fields = (types.find(({ type }) => type === name)?.fields ?? []) as Values[];
    return fields.filter(({ secret }) => secret).map((field) => ['providers', id, 'settings', String(field.name)]);
  });
  const applications = Object.keys((values.applications ?? {}) as Values);
  const ofApplications = applications.map((id) => ['applications', id, 'challengeSecret']);
  const exposed = [...ofProviders, ...ofApplications].filter((path) => {
    const written = writtenAt(path);
    return Boolean(written) && !hasReference(written);
  });
  reject(exposed.map((path) => [lineOf(path), `${path.join('.')} is a secret; write it as \${NAME}`]));
}

/** Returns the changes of a file, including those of objects in which only secrets may have changed. */
export async function planOf(file: ConfigurationFile, read: Get): Promise<PlannedChange[]> {
  const replies = new Map<string, ReturnType<Get>>();
  const get: Get = (path) => {
    if (!replies.has(path)) replies.set(path, read(path));
    return replies.get(path)!;
  };
  await rejectSecrets(file, get);
  const chosenIds: ChosenIds = new Map();
  for (const id of routedProviders(file.values))
    chosenIds.set((await get(`/providers/${encodeURIComponent(id)}`))?.id, id);
  const plan: PlannedChange[] = [];
  for (const object of objectsOf(file.values, chosenIds)) {
    const data = await get(object.source);
    const stored = data && object.view(data);
    if (stored?.deleteAt) file.reject([[file.lineOf(object.at), `${titleOf(object)} was deleted; restore it first`]]);
    const version = stored?.version as string | undefined;
    plan.push({ object, isNew: stored === undefined, version, ...changesOf(object, stored) });
  }
  return plan.filter((change) => isVisible(change) || change.hasSecrets);
}

export const isVisible = ({ isNew, fields }: PlannedChange): boolean => isNew || fields.length > 0;

const format = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '(none)'));

function lineDiff(before: string, after: string): string {
  const parts = diffLines(`${before}\n`, `${after}\n`).flatMap(({ value, added, removed }) => {
    const mark = added ? '+' : removed ? '-' : ' ';
    return value
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => `\n      ${mark} ${line}`);
  });
  return parts.join('');
}

/** Describes the change of a field. Hides values from environment variables, and the codes of test recipients. */
function fieldText(
  file: ConfigurationFile,
  { object, isNew }: PlannedChange,
  { path, ...change }: FieldChange,
): string {
  const written = file.writtenAt([...object.at, ...path]);
  const isHidden = path[0] === 'testRecipients' || hasReference(written);
  const shown = (value: unknown) => (isHidden && value !== undefined ? '(hidden)' : format(value));
  const before = shown(change.before);
  const after = hasReference(written) ? format(written) : shown(change.after);
  const values = before.includes('\n') || after.includes('\n') ? lineDiff(before, after) : ` ${before} → ${after}`;
  return `    ${path.join('.')}:${isNew ? ` ${after.trimEnd().replaceAll('\n', '\n      ')}` : values}`;
}

export function planText(file: ConfigurationFile, plan: readonly PlannedChange[]): string {
  const changes = plan.filter(isVisible);
  const blocks = changes.map((change) => {
    const fields = change.fields.map((field) => fieldText(file, change, field));
    return [`${change.isNew ? '+' : '~'} ${titleOf(change.object)}`, ...fields].join('\n');
  });
  const created = changes.filter(({ isNew }) => isNew).length;
  const summary = `Plan: ${created} to create, ${changes.length - created} to change.`;
  return `${[...blocks, changes.length === 0 ? 'No changes.' : summary].join('\n')}\n`;
}
