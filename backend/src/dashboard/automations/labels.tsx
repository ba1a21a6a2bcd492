import type { Application } from '../../modules/applications/application.js';
import type { Automation, ShopConnection } from '../../modules/automations/automation.js';
import { SHOP_TYPES } from '../../modules/automations/shop-types.js';
import { sentenceCase, type VariableName } from '../../modules/templates/template.js';
import { VARIABLES } from '../../platform/contract/generated/templates.js';
import { pathOf } from '../applications/parts.js';
import { Badge } from '../components/badge.js';

export const automationsPath = (application: Application): string => `${pathOf(application)}/automations`;

export const shopPath = (application: Application, { publicId }: Pick<ShopConnection, 'publicId'>): string =>
  `${automationsPath(application)}/${publicId}`;

export const automationPath = (
  application: Application,
  shop: ShopConnection,
  { id }: Pick<Automation, 'id'>,
): string => `${shopPath(application, shop)}/${id}`;

/** Returns the address that a person enters in the shop. */
export const addressOf = (serviceUrl: string, { publicId }: Pick<ShopConnection, 'publicId'>): string =>
  `${serviceUrl}/hooks/incoming/${publicId}`;

export const shopLabel = ({ kind }: Pick<ShopConnection, 'kind'>): string => SHOP_TYPES[kind].label;

/** Labels and hints of the fields that are not variables of a template. */
const RECIPIENT_FIELDS: Readonly<Record<string, readonly [label: string, hint: string]>> = {
  to: ['Recipient', 'A phone number or an email address.'],
  country: ['Country', 'For phone numbers without a country code. Enter a two-letter country code, such as DE.'],
  language: ['Language', "A language code, such as en. If empty, the application's language is used."],
};

export function fieldLabel(name: string): string {
  const [label] = RECIPIENT_FIELDS[name] ?? [];
  return label ?? sentenceCase(VARIABLES[name as VariableName].label);
}

export const fieldHint = (name: string): string | undefined => RECIPIENT_FIELDS[name]?.[1];

export const SwitchBadge = ({ enabled }: Pick<Automation, 'enabled'>) =>
  enabled ? <Badge kind="good">On</Badge> : <Badge kind="neutral">Off</Badge>;
