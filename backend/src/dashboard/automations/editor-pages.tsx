/** The page of an automation: fields, sample values, preview, test and switch. */
import type { AutomationsService } from '../../modules/automations/index.js';
import type { TemplatesService } from '../../modules/templates/index.js';
import type { TestMessages } from '../../modules/test-sends/test-messages.js';
import { phoneChannels, type Application } from '../../modules/applications/application.js';
import type { Automation, ShopConnection } from '../../modules/automations/automation.js';
import type { NewAutomation, Sample } from '../../modules/automations/automations-service.js';
import { fieldNamesOf, fillFields, MappingError } from '../../modules/automations/mapping.js';
import { eventTypeOf, recipientFor } from '../../modules/automations/shop-types.js';
import { sampleVariables, templateLabel } from '../../modules/templates/template.js';
import { chooseLanguage } from '../../modules/templates/language-codes.js';
import { ApiError } from '../../platform/contract/errors.js';
import { CHANNELS, type ChannelName } from '../../platform/contract/channels.js';
import {
  CONFIRMED,
  EMPTY_FORM,
  filledForm,
  isCurrent,
  statusOf,
  submittedForm,
  textOf,
  type FormBody,
  type FormState,
} from '../form.js';
import { page, PageNotFound, redirect, type ApplicationVisit, type Flash, type PageReply } from '../page.js';
import { EditorView, INTO, storedOf, type Preview } from './editor-view.js';
import { fillDraft, problemsIn } from './field-checks.js';
import { automationPath, shopPath } from './labels.js';

/** Maximum length of a field's Liquid text. */
const FIELD_LENGTH = 1000;
const CONFLICT =
  'Someone else changed this automation while you were editing. Your changes are still here: check them and save again.';

const formOf = ({ channel, fields }: Automation): FormState => filledForm({ ...fields, channel: channel ?? '' });

/** Whether another automation of the shop sends the same message for the event. An automatic channel matches any channel. */
export async function repeats(
  automations: AutomationsService,
  shop: ShopConnection,
  { id, event, template, channel }: NewAutomation & { readonly id?: number },
): Promise<boolean> {
  const others = (await automations.automations(shop)).filter((other) => other.id !== id);
  const same = others.filter((other) => other.event === event && other.template === template);
  return same.some((other) => other.channel === channel || other.channel === null || channel === null);
}

export const repeatedText = ({ kind }: ShopConnection, { event, template }: NewAutomation): string =>
  `An automation already sends “${templateLabel(template)}” for “${eventTypeOf(kind, event).label}”. With a second one, a customer can get two messages, and you pay for both.`;

const channelNamed = (text: string | undefined): ChannelName | null => CHANNELS.find((name) => name === text) ?? null;

/** Returns the channel of the message. Without a stored one, the recipient and the settings of the application decide. */
const channelOf = ({ settings }: Application, { channel }: Automation, to = ''): ChannelName =>
  channel ?? (to.includes('@') ? 'EMAIL' : phoneChannels(settings)[0]!);

export const readChannel = (body: FormBody): ChannelName | null => channelNamed(textOf(body, 'channel'));

function readFields({ template }: Automation, body: FormBody): Record<string, string> {
  const texts = fieldNamesOf(template).map((name) => [name, textOf(body, name).slice(0, FIELD_LENGTH)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text.trim() !== ''));
}

export interface Place {
  readonly shop: ShopConnection;
  readonly automation: Automation;
}

export interface EditorServices {
  readonly automations: AutomationsService;
  readonly templates: TemplatesService;
  readonly testMessages: TestMessages;
}

function createEditorView({ automations, templates }: EditorServices) {
  async function find({ application, params }: ApplicationVisit): Promise<Place> {
    const shop = await automations.findShop(application, params.publicId!);
    const all = shop ? await automations.automations(shop) : [];
    const automation = all.find(({ id }) => String(id) === params.automationId);
    if (!shop || !automation) throw new PageNotFound();
    return { shop, automation };
  }

  /** Fills in the message with the values of the last event. Without an event, uses samples. */
  async function preview(
    { application }: ApplicationVisit,
    shop: ShopConnection,
    draft: Automation,
    sample: Sample | undefined,
  ): Promise<Preview> {
    try {
      const { template } = draft;
      const filled = sample && fillDraft(shop, draft, sample);
      const channel = channelOf(application, draft, filled?.values.to);
      const language = chooseLanguage(filled?.values.language ?? '', application.settings.language) ?? 'en';
      const key = { template, channel, language };
      const text = await templates.find(application, key);
      const variables = filled?.values ?? sampleVariables(template, language);
      return { kind: 'message', filled, channel, content: templates.preview(application, key, text, variables) };
    } catch (error) {
      if (error instanceof MappingError) return { kind: 'problem', text: error.message };
      throw error;
    }
  }

  async function show(
    visit: ApplicationVisit,
    { shop, automation }: Place,
    { form = formOf(automation), testForm = EMPTY_FORM }: { form?: FormState; testForm?: FormState } = {},
  ): Promise<PageReply> {
    const sample = await automations.sample(visit.actor, shop, automation.event);
    const shown = sample && {
      body: sample.body,
      receivedAt: sample.event.receivedAt,
      hasEvent: sample.event.delivery.events.some(({ name }) => name === automation.event),
    };
    const draft = { ...automation, channel: channelNamed(form.typed.channel), fields: form.typed };
    const shownPreview = await preview(visit, shop, draft, sample);
    const to = shownPreview.kind === 'message' ? shownPreview.filled?.values.to : undefined;
    const props = {
      application: visit.application,
      shop,
      automation,
      form,
      testForm,
      sample: shown,
      preview: shownPreview,
      testChannel: channelOf(visit.application, automation, to),
    };
    const { label } = eventTypeOf(shop.kind, automation.event);
    return page(label, <EditorView {...props} />, Math.max(statusOf(form), statusOf(testForm)));
  }

  return { find, show };
}

