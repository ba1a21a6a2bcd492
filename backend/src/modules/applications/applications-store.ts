import { UTC } from '../../platform/local-day.js';
import type { Knex } from 'knex';
import type { Database } from '../../platform/db/database.js';
import { fromRow, type Row } from '../../platform/db/row.js';
import { NO_BRANDING, type Branding } from '../templates/template.js';
import { effectiveValues } from '../settings/bounded-setting.js';
import { ceilingsOf, type AccountCeilings } from './account-ceilings.js';
import { brandingOf, parseBranding } from './account-profile.js';
import { createSecretsStore, secretsOf } from './application-secrets-store.js';
import { parseCeilings } from './account-ceilings-store.js';
import type { EditableApplication } from './application-change.js';
import { LIMITS } from './application-limits.js';
import type { AccountStatus, Application, ApplicationSettings } from './application.js';
import { DEFAULT_DESIGN, DEFAULT_SETTINGS } from './application.js';

export type ApplicationsStore = ReturnType<typeof createApplicationsStore>;

export type NewApplication = Pick<Application, 'accountId' | 'name' | 'appKey'> & {
  readonly externalId?: string | undefined;
  readonly settings: Partial<ApplicationSettings>;
};

function parseSettings(text: string, ceilings: AccountCeilings): ApplicationSettings {
  const stored = JSON.parse(text) as Partial<ApplicationSettings>;
  const design = { ...DEFAULT_DESIGN, ...stored.design };
  const limits = effectiveValues(LIMITS, stored.limits ?? {}, ceilings.limits);
  return { ...DEFAULT_SETTINGS, ...stored, design, limits };
}

/** Converts settings to JSON. Omits an empty channel list, which the previous version of Passbell cannot read. */
function serializeSettings(settings: Partial<ApplicationSettings>): string {
  const { channels = [], ...rest } = settings;
  return JSON.stringify(channels.length > 0 ? settings : rest);
}

export function createApplicationsStore(db: Database, url: string) {
  const applications = (trx: Knex) =>
    trx('applications')
      .join('accounts', 'accounts.id', 'applications.account_id')
      .select('applications.*', { account_status: 'accounts.status', account_email: 'accounts.email' })
      .select({ account_ceilings: 'accounts.ceilings', account_branding: 'accounts.branding' })
      .select('accounts.time_zone')
      .orderBy('applications.id');

  async function toApplication(row: Row, trx: Knex = db): Promise<Application> {
    const secrets = await secretsOf(trx, row.id as number).orderBy('id', 'desc');
    const ceilings = ceilingsOf(row.account_email as string, parseCeilings(row.account_ceilings));
    return {
      ...fromRow<Application>(row),
      branding: brandingOf(row.account_id as number, parseBranding(row.account_branding), url),
      timeZone: (row.time_zone as string | null) ?? UTC,
      ceilings,
      settings: parseSettings(row.settings as string, ceilings),
      secrets: secrets.map((s) => ({
        hash: s.secret_hash as string,
        tokenKeySealed: s.token_key_sealed as string | null,
        expiresAt: s.expires_at as number | null,
      })),
    };
  }

  async function find(appKey: string, trx: Knex = db): Promise<Application | undefined> {
    const row = await applications(trx).where({ app_key: appKey }).first();
    return row && toApplication(row, trx);
  }

  return {
    find,
    ...createSecretsStore(db),

    async findByExternalId(accountId: number, id: string, trx: Knex = db): Promise<Application | undefined> {
      const row = await applications(trx).where({ account_id: accountId, external_id: id }).first();
      return row && toApplication(row, trx);
    },

    async findById(id: number): Promise<Application | undefined> {
      const row = await applications(db).where({ 'applications.id': id }).first();
      return row && toApplication(row);
    },

    async findBranding(id: number): Promise<Branding> {
      const row = await applications(db).where({ 'applications.id': id }).first();
      return row ? brandingOf(row.account_id as number, parseBranding(row.account_branding), url) : NO_BRANDING;
    },

    /** Locks the application with an UPDATE that changes nothing, because SQLite has no `SELECT … FOR UPDATE`. */
    async lock(trx: Knex, appKey: string): Promise<Application | undefined> {
      await trx('applications').where({ app_key: appKey }).update({ app_key: appKey });
      return find(appKey, trx);
    },

    async list(): Promise<Application[]> {
      return Promise.all((await applications(db)).map((row) => toApplication(row)));
    },

    /** `after`: the App Key of an application; only later applications are returned. */
    async listInAccount(accountId: number, limit: number, after?: string): Promise<Application[]> {
      const query = applications(db).where({ account_id: accountId }).limit(limit);
      if (after !== undefined)
        query.where(
          'applications.id',
          '>',
          db('applications').where({ app_key: after, account_id: accountId }).select('id'),
        );
      const rows = await query;
      return Promise.all(rows.map((row) => toApplication(row)));
    },

    async insert(trx: Knex, { accountId, externalId, ...application }: NewApplication, now: number) {
      const { name, appKey, settings } = application;
      const [id] = await trx('applications').insert({
        account_id: accountId,
        name,
        app_key: appKey,
        external_id: externalId ?? null,
        status: 'active',
        settings: serializeSettings(settings),
        created_at: now,
      });
      return id!;
    },

    async update(trx: Knex, id: number, { name, status, settings }: EditableApplication): Promise<void> {
      await trx('applications')
        .where({ id })
        .update({ name, status, settings: serializeSettings(settings) });
    },

    async setLastUsed(id: number, now: number): Promise<void> {
      await db('applications').where({ id }).update({ last_used_at: now });
    },

    async setDeleteAt(trx: Knex, id: number, deleteAt: number | null): Promise<void> {
      await trx('applications').where({ id }).update({ delete_at: deleteAt });
    },

    async findAccountId(email: string, trx: Knex = db): Promise<number | undefined> {
      return (await trx('accounts').where({ email }).first())?.id;
    },

    async insertAccount(trx: Knex, email: string, now: number): Promise<number> {
      const [id] = await trx('accounts').insert({ email, status: 'active', created_at: now });
      return id!;
    },

    async setAccountStatus(trx: Knex, id: number, status: AccountStatus): Promise<void> {
      await trx('accounts').where({ id }).update({ status });
    },
  };
}
