/** Dashboard roles and their rights. */

export const ROLES = ['owner', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * - `read`: view applications, messages, usage and channels, without secrets, providers' settings and the audit log.
 * - `change`: change most settings, allow-lists, templates and the widget design; retry messages; send test messages.
 * - `own`: create applications; change secrets, limits, test recipients, two-factor, fraud protection, providers, prices,
 *   webhooks, automations, people and the account; read the audit log; erase data.
 */
export type Right = 'read' | 'change' | 'own';

const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ['read'],
  member: ['read', 'change'],
  owner: ['read', 'change', 'own'],
};

export const hasRight = (role: Role, right: Right): boolean => RIGHTS[role].includes(right);
