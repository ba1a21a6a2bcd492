/** The navigation beside every page: the pages of the account, and of one application. */
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import type { NavigationGroup } from '../navigation.js';
import type { Frame } from '../render.js';
import { pathOf } from '../applications/parts.js';
import { useVisit } from './context.js';
import { Form } from './form.js';
import { NavIcon } from './nav-icon.js';
import { SEARCH_ID } from './search.js';

export const SIDEBAR_ID = 'sidebar';

/** Returns the path of the page that the visitor sees, or that contains it. */
function currentPath(at: string, groups: readonly NavigationGroup[], path: string): string | undefined {
  const [longest] = groups
    .flatMap(({ entries }) => entries.map((entry) => entry.path))
    .filter((page) => path === at + page || path.startsWith(`${at}${page}/`))
    .sort((a, b) => b.length - a.length);
  return longest;
}

interface PagesProps {
  readonly groups: readonly NavigationGroup[];
  readonly at: string;
  readonly current: string | undefined;
}

const Pages = ({ groups, at, current }: PagesProps) => (
  <>
    {groups
      .filter(({ entries }) => entries.length > 0)
      .map(({ label, entries }) => (
        <div key={label} class="group">
          {label && <p>{label}</p>}
          <ul>
            {entries.map(({ path, label: text }) => (
              <li key={path}>
                <a href={at + path} aria-current={path === current ? 'page' : undefined}>
                  <NavIcon path={path} />
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
  </>
);

interface SwitcherProps {
  readonly applications: readonly Application[];
  /** Undefined on a page that shows the data of several applications. */
  readonly application: Application | undefined;
  /** Path of the same page of each application. */
  readonly page: string;
}

/** Shows which application the pages below belong to, and opens the same page of another application. */
function Switcher({ applications, application, page }: SwitcherProps) {
  const others = applications.filter(({ appKey }) => appKey !== application?.appKey);
  if (others.length === 0) return <p class="switcher">{application?.name}</p>;
  return (
    <details class="switcher">
      <summary>
        {application ? (
          <>
            <span class="unseen">Application: </span>
            {application.name}
          </>
        ) : (
          'Choose an application'
        )}
      </summary>
      <ul>
        {others.map((other) => (
          <li key={other.appKey}>
            <a href={pathOf(other) + page}>{other.name}</a>
          </li>
        ))}
      </ul>
    </details>
  );
}

interface SidebarProps {
  readonly frame: Frame;
  readonly application: Application | undefined;
  readonly brand: ComponentChildren;
}

export function Sidebar({ frame, application, brand }: SidebarProps) {
  const { path, query, person, inboxPath } = useVisit();
  const { navigation, applicationNavigation, applications, lastApplication, testMode } = frame;
  const [account, ...more] = navigation;
  const current = application ? undefined : currentPath('/dashboard', navigation, path);
  const only = applications.length === 1 ? lastApplication : undefined;
  // The data of an account page belongs to one application only if it is filtered by it.
  const shown = application ?? applications.find(({ appKey }) => appKey === query.application) ?? only;
  const at = shown && pathOf(shown);
  const page = application && currentPath(at!, applicationNavigation, path);
  return (
    <nav id={SIDEBAR_ID} class="sidebar" popover="auto" aria-label="Main">
      <div class="head">
        {brand}
        {testMode && (
          <a
            class="badge warning"
            href={inboxPath ?? '/dashboard/home#health'}
            title={inboxPath === undefined ? 'No channel is live' : 'No channel is live. Open the dev inbox.'}
          >
            Test mode
          </a>
        )}
      </div>
      <button type="button" class="search-button" popovertarget={SEARCH_ID}>
        Search <kbd aria-hidden="true">⌘K</kbd>
      </button>
      <div class="pages">
        <Pages groups={account ? [account] : []} at="/dashboard" current={current} />
        {applications.length > 0 && (
          <div class="application">
            <Switcher applications={applications} application={shown} page={page ?? ''} />
            {shown ? (
              <Pages groups={applicationNavigation} at={at!} current={page} />
            ) : (
              lastApplication && (
                <div class="group">
                  <p>Last opened</p>
                  <ul>
                    <li>
                      <a href={pathOf(lastApplication)}>
                        <NavIcon path="" />
                        {lastApplication.name}
                      </a>
                    </li>
                  </ul>
                </div>
              )
            )}
          </div>
        )}
        <Pages groups={more} at="/dashboard" current={current} />
      </div>
      <div class="foot">
        <a href="/docs">
          <NavIcon path="/docs" />
          Documentation
        </a>
        <a
          href="/dashboard/account"
          aria-label={`Your profile: ${person.email}, ${person.role}`}
          aria-current={path.startsWith('/dashboard/account/') || path === '/dashboard/account' ? 'page' : undefined}
        >
          <NavIcon path="/users" />
          <span>{person.email}</span>
        </a>
        <Form action="/dashboard/sign-out" class="inline">
          <button class="button subtle small">Sign out</button>
        </Form>
      </div>
    </nav>
  );
}
