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
import { LinkNav } from '../components/link-nav.js';
import { PageHead } from '../components/page-head.js';
import { page, type ApplicationVisit, type PageReply } from '../page.js';
import { templateInfo, templatesPath, textPath, type TemplateInfo } from './text-page.js';

interface CatalogueProps {
  readonly application: Application;
  readonly language: string;
  readonly overrides: readonly Override[];
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
  const { name, label } = template;
  const own = overrides.filter((override) => override.template === name).map(({ channel }) => channel);
  const pathOf = (channel: ChannelName) => textPath(application, { template: name, channel, language });
  return (
    <li class="template-row">
      <h3>
        <a href={pathOf('SMS')}>{label}</a>
      </h3>
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

function Catalogue(props: CatalogueProps) {
  const { application, language, overrides } = props;
  const { length: count } = overrides;
  const own = `${count} ${count === 1 ? 'text in this language is' : 'texts in this language are'} custom.`;
  const note = count === 0 ? 'All texts in this language are built-in.' : own;
  const links = LANGUAGE_CODES.map((code) => ({
    href: `${templatesPath(application)}?language=${code}`,
    label: languageLabel(code),
    current: code === language,
  }));
  return (
    <>
      <PageHead
        title="Templates"
        lead={`Choose a message to edit its text for each channel. The list shows a short example of each SMS. ${note}`}
      />
      <LinkNav class="choices" label="Language" links={links} />
      {TEMPLATE_GROUPS.map((group) => (
        <section key={group} class="template-group" aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{group}</h2>
          <ul class="card template-rows">
            {TEMPLATE_NAMES.map(templateInfo)
              .filter((template) => template.group === group)
              .map((template) => (
                <TemplateRow key={template.name} {...props} template={template} />
              ))}
          </ul>
        </section>
      ))}
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
  return async function catalogue({ application, query }: ApplicationVisit): Promise<PageReply> {
    const requested = query.language ?? application.settings.language;
    const language = LANGUAGE_CODES.find((code) => code === requested) ?? 'en';
    const overrides = (await templates.list(application)).filter((override) => override.language === language);

    /** Returns a template's SMS. Uses the built-in text if the application's text cannot be rendered. */
    function smsOf(template: string): string {
      const key = { template, channel: 'SMS', language } as const;
      const override = overrides.find((entry) => entry.template === template && entry.channel === 'SMS') ?? null;
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
    return page(
      'Templates',
      <Catalogue application={application} language={language} overrides={overrides} smsOf={smsOf} />,
    );
  };
}
