/** An application's first page: what a program needs to call as it, and how it stands. */
import type { ComponentChildren } from 'preact';
import { Copy } from '../components/copy.js';
import { PageHead } from '../components/page-head.js';
import { Time } from '../components/time.js';
import { page, showOfApplication, type ApplicationVisit, type PageRoute } from '../page.js';
import type { DashboardServices } from '../services.js';
import { KeyPairCard } from './key-pair-card.js';
import { CHANNEL_NAMES, LastUsed, pathOf, StatusBadge } from './parts.js';

function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export const overviewPages = ({ clock, url }: DashboardServices): readonly PageRoute[] => [
  showOfApplication('', 'read', ({ application, flash }: ApplicationVisit) => {
    const { settings } = application;
    return page(
      'Overview',
      <>
        <PageHead title="Overview" />
        <KeyPairCard application={application} appSecret={flash.reveal?.appSecret} now={clock.now()} />
        <section class="card" aria-labelledby="how-it-stands">
          <h2 id="how-it-stands">How it stands</h2>
          <dl class="facts">
            <Fact name="Status">
              <StatusBadge application={application} />
            </Fact>
            <Fact name="Last used">
              <LastUsed application={application} />
            </Fact>
            <Fact name="Base address">
              <Copy label="base address" value={`${url}/api/v1`} />
            </Fact>
            <Fact name="Phone numbers get">{settings.channels.map((name) => CHANNEL_NAMES[name]).join(', then ')}</Fact>
            <Fact name="Countries">{settings.countries.join(', ') || 'all'}</Fact>
            <Fact name="May call">{settings.authorizedEndpoints.join(', ') || 'every caller with the key pair'}</Fact>
            <Fact name="Made">
              <Time ms={application.createdAt} />
            </Fact>
          </dl>
          <div class="actions">
            <a class="button subtle" href={`${pathOf(application)}/settings`}>
              Settings
            </a>
          </div>
        </section>
      </>,
    );
  }),
];
