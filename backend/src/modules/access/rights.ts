/** The roles of the dashboard, and the rights of each role. */

export const ROLES = ['owner', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * - `read`: view everything except secrets.
 * - `change`: everyday work: settings, allow-lists, templates, the widget, retries and test sends.
 * - `own`: everything that grants or revokes access: applications, secrets, limits, test recipients, strict two-factor, people.
 */
export type Right = 'read' | 'change' | 'own';

const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ['read'],
  member: ['read', 'change'],
  owner: ['read', 'change', 'own'],
};

export const hasRight = (role: Role, right: Right): boolean => RIGHTS[role].includes(right);
