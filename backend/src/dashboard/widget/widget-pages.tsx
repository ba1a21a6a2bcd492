/** Pages below `/widget`: the design and texts of an application's two-factor widget, with a preview. */
import type { ApplicationsService } from '../../modules/applications/applications-service.js';
import { EditConflictError } from '../../modules/access/actor.js';
import type { Application, WidgetDesign } from '../../modules/applications/application.js';
import { changesBetween } from '../../modules/audit/audit.js';
import { settingsPath } from '../applications/parts.js';
import { Card } from '../components/card.js';
import { Conflict } from '../components/conflict.js';
import { useVisit } from '../components/context.js';
import { CopyBlock } from '../components/copy.js';
import { Form, FormProblems } from '../components/form.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { filledForm, isCurrent, type FormState } from '../form.js';
import { ASSETS } from '../http/assets.js';
import type { PageReply, ApplicationVisit, PageRoute } from '../page.js';
import { actOnApplication, fragment, framed, page, redirect, show, showForApplication } from '../page.js';
import { CONTRAST_ID, ContrastNotice } from './contrast.js';
import { AppearanceFields, DESIGN_LABELS, TextFields } from './design-fields.js';
import { readDesign, designFields } from './design-form.js';
import { ProtectionCard } from './protection.js';
import { Preview, PREVIEW_PATH, PREVIEW_POLICY, previewDocument } from './preview.js';

const pathOf = ({ appKey }: Application): string => `/dashboard/applications/${appKey}/widget`;

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
      <Form action={path} stored={stored} id="design" data-accent={accent} noValidate>
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
        {!readOnly && <Submit label="Save design" />}
      </Form>
    </Card>
  );
}

function EmbedCard({ serviceUrl, appKey }: { serviceUrl: string; appKey: string }) {
  const snippet = `<div id="service-2fasdk"></div>
<script
  src="${serviceUrl}/js/v1/auth-2fasdk.js"
  data-appkey="${appKey}"
  data-emailid="ana@example.com"
  data-usertoken=""
></script>`;
  const { origin } = new URL(serviceUrl);
  return (
    <Card
      beside
      id="embed-title"
      title="Embed the widget"
      lead="For your developer: paste this code into the page where the widget should appear."
    >
      <p>
        Your server fills in <code>data-emailid</code>, the email address of the user who has signed in, and{' '}
        <code>data-usertoken</code>, a token that it signs for this user as shown under{' '}
        <a href="#protection-title">Protect your users</a>. Strict mode requires the token.
      </p>
      <CopyBlock label="embed code" value={snippet} language="xml" />
      <p>If your site has a Content-Security-Policy, add:</p>
      <CopyBlock label="policy" value={`script-src ${origin}; connect-src ${origin}`} />
      <p class="quiet">
        If this application has an <a href={`/dashboard/applications/${appKey}/allow-list`}>allow-list</a>, add your
        site's address to it.
      </p>
    </Card>
  );
}

/** Returns the widget page. `design` is the form's design; undefined if the form has errors. */
function widgetPage({ application, serviceUrl }: ApplicationVisit, form: FormState, design?: WidgetDesign) {
  const { design: stored, twoFactorWidget, strictTwoFactor } = application.settings;
  return page(
    'Widget',
    <>
      <PageHead
        title="Widget"
        lead="The design of the two-factor widget on your site. Changes appear there within 2 seconds."
      />
      <FormProblems form={form} labels={DESIGN_LABELS} />
      {!twoFactorWidget && (
        <Notice kind="warning">
          The widget is off for this application. It does not work on your site until you turn it on in the{' '}
          <a href={settingsPath(application, 'two-factor')}>settings</a>.
        </Notice>
      )}
      {twoFactorWidget && !strictTwoFactor && (
        <Notice kind="warning">
          Ask your developer to turn on strict mode: without it, anyone can set up two-factor for an email address that
          does not use it yet. <a href="#protection-title">Protect your users</a>
        </Notice>
      )}
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
      <EmbedCard serviceUrl={serviceUrl} appKey={application.appKey} />
      <ProtectionCard {...application} />
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
    actOnApplication('/widget', 'change', save),
    // This route only checks the submitted design's contrast. It does not store the design.
    actOnApplication('/widget/contrast', 'change', ({ application, body }) => {
      const read = readDesign(body, application.settings.design);
      return fragment(<ContrastNotice design={read.ok ? read.design : undefined} />);
    }),
    show(PREVIEW_PATH, 'read', async () => framed(await (preview ??= previewDocument()), PREVIEW_POLICY)),
  ];
};
