/** An application's page `/templates`: all templates in one language. */
import type { Application } from '../../modules/applications/application.js';
import type { Automation } from '../../modules/automations/automation.js';
import type { AutomationsService } from '../../modules/automations/index.js';
import { LANGUAGE_CODES } from '../../modules/templates/language-codes.js';
import { languageOf } from '../../modules/templates/rendering/languages.js';
import { OverrideError } from '../../modules/templates/rendering/override.js';
import type { Override } from '../../modules/templates/template.js';
import {
  CHANNEL_LABELS,
  isNotification,
  languageLabel,
  sampleVariables,
  TEMPLATE_NAMES,
  type MessageVariables,
} from '../../modules/templates/template.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { TEMPLATES } from '../../platform/contract/generated/templates.js';
import { settingsPath } from '../applications/parts.js';
import { automationPath, automationsPath } from '../automations/labels.js';
import { FilterSearch } from '../components/filter-search.js';
import { LinkNav } from '../components/link-nav.js';
import { PageHead } from '../components/page-head.js';
import { fragment, page, type ApplicationVisit, type PageReply } from '../page.js';
import { templateInfo, templatesPath, textPath, type TemplateInfo, type TextServices } from './text-page.js';

interface CatalogueProps {
  readonly application: Application;
  readonly language: string;
  /** Whether the page shows the application's language because the person did not choose another one. */
  readonly isDefaultLanguage: boolean;
  readonly overrides: readonly Override[];
  /** Search text. */
  readonly text: string;
  readonly smsOf: (template: string) => string;
  readonly automations: readonly SendingAutomation[];
}

type SendingAutomation = Pick<Automation, 'template' | 'enabled'> & { readonly path: string };

const TEMPLATE_GROUPS = ['Codes', 'Orders', 'Payments and refunds', 'Invoices'] as const;

/** Links to the automations that send a template: those that are on, if there are any. */
function AutomationBadge({ application, sending }: Pick<CatalogueProps, 'application'> & Sending) {
  const on = sending.filter(({ enabled }) => enabled);
  const [first, ...others] = on.length > 0 ? on : sending;
  if (!first) return null;
  return (
    <a
      class={first.enabled ? 'badge good' : 'badge neutral'}
      href={others.length === 0 ? first.path : automationsPath(application)}
    >
      {others.length === 0 ? 'Automation' : `${others.length + 1} automations`} {first.enabled ? 'on' : 'off'}
    </a>
  );
}

interface Sending {
  readonly sending: readonly SendingAutomation[];
}

function TemplateRow({
  template,
  application,
  language,
  overrides,
  smsOf,
  automations,
}: CatalogueProps & { template: TemplateInfo }) {
  const { name, label, help } = template;
  const isOwn = (override: Override) => override.template === name && override.language === language;
  const own = overrides.filter(isOwn).map(({ channel }) => channel);
  const sending = automations.filter((automation) => automation.template === name);
  const pathOf = (channel: ChannelName) => textPath(application, { template: name, channel, language });
  return (
    <li class="template-row">
      <div>
        <h3>
          <a href={pathOf('SMS')}>{label}</a>
        </h3>
        <p class="quiet small">{help}</p>
      </div>
      <p class="template-said">
        <span class="quiet">SMS{own.includes('SMS') ? '' : ', built-in text'}: </span>
        <bdi lang={language} dir={languageOf(language).direction}>
          {smsOf(name)}
        </bdi>
      </p>
      {own.length + sending.length > 0 && (
        <p class="template-own">
          {own.map((channel) => (
            <a key={channel} class="badge good" href={pathOf(channel)}>
              Custom {CHANNEL_LABELS[channel]}
            </a>
          ))}
          <AutomationBadge application={application} sending={sending} />
        </p>
      )}
    </li>
  );
}

const LIST_ID = 'template-list';

