import type { Application } from '../../modules/applications/application.js';
import {
  LOG_DAYS,
  SHOP_KINDS,
  type ReceivedEvent,
  type ShopConnection,
  type ShopKind,
} from '../../modules/automations/automation.js';
import { SHOP_TYPES } from '../../modules/automations/shop-types.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Form, FormProblems, Presets } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { NoEntry, Time } from '../components/time.js';
import type { FormState } from '../form.js';
import { automationsPath, ShopDetails, shopLabel, shopPath } from './labels.js';
import { EventBadge } from './log-view.js';

export interface ShopRow {
  readonly shop: ShopConnection;
  readonly all: number;
  readonly on: number;
  /** Undefined if the log is empty. */
  readonly lastEvent: ReceivedEvent | undefined;
}

interface ListProps {
  readonly application: Application;
  readonly shops: readonly ShopRow[];
  readonly now: number;
  readonly form: FormState;
}

function StateBadge({ row: { shop, on, lastEvent } }: { readonly row: ShopRow }) {
  if (shop.secretSealed === null) return <Badge kind="bad">Secret missing</Badge>;
  if (on === 0) return <Badge kind="neutral">No automation is on</Badge>;
  if (lastEvent?.results.some(({ outcome }) => outcome === 'failed'))
    return <Badge kind="warning">Last event failed</Badge>;
  return <Badge kind="good">Active</Badge>;
}

const countText = ({ all, on }: ShopRow): string =>
  [on > 0 && `${on} on`, on < all && `${all - on} off`].filter(Boolean).join(', ') || 'None yet';

const columnsOf = (application: Application, now: number, mayChange: boolean): readonly Column<ShopRow>[] => [
  {
    title: 'Shop',
    cell: ({ shop }) => (
      <>
        {mayChange ? (
          <a class="strong" href={shopPath(application, shop)}>
            {shopLabel(shop)}
          </a>
        ) : (
          <strong>{shopLabel(shop)}</strong>
        )}
        <p class="quiet small">
          <ShopDetails {...shop} />
        </p>
      </>
    ),
  },
  { title: 'Automations', cell: countText },
  { title: 'State', cell: (row) => <StateBadge row={row} /> },
  {
    title: 'Last event',
    cell: ({ shop, lastEvent }) =>
      lastEvent ? (
        <>
          <EventBadge {...lastEvent} /> <Time ms={lastEvent.receivedAt} />
        </>
      ) : (
        <NoEntry since={shop.createdAt} now={now} days={LOG_DAYS} />
      ),
  },
];

const SHOP_HINTS: Readonly<Record<ShopKind, string>> = {
  woocommerce: 'Orders from your WordPress shop',
  shopify: 'Orders from your Shopify shop',
  json: 'Your developer connects it (JSON)',
};
const SHOP_CHOICES = SHOP_KINDS.map((kind) => ({
  value: kind,
  label: SHOP_TYPES[kind].label,
  hint: SHOP_HINTS[kind],
}));

export function ListView({ application, shops, now, form }: ListProps) {
  const mayChange = useVisit().may('own');
  return (
    <>
      <PageHead
        title="Automations"
        lead={
          <>
            When something happens to an order in your shop, Passbell sends the customer a message.{' '}
            <a href="/docs/automations">Read the guide</a>
            {!mayChange && '. Owners can change automations.'}
          </>
        }
      />
      {shops.length === 0 && !mayChange && (
        <EmptyState title="No shop is connected yet">Owners can connect shops.</EmptyState>
      )}
      {shops.length > 0 && (
        <section class="stack" aria-labelledby="shops">
          <h2 id="shops">Connected shops</h2>
          <Table
            caption="Connected shops"
            columns={columnsOf(application, now, mayChange)}
            rows={shops}
            keyOf={({ shop }) => shop.publicId}
          />
        </section>
      )}
      {mayChange && (
        <Card
          id="create"
          title={shops.length === 0 ? 'Connect your shop' : 'Connect another shop'}
          lead="You get an address to enter in the shop. Nothing is sent until you turn on an automation."
        >
          <FormProblems form={form} labels={{ kind: 'Shop' }} prevented="The shop was not connected." />
          <Form action={automationsPath(application)}>
            <Presets form={form} name="kind" label="Shop" choices={SHOP_CHOICES} />
            <Submit label="Connect" />
          </Form>
        </Card>
      )}
    </>
  );
}
