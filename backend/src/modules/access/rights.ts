/** Roles of the dashboard, and what each of them may do. */

export const ROLES = ['owner', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * - `read`: view everything except secrets.
 * - `change`: the daily work: settings, allow-lists, templates, the widget, retries and test sends.
 * - `own`: grant or revoke access: applications, their secrets and limits, test recipients, strict two-factor, people.
 */
export type Right = 'read' | 'change' | 'own';

const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ['read'],
  member: ['read', 'change'],
  owner: ['read', 'change', 'own'],
};

export const hasRight = (role: Role, right: Right): boolean => RIGHTS[role].includes(right);
