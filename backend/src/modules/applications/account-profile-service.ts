import { UTC } from '../../platform/local-day.js';
import type { Knex } from 'knex';
import { random } from '../../platform/crypto.js';
import { requireRight, type Actor } from '../access/actor.js';
import { changesBetween } from '../audit/audit.js';
import type { Shared } from '../audit/audit-service.js';
import { appKeysOf } from './account-ceilings-store.js';
import { brandingOf, parseBranding, type AccountProfile, type AccountProfileChange } from './account-profile.js';
import { accountName } from './application.js';
import { APPLICATION_TOPIC } from './change-application.js';

export type AccountProfiles = ReturnType<typeof createAccountProfiles>;

type Dependencies = Pick<Shared, 'audit' | 'bus' | 'db' | 'inTransaction' | 'url'>;

export function createAccountProfiles({ db, inTransaction, audit, bus, url }: Dependencies) {
  const rowOf = (trx: Knex, accountId: number) => trx('accounts').where({ id: accountId }).first();

  async function find(accountId: number): Promise<AccountProfile> {
    const row = await rowOf(db, accountId);
    return {
      name: row.name ?? '',
      shownName: accountName(row.email, row.name),
      timeZone: row.time_zone ?? '',
      ...brandingOf(accountId, parseBranding(row.branding), url),
    };
  }

  async function changeIn(trx: Knex, actor: Actor, accountId: number, change: AccountProfileChange): Promise<void> {
    // Locks the account until the transaction ends. SQLite has no `SELECT … FOR UPDATE`.
    await trx('accounts').where({ id: accountId }).update({ id: accountId });
    const row = await rowOf(trx, accountId);
    const {
      logo: newLogo,
      name = (row.name as string | null) ?? '',
      timeZone = (row.time_zone as string | null) ?? '',
      ...colors
    } = change;
    const { logo: oldLogo, ...rest } = parseBranding(row.branding);
    const logo = newLogo === undefined ? oldLogo : newLogo === null ? undefined : random.hex(16);
    const branding = { ...rest, ...colors };
    const stored = { ...branding, ...(logo === undefined ? {} : { logo }) };
    const columns = { name: name || null, time_zone: timeZone || null, branding: JSON.stringify(stored) };
    const image = newLogo === undefined ? {} : { logo: newLogo?.toString('base64') ?? null };
    await trx('accounts')
      .where({ id: accountId })
      .update({ ...columns, ...image });
    const changes = changesBetween(
      { name: row.name ?? '', timeZone: row.time_zone ?? '', ...rest, logo: oldLogo },
      { name, timeZone, ...branding, logo },
    );
    const subject = name === '' ? (row.email as string) : name;
    if (changes.length > 0) await audit.record(trx, actor, { accountId, action: 'account.update', subject, changes });
  }

  /** Changes the name, the time zone and the branding of an account. Applies to new messages within a second. */
  async function update(actor: Actor, accountId: number, change: AccountProfileChange): Promise<void> {
    requireRight(actor, 'own');
    const appKeys = await inTransaction(async (trx) => {
      await changeIn(trx, actor, accountId, change);
      return appKeysOf(trx, accountId);
    });
    for (const appKey of appKeys) bus.publish(APPLICATION_TOPIC, appKey);
  }

  /** Returns the PNG at a logo's URL; undefined if there is no such logo. */
  async function findLogo(accountId: number, id: string): Promise<Buffer | undefined> {
    const row = await rowOf(db, accountId);
    const isCurrent = row && row.logo !== null && parseBranding(row.branding).logo === id;
    return isCurrent ? Buffer.from(row.logo as string, 'base64') : undefined;
  }

  /** Returns the IANA name of the account's time zone. */
  const timeZoneOf = async (accountId: number): Promise<string> =>
    (await db('accounts').where({ id: accountId }).first('time_zone')).time_zone ?? UTC;

  return { find, timeZoneOf, update, findLogo };
}
