/** `/templates` of an application: what its messages say. */
import { ApiError } from '../../errors.js';
import { changesBetween } from '../../modules/audit/audit-service.js';
import type { OverrideKey } from '../../modules/templates/overrides-store.js';
import { samplesOf } from '../../modules/templates/templates-service.js';
import { OverrideError, type OverrideText } from '../../templates/override.js';
import { TEMPLATE_NAMES } from '../../templates/render.js';
import { Conflict, type ConflictField } from '../components/conflict.js';
import { isCurrent, textOf } from '../form.js';
import {
  actOnApplication,
  fragment,
  page,
  PageNotFound,
  redirect,
  showOfApplication,
  type Answer,
  type ApplicationVisit,
  type PageRoute,
} from '../page.js';
import type { DashboardServices } from '../services.js';
import { Catalogue } from './catalogue.js';
import { Editor, type EditorProps } from './editor.js';
import { emptyFrame, mailFrame, schemeIn } from './mail-frame.js';
import { Check, judge, PreviewPanel, sameText } from './preview-panel.js';
import { Outcome, type TestOutcome } from './test-card.js';
import {
  CHANNEL_LABELS,
  freshForm,
  keyIn,
  labelOf,
  LANGUAGE_CODES,
  languageLabel,
  postedForm,
  textPath,
  type TextForm,
} from './text-page.js';

/** A text, as a visit finds it. */
interface Found {
  readonly key: OverrideKey;
  readonly stored: OverrideText | null;
  /** The text that goes out now. */
  readonly current: OverrideText;
}

const titleOf = ({ template, channel, language }: OverrideKey): string =>
  `${labelOf(template).label}, ${CHANNEL_LABELS[channel]}, ${languageLabel(language)}`;

function conflictFields(stored: OverrideText | null, own: OverrideText): ConflictField[] {
  const field = (name: 'subject' | 'text', label: string): ConflictField => ({
    name,
    label,
    stored: stored?.[name] ?? 'the built-in text',
    typed: own[name] ?? '',
  });
  return [...(own.subject === null ? [] : [field('subject', 'Subject')]), field('text', 'Text')];
}

