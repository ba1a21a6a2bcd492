/**
 * The page `/search`: finds the messages to a recipient or with a reference, a message, an application, a template, or a page. Searches are
 * posted, because browser histories and logs store URLs, and the text can be a recipient.
 */
import type { ComponentChildren } from 'preact';
import type { Application } from '../../modules/applications/application.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { templateLabel, TEMPLATE_NAMES } from '../../modules/templates/template.js';
import { pathOf } from '../applications/parts.js';
import { PageHead } from '../components/page-head.js';
import { Results, SearchForm, RESULTS_ID, type Result } from '../components/search.js';
import { textOf } from '../form.js';
import { urlOf } from '../messages/filter.js';
import { APPLICATION_NAVIGATION, NAVIGATION, shownGroups } from '../navigation.js';
import type { Modules } from '../modules.js';
import { act, fragment, page, show, type PageRoute, type Visit } from '../page.js';
import { usersPath } from '../users/users-view.js';
import { textPath } from '../templates/text-page.js';

const MAX_RESULTS = 12;

function resultsOfApplication(application: Application, visit: Visit): Result[] {
  const about = application.name;
  const entries = shownGroups(APPLICATION_NAVIGATION, visit.may, true).flatMap((group) => group.entries);
  return [
    ...entries.map(({ label, path }) => ({
      // Its name finds the application.
      label: path === '' ? application.name : label,
      about: path === '' ? `Application ${application.appKey}` : about,
      href: pathOf(application) + path,
    })),
    ...TEMPLATE_NAMES.map((template) => ({
      label: templateLabel(template),
      about: `Template of ${about}`,
      href: textPath(application, { template, channel: 'SMS', language: 'en' }),
    })),
  ];
}

type SearchModules = Modules<'applications' | 'endUsers' | 'messages' | 'providers'>;

export function searchPages({ applications, providers, endUsers, messages }: SearchModules): readonly PageRoute[] {
  /** Finds a person's messages, a person, or a message. */
  async function findPeople(accountId: number, all: readonly Application[], text: string): Promise<Result[]> {
    const sealedRecipient = messages.lookup.sealRecipient(accountId, text);
    if (sealedRecipient !== undefined) {
      const address = messages.lookup.openRecipient(accountId, sealedRecipient)!;
      const recipient = maskRecipient(address);
      return [
        { label: `Messages to ${recipient}`, about: 'All applications', href: urlOf('/messages', { sealedRecipient }) },
        ...all.map((application) => ({
          label: `Codes, sessions and locks of ${recipient}`,
          about: application.name,
          href: `${usersPath(application)}/${endUsers.service.referenceTo(application, address)}`,
        })),
      ];
    }
    const ids = all.map(({ id }) => id);
    const message = await messages.lookup.find(ids, text);
    if (!message) return [];
    return [
      {
        label: `Message to ${maskRecipient(message.recipient)}`,
        about: message.id,
        href: `/dashboard/messages/${message.id}`,
      },
    ];
  }

  async function findReference(all: readonly Application[], reference: string): Promise<Result[]> {
    const applicationIds = all.map(({ id }) => id);
    const { messages: found } = await messages.lookup.page({ applicationIds, reference }, undefined, 1);
    const href = urlOf('/messages', { reference });
    return found.length === 0
      ? []
      : [{ label: `Messages with the reference ${reference}`, about: 'All applications', href }];
  }

  async function find(visit: Visit, text: string): Promise<Result[]> {
    if (text === '') return [];
    const { accountId } = visit.person;
    const all = await applications.service.listInAccount(accountId);
    const groups = shownGroups(NAVIGATION, visit.may, await providers.service.isAllowed(accountId));
    const pages = [
      ...groups.flatMap(({ entries }) =>
        entries.map(({ label, path }) => ({ label, about: 'Account', href: `/dashboard${path}` })),
      ),
      ...all.flatMap((application) => resultsOfApplication(application, visit)),
    ];
    const words = text.toLowerCase().split(/\s+/);
    const matching = pages.filter(({ label, about }) => {
      const found = `${label} ${about}`.toLowerCase();
      return words.every((word) => found.includes(word));
    });
    const found = [...(await findPeople(accountId, all, text)), ...(await findReference(all, text))];
    return [...found, ...matching].slice(0, MAX_RESULTS);
  }

  async function search(visit: Visit) {
    const text = textOf(visit.body, 'text').trim();
    const results = <Results text={text} results={await find(visit, text)} />;
    return visit.target === RESULTS_ID ? fragment(results) : searchPage(text, results);
  }

  return [show('/search', 'read', () => searchPage('', null)), act('/search', 'read', search)];
}

const searchPage = (text: string, results: ComponentChildren) =>
  page(
    'Search',
    <>
      <PageHead title="Search" />
      <div class="card">
        <SearchForm text={text}>{results}</SearchForm>
      </div>
    </>,
  );
