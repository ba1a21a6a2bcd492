import type { Application } from '../../modules/applications/application.js';
import { HOOK_KINDS, type Hook } from '../../modules/automations/automation.js';
import { SHOPS } from '../../modules/automations/shops.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Form, FormProblems, Select } from '../components/form.js';
import { EmptyState } from '../components/notice.js';
import { PageHead } from '../components/page-head.js';
import { Submit } from '../components/submit.js';
import { Table, type Column } from '../components/table.js';
import { Time } from '../components/time.js';
import type { FormState } from '../form.js';
import { automationsPath, hookLabel, hookPath } from './labels.js';

/** A hook with the number of its automations. */
export interface HookRow {
  readonly hook: Hook;
  readonly all: number;
  readonly on: number;
}

interface ListProps {
  readonly application: Application;
  readonly hooks: readonly HookRow[];
  readonly form: FormState;
}

function StateBadge({ row: { hook, on } }: { readonly row: HookRow }) {
  if (hook.secretSealed === null) return <Badge kind="bad">Secret missing</Badge>;
  return on > 0 ? <Badge kind="good">Sending</Badge> : <Badge kind="neutral">All off</Badge>;
}

const columnsOf = (application: Application, mayOpen: boolean): readonly Column<HookRow>[] => [
  {
    title: 'Shop',
    cell: ({ hook }) =>
      mayOpen ? (
        <a class="strong" href={hookPath(application, hook)}>
          {hookLabel(hook)}
        </a>
      ) : (
        hookLabel(hook)
      ),
  },
  { title: 'Automations', cell: ({ all, on }) => `${on} of ${all} on` },
  { title: 'State', cell: (row) => <StateBadge row={row} /> },
  { title: 'Created', cell: ({ hook }) => <Time ms={hook.createdAt} /> },
];

export function ListView({ application, hooks, form }: ListProps) {
  const mayChange = useVisit().may('own');
  const kinds = HOOK_KINDS.map((kind) => ({ value: kind, label: SHOPS[kind].label }));
  return (
    <>
      <PageHead
        title="Automations"
        lead={
          <>
            Your shop sends its events to Passbell, and Passbell sends the messages. You don't need Zapier or a server
            of your own. The <a href="/docs/automations">guide</a> shows every step.
            {!mayChange && ' Owners can change them.'}
          </>
        }
      />
      {hooks.length === 0 ? (
        <EmptyState title="No shop is connected yet">
          {mayChange ? 'Connect the first one below.' : 'Owners can connect shops.'}
        </EmptyState>
      ) : (
        <Table
          caption="Connected shops"
          columns={columnsOf(application, mayChange)}
          rows={hooks}
          keyOf={({ hook }) => hook.hookId}
        />
      )}
      {mayChange && (
        <Card id="create" title="Connect a shop" lead="You get an address to enter in the shop.">
          <FormProblems form={form} prevented="The shop was not connected." />
          <Form action={automationsPath(application)}>
            <div class="stack">
              <Select form={form} name="kind" label="Shop" choices={kinds} />
              <Submit label="Connect" />
            </div>
          </Form>
        </Card>
      )}
    </>
  );
}
