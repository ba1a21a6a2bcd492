/** What the roles may do. */
import type { Role } from '../people/person.js';

/**
 * `read`: look at everything but secrets. `change`: settings, allow-lists, templates, the widget, retries and test sends,
 * which are the daily work. `own`: what gives access or takes it away: applications, their secrets and limits, the fixed
 * codes of test recipients, whether two-factor is strict, people.
 */
export type Right = 'read' | 'change' | 'own';

const RIGHTS: Readonly<Record<Role, readonly Right[]>> = {
  viewer: ['read'],
  member: ['read', 'change'],
  owner: ['read', 'change', 'own'],
};

export const mayDo = (role: Role, right: Right): boolean => RIGHTS[role].includes(right);
