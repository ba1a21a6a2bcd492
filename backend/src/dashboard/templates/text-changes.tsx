/** What is done to a text: saved, taken back, and sent to oneself. */
import { ApiError } from '../../platform/contract/errors.js';
import { changesBetween } from '../../modules/audit/audit-service.js';
import type { OverrideKey } from '../../modules/templates/overrides-store.js';
import { samplesOf } from '../../modules/templates/templates-service.js';
import type { OverrideText } from '../../modules/templates/rendering/override.js';
import { Conflict, type ConflictField } from '../components/conflict.js';
import { isCurrent } from '../form.js';
import { fragment, page, redirect, type Answer, type ApplicationVisit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { sameText } from './preview-panel.js';
import { Outcome, type TestOutcome } from './test-card.js';
import { postedForm, textPath, titleOf, type TextForm } from './text-page.js';
import type { Found, TextViews } from './text-views.js';

function conflictFields(stored: OverrideText | null, own: OverrideText): ConflictField[] {
  const field = (name: 'subject' | 'text', label: string): ConflictField => ({
    name,
    label,
    stored: stored?.[name] ?? 'the built-in text',
    typed: own[name] ?? '',
  });
  return [...(own.subject === null ? [] : [field('subject', 'Subject')]), field('text', 'Text')];
}

export function createTextChanges(services: DashboardServices, { find, editor, outcomeOf }: TextViews) {
  const { templates, testMessages, audit } = services;

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

  return { save, reset, test };
}
