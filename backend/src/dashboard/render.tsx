/** Turns what a page answers into the text of a document. Everything that is no component of ours is escaped. */
import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import type { Application } from '../modules/applications/application.js';
import { FormTokenProvider, VisitProvider } from './components/context.js';
import { Document, Layout } from './components/layout.js';
import type { Visit } from './page.js';
import type { NavigationEntry } from './pages.js';

export interface Frame {
  readonly navigation: readonly NavigationEntry[];
  readonly tabs: readonly NavigationEntry[];
}

function SignedIn({ visit, children }: { visit: Visit; children: ComponentChildren }) {
  return (
    <VisitProvider value={visit}>
      <FormTokenProvider value={visit.formToken}>{children}</FormTokenProvider>
    </VisitProvider>
  );
}

/** A whole page of somebody who is signed in. */
export function renderPage(
  frame: Frame,
  {
    visit,
    title,
    content,
    application,
  }: {
    visit: Visit;
    title: string;
    content: ComponentChildren;
    application?: Application | undefined;
  },
): string {
  return `<!doctype html>${render(
    <SignedIn visit={visit}>
      <Layout title={title} application={application} {...frame}>
        {content}
      </Layout>
    </SignedIn>,
  )}`;
}

/** A part of a page. */
export const renderFragment = (visit: Visit, content: ComponentChildren): string =>
  render(<SignedIn visit={visit}>{content}</SignedIn>);

/** A page for everybody; `formToken` is what its forms carry. */
export const renderBare = (title: string, content: ComponentChildren, formToken?: string): string =>
  `<!doctype html>${render(
    <FormTokenProvider value={formToken}>
      <Document title={title}>
        <main id="content" class="bare">
          {content}
        </main>
      </Document>
    </FormTokenProvider>,
  )}`;
