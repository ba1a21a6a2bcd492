/** Pages below `/widget`: the design and texts of an application's two-factor widget, with a preview, and its code. */
import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import { EditConflictError } from '../../modules/access/actor.js';
import type { Application, WidgetDesign } from '../../modules/applications/application.js';
import { changesBetween } from '../../modules/audit/audit.js';
import { Card } from '../components/card.js';
import { Conflict } from '../components/conflict.js';
import { useVisit } from '../components/context.js';
import { Form, FormProblems } from '../components/form.js';
import { Submit } from '../components/submit.js';
import { filledForm, isCurrent, type FormState } from '../form.js';
import { ASSETS } from '../http/assets.js';
import type { PageReply, ApplicationVisit, PageRoute } from '../page.js';
import { actOnApplication, fragment, framed, page, redirect, show, showForApplication } from '../page.js';
import { codePage, pathOf, WidgetHead } from './code-page.js';
import { CONTRAST_ID, ContrastNotice } from './contrast.js';
import { AppearanceFields, DESIGN_LABELS, TextFields } from './design-fields.js';
import { readDesign, designFields } from './design-form.js';
import { Preview, PREVIEW_PATH, PREVIEW_POLICY, previewDocument } from './preview.js';

interface DesignFormProps {
  readonly path: string;
  /** The accent color of the account. */
  readonly accent: string;
  readonly form: FormState;
  readonly stored: WidgetDesign;
  /** The design in the form; undefined if the form contains mistakes. */
  readonly typed: WidgetDesign | undefined;
}

function DesignForm({ path, accent, form, stored, typed }: DesignFormProps) {
  const readOnly = !useVisit().may('change');
  return (
    <Card id="look-title" title="Design">
      <Form action={path} stored={stored} form={form} id="design" data-accent={accent} noValidate>
        <div
          class="stack"
          hx-post={`${path}/contrast`}
          hx-trigger="input delay:300ms, change delay:300ms"
          hx-target={`#${CONTRAST_ID}`}
          hx-swap="outerHTML"
        >
          <AppearanceFields form={form} readOnly={readOnly} accent={accent} stored={stored} />
          <ContrastNotice design={typed} />
          <TextFields form={form} readOnly={readOnly} />
        </div>
        {!readOnly && <Submit label="Save design" kind="saved-by-bar" />}
      </Form>
    </Card>
  );
}

/** Returns the widget page. `design` is the form's design; undefined if the form has errors. */
function widgetPage({ application, serviceUrl }: ApplicationVisit, form: FormState, design?: WidgetDesign) {
  const { design: stored } = application.settings;
  return page(
    'Widget',
    <>
      <WidgetHead application={application} serviceUrl={serviceUrl} />
      <FormProblems form={form} labels={DESIGN_LABELS} />
      <div class="workbench">
        <DesignForm
          path={pathOf(application)}
          accent={application.branding.accentColor}
          form={form}
          stored={stored}
          typed={design}
        />
        <Preview />
      </div>
      <script src={`/dashboard${ASSETS.widgetScript.path}`} defer />
    </>,
    design ? 200 : 422,
  );
}

const savedReply = (application: Application): PageReply =>
  redirect(pathOf(application), { notice: 'Saved. Your site shows the new design within 2 seconds.' });

const filledFields = (design: WidgetDesign): Record<string, string> =>
  Object.fromEntries(Object.entries(designFields(design)).filter(([, text]) => text !== ''));

export const widgetPages = (applications: ApplicationsService): readonly PageRoute[] => {
  async function conflict(visit: ApplicationVisit, typed: WidgetDesign): Promise<PageReply> {
    const { application, body } = visit;
    const stored = (await applications.load(application.appKey)).settings.design;
    // Submitting the stored design again, for example with a double click, is not a conflict.
    if (changesBetween(stored, typed).length === 0) return savedReply(application);
    const theirs = filledFields(stored);
    const mine = filledFields(typed);
    const fields = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])].map((name) => ({
      name,
      label: DESIGN_LABELS[name] ?? name,
      stored: theirs[name] ?? '',
      typed: mine[name] ?? '',
    }));
    const path = pathOf(application);
    const what = `the widget of ${application.name}`;
    return page(
      'Widget',
      <Conflict what={what} action={path} back={path} fields={fields} body={body} stored={stored} />,
      409,
    );
  }

  async function save(visit: ApplicationVisit): Promise<PageReply> {
    const { application, actor, body } = visit;
    const read = readDesign(body, application.settings.design);
    if (!read.ok) return widgetPage(visit, read.state);
    try {
      await applications.update(actor, application.appKey, { design: read.design }, ({ settings }) =>
        isCurrent(body, settings.design),
      );
    } catch (error) {
      if (error instanceof EditConflictError) return conflict(visit, read.design);
      throw error;
    }
    return savedReply(application);
  }

  let preview: Promise<string> | undefined;

  return [
    showForApplication('/widget', 'read', (visit) => {
      const { design } = visit.application.settings;
      return widgetPage(visit, filledForm(designFields(design)), design);
    }),
    showForApplication('/widget/code', 'read', codePage),
    actOnApplication('/widget', 'change', save),
    // This route only checks the submitted design's contrast. It does not store the design.
    actOnApplication('/widget/contrast', 'change', ({ application, body }) => {
      const read = readDesign(body, application.settings.design);
      return fragment(<ContrastNotice design={read.ok ? read.design : undefined} />);
    }),
    show(PREVIEW_PATH, 'read', async () => framed(await (preview ??= previewDocument()), PREVIEW_POLICY)),
  ];
};
