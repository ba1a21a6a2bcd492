import { CHANNEL_NAMES } from '../messages/labels.js';
import { phoneChannels } from '../../modules/applications/application.js';
import { MAX_GRACE_HOURS, wholeNumber } from '../../modules/applications/setting-values.js';
import { HOUR, SECOND } from '../../platform/clock.js';
import { Card } from '../components/card.js';
import { Copy } from '../components/copy.js';
import { Facts } from '../components/facts.js';
import { PageHead } from '../components/page-head.js';
import { Time } from '../components/time.js';
import { readForm } from '../form.js';
import type { Modules } from '../modules.js';
import { actOnApplication, page, redirect, showForApplication, type PageRoute } from '../page.js';
import { Figures } from '../usage/charts.js';
import { sumOf } from '../usage/figures.js';
import { periodOf } from '../usage/period.js';
import { KeyPairCard } from './key-pair-card.js';
import { DeletionNotice, LastUsed, pathOf, StatusBadge } from './parts.js';

const SHOWN_DAYS = 7;

export type OverviewModules = Modules<'applications' | 'clock' | 'providers' | 'usage'>;

export const overviewPages = ({ applications, usage, providers, clock }: OverviewModules): readonly PageRoute[] => [
  showForApplication('', 'read', async ({ application, flash, serviceUrl }) => {
    const { countries, authorizedEndpoints } = application.settings;
    const { from, to, beforeFrom } = periodOf(SHOWN_DAYS, clock.now());
    const days = await usage.service.sums({ applicationIds: [application.id], from: beforeFrom, to }, ['day']);
    const now = sumOf(days.filter(({ day }) => day >= from));
    const before = sumOf(days.filter(({ day }) => day < from));
    const channels = phoneChannels(application.settings);
    return page(
      application.name,
      <>
        <PageHead
          title={application.name}
          lead={`The last ${SHOWN_DAYS} days, compared with the ${SHOWN_DAYS} days before.`}
        >
          <a class="button subtle" href={`/dashboard/usage?days=${SHOWN_DAYS}&application=${application.appKey}`}>
            Usage
          </a>
        </PageHead>
        <DeletionNotice application={application} />
        <Figures now={now} before={before} currency={providers.routing.currency()} />
        <KeyPairCard application={application} appSecret={flash.reveal?.appSecret} now={clock.now()} />
        <Card id="how-it-stands" title="Details">
          <Facts
            facts={[
              ['Status', <StatusBadge application={application} />],
              ['Last used', <LastUsed application={application} />],
              ['Base URL', <Copy label="Base URL" value={`${serviceUrl}/api/v1`} />],
              ['Channels for phone numbers', channels.map((name) => CHANNEL_NAMES[name]).join(', then ')],
              ['Countries', countries.join(', ') || 'all'],
              ['Allowed callers', authorizedEndpoints.join(', ') || 'all callers with the API credentials'],
              ['Created', <Time ms={application.createdAt} />],
            ]}
          />
          <div class="actions">
            <a class="button subtle" href={`${pathOf(application)}/settings`}>
              Settings
            </a>
          </div>
        </Card>
      </>,
    );
  }),

  actOnApplication('/secret', 'rotateAppSecret', async ({ application, actor, body }) => {
    const path = pathOf(application);
    const form = readForm({ graceHours: wholeNumber(0, MAX_GRACE_HOURS) }, body);
    if (!form.ok)
      return redirect(path, { problem: 'No secret was created. Choose how long the old secret stays valid.' });
    const graceSeconds = (form.values.graceHours * HOUR) / SECOND;
    const { appSecret } = await applications.service.rotateSecret(actor, application.appKey, graceSeconds);
    return redirect(path, {
      notice: "New App Secret created. Copy it now. It won't be shown again.",
      reveal: { appSecret },
    });
  }),

  actOnApplication('/secret/end-old', 'revokeOldAppSecrets', async ({ application, actor }) => {
    await applications.service.expireOldSecrets(actor, application.appKey);
    return redirect(pathOf(application), { notice: 'Old App Secrets were revoked. Only the newest one is valid.' });
  }),
];
