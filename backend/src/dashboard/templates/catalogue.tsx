/** An application's page `/templates`: all templates in one language. */
import type { TemplatesService } from '../../modules/templates/index.js';
import type { Application } from '../../modules/applications/application.js';
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
import { FilterSearch } from '../components/filter-search.js';
import { LinkNav } from '../components/link-nav.js';
import { PageHead } from '../components/page-head.js';
import { fragment, page, type ApplicationVisit, type PageReply } from '../page.js';
import { templateInfo, templatesPath, textPath, type TemplateInfo } from './text-page.js';

interface CatalogueProps {
  readonly application: Application;
  readonly language: string;
  /** The application's texts in all languages. */
  readonly overrides: readonly Override[];
  /** Search text. */
  readonly text: string;
  readonly smsOf: (template: string) => string;
}

const TEMPLATE_GROUPS = ['Codes', 'Orders', 'Payments and refunds', 'Invoices'] as const;

function TemplateRow({
  template,
  application,
  language,
  overrides,
  smsOf,
}: CatalogueProps & { template: TemplateInfo }) {
  const { name, label, help } = template;
  const isOwn = (override: Override) => override.template === name && override.language === language;
  const own = overrides.filter(isOwn).map(({ channel }) => channel);
  const pathOf = (channel: ChannelName) => textPath(application, { template: name, channel, language });
  return (
    <li class="template-row">
      <div>
        <h3>
          <a href={pathOf('SMS')}>{label}</a>
        </h3>
        <p class="quiet small">{help}</p>
      </div>
      <p class="template-said" lang={language} dir={languageOf(language).direction}>
        {smsOf(name)}
      </p>
      {own.length > 0 && (
        <p class="template-own">
          {own.map((channel) => (
            <a key={channel} class="badge good" href={pathOf(channel)}>
              Custom {CHANNEL_LABELS[channel]}
            </a>
          ))}
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
  const { application, language, overrides, text } = props;
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
        lead="Choose a message to edit its text for each channel. Verification codes are sent when your site requests them. All other messages need an automation or a program of yours."
      />
      <div class="list-tools">
        <FilterSearch action={path} target={LIST_ID} label="Find a template" text={text}>
          <input type="hidden" name="language" value={language} />
        </FilterSearch>
        <LinkNav class="choices" label="Language" links={links} />
      </div>
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

export function createCataloguePage(templates: TemplatesService) {
  return async function catalogue({ application, query, target }: ApplicationVisit): Promise<PageReply> {
    const requested = query.language ?? application.settings.language;
    const language = LANGUAGE_CODES.find((code) => code === requested) ?? 'en';
    const overrides = await templates.list(application);

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
    const props = { application, language, overrides, text: (query.text ?? '').trim(), smsOf };
    return target === LIST_ID ? fragment(<TemplateList {...props} />) : page('Templates', <Catalogue {...props} />);
  };
}
