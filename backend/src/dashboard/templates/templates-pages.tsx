/** An application's pages below `/templates`: the template list, and the editor for each text. */
import { EditConflictError } from '../../modules/access/actor.js';
import type { OverrideKey, OverrideText } from '../../modules/templates/template.js';
import { overrideTitle, sampleVariables } from '../../modules/templates/template.js';
import { ApiError } from '../../platform/contract/errors.js';
import { Conflict } from '../components/conflict.js';
import { isCurrent, textOf } from '../form.js';
import { sentence } from '../channels/labels.js';
import type { ApplicationVisit, PageReply, PageRoute } from '../page.js';
import { actOnApplication, fragment, page, PageNotFound, redirect, showForApplication } from '../page.js';
import { createCataloguePage } from './catalogue.js';
import { Editor, ProblemList, type EditorProps } from './editor.js';
import { fieldProblems } from './field-problems.js';
import { sentencesOf } from './sentences.js';
import { emailFrame } from './email-frame.js';
import { PreviewPanel } from './preview-panel.js';
import { Outcome, type TestOutcome } from './test-card.js';
import type { TextForm, TextServices } from './text-page.js';
import { initialForm, isLiquidForm, isSameText, parseTextKey, postedForm, renderDraft, textPath } from './text-page.js';

interface StoredText {
  readonly key: OverrideKey;
  readonly stored: OverrideText | null;
  readonly current: OverrideText;
}

function createTextViews(services: TextServices) {
  const { templates, lookup } = services;

  async function find({ application, params }: ApplicationVisit): Promise<StoredText> {
    const key = parseTextKey(params);
    const stored = await templates.find(application, key);
    return { key, stored, current: stored ?? templates.builtIn(key) };
  }

  function editor(
    visit: ApplicationVisit,
    { key, stored }: StoredText,
    {
      form,
      pristine = false,
      outcome,
      isRejected = false,
    }: Pick<EditorProps, 'form'> & Partial<Pick<EditorProps, 'pristine' | 'outcome' | 'isRejected'>>,
    status = 200,
  ): PageReply {
    const rendering = renderDraft(templates, visit.application, key, form, stored);
    const { application } = visit;
    const isLiquid = visit.query.edit === 'liquid' || isLiquidForm(visit.body);
    const props = {
      application,
      textKey: key,
      stored,
      rendering,
      services,
      form,
      pristine,
      outcome,
      isRejected,
      isLiquid,
    };
    return page(overrideTitle(key), <Editor {...props} />, status);
  }

  /** Returns a test message's delivery progress, or undefined if the application has no message with this id. */
  async function testProgress({ application }: ApplicationVisit, id: string): Promise<TestOutcome | undefined> {
    try {
      return { kind: 'sent', message: await lookup.view(application.id, id) };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'MESSAGE_NOT_FOUND') return undefined;
      throw error;
    }
  }

  async function open(visit: ApplicationVisit): Promise<PageReply> {
    const text = await find(visit);
    const { sent } = visit.query;
    const outcome = sent === undefined ? undefined : await testProgress(visit, sent);
    return editor(visit, text, { form: initialForm(text.key, text.current), pristine: true, outcome });
  }

  async function preview(visit: ApplicationVisit): Promise<PageReply> {
    const text = await find(visit);
    const form = postedForm(text.key, visit.body);
    if (visit.target === undefined) return editor(visit, text, { form });
    const rendering = renderDraft(templates, visit.application, text.key, form, text.stored);
    const sentences = isLiquidForm(visit.body) ? undefined : sentencesOf(form.draft.text, text.key);
    const props = { application: visit.application, textKey: text.key, rendering, services };
    return fragment(
      <>
        <PreviewPanel {...props} pristine={false} />
        <div id="check" hx-swap-oob="innerHTML">
          <ProblemList problems={fieldProblems(rendering.problems, sentences)} />
        </div>
      </>,
    );
  }

  /** Renders the submitted email, or on a GET request the stored email. */
  async function email(visit: ApplicationVisit, posted: boolean): Promise<PageReply> {
    const { key, stored, current } = await find(visit);
    if (key.channel !== 'EMAIL') throw new PageNotFound();
    const form = posted ? postedForm(key, visit.body) : initialForm(key, current);
    const { content } = renderDraft(templates, visit.application, key, form, stored);
    return emailFrame(content?.kind === 'email' ? content.html : undefined, textOf(visit.body, 'scheme'));
  }

  async function progress(visit: ApplicationVisit): Promise<PageReply> {
    const { application, params } = visit;
    const textKey = parseTextKey(params);
    const outcome = await testProgress(visit, params.messageId!);
    if (!outcome) throw new PageNotFound();
    return visit.target === undefined
      ? redirect(`${textPath(application, textKey)}?sent=${params.messageId}`)
      : fragment(<Outcome application={application} textKey={textKey} services={services} outcome={outcome} />);
  }

  return { find, editor, testProgress, open, preview, email, progress };
}

