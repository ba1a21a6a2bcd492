import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import { ASSETS } from '../http/assets.js';
import type { NavigationEntry } from '../pages.js';
import { useVisit } from './context.js';
import { Form } from './form.js';
import { LinkNav } from './link-nav.js';
import { Notice } from './notice.js';

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
        <link rel="stylesheet" href={`/dashboard${ASSETS.style.path}`} />
        <link rel="icon" href={`/dashboard${ASSETS.icon.path}`} />
        <script src={`/dashboard${ASSETS.htmx.path}`} defer />
        <script src={`/dashboard${ASSETS.script.path}`} defer />
      </head>
      <body>{children}</body>
    </html>
  );
}

function Navigation({ entries, at, label }: { entries: readonly NavigationEntry[]; at: string; label: string }) {
  const { path } = useVisit();
  const links = entries.map((entry) => ({ href: at + entry.path, label: entry.label }));
  // Marks the link with the longest matching path as current, because the overview path is a prefix of the
  // application's other paths.
  const [current] = links
    .filter(({ href }) => path === href || path.startsWith(`${href}/`))
    .sort((a, b) => b.href.length - a.href.length);
  return <LinkNav label={label} links={links.map((link) => ({ ...link, current: link === current }))} />;
}

interface LayoutProps {
  readonly title: string;
  readonly navigation: readonly NavigationEntry[];
  readonly tabs: readonly NavigationEntry[];
  readonly testMode: boolean;
  readonly application?: Application | undefined;
  readonly children: ComponentChildren;
}

export function Layout({ title, navigation, tabs, testMode, application, children }: LayoutProps) {
  const { person, flash } = useVisit();
  return (
    <Document title={application ? `${title} · ${application.name}` : title}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="masthead">
        <a class="brand" href="/dashboard/home">
          <img src={`/dashboard${ASSETS.icon.path}`} alt="" width="28" height="28" />
          Passbell
        </a>
        {testMode && (
          <a class="badge warning" href="/dashboard/home#health" title="No channel is live">
            Test mode
          </a>
        )}
        <Navigation entries={navigation} at="/dashboard" label="Main" />
        <div class="person">
          <a
            class="person-email"
            href="/dashboard/account"
            aria-label={`Your account: ${person.email}, ${person.role}`}
          >
            {person.email}
          </a>
          <Form action="/dashboard/sign-out" class="inline">
            <button class="button subtle small">Sign out</button>
          </Form>
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        {application && (
          <div class="application-head">
            <p class="crumbs">
              <a href="/dashboard/applications">Applications</a>
              <span class="quiet" aria-hidden="true">
                /
              </span>
              <span>{application.name}</span>
            </p>
            <div class="tabs">
              <Navigation
                entries={tabs}
                at={`/dashboard/applications/${application.appKey}`}
                label={`Pages of ${application.name}`}
              />
            </div>
          </div>
        )}
        {flash.notice && <Notice kind="good">{flash.notice}</Notice>}
        {flash.problem && <Notice kind="bad">{flash.problem}</Notice>}
        {children}
      </main>
    </Document>
  );
}
