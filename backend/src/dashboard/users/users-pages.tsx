/** An application's pages below `/users`: find a person, and help the person. URLs never contain an address. */
import type { EndUsersService } from '../../modules/end-users/end-users-service.js';
import type { Actor } from '../../modules/access/actor.js';
import type { Application } from '../../modules/applications/application.js';
import type { MessageLookup } from '../../modules/messages/message-lookup.js';
import { maskRecipient } from '../../modules/recipients/recipient.js';
import { EMPTY_FORM, readForm, type FormState } from '../form.js';
import type { Modules } from '../modules.js';
import type { ApplicationVisit, Flash, PageReply, PageRoute } from '../page.js';
import { actOnApplication, page, PageNotFound, redirect, showForApplication } from '../page.js';
import { urlOf } from '../messages/filter.js';
import { resultOf } from '../recipients/erase-pages.js';
import { UnknownUserView, usersPath, UsersView, UserView } from './users-view.js';

const WRONG_ENTRY = 'Enter a phone number with its country code, an email address, or a user ID of this application.';

const LATEST_MESSAGES = 10;

type Change = (actor: Actor, application: Application, address: string) => Promise<Flash>;

/** The function returns whether an application stores anything about a person. */
export const createIsKnown = (endUsers: EndUsersService, lookup: MessageLookup) =>
  async function isKnown(application: Application, address: string): Promise<boolean> {
    if ((await lookup.count({ applicationIds: [application.id], recipient: address }, 1)) > 0) return true;
    const { users, codes, factor } = await endUsers.describe(application, address);
    return users.length > 0 || codes.length > 0 || factor?.since !== undefined;
  };

export function usersPages({
  endUsers: { service: endUsers },
  messages: { lookup },
  fraud: { pauses },
  suppressions,
}: Modules<'endUsers' | 'fraud' | 'messages' | 'suppressions'>): readonly PageRoute[] {
  async function list(
    { application, query }: ApplicationVisit,
    form: FormState = EMPTY_FORM,
    isUnknown = false,
  ): Promise<PageReply> {
    const before = /^\d{1,15}$/.test(query.before ?? '') ? Number(query.before) : undefined;
    const listed = await endUsers.list(application, before);
    return page(
      'End users',
      <UsersView
        application={application}
        {...listed}
        isOlder={before !== undefined}
        form={form}
        isUnknown={isUnknown}
      />,
    );
  }

  const isKnown = createIsKnown(endUsers, lookup);

  async function find(visit: ApplicationVisit): Promise<PageReply> {
    const { application, body } = visit;
    const { state } = readForm({ person: (text) => text }, body);
    const typed = state.typed.person ?? '';
    const reference = await endUsers.find(application, typed);
    if (reference === undefined)
      return typed.trim().startsWith('USR-')
        ? list(visit, state, true)
        : list(visit, { ...state, errors: { person: WRONG_ENTRY } });
    if (!(await isKnown(application, endUsers.addressOf(application, reference)!))) return list(visit, state, true);
    return redirect(`${usersPath(application)}/${reference}`);
  }

  function addressIn({ application, params }: ApplicationVisit): string {
    const address = endUsers.addressOf(application, params.reference!);
    if (address === undefined) throw new PageNotFound();
    return address;
  }

  /** Returns whether notifications to the address are stopped, or all emails. */
  async function isStopped({ actor, application: { id, accountId } }: ApplicationVisit, address: string) {
    const suppressed = await suppressions.service.list(actor, accountId, address);
    const optOuts = await suppressions.optOuts.list([id], address);
    return [...suppressed, ...optOuts].some((one) => one.address === address.toLowerCase());
  }

  async function detail(visit: ApplicationVisit): Promise<PageReply> {
    const { application, params } = visit;
    const address = addressIn(visit);
    const pause = await pauses.pauseOf(application, address);
    if (!pause && !(await isKnown(application, address)) && !(await isStopped(visit, address)))
      return page(maskRecipient(address), <UnknownUserView application={application} address={address} />, 404);
    const endUser = await endUsers.describe(application, address);
    const { accountId, appKey } = application;
    const sealedRecipient = lookup.sealRecipient(accountId, endUser.address);
    const path = `${usersPath(application)}/${params.reference}`;
    const filter = { applicationIds: [application.id], recipient: endUser.address };
    const { messages } = await lookup.page(filter, undefined, LATEST_MESSAGES);
    return page(
      maskRecipient(endUser.address),
      <UserView
        application={application}
        path={path}
        endUser={endUser}
        messages={messages}
        pause={pause}
        mayBeStopped={await pauses.mayBeStopped(application, endUser.address)}
        messagesPath={urlOf('/messages', { sealedRecipient, application: appKey })}
      />,
    );
  }

  /** Creates a handler that makes a change and redirects to the person's page. */
  const createChangeHandler = (change: Change) => async (visit: ApplicationVisit) => {
    const { application, actor, params } = visit;
    const flash = await change(actor, application, addressIn(visit));
    return redirect(`${usersPath(application)}/${params.reference}`, flash);
  };

  const endSessions = createChangeHandler(async (actor, application, address) =>
    (await endUsers.endSessions(actor, application, address))
      ? { notice: 'All sessions of this person were ended.' }
      : { problem: 'This person has no sessions.' },
  );

  const unlock = createChangeHandler(async (actor, application, address) => {
    await endUsers.unlock(actor, application, address);
    return { notice: 'All locks were removed.' };
  });

  const resetTwoFactor = createChangeHandler(async (actor, application, address) => {
    const wasOn = address.includes('@') && (await endUsers.resetTwoFactor(actor, application, address));
    return wasOn
      ? { notice: 'The second factor of this person was turned off.' }
      : { problem: 'This person has no second factor.' };
  });

  async function erase(visit: ApplicationVisit): Promise<PageReply> {
    const { application, actor } = visit;
    const erasure = await endUsers.erase(actor, application, addressIn(visit));
    return redirect(usersPath(application), erasure ? { notice: resultOf(erasure) } : {});
  }

  return [
    showForApplication('/users', 'read', (visit) => list(visit)),
    actOnApplication('/users/find', 'read', find),
    showForApplication('/users/:reference', 'read', detail),
    actOnApplication('/users/:reference/end-sessions', 'own', endSessions),
    actOnApplication('/users/:reference/unlock', 'changeUser', unlock),
    actOnApplication('/users/:reference/reset-two-factor', 'changeUser', resetTwoFactor),
    actOnApplication('/users/:reference/erase', 'eraseRecipient', erase),
  ];
}
