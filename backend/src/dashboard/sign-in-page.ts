/** Like page.ts, for pages of the sign-in: instead of a person, there is the progress of the sign-in. */
import type { ComponentChildren } from 'preact';
import type { Person } from '../modules/people/person.js';
import type { RequestedCode } from '../modules/people/sign-in.js';
import type { FormBody } from './form.js';

/** Stored in an encrypted cookie. */
export interface SignInProgress {
  /** Random; ties forms to this browser. */
  readonly id: string;
  readonly next?: string | undefined;
  readonly invitation?: string | undefined;
  readonly requested?: RequestedCode | undefined;
  /** Whether the code was verified, so that only the second factor is missing. */
  readonly verified?: boolean;
}

export interface SignInVisit {
  readonly query: Readonly<Record<string, string>>;
  readonly body: FormBody;
  readonly progress: SignInProgress;
  readonly source: string;
  readonly requestId: string;
  readonly person: Person | undefined;
}

type ProgressUpdate = Partial<Omit<SignInProgress, 'id'>>;

export type SignInReply =
  | {
      readonly kind: 'page';
      readonly title: string;
      readonly content: ComponentChildren;
      readonly status: number;
      readonly progress: ProgressUpdate;
    }
  | { readonly kind: 'redirect'; readonly to: string; readonly progress: ProgressUpdate }
  | { readonly kind: 'signed-in'; readonly to: string; readonly person: Person };

export const signInPage = (
  title: string,
  content: ComponentChildren,
  { status = 200, progress = {} }: { status?: number; progress?: ProgressUpdate } = {},
): SignInReply => ({ kind: 'page', title, content, status, progress });

export const redirectTo = (to: string, progress: ProgressUpdate = {}): SignInReply => ({
  kind: 'redirect',
  to,
  progress,
});

export const signedIn = (person: Person, to: string): SignInReply => ({ kind: 'signed-in', person, to });

export interface SignInRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly handler: (visit: SignInVisit) => SignInReply | Promise<SignInReply>;
}

const route =
  (method: SignInRoute['method']) =>
  (path: string, handler: SignInRoute['handler']): SignInRoute => ({ method, path, handler });

export const showSignIn = route('get');
export const postSignIn = route('post');
