/**
 * All dashboard pages, and the navigation. To add a page, write a file that exports its routes, and add them to
 * `PAGES`.
 */
import { accountPages } from './account/account-pages.js';
import { allowListPages } from './allow-list/allow-list-pages.js';
import { automationsPages } from './automations/automations-pages.js';
import { channelsPages } from './channels/channels-pages.js';
import { pricesPages } from './channels/prices-pages.js';
import { providerPages } from './channels/provider-pages.js';
import { connectPages } from './connect/connect-pages.js';
import { profilePages } from './account/profile-pages.js';
import { auditPages } from './audit/audit-pages.js';
import { applicationsPages } from './applications/applications-pages.js';
import { homePages } from './home/home-pages.js';
import { messagesPages } from './messages/messages-pages.js';
import { peoplePages } from './people/people-pages.js';
import { protectionPages } from './protection/protection-pages.js';
import { fraudSettingsPages } from './protection/settings-pages.js';
import { erasePages } from './recipients/erase-pages.js';
import type { PageRoute } from './page.js';
import type { Right } from '../modules/access/rights.js';
import type { DashboardServices } from './services.js';
import { templatesPages } from './templates/templates-pages.js';
import { usersPages } from './users/users-pages.js';
import { usagePages } from './usage/usage-pages.js';
import { webhooksPages } from './webhooks/webhooks-pages.js';
import { widgetPages } from './widget/widget-pages.js';

export const PAGES: readonly ((services: DashboardServices) => readonly PageRoute[])[] = [
  homePages,
  applicationsPages,
  allowListPages,
  widgetPages,
  usersPages,
  templatesPages,
  webhooksPages,
  automationsPages,
  connectPages,
  protectionPages,
  fraudSettingsPages,
  messagesPages,
  erasePages,
  usagePages,
  channelsPages,
  providerPages,
  pricesPages,
  peoplePages,
  auditPages,
  accountPages,
  profilePages,
];

export interface NavigationEntry {
  readonly label: string;
  /** Path relative to `/dashboard`, or to an application's path. */
  readonly path: string;
  readonly right: Right;
  /** Whether the entry is only shown to accounts that may have their own providers. */
  readonly needsOwnProviders?: boolean;
}

export const NAVIGATION: readonly NavigationEntry[] = [
  { label: 'Home', path: '/home', right: 'read' },
  { label: 'Applications', path: '/applications', right: 'read' },
  { label: 'Messages', path: '/messages', right: 'read' },
  { label: 'Usage', path: '/usage', right: 'read' },
  { label: 'Channels', path: '/channels', right: 'read', needsOwnProviders: true },
  { label: 'People', path: '/people', right: 'own' },
  { label: 'Account', path: '/account-settings', right: 'own' },
  { label: 'Audit log', path: '/audit', right: 'own' },
];

export const APPLICATION_NAVIGATION: readonly NavigationEntry[] = [
  { label: 'Overview', path: '', right: 'read' },
  { label: 'Settings', path: '/settings', right: 'read' },
  { label: 'Protection', path: '/protection', right: 'read' },
  { label: 'Allow-list', path: '/allow-list', right: 'read' },
  { label: 'Widget', path: '/widget', right: 'read' },
  { label: 'End users', path: '/users', right: 'read' },
  { label: 'Templates', path: '/templates', right: 'read' },
  { label: 'Webhooks', path: '/webhooks', right: 'read' },
  { label: 'Automations', path: '/automations', right: 'read' },
  { label: 'Connect', path: '/connect', right: 'read' },
];
