/** The pages of messages. */
import type { PageRoute } from '../page.js';
import type { DashboardServices } from '../services.js';
import { detailPages } from './detail.js';
import { exportPages } from './export.js';
import { listPages } from './list.js';

/** The export comes before single messages, whose ids could have its name otherwise. */
export const messagesPages = (services: DashboardServices): readonly PageRoute[] => [
  ...listPages(services),
  ...exportPages(services),
  ...detailPages(services),
];
