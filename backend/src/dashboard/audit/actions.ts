/** The recorded actions in words, and the pages of their targets. */
import type { Application } from '../../modules/applications/application.js';
import type { AuditAction, AuditEntry } from '../../modules/audit/audit.js';
import { ANY_COUNTRY } from '../../modules/providers/route.js';
import type { ProviderView } from '../../modules/providers/provider-view.js';
import { countryInSentence } from '../../modules/recipients/country.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import { pathOf } from '../applications/parts.js';
import { providerPath, sentence } from '../channels/labels.js';
import type { Choice } from '../components/form.js';
import { CHANNEL_NAMES } from '../messages/labels.js';

/** The label of an action in the filter and in the export, and its sentence, in which `*` is the target. */
const ACTIONS: Readonly<Record<AuditAction, readonly [label: string, sentence: string]>> = {
  'account.create': ['created the account', 'created the account *'],
  'account.status': ['changed the status of the account', 'changed the status of the account *'],
  'account.update': ['changed the account settings', 'changed the settings of the account *'],
  'account.ceilings': ['changed the ceilings of the account', 'changed the ceilings of the account *'],
  'application.create': ['created an application', 'created the application *'],
  'application.update': ['changed an application', 'changed the application *'],
  'application.allow-list': ['changed an allow-list', 'changed the allow-list of *'],
  'application.widget': ['changed the widget design', 'changed the widget design of *'],
  'application.rotate-secret': ['created a new App Secret', 'created a new App Secret for *'],
  'application.end-old-secret': ['revoked an old App Secret', 'revoked the old App Secret of *'],
  'application.delete': ['deleted an application', 'deleted the application *'],
  'application.restore': ['restored a deleted application', 'restored the application *'],
  'application.erase': ['erased a deleted application', 'erased the deleted application *'],
  'message.cancel': ['canceled a scheduled message', 'canceled the scheduled message *'],
  'message.retry': ['sent a failed message again', 'sent the failed message * again'],
  'message.test': ['sent a test code', 'sent a test code from *'],
  'suppression.import': ['added email addresses to the suppression list', 'added * to the suppression list'],
  'suppression.remove': ['removed an email address from the suppression list', 'removed * from the suppression list'],
  'recipient.erase': ['erased a recipient', 'erased a recipient: *'],
  'two-factor.reset': ["turned off an end user's second factor", 'turned off the second factor of the end user *'],
  'user.end-sessions': ["ended an end user's sessions", 'ended all sessions of the end user *'],
  'user.unlock': ['unlocked an end user', 'unlocked the end user *'],
  'fraud.settings': ['changed the Protection settings', 'changed the Protection settings of *'],
  'fraud.pause': ['paused messages', 'paused messages from *'],
  'fraud.resume': ['resumed paused messages', 'resumed paused messages from *'],
  'fraud.allow': ['allowed messages', 'allowed messages from *'],
  'webhook.create': ['created a webhook', 'created a webhook for *'],
  'webhook.remove': ['deleted a webhook', 'deleted a webhook of *'],
  'webhook.change': ['changed the events of a webhook', 'changed the events of a webhook of *'],
  'webhook.pause': ['paused a webhook', 'paused a webhook of *'],
  'webhook.resume': ['resumed a webhook', 'resumed a webhook of *'],
  'webhook.rotate-secret': ['created a new secret for a webhook', 'created a new secret for a webhook of *'],
  'webhook.test': ['sent a test event', 'sent a test event to a webhook of *'],
  'webhook.resend': ['sent an event again', 'sent an event to a webhook of * again'],
  'hook.create': ['connected a shop', 'connected a shop to *'],
  'hook.secret': ['changed the secret of a connected shop', 'changed the secret of a shop connected to *'],
  'hook.remove': ['disconnected a shop', 'disconnected a shop from *'],
  'automation.create': ['added an automation', 'added an automation to *'],
  'automation.change': ['changed an automation', 'changed an automation of *'],
  'automation.remove': ['deleted an automation', 'deleted an automation of *'],
  'provider.add': ['added a provider', 'added the provider *'],
  'provider.change': ['changed a provider', 'changed the provider *'],
  'provider.remove': ['removed a provider', 'removed the provider *'],
  'provider.check': ['checked the credentials of a provider', 'checked the credentials of the provider *'],
  'provider.test': ['sent a test message through a provider', 'sent a test message through the provider *'],
  'route.change': ['changed a route', 'changed the *'],
  'price.change': ['changed prices', 'changed the *'],
  'account.providers': [
    'changed whether the account may add providers',
    'changed whether the account may add providers',
  ],
  'template.set': ['saved a custom text', 'saved a custom text: *'],
  'template.reset': ['restored a built-in text', 'restored a built-in text: *'],
  'template.test': ['sent a test message', 'sent a test message: *'],
  'management-key.create': ['created an API key', 'created the API key *'],
  'management-key.revoke': ['revoked an API key', 'revoked the API key *'],
  'person.invite': ['invited someone', 'invited *'],
  'person.take-back': ['revoked an invitation', 'revoked the invitation of *'],
  'person.join': ['joined', 'joined the account'],
  'person.role': ['changed a role', 'changed the role of *'],
  'person.remove': ['removed someone', 'removed * from the account'],
  'person.sign-in': ['signed in', 'signed in'],
  'person.sign-in-failed': ['failed to sign in', 'failed to sign in as *'],
  'person.sign-in-link': ['created a sign-in link', 'created a sign-in link for *'],
  'person.sign-out-everywhere': ['signed out everywhere', 'signed out everywhere'],
  'person.passkey-add': ['added a passkey', 'added a passkey'],
  'person.passkey-remove': ['removed a passkey', 'removed a passkey'],
  'person.two-factor-on': ['turned on the authenticator', 'turned on the authenticator'],
  'person.two-factor-off': ['turned off the authenticator', 'turned off the authenticator'],
  'upgrade-notice.dismiss': ['dismissed the upgrade notice', 'dismissed the upgrade notice'],
};

