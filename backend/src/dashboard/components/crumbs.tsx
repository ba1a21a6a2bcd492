import type { Application } from '../../modules/applications/application.js';
import { pathOf } from '../applications/parts.js';

interface CrumbsProps {
  readonly application: Application;
  /** The pages between the application and this page. */
  readonly pages: readonly { readonly href: string; readonly label: string }[];
}

/** Links to the pages above this page. Replaces the link to the application, which every page has. */
export const Crumbs = ({ application, pages }: CrumbsProps) => (
  <p class="crumbs whole">
    <a href={pathOf(application)}>{application.name}</a>
    {pages.map(({ href, label }) => (
      <>
        <span aria-hidden="true">/</span>
        <a href={href}>{label}</a>
      </>
    ))}
  </p>
);
