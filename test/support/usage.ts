/** Reads the stored usage of an application, excluding codes that have not been counted yet. */
import { createUsage, createUsageRecorder } from '../../backend/src/modules/usage/index.js';
import type { UsageGroup, UsageSum } from '../../backend/src/modules/usage/usage.js';
import type { TestService } from './service.js';

export async function storedUsage<Group extends UsageGroup>(
  passbell: TestService,
  appKey: string,
  days: { readonly from: string; readonly to: string },
  groups: readonly Group[],
): Promise<UsageSum<Group>[]> {
  const application = await passbell.core.applications.service.find(appKey);
  const db = passbell.openDatabase();
  try {
    return await createUsage(createUsageRecorder(db, passbell.clock), async () => []).service.sums(
      { applicationIds: [application!.id], ...days },
      groups,
    );
  } finally {
    await db.destroy();
  }
}
