/** Observes the operator's upkeep of the server: the certificate of the public address, and backups. */
import { lastBackupAt } from '../../platform/backup.js';
import type { Config } from '../../platform/config/config.js';
import { readCertificate, type Certificate } from './certificate.js';

export function createUpkeep({ BASE_URL, DATABASE_URL, DATA_DIR }: Config) {
  const stopping = new AbortController();
  let certificate: Certificate | undefined;
  return {
    /** Reads the certificate again. Call this regularly. */
    async checkCertificate(): Promise<void> {
      if (BASE_URL !== undefined) certificate = await readCertificate(BASE_URL, stopping.signal);
    },
    /** The certificate at the last check; undefined without https, or if the address could not be reached. */
    certificate: (): Certificate | undefined => certificate,
    /** Whether `passbell backup` makes the backups. MySQL is usually backed up by other programs. */
    hasBackups: DATABASE_URL === undefined,
    /** The end of the last `passbell backup`, in epoch milliseconds; undefined without any. */
    lastBackupAt: (): number | undefined => lastBackupAt(DATA_DIR),
    stop: (): void => stopping.abort(),
  };
}
