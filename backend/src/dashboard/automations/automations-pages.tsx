/** An application's pages below `/automations`: the connected shops, and for each shop its automations and its log. */
import type { AutomationsService } from '../../modules/automations/index.js';
import { isHookKind, type Hook } from '../../modules/automations/automation.js';
import { eventTypeOf, isEventOf, SHOPS } from '../../modules/automations/shops.js';
import { isNotification } from '../../modules/templates/template.js';
import { ApiError } from '../../platform/contract/errors.js';
import { EMPTY_FORM, FieldError, filledForm, readForm, statusOf, textOf, type FormState } from '../form.js';
import {
  actOnApplication,
  fragment,
  page,
  PageNotFound,
  redirect,
  showForApplication,
  type ApplicationVisit,
  type PageReply,
  type PageRoute,
} from '../page.js';
import { createEditor, readChannel, type EditorServices } from './editor-pages.js';
import { HookView, SECRET_FIELD } from './hook-view.js';
import { automationPath, automationsPath, hookLabel, hookPath } from './labels.js';
import { ListView } from './list-view.js';
import { LOG_ID, LogView } from './log-view.js';

const MIN_SECRET_LENGTH = 16;
const NEW_HOOK = filledForm({ kind: 'woocommerce' });

/** Parses a secret; "" if Passbell is to create one. */
function parseSecret(text: string, isNeeded: boolean): string {
  const secret = text.trim();
  if (secret === '' && !isNeeded) return '';
  if (secret.length < MIN_SECRET_LENGTH)
    throw new FieldError(`Enter the secret. It has at least ${MIN_SECRET_LENGTH} characters.`);
  return secret;
}

function createHookPages(automations: AutomationsService) {
  async function list({ application }: ApplicationVisit, form = NEW_HOOK): Promise<PageReply> {
    const hooks = await automations.list(application);
    const rows = hooks.map(async (hook) => {
      const all = await automations.automations(hook);
      return { hook, all: all.length, on: all.filter(({ enabled }) => enabled).length };
    });
    const props = { application, hooks: await Promise.all(rows), form };
    return page('Automations', <ListView {...props} />, statusOf(form));
  }

  async function create(visit: ApplicationVisit): Promise<PageReply> {
    const { application, actor, body } = visit;
    const kind = textOf(body, 'kind');
    if (!isHookKind(kind)) return list(visit, filledForm({}, { kind: 'Choose a shop.' }));
    try {
      const { hookId, secret } = await automations.createHook(actor, application, kind);
      const notice = `${SHOPS[kind].label} was added. Now set it up in the shop.`;
      return redirect(hookPath(application, { hookId }), { notice, ...(secret ? { reveal: { secret } } : {}) });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return list(visit, filledForm({ kind }, { kind: error.sentences }));
    }
  }

  async function find({ application, params }: ApplicationVisit): Promise<Hook> {
    const hook = await automations.findHook(application, params.hookId!);
    if (!hook) throw new PageNotFound();
    return hook;
  }

  async function detail(visit: ApplicationVisit, form: FormState = EMPTY_FORM): Promise<PageReply> {
    const hook = await find(visit);
    const { application, actor, flash } = visit;
    const [all, events] = [await automations.automations(hook), await automations.log(actor, hook)];
    const props = { application, hook, automations: all, events, secret: flash.reveal?.secret, form };
    return page(hookLabel(hook), <HookView {...props} />, statusOf(form));
  }

  async function log(visit: ApplicationVisit): Promise<PageReply> {
    const hook = await find(visit);
    const { application, actor } = visit;
    if (visit.target !== LOG_ID) return redirect(hookPath(application, hook));
    const [all, events] = [await automations.automations(hook), await automations.log(actor, hook)];
    return fragment(<LogView application={application} hook={hook} automations={all} events={events} />);
  }

  async function setSecret(visit: ApplicationVisit): Promise<PageReply> {
    const hook = await find(visit);
    const { application, actor, body } = visit;
    const isNeeded = SHOPS[hook.kind].createsSecret;
    const read = readForm({ [SECRET_FIELD]: (text) => parseSecret(text, isNeeded) }, body);
    if (!read.ok) return detail(visit, filledForm({}, read.state.errors));
    const secret = read.values[SECRET_FIELD]!;
    const created = await automations.setSecret(actor, application, hook, secret === '' ? undefined : secret);
    const reveal = secret === '' ? { reveal: { secret: created } } : {};
    return redirect(hookPath(application, hook), { notice: 'The secret was saved.', ...reveal });
  }

  async function add(visit: ApplicationVisit): Promise<PageReply> {
    const hook = await find(visit);
    const { application, actor, body } = visit;
    const [event, chosen] = [textOf(body, 'event').trim(), textOf(body, 'template')];
    const typed = { event, template: chosen, channel: textOf(body, 'channel') };
    if (!isEventOf(hook.kind, event)) {
      const problem = 'Enter the name of an event. It can contain letters, digits, and the characters . : / - _';
      return detail(visit, filledForm(typed, { event: problem }));
    }
    const template = isNotification(chosen) ? chosen : eventTypeOf(hook.kind, event).template;
    try {
      const id = await automations.create(actor, application, hook, { event, template, channel: readChannel(body) });
      const notice = 'The automation was added. Check its fields, send a test, and switch it on.';
      return redirect(automationPath(application, hook, { id }), { notice });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return detail(visit, filledForm(typed, { event: error.sentences }));
    }
  }

  async function remove(visit: ApplicationVisit): Promise<PageReply> {
    const { application, actor } = visit;
    await automations.removeHook(actor, application, await find(visit));
    return redirect(automationsPath(application), { notice: 'The shop was disconnected.' });
  }

  return { list, create, detail, log, setSecret, add, remove };
}

export function automationsPages(services: EditorServices): readonly PageRoute[] {
  const hooks = createHookPages(services.automations);
  const editor = createEditor(services);
  const [HOOK, AUTOMATION] = ['/automations/:hookId', '/automations/:hookId/:automationId'];
  return [
    showForApplication('/automations', 'read', (visit) => hooks.list(visit)),
    actOnApplication('/automations', 'own', hooks.create, { needsConfirmation: true }),
    showForApplication(HOOK, 'own', (visit) => hooks.detail(visit)),
    showForApplication(`${HOOK}/log`, 'own', hooks.log),
    actOnApplication(`${HOOK}/secret`, 'own', hooks.setSecret, { needsConfirmation: true }),
    actOnApplication(`${HOOK}/add`, 'own', hooks.add),
    actOnApplication(`${HOOK}/remove`, 'own', hooks.remove),
    showForApplication(AUTOMATION, 'own', editor.open),
    actOnApplication(AUTOMATION, 'own', editor.save),
    actOnApplication(`${AUTOMATION}/switch`, 'own', editor.setEnabled),
    actOnApplication(`${AUTOMATION}/test`, 'own', editor.test),
    actOnApplication(`${AUTOMATION}/remove`, 'own', editor.remove),
  ];
}
