/** Connects shops with the forms of the dashboard, and posts their events. */
import type { ShopKind } from '../../backend/src/modules/automations/automation.js';
import type { KeyPair } from '../../backend/src/modules/applications/application.js';
import type { Visitor } from './dashboard.js';
import { formsOf } from './forms.js';
import { freshPhone, type TestService } from './service.js';
import { wooOrder, wooRequest, type ShopRequest } from './shop-events.js';
import { advancing, until } from './wait.js';

export interface Shop {
  /** Path of the shop's page. */
  readonly path: string;
  readonly secret: string;
  /** The phone number of the customer. */
  readonly phone: string;
}

export function createShops(passbell: TestService, owner: Visitor) {
  /** Connects a shop with the form. Returns the page's path and the secret that it shows. */
  async function connect(keys: KeyPair, kind: ShopKind): Promise<Shop> {
    const list = `/applications/${keys.appKey}/automations`;
    const created = await owner.submit(list, list, { kind });
    const path = created.location.replace('/dashboard', '');
    const { html } = await owner.follow(created);
    const secret = /data-copy="([0-9a-f]{64})"/.exec(html)?.[1] ?? 'a secret that Shopify created';
    if (kind === 'shopify') await owner.submit(path, `${path}/secret`, { 'secret-hook': secret });
    return { path, secret, phone: freshPhone() };
  }

  /** Saves the fields of an automation that is off, and turns it on. */
  async function turnOn(page: string): Promise<void> {
    const form = formsOf((await owner.get(page)).html).find(({ path }) => path === page)!;
    await owner.post(page, { ...form.fields, enabled: 'yes' });
  }

  /** Adds an automation, and turns it on. Returns the path of its page. */
  async function automate(
    { path }: Shop,
    event: string,
    fields: Record<string, string> = {},
    on = true,
  ): Promise<string> {
    const added = await owner.submit(path, `${path}/add`, { event, template: '', channel: 'SMS', ...fields });
    const page = added.location.replace('/dashboard', '');
    if (on) await turnOn(page);
    return page;
  }

  async function post({ path }: Shop, { headers, body }: ShopRequest): Promise<{ status: number; message: string }> {
    const publicId = path.split('/').at(-1);
    const none = { clientId: undefined, clientSecret: undefined };
    const init = { method: 'POST', body };
    const reply = await passbell.fetch(`/hooks/incoming/${publicId}`, init, { headers: { ...none, ...headers } });
    return { status: reply.status, ...((await reply.json()) as { message: string }) };
  }

  /** Waits until all events of the shop were handled, and returns the log as text. */
  async function handled({ path }: Shop): Promise<string> {
    const db = passbell.openDatabase();
    const waiting = () => db('incoming_events').whereNotNull('due_at').first('id');
    await until('the events', async () => !(await waiting()), advancing(passbell.clock, 500));
    await db.destroy();
    const { html } = await owner.get(path);
    return html
      .slice(html.indexOf('id="shop-log"'))
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ');
  }

  /** Returns the texts that a phone number has received, oldest first. */
  const textsTo = async (phone: string) => (await passbell.inbox(phone)).map(({ text }) => text).reverse();

  /** Returns an update of an order with the phone number of the shop's customer. */
  const woo = (shop: Shop, id: number, change: object = {}, topic?: string) => {
    const order = wooOrder(id, passbell.clock.now(), {
      ...change,
      billing: { first_name: 'Ines', country: 'US', phone: shop.phone },
    });
    return wooRequest(shop.secret, order, topic);
  };

  return { connect, automate, turnOn, post, handled, textsTo, woo };
}
