/** Pages for errors: what happened, and what to do next. */
import type { Request, Response } from 'express';
import type { Person } from '../modules/people/person.js';
import { requestIdOf } from '../platform/http/request-log.js';
import { Entrance } from './components/entrance.js';
import { PageHead } from './components/page-head.js';
import { SearchForm } from './components/search.js';
import { page } from './page.js';
import { renderBare } from './render.js';

const ERROR_TEXTS = {
  absent: {
    status: 404,
    title: 'Page not found',
    text: 'This page does not exist, or belongs to another account.',
  },
  address: { status: 404, title: 'Page not found', text: 'This page does not exist. Check the address.' },
  right: {
    status: 403,
    title: "You don't have permission to do this",
    text: 'Your role does not allow this. Ask an owner of the account for help, or for another role.',
  },
  form: {
    status: 403,
    title: 'This form has expired',
    text: 'You may have signed in again in another tab. Go back, reload the page, and try again.',
  },
  size: {
    status: 413,
    title: 'This form is too large',
    text: 'Nothing was saved. The limits are 64 kB for a form, 48 kB for a logo, 300 kB for a price list, and 2 MB for a list of email addresses.',
  },
  away: { status: 503, title: "The database isn't responding", text: 'Nothing was saved. Try again in a few seconds.' },
  failure: {
    status: 500,
    title: 'Something went wrong',
    text: 'The details are in the server log. Try again, or contact the operator of this server.',
  },
};

export type ErrorKind = keyof typeof ERROR_TEXTS;

/** Operators find the request in the server log by its ID. */
const RequestId = ({ response }: { readonly response: Response }) => (
  <p class="quiet small">
    Request ID: <code>{requestIdOf(response)}</code>
  </p>
);

/** An error on a page with navigation and search. */
export function errorReply(response: Response, kind: ErrorKind, { role, email }: Person) {
  const { status, title, text } = ERROR_TEXTS[kind];
  const leads: Partial<Record<ErrorKind, string>> = {
    right: `${text} You are signed in as ${email} (${role}).`,
    absent: `${text} Check the address, or search for what you need.`,
  };
  const content = (
    <div class="error-page">
      <p class="status-code" aria-hidden="true">
        {status}
      </p>
      <PageHead title={title} lead={leads[kind] ?? text} />
      {kind === 'absent' && <SearchForm text="" />}
      <p class="actions">
        <a class={kind === 'absent' ? 'button subtle' : 'button'} href="/dashboard/home">
          Go to Home
        </a>
        {kind === 'right' && (
          <a class="button subtle" href="/dashboard/account">
            Switch accounts
          </a>
        )}
        {kind === 'absent' && (
          <a class="button subtle" href="/docs">
            Documentation
          </a>
        )}
      </p>
      {kind === 'failure' && <RequestId response={response} />}
    </div>
  );
  return page(title, content, status);
}

/** Sends an error page that needs no database: for people who are not signed in, and while the database is down. */
export function errorPage({ originalUrl, method }: Request, response: Response, kind: ErrorKind): void {
  const { status, title, text } = ERROR_TEXTS[kind];
  const isFailure = status >= 500;
  const html = renderBare(
    title,
    <Entrance title={title} lead={kind === 'absent' ? `${text} Check the address, or sign in to search.` : text}>
      <p class="actions">
        {isFailure && method === 'GET' && (
          <a class="button" href={originalUrl}>
            Try again
          </a>
        )}
        <a class={isFailure ? 'button subtle' : 'button'} href="/dashboard/home">
          {isFailure ? 'Go to Home' : kind === 'address' ? 'Go to the dashboard' : 'Sign in'}
        </a>
        {kind === 'address' && (
          <a class="button subtle" href="/docs">
            Documentation
          </a>
        )}
      </p>
      {isFailure && <RequestId response={response} />}
    </Entrance>,
  );
  response.status(status).type('html').send(html);
}
