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
import { accountIdOf, withAccount, type AccountOption } from './account-option.js';
import { addAction, addCommand, OperatorError, withExamples, type Context } from './context.js';
import { formatBlock, formatTable } from './output.js';
import { wholeNumber } from './parse.js';

export function complete(group: Command, context: Context): void {
  withExamples(group, ['create --name CI --scopes applications:own,webhooks:own', 'list', 'revoke 1']);
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
  const create = withAccount(
    addCommand(group, 'create', 'create a key of the management API', [
      '--name CI --scopes applications:own,webhooks:own --days 30',
    ]),
  )
    .requiredOption('--name <NAME>', 'name of the key, such as the program that uses it')
    .requiredOption('--scopes <LIST>', 'rights by area, AREA:RIGHT; the rights are read, change and own', scopes)
    .option('--days <N>', 'number of days that it is valid', wholeNumber(1, MAX_KEY_DAYS), 90);
  type Options = AccountOption & { name: string; scopes: Scopes; days: number };
  addAction(create, context, async ({ account, ...key }: Options) => {
    const core = await context.core();
    const accountId = await accountIdOf(core, account);
    const created = await core.managementKeys.service.create(OPERATOR, { ...key, accountId });
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
  const list = withAccount(addCommand(group, 'list', 'list the keys of an account', ['', '--json']));
  addAction(list, context, async ({ account }: AccountOption) => {
    const core = await context.core();
    const keys = await core.managementKeys.service.list(OPERATOR, await accountIdOf(core, account));
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
      key.lastUsedAt ?? 'not yet',
    ]);
    return { data, text: formatTable(['ID', 'Key', 'Scopes', 'Expires', 'Last used'], rows, 'There are no keys.') };
  });
}

function addRevoke(group: Command, context: Context): void {
  const revoke = withAccount(addCommand(group, 'revoke', 'make a key invalid immediately', ['1']));
  revoke.argument('<ID>', 'ID of the key, as shown by "api-key list"', wholeNumber(1, 2 ** 31));
  addAction(revoke, context, async (id: number, { account }: AccountOption) => {
    const core = await context.core();
    if (!(await core.managementKeys.service.revoke(OPERATOR, await accountIdOf(core, account), id)))
      throw new OperatorError(`there is no key ${id}`);
    return { data: { id }, text: 'The key was revoked.' };
  });
}
