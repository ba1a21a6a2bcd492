/**
 * What a page of the dashboard is: a path, the right that it needs, and a function from a visit to an answer. Pages know
 * nothing of HTTP; dashboard-routes.ts lets visitors in, checks their forms' tokens, and sends what a page answers.
 */
import type { ComponentChildren } from 'preact';
import type { Application } from '../modules/applications/application.js';
import type { PersonSession } from '../modules/people/person-sessions-store.js';
import type { Person } from '../modules/people/person.js';
import type { FormBody } from './form.js';
import type { Right } from '../modules/access/rights.js';

/** Somebody who is signed in asks for something. */
export interface Visit {
  readonly person: Person;
  readonly session: PersonSession;
  /** Parts of the path that have a name, such as `:id`. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** What was posted; nothing on a GET. */
  readonly body: FormBody;
  /** Path of the page, with `/dashboard`. */
  readonly path: string;
  /** Id of the element that the page's script is about to replace; undefined for a whole page. */
  readonly target: string | undefined;
  /** What every form carries; `Form` puts it there. */
  readonly formToken: string;
  /** What the last page left to say. */
  readonly flash: Flash;
  /** Where the service is, as this browser sees it, without a slash at its end. */
  readonly serviceUrl: string;
  /** Names the request in the log. */
  readonly requestId: string;
  /** Where the browser is, as limits count it, and what it is. */
  readonly source: string;
  readonly userAgent: string;
  may(right: Right): boolean;
}

/** A visit to a page of one application, which is one of the person's account. */
export interface ApplicationVisit extends Visit {
  readonly application: Application;
}

/** Said once, on the page that a redirect leads to. It travels sealed in a cookie. */
export interface Flash {
  readonly notice?: string;
  /** What is shown this once, such as a new App Secret, by name. */
  readonly reveal?: Readonly<Record<string, string>>;
}

export type Answer =
  | { readonly kind: 'page'; readonly title: string; readonly content: ComponentChildren; readonly status: number }
  | { readonly kind: 'fragment'; readonly content: ComponentChildren; readonly status: number }
  | { readonly kind: 'redirect'; readonly to: string; readonly flash: Flash }
  | { readonly kind: 'framed'; readonly html: string; readonly policy: string }
  | { readonly kind: 'file'; readonly name: string; readonly type: string; readonly chunks: AsyncIterable<string> };

/** A whole page in the dashboard's frame. A form that has to be filled in again has status 422, a conflict 409. */
export const page = (title: string, content: ComponentChildren, status = 200): Answer => ({
  kind: 'page',
  title,
  content,
  status,
});

/** A part of a page, for the script to put in. */
export const fragment = (content: ComponentChildren, status = 200): Answer => ({ kind: 'fragment', content, status });

/** What every successful form ends with (303), so that reloading does not send it again. `to` begins with `/dashboard`. */
export const redirect = (to: string, flash: Flash = {}): Answer => ({ kind: 'redirect', to, flash });

/**
 * A document of its own for a frame of our pages, such as a mail or the widget; `policy` is its Content-Security-Policy,
 * which has to keep `frame-ancestors 'self'`.
 */
export const framed = (html: string, policy: string): Answer => ({ kind: 'framed', html, policy });

/** A download, made while it is sent. */
export const file = (name: string, type: string, chunks: AsyncIterable<string>): Answer => ({
  kind: 'file',
  name,
  type,
  chunks,
});

/** There is no such thing, or not for this person: both look the same. */
export class PageNotFound extends Error {}

type Handler<V> = (visit: V) => Answer | Promise<Answer>;

export interface PageRoute {
  readonly method: 'get' | 'post';
  /** Below `/dashboard`, as Express has it. */
  readonly path: string;
  readonly right: Right;
  /** Whether the path begins with an application of the account. */
  readonly ofApplication: boolean;
  readonly answer: Handler<never>;
}

const route =
  <V extends Visit>(method: PageRoute['method'], ofApplication: boolean) =>
  (path: string, right: Right, answer: Handler<V>): PageRoute => ({
    method,
    path: ofApplication ? `/applications/:appKey${path}` : path,
    right,
    ofApplication,
    answer,
  });

/** A page, shown to who has the right. */
export const show = route<Visit>('get', false);
/** A form that is sent, by who has the right; its token has been checked. */
export const act = route<Visit>('post', false);
/** The same below `/applications/:appKey`; an application of another account is not found. */
export const showOfApplication = route<ApplicationVisit>('get', true);
export const actOnApplication = route<ApplicationVisit>('post', true);
