/** The groups of pages in the sidebar. */
import type { Right } from '../modules/access/rights.js';

export interface NavigationEntry {
  readonly label: string;
  /** Path relative to `/dashboard`, or to an application's path. */
  readonly path: string;
  readonly right: Right;
  /** Whether the entry is only shown to accounts that may have their own providers. */
  readonly needsOwnProviders?: boolean;
}

export interface NavigationGroup {
  /** Empty for the first group. */
  readonly label: string;
  readonly entries: readonly NavigationEntry[];
}

/** The pages of an account. */
export const NAVIGATION: readonly NavigationGroup[] = [
  {
    label: '',
    entries: [
      { label: 'Home', path: '/home', right: 'read' },
      { label: 'Messages', path: '/messages', right: 'read' },
      { label: 'Usage', path: '/usage', right: 'read' },
      { label: 'Suppressions', path: '/suppressions', right: 'read' },
    ],
  },
  {
    label: 'Account',
    entries: [
      { label: 'Applications', path: '/applications', right: 'read' },
      { label: 'Channels', path: '/channels', right: 'read', needsOwnProviders: true },
      { label: 'People', path: '/people', right: 'own' },
      { label: 'Account settings', path: '/account-settings', right: 'own' },
      { label: 'API keys', path: '/api-keys', right: 'own' },
      { label: 'Audit log', path: '/audit', right: 'own' },
    ],
  },
];

export const APPLICATION_NAVIGATION: readonly NavigationGroup[] = [
  {
    label: '',
    entries: [
      { label: 'Overview', path: '', right: 'read' },
      { label: 'Settings', path: '/settings', right: 'read' },
    ],
  },
  {
    label: 'Messages',
    entries: [
      { label: 'Templates', path: '/templates', right: 'read' },
      { label: 'Automations', path: '/automations', right: 'read' },
    ],
  },
  {
    label: 'Security',
    entries: [
      { label: 'Protection', path: '/protection', right: 'read' },
      { label: 'Allow-list', path: '/allow-list', right: 'read' },
      { label: 'End users', path: '/users', right: 'read' },
      { label: 'Widget', path: '/widget', right: 'read' },
    ],
  },
  {
    label: 'Developers',
    entries: [
      { label: 'Connect', path: '/connect', right: 'read' },
      { label: 'Webhooks', path: '/webhooks', right: 'read' },
    ],
  },
];

/** Leaves out pages that the person may not see, and pages about providers if the account may not have its own. */
export const shownGroups = (
  groups: readonly NavigationGroup[],
  may: (right: Right) => boolean,
  mayHaveProviders: boolean,
): readonly NavigationGroup[] =>
  groups.map(({ label, entries }) => ({
    label,
    entries: entries.filter(({ right, needsOwnProviders }) => may(right) && (!needsOwnProviders || mayHaveProviders)),
  }));
