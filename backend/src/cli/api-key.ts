import { InvalidArgumentError, type Command } from 'commander';
import { OPERATOR } from '../modules/access/actor.js';
import {
  AREAS,
  MAX_KEY_DAYS,
  parseScopes,
  scopeTexts,
  type Scopes,
} from '../modules/management-keys/management-key.js';
import { isoTime } from '../platform/clock.js';
import { addAccountAction } from './account-option.js';
import { addCommand, OperatorError, type Context } from './context.js';
import { formatBlock, formatTable } from './output.js';
import { wholeNumber } from './parse.js';

export function complete(group: Command, context: Context): void {
  addCreate(group, context);
  addList(group, context);
  addRevoke(group, context);
}

function scopes(text: string): Scopes {
  const parsed = parseScopes(text.split(',').map((scope) => scope.trim()));
  if (!parsed)
    throw new InvalidArgumentError(`It must be a list such as webhooks:own. The areas are ${AREAS.join(', ')}.`);
  return parsed;
}

function addCreate(group: Command, context: Context): void {
  const create = addCommand(group, 'create', 'create a key of the management API', [
    '--name CI --scopes applications:own,webhooks:own --days 30',
  ])
    .requiredOption('--name <NAME>', 'name of the key, such as the name of the program that uses it')
    .requiredOption('--scopes <LIST>', 'rights by area, as AREA:RIGHT; the rights are read, change and own', scopes)
    .option('--days <N>', 'number of days for which the key is valid', wholeNumber(1, MAX_KEY_DAYS), 90);
  type Options = { name: string; scopes: Scopes; days: number };
  addAccountAction(create, context, async (core, accountId, { name, scopes, days }: Options) => {
    const created = await core.managementKeys.service.create(OPERATOR, { name, scopes, days, accountId });
    const data = { id: created.id, key: created.secret, expiresAt: isoTime(created.expiresAt) };
    const text = formatBlock([
      ['API key', `${data.key}   (shown only once)`],
      ['ID', String(data.id)],
      ['Expires', data.expiresAt],
    ]);
    return { data, text };
  });
}

function addList(group: Command, context: Context): void {
  const list = addCommand(group, 'list', 'list the keys of an account', ['', '--json']);
  addAccountAction(list, context, async (core, accountId) => {
    const keys = await core.managementKeys.service.list(OPERATOR, accountId);
    const data = keys.map(({ id, name, hint, scopes: rights, createdBy, expiresAt, lastUsedAt }) => ({
      id,
      name,
      hint,
      scopes: scopeTexts(rights),
      createdBy,
      expiresAt: isoTime(expiresAt),
      lastUsedAt: lastUsedAt === null ? null : isoTime(lastUsedAt),
    }));
    const rows = data.map((key) => [
      String(key.id),
      `${key.name}\n${key.hint}…`,
      key.scopes.join('\n'),
      key.expiresAt,
      key.lastUsedAt ?? 'never',
    ]);
    return { data, text: formatTable(['ID', 'Key', 'Scopes', 'Expires', 'Last used'], rows, 'There are no keys.') };
  });
}

function addRevoke(group: Command, context: Context): void {
  const revoke = addCommand(group, 'revoke', 'revoke a key immediately', ['1']);
  revoke.argument('<ID>', 'ID of the key, as shown by `passbell api-key list`', wholeNumber(1, 2 ** 31));
  addAccountAction(revoke, context, async (core, accountId, id: number) => {
    if (!(await core.managementKeys.service.revoke(OPERATOR, accountId, id)))
      throw new OperatorError(`there is no key ${id}`);
    return { data: { id }, text: 'The key was revoked.' };
  });
}
