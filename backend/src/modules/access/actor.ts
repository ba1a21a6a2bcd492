/** Actors: the people who make changes in the dashboard, and the operator. */
import { ExpectedError } from '../../platform/expected-error.js';
import { hasRight, type Right, type Role } from './rights.js';

export interface Actor {
  /** Shown in the audit log: an email address, or `operator`. */
  readonly name: string;
  may(right: Right): boolean;
}

/** The operator, who runs the server and has every right in every account. */
export const OPERATOR: Actor = { name: 'operator', may: () => true };

export const actorOf = ({ email, role }: { readonly email: string; readonly role: Role }): Actor => ({
  name: email,
  may: (right) => hasRight(role, right),
});

/** The actor's role does not allow the change. */
export class ForbiddenError extends Error {}

/** The stored value has changed since the actor read it. */
export class EditConflictError extends ExpectedError {}

/** Throws a {@link ForbiddenError} when the actor does not have the right. */
export function requireRight(actor: Actor, right: Right): void {
  if (!actor.may(right)) throw new ForbiddenError(`${actor.name} does not have the right "${right}"`);
}

/** Throws a {@link ForbiddenError} unless the actor is the operator. Account owners are rejected, too. */
export function requireOperator(actor: Actor): void {
  if (actor !== OPERATOR) throw new ForbiddenError(`${actor.name} is not the operator`);
}
