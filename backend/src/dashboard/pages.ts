/**
 * All dashboard pages. To add a page, write a file that exports its routes, and add them to `createPages`;
 * `navigation.ts` links to it.
 */
import type { Core } from '../core.js';
import { createTestMessages } from '../modules/test-sends/test-messages.js';
import { createTestProviders } from '../modules/test-sends/test-providers.js';
import { accountPages } from './account/account-pages.js';
import { allowListPages } from './allow-list/allow-list-pages.js';
import { automationsPages } from './automations/automations-pages.js';
import { channelsPages } from './channels/channels-pages.js';
import { pricesPages } from './channels/prices-pages.js';
import { providerPages } from './channels/provider-pages.js';
import { appKeysPages } from './connect/app-keys.js';
import { connectPages } from './connect/connect-pages.js';
import { profilePages } from './account/profile-pages.js';
import { apiKeysPages } from './api-keys/api-keys-pages.js';
import { auditPages } from './audit/audit-pages.js';
import { applicationsPages } from './applications/applications-pages.js';
import { homePages } from './home/home-pages.js';
import { createSetup } from './home/setup.js';
import { messagesPages } from './messages/messages-pages.js';
import { peoplePages } from './people/people-pages.js';
import { protectionPages } from './protection/protection-pages.js';
import { fraudSettingsPages } from './protection/settings-pages.js';
import { erasePages } from './recipients/erase-pages.js';
import type { PageRoute } from './page.js';
import { searchPages } from './search/search-pages.js';
import { suppressionsPages } from './suppressions/suppressions-pages.js';
import { templatesPages } from './templates/templates-pages.js';
import { usersPages } from './users/users-pages.js';
import { usagePages } from './usage/usage-pages.js';
import { webhooksPages } from './webhooks/webhooks-pages.js';
import { widgetPages } from './widget/widget-pages.js';

export function createPages(core: Core): readonly PageRoute[] {
  const { clock, limiter, applications, audit, automations, messages, otp, providers, templates } = core;
  const { routing } = providers;
  const setup = createSetup(core);
  const testMessages = createTestMessages({
    otp: otp.service,
    notifications: core.notifications.service,
    limiter,
    inTransaction: core.inTransaction,
    audit: audit.service,
  });
  const testProviders = createTestProviders(providers.service, limiter);
  return [
    ...homePages(core, setup),
    ...searchPages(core),
    ...applicationsPages(core),
    ...allowListPages(core),
    ...widgetPages(applications.service),
    ...usersPages(core),
    ...templatesPages({
      automations: automations.service,
      templates: templates.service,
      lookup: messages.lookup,
      testMessages,
      routing,
    }),
    ...webhooksPages(core.webhooks.service, clock),
    ...automationsPages({ automations: automations.service, templates: templates.service, testMessages }, clock),
    ...appKeysPages(applications.service),
    ...connectPages(core, setup, core.testCodes),
    ...protectionPages(core),
    ...fraudSettingsPages(core),
    ...messagesPages(core),
    ...suppressionsPages(core),
    ...erasePages(core),
    ...usagePages(core),
    ...channelsPages(core),
    ...providerPages(core, setup, testProviders),
    ...pricesPages(core),
    ...peoplePages(core, setup),
    ...apiKeysPages(core.managementKeys.service, clock),
    ...auditPages(core),
    ...accountPages(core, setup),
    ...profilePages(applications),
  ];
}