export function createEditor(services: EditorServices) {
  const { automations, testMessages } = services;
  const { find, show } = createEditorView(services);

  const open = async (visit: ApplicationVisit): Promise<PageReply> => show(visit, await find(visit));

  /** Returns the errors that would prevent the last event from sending a message. */
  async function problemsOfSample({ actor }: ApplicationVisit, shop: ShopConnection, draft: Automation) {
    const sample = await automations.sample(actor, shop, draft.event);
    try {
      return sample ? fillDraft(shop, draft, sample).problems : {};
    } catch (error) {
      // The preview shows this error, which can depend on the event.
      if (error instanceof MappingError) return {};
      throw error;
    }
  }

  /** Saves the fields, and with `enabled` turns the automation on. With `insert` or `preview`, shows the changed fields without saving them. */
  async function save(visit: ApplicationVisit): Promise<PageReply> {
    const place = await find(visit);
    const { automation, shop } = place;
    const { body, actor, application } = visit;
    const insert = textOf(body, 'insert');
    const into = textOf(body, INTO);
    const fields = readFields(automation, body);
    if (insert !== '' && fieldNamesOf(automation.template).includes(into)) fields[into] = `{{ ${insert} }}`;
    const channel = readChannel(body);
    if (fields.to !== undefined) fields.to = recipientFor(shop.kind, channel, fields.to);
    const typed = { ...fields, channel: channel ?? '', [INTO]: into };
    if (insert !== '' || textOf(body, 'preview') !== '')
      return show(visit, place, { form: submittedForm(body, typed) });
    const turnsOn = !automation.enabled && textOf(body, 'enabled') === 'yes';
    const draft = { ...automation, channel, fields };
    const errors = problemsIn(draft);
    if (Object.keys(errors).length === 0 && (automation.enabled || turnsOn))
      Object.assign(errors, await problemsOfSample(visit, shop, draft));
    if (!isCurrent(body, storedOf(automation))) errors.version = CONFLICT;
    const mayRepeat = channel === automation.channel || textOf(body, CONFIRMED) === 'yes';
    if (!mayRepeat && (await repeats(automations, shop, draft))) errors[CONFIRMED] = repeatedText(shop, draft);
    if (Object.keys(errors).length > 0) return show(visit, place, { form: filledForm(typed, errors) });
    await automations.update(actor, application, automation, { channel, fields, ...(turnsOn && { enabled: true }) });
    return redirect(automationPath(application, shop, automation), {
      notice: turnsOn ? 'Turned on. The next event sends a message.' : 'Saved. New events use these fields.',
    });
  }

  async function turnOff(visit: ApplicationVisit): Promise<PageReply> {
    const { automation, shop } = await find(visit);
    const { actor, application } = visit;
    await automations.update(actor, application, automation, { enabled: false });
    return redirect(automationPath(application, shop, automation), {
      notice: 'Turned off. New events no longer send this message.',
    });
  }

  /** Sends the message for the last received event to the person. */
  async function sendTest(visit: ApplicationVisit, { shop, automation }: Place): Promise<Flash | string> {
    const { application, actor, person, requestId, body } = visit;
    const sample = await automations.sample(actor, shop, automation.event);
    if (!sample) return 'No event was received in the last three days.';
    try {
      const { to: recipient, language, variables } = fillFields(automation, sample.body);
      const channel = channelOf(application, automation, recipient);
      const to = channel === 'EMAIL' ? person.email : textOf(body, 'phone').trim();
      if (to === '') return 'Enter your phone number with its country code.';
      const key = {
        template: automation.template,
        channel,
        language: chooseLanguage(language, application.settings.language) ?? 'en',
      };
      const reply = await testMessages.send(person, application, { ...key, to, variables }, requestId);
      if (!reply.success) return reply.message;
      return reply.messageId === ''
        ? { notice: `${to} is a test recipient, so nothing was sent.` }
        : { notice: 'The test was sent. The Messages page shows what happened to it.' };
    } catch (error) {
      if (error instanceof MappingError) return error.message;
      if (error instanceof ApiError) return error.code === 'INVALID_RECIPIENT' ? error.hint : error.sentences;
      throw error;
    }
  }

  async function test(visit: ApplicationVisit): Promise<PageReply> {
    const place = await find(visit);
    const result = await sendTest(visit, place);
    if (typeof result !== 'string')
      return redirect(automationPath(visit.application, place.shop, place.automation), result);
    const phone = textOf(visit.body, 'phone');
    return show(visit, place, { testForm: filledForm({ phone }, { phone: result }) });
  }

  async function remove(visit: ApplicationVisit): Promise<PageReply> {
    const { shop, automation } = await find(visit);
    await automations.remove(visit.actor, visit.application, automation);
    return redirect(shopPath(visit.application, shop), { notice: 'The automation was deleted.' });
  }

  return { open, save, turnOff, test, remove };
}
