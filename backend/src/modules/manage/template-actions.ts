import { versionOf } from '../../platform/crypto.js';
import { EditConflictError } from '../access/actor.js';
import { SettingError } from '../settings/bounded-setting.js';
import { LANGUAGE_CODES } from '../templates/language-codes.js';
import { TEMPLATE_NAMES, type OverrideKey, type OverrideText } from '../templates/template.js';
import type { TemplatesService } from '../templates/templates-service.js';
import { isExpected, type Actions, type ApplicationCall } from './action.js';

type Key = Pick<OverrideKey, 'template' | 'channel' | 'language'>;

function keyOf({ template, channel, language }: Key): OverrideKey {
  if (!TEMPLATE_NAMES.includes(template))
    throw new SettingError('template', `It must be one of ${TEMPLATE_NAMES.join(', ')}.`);
  if (!LANGUAGE_CODES.some((code) => code === language))
    throw new SettingError('language', `It must be one of ${LANGUAGE_CODES.join(', ')}.`);
  return { template, channel, language };
}

const viewOf = (key: OverrideKey, { subject, text }: OverrideText, custom: boolean) => ({
  ...key,
  subject,
  text,
  custom,
  version: versionOf([custom, subject, text]),
});

export function createTemplateActions(templates: TemplatesService) {
  async function read({ application }: Pick<ApplicationCall, 'application'>, key: OverrideKey) {
    const custom = await templates.find(application, key);
    return { custom, view: viewOf(key, custom ?? templates.builtIn(key), custom !== null) };
  }

  /** Returns the stored text, on which the change is based. Throws if the caller has read another one. */
  async function expected(call: ApplicationCall, key: OverrideKey): Promise<OverrideText | null> {
    const { custom, view } = await read(call, key);
    if (!isExpected(call, view.version)) throw new EditConflictError();
    return custom;
  }

  return {
    async listTemplates({ application }) {
      const stored = await templates.list(application);
      return { templates: stored.map(({ subject, text, ...key }) => viewOf(keyOf(key), { subject, text }, true)) };
    },

    getTemplate: async (call, parameters) => (await read(call, keyOf(parameters))).view,

    async putTemplate(call, { text, subject = null, ...parameters }) {
      const key = keyOf(parameters);
      const before = await expected(call, key);
      const isChanged = before?.text !== text || before.subject !== subject;
      if (isChanged) await templates.save(call.actor, call.application, { ...key, subject, text }, before);
      return viewOf(key, { subject, text }, true);
    },

    async deleteTemplate(call, parameters) {
      const key = keyOf(parameters);
      await templates.remove(call.actor, call.application, key, await expected(call, key));
      return (await read(call, key)).view;
    },
  } satisfies Partial<Actions>;
}
