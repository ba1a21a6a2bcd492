/** `/templates` of an application: what its messages say. */
import { actOnApplication, showOfApplication, type ApplicationVisit, type PageRoute } from '../page.js';
import type { DashboardServices } from '../services.js';
import { createCataloguePage } from './catalogue-page.js';
import { createTextChanges } from './text-changes.js';
import { createTextViews } from './text-views.js';

const TEXT = '/templates/:template/:channel/:language';

export function templatesPages(services: DashboardServices): readonly PageRoute[] {
  const views = createTextViews(services);
  const changes = createTextChanges(services, views);
  return [
    showOfApplication('/templates', 'read', createCataloguePage(services)),
    showOfApplication(TEXT, 'read', views.open),
    actOnApplication(TEXT, 'change', changes.save),
    actOnApplication(`${TEXT}/reset`, 'change', changes.reset),
    // These change nothing: they show what is typed.
    actOnApplication(`${TEXT}/preview`, 'read', views.preview),
    actOnApplication(`${TEXT}/mail`, 'read', (visit: ApplicationVisit) => views.mail(visit, true)),
    showOfApplication(`${TEXT}/mail`, 'read', (visit: ApplicationVisit) => views.mail(visit, false)),
    actOnApplication(`${TEXT}/test`, 'change', changes.test),
    showOfApplication(`${TEXT}/test/:messageId`, 'read', views.progress),
  ];
}
