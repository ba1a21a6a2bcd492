import type { Application } from '../../modules/applications/application.js';
import type { Automation, ShopConnection } from '../../modules/automations/automation.js';
import { SHOP_TYPES } from '../../modules/automations/shop-types.js';
import { pathOf } from '../applications/parts.js';
import { Badge } from '../components/badge.js';
import { Time } from '../components/time.js';

export const automationsPath = (application: Application): string => `${pathOf(application)}/automations`;

export const shopPath = (application: Application, { publicId }: Pick<ShopConnection, 'publicId'>): string =>
  `${automationsPath(application)}/${publicId}`;

export const automationPath = (
  application: Application,
  shop: ShopConnection,
  { id }: Pick<Automation, 'id'>,
): string => `${shopPath(application, shop)}/${id}`;

export const addressOf = (serviceUrl: string, { publicId }: Pick<ShopConnection, 'publicId'>): string =>
  `${serviceUrl}/hooks/incoming/${publicId}`;

export const shopLabel = ({ kind, site }: Pick<ShopConnection, 'kind' | 'site'>): string =>
  site || SHOP_TYPES[kind].label;

/** Distinguishes shops of the same kind without a site by the start of their ID, as in the audit log. */
export const ShopDetails = ({ kind, site, publicId, createdAt }: ShopConnection) => (
  <>
    {site ? SHOP_TYPES[kind].label : `ID ${publicId.slice(0, 8)}…`}, connected <Time ms={createdAt} />
  </>
);

export const testEventAdvice = ({ kind }: Pick<ShopConnection, 'kind'>): string =>
  kind === 'json' ? 'Send a test event from your system' : 'Place a test order in the shop';

export const FIELD_HINTS: Readonly<Record<string, string>> = {
  to: 'A phone number or an email address.',
  country:
    'The country of phone numbers that do not start with + or 00: two letters, such as DE for Germany, or a value of the event.',
  language: "A language code, such as en. If empty, the application's language is used.",
};

export const SwitchBadge = ({ enabled }: Pick<Automation, 'enabled'>) =>
  enabled ? <Badge kind="good">On</Badge> : <Badge kind="neutral">Off</Badge>;
