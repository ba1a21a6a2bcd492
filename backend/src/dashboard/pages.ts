/**
 * All dashboard pages with the services that each uses. To add a page, write a file that exports its routes, and add them
 * to `createPages`; `navigation.ts` links to it.
 */
import type { Core } from '../core.js';
import { createTestCodes } from '../modules/test-sends/test-codes.js';
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
import { signInPages } from './sign-in/sign-in-pages.js';
import type { SignInRoute } from './sign-in-page.js';
import { suppressionsPages } from './suppressions/suppressions-pages.js';
import { templatesPages } from './templates/templates-pages.js';
import { usersPages } from './users/users-pages.js';
import { usagePages } from './usage/usage-pages.js';
import { webhooksPages } from './webhooks/webhooks-pages.js';
import { widgetPages } from './widget/widget-pages.js';

export function createPages(core: Core): readonly PageRoute[] {
  const { clock, limiter, applications, audit, automations, fraud, messages, otp, people, providers, templates } = core;
  const { routing } = providers;
  const { currency, operatorProviders } = routing;
  const setup = createSetup({
    applications: applications.service,
    providers: providers.service,
    channels: providers.channels,
    lookup: messages.lookup,
    usage: core.usage.service,
    people: people.service,
    secondFactor: people.secondFactor,
    passkeys: people.passkeys,
    pricesFor: routing.pricesFor,
    clock,
  });
  const testCodes = createTestCodes(otp.service, messages.lookup, limiter, operatorProviders);
  const testMessages = createTestMessages({
    otp: otp.service,
    notifications: core.notifications.service,
    limiter,
    operatorProviders,
    inTransaction: core.inTransaction,
    audit: audit.service,
  });
  const testProviders = createTestProviders(providers.service, limiter);
  return [
    ...homePages({
      setup,
      senderDomains: core.senderDomains,
      messages: messages.service,
      lookup: messages.lookup,
      usage: core.usage.service,
      webhooks: core.webhooks.service,
      budgets: core.budgets,
      guardNews: fraud.news,
      clock,
      currency,
    }),
    ...searchPages({
      applications: applications.service,
      providers: providers.service,
      endUsers: core.endUsers.service,
      lookup: messages.lookup,
    }),
    ...applicationsPages({ applications: applications.service, usage: core.usage.service, clock, currency }),
    ...allowListPages(applications.service, applications.rejectedCallers),
    ...widgetPages(applications.service),
    ...usersPages(core.endUsers.service, messages.lookup),
    ...templatesPages({ templates: templates.service, lookup: messages.lookup, testMessages, routing }),
    ...webhooksPages(core.webhooks.service, clock),
    ...automationsPages({ automations: automations.service, templates: templates.service, testMessages }),
    ...appKeysPages(applications.service),
    ...connectPages({ setup, rejectedCallers: applications.rejectedCallers, routing, testCodes }),
    ...protectionPages({
      applications: applications.service,
      overview: fraud.overview,
      budgets: core.budgets,
      pauses: fraud.pauses,
      currency,
    }),
    ...fraudSettingsPages(applications.service, fraud.settings),
    ...messagesPages({
      applications: applications.service,
      messages: messages.service,
      lookup: messages.lookup,
      endUsers: core.endUsers.service,
      clock,
      currency,
    }),
    ...suppressionsPages({
      applications: applications.service,
      suppressions: core.suppressions.service,
      optOuts: core.suppressions.optOuts,
    }),
    ...erasePages(applications.service, core.erasure.service),
    ...usagePages({ applications: applications.service, usage: core.usage.service, clock, currency }),
    ...channelsPages({
      providers: providers.service,
      channels: providers.channels,
      routes: providers.routes,
      prices: providers.prices,
      senderDomains: core.senderDomains,
      clock,
    }),
    ...providerPages({ setup, providers: providers.service, testProviders }),
    ...pricesPages(providers.prices, providers.service),
    ...peoplePages({ setup, people: people.service, signIn: people.signIn }),
    ...apiKeysPages(core.managementKeys.service, clock),
    ...auditPages(audit.service, clock),
    ...accountPages({
      setup,
      sessions: people.sessions,
      people: people.service,
      secondFactor: people.secondFactor,
      passkeys: people.passkeys,
    }),
    ...profilePages(applications.profiles),
  ];
}

export const createSignInPages = ({ clock, people }: Core): readonly SignInRoute[] =>
  signInPages({
    signIn: people.signIn,
    signInLinks: people.signInLinks,
    people: people.service,
    passkeys: people.passkeys,
    clock,
  });
