/** The upgrade notice, which lists rules that became stricter, and its dismissal. */
import type { Stricter } from '../../modules/upgrades/stricter.js';
import { Card } from '../components/card.js';
import { Form } from '../components/form.js';
import { act, redirect, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';

const DISMISS = '/upgrade-notice/dismiss';

/** Text with its code spans: `a` → <code>a</code>. */
const WithCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}</>
);

function UpgradeNotice({ stricter, mayDismiss }: { stricter: readonly Stricter[]; mayDismiss: boolean }) {
  return (
    <Card id="upgrade-notice" title="Stricter rules since the last upgrade">
      <ul>
        {stricter.map(({ text }) => (
          <li key={text}>
            <WithCode text={text} />
          </li>
        ))}
      </ul>
      {mayDismiss ? (
        <Form action={`/dashboard${DISMISS}`}>
          <div class="actions">
            <button class="button subtle">Dismiss for everyone</button>
          </div>
        </Form>
      ) : (
        <p class="quiet">
          The operator of this server can dismiss this notice with <code>passbell upgrade-notice --dismiss</code>.
        </p>
      )}
    </Card>
  );
}

/** Returns the notice for owners, for the first page after sign-in, or null if there is nothing to show. */
export async function upgradeNoticeFor({ upgrades }: DashboardServices, { person, may }: Visit) {
  const stricter = may('own') ? await upgrades.stricter() : [];
  if (stricter.length === 0) return null;
  return <UpgradeNotice stricter={stricter} mayDismiss={await upgrades.mayDismiss(person.accountId)} />;
}

export const upgradePages = ({ upgrades }: DashboardServices): readonly PageRoute[] => [
  act(DISMISS, 'own', async ({ actor, person }) => {
    await upgrades.dismiss(actor, person.accountId);
    return redirect('/dashboard/applications', { notice: 'The notice was dismissed.' });
  }),
];
