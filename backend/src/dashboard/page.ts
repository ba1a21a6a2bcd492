/**
 * Types and helpers for dashboard pages. A page consists of a path, a required right, and a function that turns a visit
 * into a reply. Pages are independent of HTTP: dashboard-routes.ts authenticates visitors, checks form tokens, and
 * sends replies.
 */
import type { ComponentChildren } from 'preact';
import type { Actor } from '../modules/access/actor.js';
import { RIGHTS, type Right } from '../modules/access/rights.js';
import type { Application } from '../modules/applications/application.js';
import { operationNamed, type OperationName } from '../modules/manage/operations.js';
import type { Person, PersonSession } from '../modules/people/person.js';
import type { FormBody } from './form.js';

export interface Visit {
  readonly person: Person;
  /** The person as an actor, for changes that the audit log records. */
  readonly actor: Actor;
  readonly session: PersonSession;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: FormBody;
  /** The submitted form with sealed secrets, for pages that submit the form again. */
  readonly sealedBody: FormBody;
  readonly path: string;
  /** When the page was requested, in epoch milliseconds. */
  readonly now: number;
  /** The account's time zone, in which pages show times. */
  readonly timeZone: string;
  /** Id of the element that htmx replaces; undefined if the browser requests a whole page. */
  readonly target: string | undefined;
  /** The token that `Form` adds to every form. */
  readonly formToken: string;
  readonly flash: Flash;
  /** URL at which the visitor's browser reaches the service, without a trailing slash. */
  readonly serviceUrl: string;
  /** Path of the dev inbox; undefined if it is off, or if its address contains a key. */
  readonly inboxPath: string | undefined;
  /** The App Key of the application that the browser visited last. */
  readonly lastAppKey: string | undefined;
  /** Whether the account may have its own providers. Without this right, there is no Channels page. */
  readonly mayHaveProviders: boolean;
  readonly source: string;
  readonly requestId: string;
  may(right: Right): boolean;
}

/** A visit to a page of an application that belongs to the person's account. */
export interface ApplicationVisit extends Visit {
  readonly application: Application;
}

/** Notices that are shown once, on the page after a redirect. They are stored in an encrypted cookie. */
export interface Flash {
  readonly notice?: string;
  /** A change that was made, but needs attention. */
  readonly warning?: string;
  /** The form of the notice's button that reverts the change. */
  readonly undo?: { readonly action: string; readonly fields: Readonly<Record<string, string>> };
  /** The reason why nothing was changed. */
  readonly problem?: string;
  /** Secrets that are shown only once, by name. */
  readonly reveal?: Readonly<Record<string, string>>;
}

export type PageReply =
  | { readonly kind: 'page'; readonly title: string; readonly content: ComponentChildren; readonly status: number }
  | { readonly kind: 'fragment'; readonly content: ComponentChildren; readonly status: number }
  | { readonly kind: 'redirect'; readonly to: string; readonly flash: Flash }
  | { readonly kind: 'framed'; readonly html: string; readonly policy: string }
  | { readonly kind: 'file'; readonly name: string; readonly type: string; readonly chunks: AsyncIterable<string> };

/** Returns a whole page with navigation. Use status 422 for a form with errors, and 409 for an edit conflict. */
export const page = (
  title: string,
  content: ComponentChildren,
  status = 200,
): Extract<PageReply, { kind: 'page' }> => ({
  kind: 'page',
  title,
  content,
  status,
});

export const fragment = (content: ComponentChildren, status = 200): PageReply => ({
  kind: 'fragment',
  content,
  status,
});

/**
 * Returns a redirect with status 303. Every successful POST redirects, so that reloading the page does not repeat the
 * change. `to` starts with `/dashboard`.
 */
export const redirect = (to: string, flash: Flash = {}): PageReply => ({ kind: 'redirect', to, flash });

/**
 * Returns a document for an iframe, such as a preview. `policy` is its Content-Security-Policy, which must contain
 * `frame-ancestors 'self'`.
 */
export const framed = (html: string, policy: string): PageReply => ({ kind: 'framed', html, policy });

export const file = (name: string, type: string, chunks: AsyncIterable<string>): PageReply => ({
  kind: 'file',
  name,
  type,
  chunks,
});

/** Error for an object that does not exist or belongs to another account. Both cases get the same reply. */
export class PageNotFound extends Error {}

type Handler<V> = (visit: V) => PageReply | Promise<PageReply>;
/** A change that is made after the person has confirmed their identity. */
export type Change = () => PageReply | Promise<PageReply>;
/** Checks a form, and changes nothing. Returns the page with the errors, or the change. */
type Check<V> = (visit: V) => PageReply | Change | Promise<PageReply | Change>;

export interface PageRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly right: Right;
  /** Whether the path starts with `/applications/:appKey`. */
  readonly isForApplication: boolean;
  /** Whether the person must have signed in, or confirmed their identity, in the last few minutes. */
  readonly needsConfirmation: boolean;
  /** Whether the page changes a deleted application. All other changes are refused until it is restored. */
  readonly changesDeleted: boolean;
  /** Largest form in bytes, if it may be larger than those of other pages. */
  readonly bodyLimit: number | undefined;
  readonly check: Check<never>;
}

type PageOptions = Partial<Pick<PageRoute, 'needsConfirmation' | 'changesDeleted' | 'bodyLimit'>>;

/** The right that a page needs, or the operation of the management API whose right and confirmation it needs. */
type Rule = Right | OperationName;

const isRight = (rule: Rule): rule is Right => RIGHTS.some((right) => right === rule);

const checkedRoute =
  <V extends Visit>(method: PageRoute['method'], isForApplication: boolean) =>
  (path: string, rule: Rule, check: Check<V>, { bodyLimit, ...options }: PageOptions = {}): PageRoute => {
    const operation = isRight(rule) ? { right: rule, needsConfirmation: false } : operationNamed(rule);
    const { right, needsConfirmation } = operation;
    return {
      method,
      path: isForApplication ? `/applications/:appKey${path}` : path,
      right,
      isForApplication,
      needsConfirmation: options.needsConfirmation ?? needsConfirmation,
      changesDeleted: options.changesDeleted ?? false,
      bodyLimit,
      check,
    };
  };

const route =
  <V extends Visit>(method: PageRoute['method'], isForApplication: boolean) =>
  (path: string, rule: Rule, handler: Handler<V>, options?: PageOptions): PageRoute =>
    checkedRoute<V>(method, isForApplication)(path, rule, (visit) => () => handler(visit), options);

export const show = route<Visit>('get', false);
export const act = route<Visit>('post', false);
/** Like `show`, but for a path below `/applications/:appKey`. */
export const showForApplication = route<ApplicationVisit>('get', true);
export const actOnApplication = route<ApplicationVisit>('post', true);
/** Like `act`, for a form whose errors are shown before the person is asked to confirm their identity. */
export const actAfterCheck = checkedRoute<Visit>('post', false);
export const actOnApplicationAfterCheck = checkedRoute<ApplicationVisit>('post', true);