function createTextChanges(services: TextServices, views: ReturnType<typeof createTextViews>) {
  const { templates, testMessages } = services;
  const { find, editor, testProgress } = views;

  async function conflict(visit: ApplicationVisit): Promise<PageReply> {
    const { key, stored } = await find(visit);
    const { application, body } = visit;
    const { draft } = postedForm(key, body);
    const field = (name: 'subject' | 'text', label: string) => ({
      name,
      label,
      stored: stored?.[name] ?? 'the built-in text',
      typed: draft[name] ?? '',
    });
    const fields = [...(draft.subject === null ? [] : [field('subject', 'Subject')]), field('text', 'Text')];
    const path = textPath(application, key);
    const props = { what: `the text “${overrideTitle(key)}”`, action: path, back: path, fields, body, stored };
    return page('These settings have changed', <Conflict {...props} />, 409);
  }

  /** Runs a change and redirects to the editor. Shows a conflict if someone else has changed the text. */
  async function change(visit: ApplicationVisit, text: StoredText, run: () => Promise<string>): Promise<PageReply> {
    if (!isCurrent(visit.body, text.stored)) return conflict(visit);
    try {
      const notice = await run();
      return redirect(textPath(visit.application, text.key), { notice });
    } catch (error) {
      if (error instanceof EditConflictError) return conflict(visit);
      throw error;
    }
  }

  async function save(visit: ApplicationVisit): Promise<PageReply> {
    const text = await find(visit);
    const { application, actor, body } = visit;
    const { key, stored } = text;
    const form = postedForm(key, body);
    const override = { ...key, ...form.draft };
    const isUsable =
      templates.problems(application, override, sampleVariables(key.template, key.language)).length === 0;
    if (!isUsable && isCurrent(body, stored)) return editor(visit, text, { form, isRejected: true }, 422);
    return change(visit, text, async () => {
      await templates.save(actor, application, override, stored);
      return 'Saved. New messages use this text.';
    });
  }

  async function reset(visit: ApplicationVisit): Promise<PageReply> {
    const text = await find(visit);
    return change(visit, text, async () => {
      const removed = await templates.remove(visit.actor, visit.application, text.key, text.stored);
      return removed ? 'The built-in text was restored.' : 'This is already the built-in text.';
    });
  }

  async function send(visit: ApplicationVisit, { key, current }: StoredText, form: TextForm): Promise<TestOutcome> {
    const { application, person, requestId } = visit;
    const rejected = (text: string): TestOutcome => ({ kind: 'rejected', text });
    if (!isSameText(form.draft, current)) return rejected('Save the text first. Test messages use the saved text.');
    const [problem] = Object.values(form.state.errors);
    if (problem) return rejected(`Correct the sample values first. ${problem}`);
    const to = key.channel === 'EMAIL' ? person.email : (form.state.typed.to ?? '');
    if (to === '') return rejected('Enter your phone number with its country code.');
    try {
      const message = { ...key, to, variables: form.values };
      const reply = await testMessages.send(person, application, message, requestId);
      const progress = reply.messageId === '' ? undefined : await testProgress(visit, reply.messageId);
      if (progress) return progress;
      const isTestRecipient = reply.success && reply.messageId === '';
      return {
        kind: 'note',
        text: isTestRecipient ? `${to} is a test recipient, so nothing was sent.` : sentence(reply.message),
      };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return rejected(`Not sent: ${error.code === 'INVALID_RECIPIENT' ? error.hint : error.sentences}`);
    }
  }

  async function test(visit: ApplicationVisit): Promise<PageReply> {
    const text = await find(visit);
    const { application } = visit;
    const { key: textKey } = text;
    const form = postedForm(textKey, visit.body);
    const outcome = await send(visit, text, form);
    if (visit.target !== undefined)
      return fragment(<Outcome application={application} textKey={textKey} services={services} outcome={outcome} />);
    if (outcome.kind === 'sent') return redirect(`${textPath(application, textKey)}?sent=${outcome.message.messageId}`);
    return editor(visit, text, { form, outcome }, outcome.kind === 'rejected' ? 422 : 200);
  }

  return { save, reset, test };
}

const TEXT_PATH = '/templates/:template/:channel/:language';

export function templatesPages(services: TextServices): readonly PageRoute[] {
  const views = createTextViews(services);
  const changes = createTextChanges(services, views);
  return [
    showForApplication('/templates', 'read', createCataloguePage(services)),
    showForApplication(TEXT_PATH, 'read', views.open),
    actOnApplication(TEXT_PATH, 'putTemplate', changes.save),
    actOnApplication(`${TEXT_PATH}/reset`, 'deleteTemplate', changes.reset),
    // The routes `/preview` and `/mail` only render previews, so they do not require the right to change texts.
    actOnApplication(`${TEXT_PATH}/preview`, 'read', views.preview),
    actOnApplication(`${TEXT_PATH}/mail`, 'read', (visit) => views.email(visit, true)),
    showForApplication(`${TEXT_PATH}/mail`, 'read', (visit) => views.email(visit, false)),
    actOnApplication(`${TEXT_PATH}/test`, 'change', changes.test),
    showForApplication(`${TEXT_PATH}/test/:messageId`, 'read', views.progress),
  ];
}
