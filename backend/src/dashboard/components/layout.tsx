/** The frame of every page. */
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import { ASSETS } from '../http/assets.js';
import type { NavigationEntry } from '../pages.js';
import { useVisit } from './context.js';
import { Form } from './form.js';
import { Notice } from './notice.js';

/** Nothing is evaluated, nothing asks elsewhere, and no style is put in by script. */
const HTMX_CONFIG = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
  // A form with mistakes comes back with them.
  responseHandling: [
    { code: '204', swap: false },
    { code: '[23]..', swap: true },
    { code: '409|422', swap: true },
    { code: '...', swap: false, error: true },
  ],
});

/** The document around everything, with or without somebody signed in. */
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
  const isIn = (to: string) => path === to || path.startsWith(`${to}/`);
  // The most exact one: an application's overview is at the beginning of all its pages' paths.
  const here = entries
    .map((entry) => at + entry.path)
    .filter(isIn)
    .sort((a, b) => b.length - a.length)[0];
  return (
    <nav aria-label={label}>
      <ul>
        {entries.map((entry) => (
          <li key={entry.path}>
            <a href={at + entry.path} aria-current={at + entry.path === here ? 'page' : undefined}>
              {entry.label}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

export interface LayoutProps {
  readonly title: string;
  readonly navigation: readonly NavigationEntry[];
  readonly tabs: readonly NavigationEntry[];
  /** The application whose pages these are. */
  readonly application?: Application | undefined;
  readonly children: ComponentChildren;
}

/** A page of somebody who is signed in. */
export function Layout({ title, navigation, tabs, application, children }: LayoutProps) {
  const { person, flash } = useVisit();
  return (
    <Document title={application ? `${title} · ${application.name}` : title}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="masthead">
        <a class="brand" href="/dashboard/applications">
          <img src={`/dashboard${ASSETS.icon.path}`} alt="" width="28" height="28" />
          Passbell
        </a>
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
        {children}
      </main>
    </Document>
  );
}
