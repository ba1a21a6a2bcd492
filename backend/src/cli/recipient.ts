import type { Command } from 'commander';
import { operatorCommand } from '../platform/config/operator-command.js';
import type { Context } from './context.js';
import { addOperation } from './operation.js';
import { formatBlock } from './output.js';

const LABELS = {
  codes: 'Verification codes',
  users: 'Users',
  messages: 'Messages',
  secondFactors: 'Second factors',
  fraudRecords: 'Fraud guard',
  shopEvents: 'Shop events',
  suppressions: 'Suppressions and opt-outs',
};

export function complete(group: Command, context: Context): void {
  addOperation(group, context, 'eraseRecipient', {
    name: 'erase',
    description: 'erase all data that is stored about a phone number or email address; this cannot be undone',
    examples: ['--to ana@example.com', '--to +14155550123 --app APP_KEY'],
    json: ({ erased, testRecipientOf }) => ({ ...erased, testRecipientOf }),
    text({ erased, testRecipientOf }, { recipient }) {
      const counts = Object.entries(LABELS).map(([kind, label]) => [label, String(erased[kind])] as const);
      const rest = testRecipientOf.map(
        (appKey) =>
          `\n${recipient} is still a test recipient. To remove it, run: ${operatorCommand()} app update ${appKey} --test-recipient "${recipient}="`,
      );
      return `Erased:\n${formatBlock(counts)}${rest.join('')}`;
    },
  });
}
