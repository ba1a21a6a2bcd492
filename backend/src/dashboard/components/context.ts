import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { UTC } from '../../platform/local-day.js';
import type { Visit } from '../page.js';

const VisitContext = createContext<Visit | undefined>(undefined);
const FormTokenContext = createContext<string | undefined>(undefined);

export const VisitProvider = VisitContext.Provider;
export const FormTokenProvider = FormTokenContext.Provider;

export function useVisit(): Visit {
  const visit = useContext(VisitContext);
  if (!visit) throw new Error('this component can only be used on a page for signed-in people');
  return visit;
}

/** Returns when the page was requested, in epoch milliseconds; 0 on pages for people who are not signed in. */
export const useNow = (): number => useContext(VisitContext)?.now ?? 0;

/** Returns the account's time zone; UTC for people who are not signed in. */
export const useTimeZone = (): string => useContext(VisitContext)?.timeZone ?? UTC;

/** Returns the token that protects forms against cross-site requests. */
export function useFormToken(): string {
  const token = useContext(FormTokenContext);
  if (token === undefined) throw new Error('a form needs a FormTokenProvider');
  return token;
}