export const ACTION_NAMES = Object.keys(ACTIONS) as AuditAction[];

// A newer version may have recorded other actions before the operator downgraded to this one.
export const actionLabel = (action: AuditAction): string => ACTIONS[action]?.[0] ?? action;

/** Headings of the actions in the filter, by the first part of their names. The first ones are looked for most often. */
const GROUPS: Readonly<Record<string, string>> = {
  application: 'Applications',
  fraud: 'Protection',
  person: 'People and sign-in',
  provider: 'Channels',
  route: 'Channels',
  price: 'Channels',
  template: 'Templates',
  'management-key': 'API keys',
  account: 'Account',
  'upgrade-notice': 'Account',
  hook: 'Automations',
  automation: 'Automations',
  webhook: 'Webhooks',
  message: 'Messages',
  user: 'End users',
  'two-factor': 'End users',
  recipient: 'Recipients',
  suppression: 'Suppressions',
};

/** The actions as choices of the filter, by group. */
export const ACTION_CHOICES: readonly (Choice & { readonly group: string })[] = Object.entries(GROUPS).flatMap(
  ([start, group]) =>
    ACTION_NAMES.filter((action) => action.startsWith(`${start}.`)).map((action) => {
      return { value: action, group, label: sentence(actionLabel(action)).slice(0, -1) };
    }),
);

/** Returns the sentence about an entry, without its actor, in the parts before and after the target. */
export function sentenceParts({ action, subject, changes }: AuditEntry): readonly [before: string, after?: string] {
  const [, sentence] = ACTIONS[action] ?? [action, `${action} *`];
  const country = /^country ([A-Z]{2})$/.exec(changes[0]?.name ?? '')?.[1];
  const place = country ? `messages to ${countryInSentence(country)} from` : 'messages from';
  const [before = '', after] = sentence.replace('messages from', place).split('*');
  return subject === '' || after === undefined ? [before] : [before, after];
}

/** Returns a target in words: `SMS DE` → `SMS route for Germany`, and the first 8 characters of a message's ID. */
export function targetText({ action, subject }: AuditEntry): string {
  if (action.startsWith('message.') && action !== 'message.test') return `${subject.slice(0, 8)}…`;
  if (action === 'price.change')
    return subject in CHANNEL_NAMES ? `${CHANNEL_NAMES[subject as ChannelName]} prices` : subject;
  return action !== 'route.change'
    ? subject
    : subject.replace(
        /^([A-Z]+) (\*|[A-Z]{2})$/,
        (_, channel: ChannelName, country: string) =>
          `${CHANNEL_NAMES[channel]} route for ${country === ANY_COUNTRY ? 'all countries without their own route' : countryInSentence(country)}`,
      );
}

/** Pages about the targets of actions that start with these names. The first match counts. */
const APPLICATION_PAGES: readonly (readonly [start: string, page: string])[] = [
  ['application.allow-list', '/allow-list'],
  ['application.widget', '/widget'],
  ['application.', ''],
  ['fraud.', '/protection'],
  ['webhook.', '/webhooks'],
  ['hook.', '/automations'],
  ['automation.', '/automations'],
  ['template.', '/templates'],
  ['message.test', '/connect'],
];
const ACCOUNT_PAGES: readonly (readonly [start: string, page: string])[] = [
  ['account.', '/account-settings'],
  ['suppression.', '/suppressions'],
  ['route.', '/channels'],
  ['price.', '/channels'],
  ['management-key.', '/api-keys'],
  ['person.', '/people'],
];

export interface Targets {
  readonly applications: readonly Pick<Application, 'appKey' | 'name'>[];
  readonly providers: readonly Pick<ProviderView, 'id' | 'name'>[];
  /** Names for the IDs of webhooks and shops in the changes. */
  readonly names?: readonly Pick<ProviderView, 'id' | 'name'>[];
}

/** Returns the page about the target of an entry; undefined if the target no longer exists, or has no page. */
export function targetPath({ action, subject }: AuditEntry, { applications, providers }: Targets): string | undefined {
  const pageIn = (pages: typeof ACCOUNT_PAGES) => pages.find(([start]) => action.startsWith(start))?.[1];
  const ofApplication = pageIn(APPLICATION_PAGES);
  if (ofApplication !== undefined) {
    // The target of a template is `My shop: Order shipped, SMS, English`.
    const found = applications.find(({ name }) => subject === name || subject.startsWith(`${name}: `));
    return found && `${pathOf(found)}${ofApplication}`;
  }
  if (action.startsWith('provider.')) {
    const found = providers.find(({ name }) => name === subject);
    return found && providerPath(found.id);
  }
  if (action.startsWith('message.')) return `/dashboard/messages/${encodeURIComponent(subject)}`;
  const ofAccount = pageIn(ACCOUNT_PAGES);
  return ofAccount && `/dashboard${ofAccount}`;
}
