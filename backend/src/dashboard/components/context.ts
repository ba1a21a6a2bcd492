/** What the components of a page find out by themselves, so that pages need not hand it on. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Visit } from '../page.js';

const VisitContext = createContext<Visit | undefined>(undefined);
const FormTokenContext = createContext<string | undefined>(undefined);

export const VisitProvider = VisitContext.Provider;
export const FormTokenProvider = FormTokenContext.Provider;

/** The visit that is being answered. */
export function useVisit(): Visit {
  const visit = useContext(VisitContext);
  if (!visit) throw new Error('this component belongs on a page of somebody who is signed in');
  return visit;
}

/** What a form of this page proves to come from it with. */
export function useFormToken(): string {
  const token = useContext(FormTokenContext);
  if (token === undefined) throw new Error('a form needs a token around it');
  return token;
}
