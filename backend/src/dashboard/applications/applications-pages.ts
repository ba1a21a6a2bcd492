/** The pages of applications. */
import type { PageRoute } from '../page.js';
import type { DashboardServices } from '../services.js';
import { listPages } from './list.js';
import { overviewPages } from './overview.js';

export const applicationsPages = (services: DashboardServices): readonly PageRoute[] => [
  ...listPages(services),
  ...overviewPages(services),
];