/** Lists the templates by group, or those that the search finds. */
function TemplateList(props: CatalogueProps) {
  const words = props.text.toLowerCase().split(/\s+/);
  const found = TEMPLATE_NAMES.map(templateInfo).filter(({ name, label, help }) => {
    const searched = [name, label, help, props.smsOf(name)].join(' ').toLowerCase();
    return words.every((word) => searched.includes(word));
  });
  return (
    <div id={LIST_ID} class="stack" aria-live="polite">
      {found.length === 0 && (
        <p class="quiet">
          No matching templates.{' '}
          <a href={`${templatesPath(props.application)}?language=${props.language}`}>Clear the search</a>
        </p>
      )}
      {TEMPLATE_GROUPS.filter((group) => found.some((template) => template.group === group)).map((group) => (
        <section key={group} class="template-group" aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{group}</h2>
          <ul class="card template-rows">
            {found
              .filter((template) => template.group === group)
              .map((template) => (
                <TemplateRow key={template.name} {...props} template={template} />
              ))}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Catalogue(props: CatalogueProps) {
  const { application, language, overrides, text, isDefaultLanguage } = props;
  const path = templatesPath(application);
  const links = LANGUAGE_CODES.map((code) => {
    const { length } = overrides.filter((override) => override.language === code);
    return {
      href: `${path}?language=${code}`,
      label: languageLabel(code),
      current: code === language,
      count: length === 0 ? undefined : `· ${length} custom`,
    };
  });
  return (
    <>
      <PageHead
        title="Templates"
        lead="Choose a message to edit its text for each channel. Verification codes are sent when your site requests them. All other messages are sent by an automation, a workflow tool or your own program."
      />
      <div class="list-tools">
        <FilterSearch action={path} target={LIST_ID} label="Find a template" text={text}>
          <input type="hidden" name="language" value={language} />
        </FilterSearch>
        <LinkNav class="choices" label="Language" links={links} />
      </div>
      {isDefaultLanguage && language !== 'en' && (
        <p class="small">
          The page shows texts in {languageLabel(language)}, the language of {application.name}.{' '}
          <a href={settingsPath(application, 'general')}>Change the language</a>
        </p>
      )}
      <TemplateList {...props} />
    </>
  );
}

/** Returns sample values for the required variables only, so that the text is short. */
function requiredSamples(template: string, language: string): MessageVariables {
  const samples = sampleVariables(template, language);
  if (!isNotification(template)) return samples;
  const { required, oneOf }: { required: readonly string[]; oneOf: readonly string[] } = TEMPLATES[template];
  return Object.fromEntries([...required, ...oneOf.slice(0, 1)].map((name) => [name, samples[name]!]));
}

const createReadAutomations = (automations: AutomationsService) =>
  async function readAutomations(application: Application): Promise<readonly SendingAutomation[]> {
    const shops = (await automations.list(application)).map(async (shop) => {
      const all = await automations.automations(shop);
      return all.map((automation) => ({ ...automation, path: automationPath(application, shop, automation) }));
    });
    return (await Promise.all(shops)).flat();
  };

export function createCataloguePage({ templates, ...services }: Pick<TextServices, 'templates' | 'automations'>) {
  const readAutomations = createReadAutomations(services.automations);

  return async function catalogue({ application, query, target }: ApplicationVisit): Promise<PageReply> {
    const requested = query.language ?? application.settings.language;
    const language = LANGUAGE_CODES.find((code) => code === requested) ?? 'en';
    const overrides = await templates.list(application);
    const automations = await readAutomations(application);

    /** Returns a template's SMS. Uses the built-in text if the application's text cannot be rendered. */
    function smsOf(template: string): string {
      const key = { template, channel: 'SMS', language } as const;
      const isOwn = (entry: Override) =>
        entry.template === template && entry.channel === key.channel && entry.language === language;
      const override = overrides.find(isOwn) ?? null;
      const render = (text: Override | null, variables: MessageVariables) => {
        const content = templates.preview(application, key, text, variables);
        return content.kind === 'text' ? content.text : '';
      };
      const builtIn = () => render(null, requiredSamples(template, language));
      try {
        return override ? render(override, sampleVariables(template, language)) : builtIn();
      } catch (error) {
        if (error instanceof OverrideError) return builtIn();
        throw error;
      }
    }
    const isDefaultLanguage = query.language === undefined;
    const props = {
      application,
      language,
      isDefaultLanguage,
      overrides,
      automations,
      text: (query.text ?? '').trim(),
      smsOf,
    };
    return target === LIST_ID ? fragment(<TemplateList {...props} />) : page('Templates', <Catalogue {...props} />);
  };
}
