import type { ComponentChildren } from 'preact';
import { render } from 'preact-render-to-string';
import { FormTokenProvider, VisitProvider } from './components/context.js';
import { Document, Layout } from './components/layout.js';
import type { ApplicationVisit, Visit } from './page.js';
import type { NavigationGroup } from './navigation.js';
import type { Application } from '../modules/applications/application.js';

export interface Frame {
  readonly navigation: readonly NavigationGroup[];
  readonly applicationNavigation: readonly NavigationGroup[];
  readonly applications: readonly Application[];
  /** The application that was visited last, or the only one. */
  readonly lastApplication: Application | undefined;
  /** Whether all messages of the account only reach the dev inbox. */
  readonly testMode: boolean;
}

function SignedIn({ visit, children }: { visit: Visit; children: ComponentChildren }) {
  return (
    <VisitProvider value={visit}>
      <FormTokenProvider value={visit.formToken}>{children}</FormTokenProvider>
    </VisitProvider>
  );
}

export function renderPage(frame: Frame, visit: Visit, title: string, content: ComponentChildren): string {
  return `<!doctype html>${render(
    <SignedIn visit={visit}>
      <Layout title={title} application={(visit as Partial<ApplicationVisit>).application} frame={frame}>
        {content}
      </Layout>
    </SignedIn>,
  )}`;
}

export const renderBareFragment = (content: ComponentChildren, formToken: string): string =>
  render(<FormTokenProvider value={formToken}>{content}</FormTokenProvider>);

export const renderFragment = (visit: Visit, content: ComponentChildren): string =>
  render(<SignedIn visit={visit}>{content}</SignedIn>);

/** A page without navigation, for people who are not signed in. */
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
