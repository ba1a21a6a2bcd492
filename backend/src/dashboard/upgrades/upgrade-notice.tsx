/** The notice about rules that an upgrade made stricter, and the route that dismisses the notice. */
import type { StricterRule } from '../../modules/upgrades/stricter.js';
import { Card } from '../components/card.js';
import { Form } from '../components/form.js';
import { act, redirect, type PageRoute, type Visit } from '../page.js';
import type { DashboardServices } from '../services.js';
import { operatorCommand } from '../../platform/config/operator-command.js';

const DISMISS_PATH = '/upgrade-notice/dismiss';

/** Shows text between backticks as code. */
const TextWithCode = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, n) => (n % 2 === 1 ? <code key={n}>{part}</code> : part))}</>
);

function UpgradeNotice({ stricter, mayDismiss }: { stricter: readonly StricterRule[]; mayDismiss: boolean }) {
  return (
    <Card id="upgrade-notice" title="Stricter rules since the last upgrade">
      <ul>
        {stricter.map(({ text }) => (
          <li key={text}>
            <TextWithCode text={text} />
          </li>
        ))}
      </ul>
      {mayDismiss ? (
        <Form action={`/dashboard${DISMISS_PATH}`}>
          <div class="actions">
            <button class="button subtle">Dismiss for everyone</button>
          </div>
        </Form>
      ) : (
        <p class="quiet">
          The operator of this server can dismiss this notice with{' '}
          <code>{operatorCommand()} upgrade-notice --dismiss</code>.
        </p>
      )}
    </Card>
  );
}

/** Returns the upgrade notice, or null if the visitor is not an owner or no rule became stricter. */
export async function upgradeNoticeFor({ upgrades }: DashboardServices, { person, may }: Visit) {
  const stricter = may('own') ? await upgrades.undismissedRules() : [];
  if (stricter.length === 0) return null;
  return <UpgradeNotice stricter={stricter} mayDismiss={await upgrades.mayDismiss(person.accountId)} />;
}

export const upgradePages = ({ upgrades }: DashboardServices): readonly PageRoute[] => [
  act(DISMISS_PATH, 'own', async ({ actor, person }) => {
    await upgrades.dismiss(actor, person.accountId);
    return redirect('/dashboard/home', { notice: 'The notice was dismissed.' });
  }),
];
