import type { Clock } from '../../platform/clock.js';
import type { Database } from '../../platform/db/database.js';
import { createInTransaction } from '../../platform/db/transaction.js';
import type { ApplicationsService } from '../applications/applications-service.js';
import type { AuditService } from '../audit/audit-service.js';
import { createUpgradesService } from './upgrades-service.js';
import { createUpgradesStore } from './upgrades-store.js';

export type { UpgradesService } from './upgrades-service.js';

export const createUpgrades = (db: Database, clock: Clock, applications: ApplicationsService, audit: AuditService) =>
  createUpgradesService(createUpgradesStore(db), applications, createInTransaction(db), audit, clock);
