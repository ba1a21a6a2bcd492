/** The pages of applications. */
import type { PageRoute } from '../page.js';
import type { DashboardServices } from '../services.js';
import { createPages } from './create.js';
import { keysPages } from './keys.js';
import { listPages } from './list.js';
import { overviewPages } from './overview.js';
import { settingsPages } from './settings.js';

export const applicationsPages = (services: DashboardServices): readonly PageRoute[] => [
  ...listPages(services),
  // Before the pages of one: "new" is no App Key.
  ...createPages(services),
  ...overviewPages(services),
  ...keysPages(services),
  ...settingsPages(services),
];
