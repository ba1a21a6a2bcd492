/** `/templates` of an application: the list of all. */
import type { Application } from '../../modules/applications/application.js';
import type { OverrideKey } from '../../modules/templates/overrides-store.js';
import { samplesOf } from '../../modules/templates/templates-service.js';
import { OverrideError, type OverrideText } from '../../modules/templates/rendering/override.js';
import { TEMPLATE_NAMES } from '../../modules/templates/rendering/render.js';
import { page, type Answer, type ApplicationVisit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { Catalogue } from './catalogue.js';
import { LANGUAGE_CODES } from './text-page.js';

export function createCataloguePage({ templates }: Pick<DashboardServices, 'templates'>) {
  /** As a message with these values would: a text that comes to nothing gives way. */
  function saidOrBuiltIn(application: Application, key: OverrideKey, own: OverrideText | null) {
    const values = samplesOf(key.template);
    try {
      return templates.tryOut(application, key, own, values);
    } catch (error) {
      if (!(error instanceof OverrideError)) throw error;
      return templates.tryOut(application, key, null, values);
    }
  }

  return async function catalogue({ application, query }: ApplicationVisit): Promise<Answer> {
    const asked = query.language ?? application.settings.language;
    const language = LANGUAGE_CODES.includes(asked) ? asked : 'en';
    const own = await templates.list(application);
    const said = TEMPLATE_NAMES.map((template) => {
      const key = { template, channel: 'SMS', language } as const;
      const text = own.find((one) => one.template === template && one.channel === 'SMS' && one.language === language);
      return [template, saidOrBuiltIn(application, key, text ?? null)] as const;
    });
    const props = { application, language, own, said: new Map(said) };
    return page('Templates', <Catalogue {...props} />);
  };
}
