/** An application's pages below `/automations`: the connected shops, and for each shop its automations and its log. */
import type { Clock } from '../../platform/clock.js';
import type { AutomationsService } from '../../modules/automations/index.js';
import { isShopKind, type ShopConnection } from '../../modules/automations/automation.js';
import { eventTypeOf, isEventOf, SHOP_TYPES } from '../../modules/automations/shop-types.js';
import { isNotification } from '../../modules/templates/template.js';
import { ApiError } from '../../platform/contract/errors.js';
import { CONFIRMED, FieldError, filledForm, readForm, statusOf, textOf, type FormState } from '../form.js';
import type { ApplicationVisit, PageReply, PageRoute } from '../page.js';
import { actOnApplication, fragment, page, PageNotFound, redirect, showForApplication } from '../page.js';
import { createEditor, readChannel, repeatedText, repeats, type EditorServices } from './editor-pages.js';
import { ShopView, SECRET_FIELD } from './shop-view.js';
import { automationPath, automationsPath, shopLabel, shopPath } from './labels.js';
import { ListView } from './list-view.js';
import { LOG_ID, LogView } from './log-view.js';

const MIN_SECRET_LENGTH = 16;
const NEW_SHOP = filledForm({ kind: 'woocommerce' });

/** Parses a secret; "" if Passbell is to create one. */
function parseSecret(text: string, isNeeded: boolean): string {
  const secret = text.trim();
  if (secret === '' && !isNeeded) return '';
  if (secret.length < MIN_SECRET_LENGTH)
    throw new FieldError(
      `Use at least ${MIN_SECRET_LENGTH} characters${isNeeded ? '' : ', or leave this empty to create a secret'}.`,
    );
  return secret;
}

function createShopPages(automations: AutomationsService, clock: Clock) {
  async function list({ application }: ApplicationVisit, form = NEW_SHOP): Promise<PageReply> {
    const shops = await automations.list(application);
    const rows = shops.map(async (shop) => {
      const all = await automations.automations(shop);
      const lastEvent = await automations.lastEvent(shop);
      return { shop, all: all.length, on: all.filter(({ enabled }) => enabled).length, lastEvent };
    });
    const props = { application, shops: await Promise.all(rows), now: clock.now(), form };
    return page('Automations', <ListView {...props} />, statusOf(form));
  }

  async function create(visit: ApplicationVisit): Promise<PageReply> {
    const { application, actor, body } = visit;
    const kind = textOf(body, 'kind');
    if (!isShopKind(kind)) return list(visit, filledForm({}, { kind: 'Choose a shop.' }));
    try {
      const { publicId, secret } = await automations.connect(actor, application, kind);
      const notice = `The connection was created. Now set it up in ${kind === 'json' ? 'your system' : 'the shop'}.`;
      return redirect(shopPath(application, { publicId }), { notice, ...(secret ? { reveal: { secret } } : {}) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return list(visit, filledForm({ kind }, { kind: error.sentences }));
    }
  }

  async function find({ application, params }: ApplicationVisit): Promise<ShopConnection> {
    const shop = await automations.findShop(application, params.publicId!);
    if (!shop) throw new PageNotFound();
    return shop;
  }

  async function detail(visit: ApplicationVisit, form: FormState): Promise<PageReply> {
    const shop = await find(visit);
    const { application, actor, flash } = visit;
    const all = await automations.automations(shop);
    const events = await automations.log(actor, shop);
    const props = { application, shop, automations: all, events, secret: flash.reveal?.secret, form };
    return page(shopLabel(shop), <ShopView {...props} />, statusOf(form));
  }

  /** Shows the shop. Marks the template that is suggested for the `event` of the query. */
  const open = (visit: ApplicationVisit) =>
    detail(visit, filledForm({ event: visit.query.event ?? '', template: visit.query.template ?? '' }));

  async function log(visit: ApplicationVisit): Promise<PageReply> {
    const shop = await find(visit);
    const { application, actor } = visit;
    if (visit.target !== LOG_ID) return redirect(shopPath(application, shop));
    const all = await automations.automations(shop);
    const events = await automations.log(actor, shop);
    return fragment(<LogView application={application} shop={shop} automations={all} events={events} />);
  }

  async function setSecret(visit: ApplicationVisit): Promise<PageReply> {
    const shop = await find(visit);
    const { application, actor, body } = visit;
    const isNeeded = SHOP_TYPES[shop.kind].createsSecret;
    const read = readForm({ [SECRET_FIELD]: (text) => parseSecret(text, isNeeded) }, body);
    if (!read.ok) return detail(visit, filledForm({}, read.state.errors));
    const secret = read.values[SECRET_FIELD]!;
    const created = await automations.setSecret(actor, application, shop, secret === '' ? undefined : secret);
    const reveal = secret === '' ? { reveal: { secret: created } } : {};
    return redirect(shopPath(application, shop), { notice: 'The secret was saved.', ...reveal });
  }

  async function add(visit: ApplicationVisit): Promise<PageReply> {
    const shop = await find(visit);
    const { application, actor, body } = visit;
    const event = textOf(body, 'event').trim();
    const chosen = textOf(body, 'template');
    const typed = { event, template: chosen, channel: textOf(body, 'channel') };
    if (!isEventOf(shop.kind, event)) {
      const problem = 'Enter the name of an event. It can contain letters, digits, and the characters . : / - _';
      return detail(visit, filledForm(typed, { event: problem }));
    }
    const template = isNotification(chosen) ? chosen : eventTypeOf(shop.kind, event).template;
    const automation = { event, template, channel: readChannel(body) };
    const isRepeated = textOf(body, CONFIRMED) !== 'yes' && (await repeats(automations, shop, automation));
    if (isRepeated) return detail(visit, filledForm(typed, { [CONFIRMED]: repeatedText(shop, automation) }));
    try {
      const id = await automations.create(actor, application, shop, automation);
      const notice = 'The automation was added. Check its fields, send a test, and turn it on.';
      return redirect(automationPath(application, shop, { id }), { notice });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return detail(visit, filledForm(typed, { event: error.sentences }));
    }
  }

  async function remove(visit: ApplicationVisit): Promise<PageReply> {
    const { application, actor } = visit;
    await automations.disconnect(actor, application, await find(visit));
    return redirect(automationsPath(application), { notice: 'Disconnected. The address no longer works.' });
  }

  return { list, create, open, log, setSecret, add, remove };
}

export function automationsPages(services: EditorServices, clock: Clock): readonly PageRoute[] {
  const pages = createShopPages(services.automations, clock);
  const editor = createEditor(services);
  const SHOP = '/automations/:publicId';
  const AUTOMATION = '/automations/:publicId/:automationId';
  return [
    showForApplication('/automations', 'read', (visit) => pages.list(visit)),
    actOnApplication('/automations', 'own', pages.create, { needsConfirmation: true }),
    showForApplication(SHOP, 'own', pages.open),
    showForApplication(`${SHOP}/log`, 'own', pages.log),
    actOnApplication(`${SHOP}/secret`, 'own', pages.setSecret, { needsConfirmation: true }),
    actOnApplication(`${SHOP}/add`, 'own', pages.add),
    actOnApplication(`${SHOP}/remove`, 'own', pages.remove),
    showForApplication(AUTOMATION, 'own', editor.open),
    actOnApplication(AUTOMATION, 'own', editor.save),
    actOnApplication(`${AUTOMATION}/off`, 'own', editor.turnOff),
    actOnApplication(`${AUTOMATION}/test`, 'own', editor.test),
    actOnApplication(`${AUTOMATION}/remove`, 'own', editor.remove),
  ];
}
