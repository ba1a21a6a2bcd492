/** Accounts, applications and their secrets in the database. */
import type { Database } from '../../platform/db/database.js';
import { transact } from '../../platform/db/transaction.js';
import { createAccountsStore } from './accounts-store.js';
import { createSecretsStore, secretColumns, type NewSecret } from './secrets-store.js';
import {
  DEFAULT_DESIGN,
  DEFAULT_SETTINGS,
  type AccountStatus,
  type Application,
  type ApplicationSettings,
  type ApplicationStatus,
} from './application.js';

/** What of an application can be changed. */
export type StoredApplication = Pick<Application, 'name' | 'status' | 'settings'>;

export type ApplicationsStore = ReturnType<typeof createApplicationsStore>;

function settingsOf(text: string): ApplicationSettings {
  const stored = JSON.parse(text) as Partial<ApplicationSettings>;
  const design = { ...DEFAULT_DESIGN, ...stored.design };
  return { ...DEFAULT_SETTINGS, ...stored, design, limits: { ...DEFAULT_SETTINGS.limits, ...stored.limits } };
}

export function createApplicationsStore(db: Database) {
  const applications = () =>
    db('applications')
      .join('accounts', 'accounts.id', 'applications.account_id')
      .select('applications.*', { account_status: 'accounts.status', account_email: 'accounts.email' });

  async function withSecrets(row: Record<string, unknown>): Promise<Application> {
    const secrets = await db('application_secrets').where({ application_id: row.id }).orderBy('id', 'desc');
    return {
      id: row.id as number,
      accountId: row.account_id as number,
      name: row.name as string,
      appKey: row.app_key as string,
      status: row.status as ApplicationStatus,
      accountStatus: row.account_status as AccountStatus,
      accountEmail: row.account_email as string,
      settings: settingsOf(row.settings as string),
      secrets: secrets.map((s) => ({
        hash: s.secret_hash as string,
        tokenKeySealed: s.token_key_sealed as string | null,
        expiresAt: s.expires_at as number | null,
      })),
      createdAt: Number(row.created_at),
      lastUsedAt: row.last_used_at === null ? null : Number(row.last_used_at),
    };
  }

  return {
    ...createAccountsStore(db),
    ...createSecretsStore(db),

    async find(appKey: string): Promise<Application | undefined> {
      const row = await applications().where({ app_key: appKey }).first();
      return row && withSecrets(row);
    },

    async list(): Promise<Application[]> {
      const rows = await applications().orderBy('applications.id');
      return Promise.all(rows.map(withSecrets));
    },

    async ofAccount(accountId: number, limit: number): Promise<Application[]> {
      const rows = await applications().where({ account_id: accountId }).orderBy('applications.id').limit(limit);
      return Promise.all(rows.map(withSecrets));
    },

    async insert(app: { accountId: number; name: string; appKey: string; secret: NewSecret; now: number }) {
      await transact(db, async (trx) => {
        const [id] = await trx('applications').insert({
          account_id: app.accountId,
          name: app.name,
          app_key: app.appKey,
          status: 'active',
          settings: '{}',
          created_at: app.now,
        });
        await trx('application_secrets').insert({
          application_id: id,
          ...secretColumns(app.secret),
          created_at: app.now,
        });
      });
    },

    /** Makes an application without a secret, unless its App Key is taken. */
    async insertInternal(app: {
      accountId: number;
      name: string;
      appKey: string;
      settings: Partial<ApplicationSettings>;
      now: number;
    }): Promise<void> {
      await db('applications')
        .insert({
          account_id: app.accountId,
          name: app.name,
          app_key: app.appKey,
          status: 'active',
          settings: JSON.stringify(app.settings),
          created_at: app.now,
        })
        .onConflict('app_key')
        .ignore();
    },

    /** Runs `change` on the stored settings; two operators at one time do not undo each other. */
    async update(
      appKey: string,
      change: (stored: StoredApplication) => ApplicationSettings,
      columns: { name?: string; status?: ApplicationStatus },
    ): Promise<void> {
      await transact(db, async (trx) => {
        const row = () => trx('applications').where({ app_key: appKey });
        // Written first, so that what is read next is locked, on SQLite as well.
        await row().update({ app_key: appKey });
        const stored = await row().first();
        const settings = JSON.stringify(change({ ...stored, settings: settingsOf(stored.settings) }));
        await row().update({ ...columns, settings });
      });
    },

    async used(id: number, now: number): Promise<void> {
      await db('applications').where({ id }).update({ last_used_at: now });
    },
  };
}
