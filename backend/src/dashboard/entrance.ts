/** Pages for who is not signed in yet: the same as page.ts, with an attempt to sign in in place of a person. */
import type { ComponentChildren } from 'preact';
import type { AskedFor } from '../modules/people/sign-in-service.js';
import type { Person } from '../modules/people/person.js';
import type { FormBody } from './form.js';

/** How far somebody has come. It travels sealed in a cookie. */
export interface Attempt {
  /** Ties the forms of this browser to it. */
  readonly id: string;
  /** Page to go to afterwards. */
  readonly next?: string | undefined;
  /** What the link of an invitation holds. */
  readonly invitation?: string | undefined;
  /** Who asked for a code, and for what session. */
  readonly asked?: AskedFor | undefined;
  /** Whether that code was right; an authenticator's is still to come. */
  readonly proved?: boolean;
}

export interface Stranger {
  readonly query: Readonly<Record<string, string>>;
  readonly body: FormBody;
  readonly attempt: Attempt;
  readonly source: string;
  readonly requestId: string;
  /** Who the browser is signed in as already. */
  readonly person: Person | undefined;
}

/** What an answer makes known of the attempt. */
export type Progress = Partial<Omit<Attempt, 'id'>>;

export type EntranceAnswer =
  | {
      readonly kind: 'page';
      readonly title: string;
      readonly content: ComponentChildren;
      readonly status: number;
      readonly progress: Progress;
    }
  | { readonly kind: 'lead'; readonly to: string; readonly progress: Progress }
  | { readonly kind: 'enter'; readonly to: string; readonly person: Person };

export function entrancePage(
  title: string,
  content: ComponentChildren,
  { status = 200, progress = {} }: { status?: number; progress?: Progress } = {},
): EntranceAnswer {
  return { kind: 'page', title, content, status, progress };
}

/** Leads on to another page. */
export const lead = (to: string, progress: Progress = {}): EntranceAnswer => ({ kind: 'lead', to, progress });

/** Signs somebody in. */
export const enter = (person: Person, to: string): EntranceAnswer => ({ kind: 'enter', person, to });

export interface EntranceRoute {
  readonly method: 'get' | 'post';
  readonly path: string;
  readonly answer: (stranger: Stranger) => EntranceAnswer | Promise<EntranceAnswer>;
}

export const showAtEntrance = (path: string, answer: EntranceRoute['answer']): EntranceRoute => ({
  method: 'get',
  path,
  answer,
});
export const actAtEntrance = (path: string, answer: EntranceRoute['answer']): EntranceRoute => ({
  method: 'post',
  path,
  answer,
});
