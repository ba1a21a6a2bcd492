export const ROLES = ['owner', 'member', 'viewer'] as const;
export type Role = (typeof ROLES)[number];

/**
 * - `read`: view applications, messages, usage and channels, without secrets, providers' settings and the audit log.
 * - `change`: change some settings, allow-lists, templates and the widget design; retry messages; send test messages.
 * - `own`: create applications; change secrets, limits, test recipients, two-factor, fraud protection, providers, prices,
 *   webhooks, automations, people and the account; read the audit log; erase data.
 */
export const RIGHTS = ['read', 'change', 'own'] as const;
export type Right = (typeof RIGHTS)[number];

/** Whether a right includes another one. Each right includes those before it. */
export const includesRight = (right: Right, other: Right): boolean => RIGHTS.indexOf(right) >= RIGHTS.indexOf(other);

const RIGHT_OF: Readonly<Record<Role, Right>> = { viewer: 'read', member: 'change', owner: 'own' };

export const hasRight = (role: Role, right: Right): boolean => includesRight(RIGHT_OF[role], right);
