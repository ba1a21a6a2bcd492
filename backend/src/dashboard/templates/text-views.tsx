/** What the pages of one text show: the editor, its preview, a mail in its frame, and how a test goes. */
import { ApiError } from '../../platform/contract/errors.js';
import type { OverrideKey } from '../../modules/templates/overrides-store.js';
import type { OverrideText } from '../../modules/templates/rendering/override.js';
import { textOf } from '../form.js';
import { fragment, page, PageNotFound, redirect, type Answer, type ApplicationVisit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { Editor, type EditorProps } from './editor.js';
import { emptyFrame, mailFrame, schemeIn } from './mail-frame.js';
import { Check, judge, PreviewPanel, sameText } from './preview-panel.js';
import { Outcome, type TestOutcome } from './test-card.js';
import { freshForm, keyIn, postedForm, textPath, titleOf, type TextForm } from './text-page.js';

/** A text, as a visit finds it. */
export interface Found {
  readonly key: OverrideKey;
  readonly stored: OverrideText | null;
  /** The text that goes out now. */
  readonly current: OverrideText;
}

export type TextViews = ReturnType<typeof createTextViews>;

export function createTextViews(services: DashboardServices) {
  const { templates, messages } = services;

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

  async function open(visit: ApplicationVisit): Promise<Answer> {
    const found = await find(visit);
    const form = freshForm(found.key.template, found.current, '');
    return editor(visit, found, { form, untouched: true, outcome: await outcomeOf(visit, visit.query.sent) });
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

  async function progress(visit: ApplicationVisit): Promise<Answer> {
    const textKey = keyIn(visit.params);
    const outcome = await outcomeOf(visit, visit.params.messageId);
    if (!outcome) throw new PageNotFound();
    const { application } = visit;
    return visit.target === undefined
      ? redirect(`${textPath(application.appKey, textKey)}?sent=${visit.params.messageId}`)
      : fragment(<Outcome application={application} textKey={textKey} services={services} outcome={outcome} />);
  }

  return { find, editor, outcomeOf, open, preview, mail, progress };
}
