/** All templates of an application, in one language. */
import { CHANNELS, type Content } from '../../providers/provider.js';
import type { Application } from '../../modules/applications/application.js';
import type { Override } from '../../modules/templates/overrides-store.js';
import { languageOf } from '../../modules/templates/rendering/languages.js';
import { PageHead } from '../components/page-head.js';
import {
  CHANNEL_LABELS,
  LANGUAGE_CODES,
  languageLabel,
  TEMPLATE_LABELS,
  templatesPath,
  textPath,
  type TemplateLabel,
} from './text-page.js';

export interface CatalogueProps {
  readonly application: Application;
  readonly language: string;
  readonly own: readonly Override[];
  /** What each template's SMS says, by its name. */
  readonly said: ReadonlyMap<string, Content>;
}

const GROUPS = ['Codes', 'Orders', 'Invoices'] as const;

function Ways({ application, language, own, name }: CatalogueProps & Pick<TemplateLabel, 'name'>) {
  const isOwn = (channel: string) => own.some((one) => one.template === name && one.channel === channel);
  return (
    <ul class="template-ways">
      {CHANNELS.map((channel) => (
        <li key={channel}>
          <a
            class={isOwn(channel) ? 'own' : undefined}
            href={textPath(application.appKey, { template: name, channel, language })}
          >
            {CHANNEL_LABELS[channel]}
            {isOwn(channel) && <span class="unseen"> (own text)</span>}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Card(props: CatalogueProps & { readonly of: TemplateLabel }) {
  const {
    of: { name, label, help },
    language,
    said,
  } = props;
  const content = said.get(name);
  return (
    <li class="card template-card">
      <div>
        <h3>{label}</h3>
        <p class="quiet small">{help}</p>
      </div>
      {content?.kind === 'text' && (
        <p class="template-said" lang={language} dir={languageOf(language).direction}>
          {content.text}
        </p>
      )}
      <Ways {...props} name={name} />
    </li>
  );
}

export function Catalogue(props: CatalogueProps) {
  const { application, language, own } = props;
  const count = own.filter((one) => one.language === language).length;
  const note =
    count === 0
      ? 'All are the built-in ones in this language.'
      : `${count} ${count === 1 ? 'is' : 'are'} your own in this language.`;
  return (
    <>
      <PageHead
        title="Templates"
        lead={`What messages say on every channel, and your own words in place of it. ${note}`}
      />
      <nav class="choices" aria-label="Language">
        <ul>
          {LANGUAGE_CODES.map((code) => (
            <li key={code}>
              <a
                href={`${templatesPath(application.appKey)}?language=${code}`}
                aria-current={code === language ? 'page' : undefined}
              >
                {languageLabel(code)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      {GROUPS.map((group) => (
        <section key={group} class="template-group" aria-labelledby={`group-${group}`}>
          <h2 id={`group-${group}`}>{group}</h2>
          <ul class="template-cards">
            {TEMPLATE_LABELS.filter((one) => one.group === group).map((one) => (
              <Card key={one.name} {...props} own={own.filter((text) => text.language === language)} of={one} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
