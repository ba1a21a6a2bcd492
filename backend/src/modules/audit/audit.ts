/** Audit log entries. They are deleted after `AUDIT_RETENTION_DAYS`, and never contain secrets or codes. */

/** A property's values before and after a change; "" if there is no value. */
export interface Change {
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

export type AuditAction =
  | 'account.create'
  | 'account.status'
  | 'account.update'
  | 'account.ceilings'
  | 'application.create'
  | 'application.update'
  | 'application.allow-list'
  | 'application.widget'
  | 'application.rotate-secret'
  | 'application.end-old-secret'
  | 'application.delete'
  | 'application.restore'
  | 'application.erase'
  | 'message.cancel'
  | 'message.retry'
  | 'message.test'
  | 'recipient.erase'
  | 'suppression.import'
  | 'suppression.remove'
  | 'two-factor.reset'
  | 'user.end-sessions'
  | 'user.unlock'
  | 'fraud.settings'
  | 'fraud.pause'
  | 'fraud.resume'
  | 'fraud.allow'
  | 'webhook.create'
  | 'webhook.remove'
  | 'webhook.change'
  | 'webhook.pause'
  | 'webhook.resume'
  | 'webhook.rotate-secret'
  | 'webhook.test'
  | 'webhook.resend'
  | 'hook.create'
  | 'hook.secret'
  | 'hook.remove'
  | 'automation.create'
  | 'automation.change'
  | 'automation.remove'
  | 'provider.add'
  | 'provider.change'
  | 'provider.remove'
  | 'provider.check'
  | 'provider.test'
  | 'route.change'
  | 'price.change'
  | 'account.providers'
  | 'template.set'
  | 'template.reset'
  | 'template.test'
  | 'management-key.create'
  | 'management-key.revoke'
  | 'person.invite'
  | 'person.take-back'
  | 'person.join'
  | 'person.role'
  | 'person.remove'
  | 'person.sign-in'
  | 'person.sign-in-failed'
  | 'person.sign-in-link'
  | 'person.sign-out-everywhere'
  | 'person.passkey-add'
  | 'person.passkey-remove'
  | 'person.two-factor-on'
  | 'person.two-factor-off'
  // Recorded by earlier versions.
  | 'upgrade-notice.dismiss';

export interface AuditEntry {
  readonly id: number;
  readonly accountId: number;
  /** Email address of the person who made the change, the name of an API key, or `operator`. */
  readonly actor: string;
  readonly action: AuditAction;
  readonly subject: string;
  readonly changes: readonly Change[];
  readonly createdAt: number;
}

const MAX_VALUE_LENGTH = 500;

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH - 1)}…` : text;
}

/** Lists the properties of `after` whose values differ from those in `before`. */
export function changesBetween(before: object, after: object): Change[] {
  const old = before as Record<string, unknown>;
  return Object.entries(after)
    .map(([name, value]) => ({ name, before: textOf(old[name]), after: textOf(value) }))
    .filter((change) => change.before !== change.after);
}
