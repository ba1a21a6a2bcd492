/** `/widget`: how an application's two-factor widget looks and speaks, with the widget itself beside it. */
import type { Application, WidgetDesign } from '../../modules/applications/application.js';
import { StaleError } from '../../modules/applications/applications-service.js';
import { changesBetween } from '../../modules/audit/audit-service.js';
import { Conflict } from '../components/conflict.js';
import { useVisit } from '../components/context.js';
import { Form, FormProblems } from '../components/form.js';
import { PageHead } from '../components/page-head.js';
import { filledIn, isCurrent, type FormState } from '../form.js';
import { ASSETS } from '../http/assets.js';
import {
  actOnApplication,
  fragment,
  framed,
  page,
  redirect,
  show,
  showOfApplication,
  type Answer,
  type ApplicationVisit,
  type PageRoute,
} from '../page.js';
import type { DashboardServices } from '../services.js';
import { ContrastCard, CONTRAST_ID } from './contrast-card.js';
import { LookFields, TextFields } from './design-fields.js';
import { readDesign, shownDesign } from './design-form.js';
import { Embed } from './embed.js';
import { Preview, PREVIEW_PATH, PREVIEW_POLICY, previewDocument } from './preview.js';

const pathOf = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/widget`;

interface DesignFormProps {
  readonly at: string;
  readonly form: FormState;
  readonly stored: WidgetDesign;
}

function DesignForm({ at, form, stored }: DesignFormProps) {
  const { may } = useVisit();
  const readOnly = !may('change');
  return (
    <section class="card" aria-labelledby="look-title">
      <h2 id="look-title">Look</h2>
      <Form action={at} stored={stored} id="design">
        <FormProblems form={form} />
        <div
          class="stack"
          hx-post={`${at}/contrast`}
          hx-trigger="input delay:300ms, change delay:300ms"
          hx-target={`#${CONTRAST_ID}`}
          hx-swap="outerHTML"
        >
          <LookFields form={form} readOnly={readOnly} stored={stored} />
          <TextFields form={form} readOnly={readOnly} language={String(form.typed.language ?? '')} />
        </div>
        {!readOnly && (
          <div class="actions">
            <button class="button">Save the look</button>
          </div>
        )}
      </Form>
    </section>
  );
}

function whole(
  { application, serviceUrl }: ApplicationVisit,
  form: FormState,
  design: WidgetDesign | undefined,
  status = 200,
) {
  const stored = application.settings.design;
  return page(
    'Widget',
    <>
      <PageHead
        title="Widget"
        lead="The two-factor widget on your site, in your colours and words. Sites show a change within a second."
      />
      <div class="workbench">
        <DesignForm at={pathOf(application)} form={form} stored={stored} />
        <Preview />
        <ContrastCard design={design} />
      </div>
      <Embed serviceUrl={serviceUrl} appKey={application.appKey} />
      <script src={`/dashboard${ASSETS.widgetScript.path}`} defer />
    </>,
    status,
  );
}

const saved = (application: Application): Answer =>
  redirect(pathOf(application), { notice: 'Saved. Your site shows the widget like this from now on.' });

const readable = (design: WidgetDesign): Record<string, string> =>
  Object.fromEntries(Object.entries(shownDesign(design)).filter(([, text]) => text !== ''));

export const widgetPages = ({ applications, audit }: DashboardServices): readonly PageRoute[] => {
  async function conflict(visit: ApplicationVisit, typed: WidgetDesign): Promise<Answer> {
    const { application, body } = visit;
    const now = (await applications.ofAccountWith(application.accountId, application.appKey)) ?? application;
    const stored = now.settings.design;
    // The same twice, such as by a double click, is no quarrel.
    if (changesBetween(stored, typed).length === 0) return saved(application);
    const [theirs, mine] = [readable(stored), readable(typed)];
    const fields = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])].map((name) => ({
      name,
      label: name,
      stored: theirs[name] ?? '',
      typed: mine[name] ?? '',
    }));
    const at = pathOf(application);
    const shown = { what: `the widget of ${application.name}`, action: at, back: at, fields, body, stored };
    return page('Widget', <Conflict {...shown} />, 409);
  }

  async function save(visit: ApplicationVisit): Promise<Answer> {
    const { application, body, person } = visit;
    const read = readDesign(body, application.settings.design);
    if (!read.ok) return whole(visit, read.state, undefined, 422);
    let before = application.settings.design;
    try {
      await applications.update(application.appKey, { design: read.design }, ({ settings }) => {
        before = settings.design;
        return isCurrent(body, before);
      });
    } catch (error) {
      if (error instanceof StaleError) return conflict(visit, read.design);
      throw error;
    }
    const changes = changesBetween(before, read.design);
    if (changes.length > 0)
      await audit.record(person, { action: 'application.widget', subject: application.name, changes });
    return saved(application);
  }

  let preview: Promise<string> | undefined;

  return [
    showOfApplication('/widget', 'read', (visit: ApplicationVisit) => {
      const { design } = visit.application.settings;
      return whole(visit, filledIn(shownDesign(design)), design);
    }),
    actOnApplication('/widget', 'change', save),
    // Keeps nothing of what was typed; who may not change anything has nothing to type.
    actOnApplication('/widget/contrast', 'change', ({ application, body }: ApplicationVisit) => {
      const read = readDesign(body, application.settings.design);
      return fragment(<ContrastCard design={read.ok ? read.design : undefined} />);
    }),
    show(PREVIEW_PATH, 'read', async () => framed(await (preview ??= previewDocument()), PREVIEW_POLICY)),
  ];
};
