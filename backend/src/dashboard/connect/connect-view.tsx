/** The choice of a tool, and the page of a tool. */
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import type { ShopConnection } from '../../modules/automations/automation.js';
import { ShopDetails, shopLabel, shopPath } from '../automations/labels.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Crumbs } from '../components/crumbs.js';
import { LinkNav } from '../components/link-nav.js';
import { Notice } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { PublicAddressNotice } from '../components/public-address.js';
import { Tile, Tiles } from '../components/tiles.js';
import type { ApplicationVisit } from '../page.js';
import type { StepValues } from './steps.js';
import { LANGUAGES, SHOP, TOOLS, type Tool } from './tools.js';

interface ToolPageProps extends Pick<StepValues, 'hasShop' | 'isOperator'> {
  readonly visit: ApplicationVisit;
  readonly path: string;
  readonly name: string;
  readonly tool: Tool;
  /** Shown beside the instructions. */
  readonly children: ComponentChildren;
}

export function ToolPage({ visit, path, name, tool, children, ...state }: ToolPageProps) {
  const { application, serviceUrl, person, flash } = visit;
  const { appKey, settings } = application;
  const links = LANGUAGES.map((language) => ({
    href: `${path}/${language}`,
    label: TOOLS[language]!.label,
    current: language === name,
  }));
  return (
    <>
      <Crumbs application={application} pages={[{ href: path, label: 'Connect' }]} />
      <PageHead title={`Connect ${tool.about ? tool.label : 'your own code'}`}>
        <a class="button subtle" href={path}>
          Choose another tool
        </a>
      </PageHead>
      {!tool.about && <LinkNav class="tabs" label="Language" links={links} />}
      {/* Code needs the full width. */}
      <div class={tool.about ? 'halves guide' : 'stack'}>
        <Card id="steps-title" title="Steps">
          {tool.isRemote && !(name === SHOP && state.hasShop) && (
            <PublicAddressNotice caller={name === SHOP ? 'A shop' : tool.label} isOperator={state.isOperator} />
          )}
          {name !== SHOP && settings.authorizedEndpoints.length > 0 && (
            <Notice kind="info">
              This application has an <a href={`/dashboard/applications/${appKey}/allow-list`}>allow-list</a>: requests
              from other sites and servers are rejected and listed there.
            </Notice>
          )}
          <ol class="steps">
            {tool.steps({
              ...state,
              serviceUrl,
              appKey,
              to: person.email,
              tool: name,
              appSecret: flash.reveal?.appSecret,
            })}
          </ol>
        </Card>
        <div class={tool.about ? 'stack' : 'halves'}>{children}</div>
      </div>
    </>
  );
}

type ShopsProps = { readonly application: Application; readonly shops: readonly ShopConnection[] };

export function ConnectedShops({ application, shops }: ShopsProps) {
  const mayOpen = useVisit().may('own');
  return (
    <Card id="shops" title="Connected shops">
      {shops.length === 0 && <p class="quiet">No shop is connected yet. The first step connects one.</p>}
      <ul class="plain-list">
        {shops.map((shop) => (
          <li key={shop.publicId}>
            <div>
              {mayOpen ? <a href={shopPath(application, shop)}>{shopLabel(shop)}</a> : shopLabel(shop)}
              <p class="quiet small">
                <ShopDetails {...shop} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface StartPageProps {
  readonly path: string;
  readonly shops: readonly ShopConnection[];
  readonly children: ComponentChildren;
}

export const StartPage = ({ path, shops, children }: StartPageProps) => (
  <>
    <PageHead title="Connect" lead="Choose the tool that will send messages. The next page shows how to connect it." />
    <Card id="steps-title" title="What do you use?">
      <Tiles>
        <Tile title="Your own code" href={`${path}/${LANGUAGES[0]}`}>
          <p class="small">Call the API from Node.js, Python, PHP or any other language.</p>
        </Tile>
        {Object.entries(TOOLS).map(
          ([name, { label, about }]) =>
            about && (
              <Tile key={name} title={label} href={`${path}/${name}`}>
                <p class="small">{about}</p>
                {name === SHOP &&
                  shops.map((shop) => <Badge key={shop.publicId} kind="good">{`${shopLabel(shop)} connected`}</Badge>)}
              </Tile>
            ),
        )}
      </Tiles>
      <p class="hint">
        Something else? There are guides for <a href="/docs/integrations">Supabase</a>,{' '}
        <a href="/docs/integrations">Logto</a>, <a href="/docs/better-auth">better-auth</a> and{' '}
        <a href="/docs/widget">the two-factor widget</a>. Other tools can use <a href="/docs/api">the API</a>.
      </p>
    </Card>
    <div class="halves">{children}</div>
  </>
);
