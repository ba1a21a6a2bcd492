/**
 * Types and helpers for sign-in pages. Unlike a dashboard visit, a sign-in visit has no session, but it contains the
 * sign-in progress.
 */
import type { ComponentChildren } from 'preact';
import type { Person } from '../modules/people/person.js';
import type { SignInAttempt } from '../modules/people/sign-in-limits.js';
import type { SignInMethod } from '../modules/people/sign-in-log.js';
import type { PageReply, Visit } from './page.js';

/** The fields of the first run; "" for an empty field. */
export interface FirstRunFields {
  /** The name of the account that the person will own. */
  readonly name: string;
  readonly phone: string;
  readonly timeZone: string;
}

/** A requested code. It was only sent if someone with this email address may sign in. */
interface RequestedCode {
  readonly email: string;
  readonly maskId: string;
  /** Whether the mail server was down when the code was requested. */
  readonly isEmailDown?: boolean;
  /** The recipient whose messages the page for the code shows; undefined if this browser must not see them. */
  readonly phone?: string | undefined;
  /** Set in the first run. */
  readonly firstRun?: FirstRunFields | undefined;
  readonly at: number;
}

/** An email address that passed the first step of a sign-in. The second factor has not been verified yet. */
interface VerifiedAddress {
  readonly email: string;
  readonly method: SignInMethod;
  /** The account to sign in to, if the sign-in started with a sign-in link. */
  readonly accountId?: number | undefined;
  readonly at: number;
}

/** The sign-in progress, which is stored in an encrypted cookie. */
export interface SignInProgress {
  /** Random id. Form tokens are derived from it, so they are valid only in this browser. */
  readonly id: string;
  readonly next?: string | undefined;
  readonly invitation?: string | undefined;
  /** Token from a sign-in link. */
  readonly link?: string | undefined;
  readonly requested?: RequestedCode | undefined;
  readonly verified?: VerifiedAddress | undefined;
}

export interface SignInVisit extends Pick<Visit, 'query' | 'body' | 'requestId' | 'serviceUrl'> {
  readonly progress: SignInProgress;
  /** Whether the request comes from a browser on this machine. */
  readonly isLocal: boolean;
  readonly isKnownBrowser: boolean;
  readonly person: Person | undefined;
  attemptOf(email: string): SignInAttempt;
}

type ProgressUpdate = Partial<Omit<SignInProgress, 'id'>>;

export type SignInReply =
  | (Extract<PageReply, { kind: 'page' }> & { readonly progress: ProgressUpdate })
  | { readonly kind: 'fragment'; readonly content: ComponentChildren }
  | {
      readonly kind: 'redirect';
      readonly to: string;
      readonly progress: ProgressUpdate;
      /** Called after the reply was sent, or when the browser has disconnected. */
      readonly afterReply: (() => void) | undefined;
    }
  | { readonly kind: 'signed-in'; readonly to: string; readonly person: Person; readonly method: string };

export const signInPage = (
  title: string,
  content: ComponentChildren,
  { status = 200, progress = {} }: { status?: number; progress?: ProgressUpdate } = {},
): SignInReply => ({ kind: 'page', title, content, status, progress });

export const redirectTo = (to: string, progress: ProgressUpdate = {}, afterReply?: () => void): SignInReply => ({
  kind: 'redirect',
  to,
  progress,
  afterReply,
});

/** Completes the sign-in. The audit log records `method`, such as `emailed code and authenticator`. */
export const signedIn = (person: Person, method: string, to: string): SignInReply => ({
  kind: 'signed-in',
  person,
  method,
  to,
});

export interface SignInRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  /** Whether a token in the URL authenticates the request, which also comes from mail programs, without a form token. */
  readonly isSignedLink?: boolean;
  readonly handler: (visit: SignInVisit) => SignInReply | Promise<SignInReply>;
}

const route =
  (method: SignInRoute['method']) =>
  (path: string, handler: SignInRoute['handler']): SignInRoute => ({ method, path, handler });

export const showSignIn = route('get');
export const postSignIn = route('post');
