/** Weekly emails about an account, to the people who want them: on Monday mornings in the account's time zone. */
import { dayBefore, localDay } from '../../platform/local-day.js';
import type { Base } from '../../platform/base.js';
import { DAY } from '../../platform/clock.js';
import { describeError } from '../../platform/log.js';
import { timestampOf } from '../../platform/local-time.js';
import type { Provider } from '../../providers/provider.js';
import type { AccountProfiles } from '../applications/account-profile-service.js';
import type { MessagesService } from '../messages/messages-service.js';
import type { DashboardApplication } from './dashboard-application.js';
import type { PeopleStore, WeeklyReader } from './people-store.js';
import type { Person } from './person.js';
import { noticeDraft } from './security-notices.js';

const SEND_TIME = '08:00';
const TOKEN_CONTEXT = 'weekly email';
/** Longer than the token of the longest email address. */
const MAX_TOKEN_LENGTH = 1000;

/** Single lines. */
export interface WeeklyEmail {
  readonly title: string;
  readonly text: string;
  readonly items: readonly string[];
}

interface Dependencies extends Pick<Base, 'clock' | 'inTransaction' | 'keyring' | 'log' | 'url'> {
  readonly store: PeopleStore;
  readonly profiles: Pick<AccountProfiles, 'timeZoneOf'>;
  readonly dashboardApplication: DashboardApplication;
  readonly messages: Pick<MessagesService, 'acceptIn'>;
  /** Returns the email provider; undefined if Passbell cannot send email. */
  readonly emailProvider: () => Provider | undefined;
}

/** Returns the latest time at which weekly emails were due. */
export function latestDue(now: number, zone: string): number {
  const today = localDay(now, zone);
  const daysSinceMonday = (new Date(today).getUTCDay() + 6) % 7;
  const due = timestampOf(`${dayBefore(today, daysSinceMonday)}T${SEND_TIME}`, zone)!;
  return due <= now ? due : latestDue(now - DAY, zone);
}

export function createWeeklyEmails(dependencies: Dependencies) {
  const { store, profiles, dashboardApplication, messages, emailProvider, inTransaction, keyring, clock, log, url } =
    dependencies;

  const tokenOf = ({ id, email }: Person): string => keyring.seal(TOKEN_CONTEXT, JSON.stringify([id, email]));

  /** Returns the person of a link in a weekly email; undefined if the link is forged, or the person was removed. */
  async function personOf(token: string): Promise<Person | undefined> {
    const opened = token.length > MAX_TOKEN_LENGTH ? undefined : keyring.openIfValid(TOKEN_CONTEXT, token);
    if (opened === undefined) return undefined;
    const [id, email] = JSON.parse(opened) as [number, string];
    return (await store.withEmail(email)).find((person) => person.id === id);
  }

  /** Stores the email in the transaction that marks it as sent, so that only one of several processes sends it. */
  async function send(reader: WeeklyReader, { title, text, items }: WeeklyEmail): Promise<void> {
    const { person, lastAt } = reader;
    const now = clock.now();
    const texts = {
      title,
      text,
      ...Object.fromEntries(items.map((item, n) => [`item${n + 1}`, item])),
      advice: 'You get this email on Mondays because you turned it on in your profile.',
      link: `${url}/dashboard/home`,
      linkLabel: 'Open Home',
      link2: `${url}/dashboard/weekly-email/stop?token=${tokenOf(person)}`,
      link2Label: 'Turn off the weekly email',
    };
    const sender = await dashboardApplication();
    await inTransaction(async (trx) => {
      if (await store.setWeeklyEmail(trx, person.id, lastAt, now))
        await messages.acceptIn(trx, noticeDraft(sender, person.email, texts, now));
    });
  }

  return {
    isOn: async ({ id }: Person): Promise<boolean> => (await store.weeklyEmailAt(id)) !== null,

    async set({ id }: Person, isOn: boolean): Promise<void> {
      await inTransaction(async (trx) => {
        const before = await store.weeklyEmailAt(id, trx);
        if ((before !== null) !== isOn) await store.setWeeklyEmail(trx, id, before, isOn ? clock.now() : null);
      });
    },

    personOf,

    /** Sends the emails that are due. `contentOf` returns the content for a person. */
    async sendDue(contentOf: (person: Person) => Promise<WeeklyEmail>): Promise<void> {
      if (!emailProvider()) return;
      for (const reader of await store.weeklyReaders()) {
        try {
          const zone = await profiles.timeZoneOf(reader.person.accountId);
          if (reader.lastAt >= latestDue(clock.now(), zone)) continue;
          await send(reader, await contentOf(reader.person));
        } catch (error) {
          // The emails of other accounts do not wait for this one.
          log.error({ err: describeError(error) }, 'weekly email failed');
        }
      }
    },
  };
}