function createPages(services: DashboardServices) {
  const { templates, testMessages, messages, audit } = services;

  async function find({ application, params }: ApplicationVisit): Promise<Found> {
    const key = keyIn(params);
    const stored = await templates.own(application, key);
    return { key, stored, current: stored ?? templates.builtIn(key) };
  }

  const judged = ({ application }: ApplicationVisit, { key, stored }: Found, form: TextForm) =>
    judge(services, application, key, form, stored !== null && sameText(form.own, stored));

  function editor(
    visit: ApplicationVisit,
    found: Found,
    more: Pick<EditorProps, 'form' | 'untouched' | 'outcome'>,
    status = 200,
  ): Answer {
    const { application } = visit;
    const { key, stored } = found;
    const judgement = judged(visit, found, more.form);
    const props = { application, textKey: key, stored, judgement, services, ...more };
    return page(titleOf(key), <Editor {...props} />, status);
  }

  async function catalogue({ application, query }: ApplicationVisit): Promise<Answer> {
    const asked = query.language ?? application.settings.language;
    const language = LANGUAGE_CODES.includes(asked) ? asked : 'en';
    const own = await templates.list(application);
    const said = TEMPLATE_NAMES.map((template) => {
      const key = { template, channel: 'SMS', language } as const;
      const text = own.find((one) => one.template === template && one.channel === 'SMS' && one.language === language);
      return [template, saidOrBuiltIn(application, key, text ?? null)] as const;
    });
    const props = { application, language, own, said: new Map(said) };
    return page('Templates', <Catalogue {...props} />);
  }

  /** As a message with these values would: a text that comes to nothing gives way. */
  function saidOrBuiltIn(application: ApplicationVisit['application'], key: OverrideKey, own: OverrideText | null) {
    const values = samplesOf(key.template);
    try {
      return templates.tryOut(application, key, own, values);
    } catch (error) {
      if (!(error instanceof OverrideError)) throw error;
      return templates.tryOut(application, key, null, values);
    }
  }

  async function open(visit: ApplicationVisit): Promise<Answer> {
    const found = await find(visit);
    const form = freshForm(found.key.template, found.current, '');
    return editor(visit, found, { form, untouched: true, outcome: await outcomeOf(visit, visit.query.sent) });
  }

  /** How a test that was sent before goes; undefined where there is none. */
  async function outcomeOf(
    { application }: ApplicationVisit,
    id: string | undefined,
  ): Promise<TestOutcome | undefined> {
    if (id === undefined) return undefined;
    try {
      return { kind: 'sent', message: await messages.view(application.id, id) };
    } catch (error) {
      if (error instanceof ApiError && error.code === 'MESSAGE_NOT_FOUND') return undefined;
      throw error;
    }
  }

  async function preview(visit: ApplicationVisit): Promise<Answer> {
    const found = await find(visit);
    const { application } = visit;
    const form = postedForm(found.key, visit.body);
    if (visit.target === undefined) return editor(visit, found, { form, untouched: false, outcome: undefined });
    const judgement = judged(visit, found, form);
    return fragment(
      <>
        <PreviewPanel
          application={application}
          textKey={found.key}
          judgement={judgement}
          untouched={false}
          services={services}
        />
        <div id="check" hx-swap-oob="innerHTML">
          <Check problems={judgement.problems} />
        </div>
      </>,
    );
  }

  /** The mail that is stored, or that is typed. */
  async function mail(visit: ApplicationVisit, posted: boolean): Promise<Answer> {
    const found = await find(visit);
    if (found.key.channel !== 'EMAIL') throw new PageNotFound();
    const form = posted ? postedForm(found.key, visit.body) : freshForm(found.key.template, found.current, '');
    const { content } = judged(visit, found, form);
    if (content?.kind !== 'email') return emptyFrame();
    return mailFrame(content.html, schemeIn(textOf(visit.body, 'scheme')));
  }

  const subjectOf = ({ application }: ApplicationVisit, key: OverrideKey): string =>
    `${application.name}: ${titleOf(key)}`;

  function conflict(visit: ApplicationVisit, { key, stored }: Found, own: OverrideText): Answer {
    const path = textPath(visit.application.appKey, key);
    const content = (
      <Conflict
        what={titleOf(key)}
        action={path}
        back={path}
        fields={conflictFields(stored, own)}
        body={visit.body}
        stored={stored}
      />
    );
    return page('Somebody was quicker', content, 409);
  }

  async function save(visit: ApplicationVisit): Promise<Answer> {
    const found = await find(visit);
    const { application, body } = visit;
    const { key, stored } = found;
    const form = postedForm(key, body);
    if (!isCurrent(body, stored)) return conflict(visit, found, form.own);
    if (templates.problems(application, { ...key, ...form.own }, samplesOf(key.template)).length > 0)
      return editor(visit, found, { form, untouched: false, outcome: undefined }, 422);
    // Between the look and the change somebody may have been quicker still.
    if (!(await templates.replace(application, stored, { ...key, ...form.own })))
      return conflict(visit, await find(visit), form.own);
    const entry = {
      action: 'template.set',
      subject: subjectOf(visit, key),
      changes: changesBetween(stored ?? {}, form.own),
    };
    await audit.record(visit.person, entry);
    const notice = 'Saved. Messages say it from now on; other processes follow within two seconds.';
    return redirect(textPath(application.appKey, key), { notice });
  }

  async function reset(visit: ApplicationVisit): Promise<Answer> {
    const found = await find(visit);
    const { application, body } = visit;
    const { key, stored } = found;
    const path = textPath(application.appKey, key);
    if (stored === null && isCurrent(body, stored))
      return redirect(path, { notice: 'It is the built-in text already.' });
    if (stored === null || !isCurrent(body, stored) || !(await templates.remove(application, key, stored)))
      return conflict(visit, await find(visit), postedForm(key, body).own);
    const entry = {
      action: 'template.reset',
      subject: subjectOf(visit, key),
      changes: changesBetween(stored, { subject: null, text: null }),
    };
    await audit.record(visit.person, entry);
    return redirect(path, { notice: 'The built-in text is back.' });
  }

  async function send(visit: ApplicationVisit, { key, current }: Found, form: TextForm): Promise<TestOutcome> {
    const { application, person, requestId } = visit;
    const refused = (message: string): TestOutcome => ({ kind: 'refused', message });
    if (!sameText(form.own, current)) return refused('Save the text first: a test says what is saved.');
    const wrong = Object.values(form.state.errors)[0];
    if (wrong) return refused(`One of the values to try cannot be used. ${wrong}`);
    const to = key.channel === 'EMAIL' ? person.email : String(form.state.typed.to ?? '');
    if (to === '') return refused('Enter your phone number with its country code.');
    try {
      const message = { ...key, to, variables: form.values };
      const reply = await testMessages.send(application, message, { personId: person.id, requestId });
      return (await outcomeOf(visit, reply.messageId || undefined)) ?? { kind: 'sent', message: reply.message };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return refused(`Not sent: ${error.message}.`);
    }
  }

  async function test(visit: ApplicationVisit): Promise<Answer> {
    const found = await find(visit);
    const { application } = visit;
    const { key } = found;
    const form = postedForm(key, visit.body);
    const outcome = await send(visit, found, form);
    if (outcome.kind === 'sent' && typeof outcome.message !== 'string') {
      const entry = { action: 'template.test', subject: subjectOf(visit, key) };
      await audit.record(visit.person, entry);
    }
    const props = { application, textKey: key, services, outcome };
    if (visit.target !== undefined) return fragment(<Outcome {...props} />);
    if (outcome.kind === 'refused' || typeof outcome.message === 'string')
      return editor(visit, found, { form, untouched: false, outcome }, outcome.kind === 'refused' ? 422 : 200);
    return redirect(`${textPath(application.appKey, key)}?sent=${outcome.message.messageId}`);
  }

  async function progress(visit: ApplicationVisit): Promise<Answer> {
    const textKey = keyIn(visit.params);
    const outcome = await outcomeOf(visit, visit.params.messageId);
    if (!outcome) throw new PageNotFound();
    const { application } = visit;
    return visit.target === undefined
      ? redirect(`${textPath(application.appKey, textKey)}?sent=${visit.params.messageId}`)
      : fragment(<Outcome application={application} textKey={textKey} services={services} outcome={outcome} />);
  }

  return { catalogue, open, preview, mail, save, reset, test, progress };
}

const TEXT = '/templates/:template/:channel/:language';

export function templatesPages(services: DashboardServices): readonly PageRoute[] {
  const pages = createPages(services);
  return [
    showOfApplication('/templates', 'read', pages.catalogue),
    showOfApplication(TEXT, 'read', pages.open),
    actOnApplication(TEXT, 'change', pages.save),
    actOnApplication(`${TEXT}/reset`, 'change', pages.reset),
    // These change nothing: they show what is typed.
    actOnApplication(`${TEXT}/preview`, 'read', pages.preview),
    actOnApplication(`${TEXT}/mail`, 'read', (visit: ApplicationVisit) => pages.mail(visit, true)),
    showOfApplication(`${TEXT}/mail`, 'read', (visit: ApplicationVisit) => pages.mail(visit, false)),
    actOnApplication(`${TEXT}/test`, 'change', pages.test),
    showOfApplication(`${TEXT}/test/:messageId`, 'read', pages.progress),
  ];
}
