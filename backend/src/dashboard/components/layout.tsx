import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import { MAIN_FONT_PATH } from '../../platform/http/fonts-route.js';
import { ASSETS } from '../http/assets.js';
import type { Frame } from '../render.js';
import { DeletionNotice, pathOf } from '../applications/parts.js';
import type { Flash } from '../page.js';
import { useVisit } from './context.js';
import { Form } from './form.js';
import { Notice } from './notice.js';
import { SearchPanel } from './search.js';
import { Sidebar, SIDEBAR_ID } from './sidebar.js';

/** Disables features that the Content-Security-Policy forbids: eval, requests to other origins, and inline styles. */
const HTMX_CONFIG = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
  // Replies with status 422 (invalid form) or 409 (edit conflict) contain a page, so htmx must display them.
  responseHandling: [
    { code: '204', swap: false },
    { code: '[23]..', swap: true },
    { code: '409|422', swap: true },
    { code: '...', swap: false, error: true },
  ],
});

/** The HTML document of every page, including the pages for people who are not signed in. */
export function Document({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <meta name="htmx-config" content={HTMX_CONFIG} />
        <title>{`${title} · Passbell`}</title>
        <link rel="preload" href={MAIN_FONT_PATH} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={`/dashboard${ASSETS.style.path}`} />
        <link rel="icon" href={`/dashboard${ASSETS.icon.path}`} />
        <script src={`/dashboard${ASSETS.htmx.path}`} defer />
        <script src={`/dashboard${ASSETS.script.path}`} defer />
      </head>
      <body>{children}</body>
    </html>
  );
}

interface LayoutProps {
  readonly title: string;
  readonly frame: Frame;
  readonly application?: Application | undefined;
  readonly children: ComponentChildren;
}

const Brand = () => (
  <a class="brand" href="/dashboard/home">
    <img src={`/dashboard${ASSETS.icon.path}`} alt="" width="24" height="24" />
    Passbell
  </a>
);

const UndoForm = ({ action, fields }: NonNullable<Flash['undo']>) => (
  <Form action={action}>
    {Object.entries(fields).map(([name, value]) => (
      <input key={name} type="hidden" name={name} value={value} />
    ))}
    <button class="link-button">Undo</button>
  </Form>
);

export function Layout({ title, frame, application, children }: LayoutProps) {
  const { flash, path } = useVisit();
  return (
    <Document title={application && title !== application.name ? `${title} · ${application.name}` : title}>
      <a class="skip" href="#content">
        Skip to main content
      </a>
      <header class="masthead">
        <Brand />
        {/* Opens the sidebar on narrow screens; elsewhere it is always visible. */}
        <button type="button" class="button subtle small" popovertarget={SIDEBAR_ID}>
          Menu
        </button>
      </header>
      <Sidebar frame={frame} application={application} brand={<Brand />} />
      {path !== '/dashboard/search' && <SearchPanel />}
      <main id="content" tabIndex={-1}>
        {application && title !== application.name && (
          <p class="crumbs">
            <a href={pathOf(application)}>{application.name}</a>
          </p>
        )}
        {flash.notice && (
          <Notice kind="good" class="result" after={flash.undo && <UndoForm {...flash.undo} />}>
            {flash.notice}
          </Notice>
        )}
        {flash.warning && (
          <Notice kind="warning" class="result">
            {flash.warning}
          </Notice>
        )}
        {flash.problem && (
          <Notice kind="bad" class="result">
            {flash.problem}
          </Notice>
        )}
        {application && <DeletionNotice application={application} />}
        {children}
      </main>
    </Document>
  );
}
