import type { Application } from '../../modules/applications/application.js';
import type { Automation, Hook } from '../../modules/automations/automation.js';
import { SHOPS } from '../../modules/automations/shops.js';
import { VARIABLES } from '../../platform/contract/generated/templates.js';
import { pathOf } from '../applications/parts.js';
import { Badge } from '../components/badge.js';

export const automationsPath = (application: Application): string => `${pathOf(application)}/automations`;

export const hookPath = (application: Application, { hookId }: Pick<Hook, 'hookId'>): string =>
  `${automationsPath(application)}/${hookId}`;

export const automationPath = (application: Application, hook: Hook, { id }: Pick<Automation, 'id'>): string =>
  `${hookPath(application, hook)}/${id}`;

/** Returns the address that a person enters in the shop. */
export const addressOf = (serviceUrl: string, { hookId }: Pick<Hook, 'hookId'>): string =>
  `${serviceUrl}/hooks/incoming/${hookId}`;

export const hookLabel = ({ kind }: Pick<Hook, 'kind'>): string => SHOPS[kind].label;

/** Labels and hints of the fields that are not variables of a template. */
const RECIPIENT_FIELDS: Readonly<Record<string, readonly [label: string, hint: string]>> = {
  to: ['Recipient', 'A phone number or an email address.'],
  country: ['Country', 'For phone numbers without a country code. Enter a two-letter country code, such as DE.'],
  language: ['Language', "A language code, such as en. If empty, the application's language is used."],
};

export function fieldLabel(name: string): string {
  const [label] = RECIPIENT_FIELDS[name] ?? [];
  return label ?? VARIABLES[name as keyof typeof VARIABLES].label;
}

export const fieldHint = (name: string): string | undefined => RECIPIENT_FIELDS[name]?.[1];

export const SwitchBadge = ({ enabled }: Pick<Automation, 'enabled'>) =>
  enabled ? <Badge kind="good">On</Badge> : <Badge kind="neutral">Off</Badge>;
