/** A card that shows whether receivers can trust the emails, with the DNS records that are missing. */
import type { DomainView, Finding, Fix } from '../../modules/sender-domains/sender-domain.js';
import { MINUTE } from '../../platform/clock.js';
import { Badge } from '../components/badge.js';
import { Card } from '../components/card.js';
import { Copy } from '../components/copy.js';
import { Facts } from '../components/facts.js';
import { Form } from '../components/form.js';
import { Submit } from '../components/submit.js';
import { CHANNELS_PATH } from './labels.js';

const BADGES = {
  ok: <Badge kind="good">OK</Badge>,
  problem: <Badge kind="bad">Problem</Badge>,
  unknown: <Badge kind="neutral">Cannot be checked</Badge>,
} as const;

function FixView({ check, fix: { action, record, help, by } }: { readonly check: string; readonly fix: Fix }) {
  const { type, name, value } = record;
  return (
    <>
      <p class="small">
        {action === 'Add' ? 'Add this record' : 'Replace the record with this one'}, or ask {by} to do it. {help}
      </p>
      <Facts
        small
        facts={[
          ['Type', type],
          ['Name', <Copy label={`name of the ${check} record`} value={name} />],
          ['Value', value !== undefined && <Copy label={`value of the ${check} record`} value={value} />],
        ]}
      />
    </>
  );
}

const FindingView = ({ finding: { check, state, text, fix } }: { readonly finding: Finding }) => (
  <li>
    <div>
      <p class="finding">
        {BADGES[state]} {check !== 'Domain' && <strong>{check}</strong>} <span>{text}</span>
      </p>
      {fix && <FixView check={check} fix={fix} />}
    </div>
  </li>
);

function ageText({ checkedAt, isRunning }: DomainView, now: number): string {
  const running = isRunning ? ' A check is running: reload this page in a few seconds.' : '';
  if (checkedAt === undefined) return `Not checked yet.${running}`;
  const minutes = Math.floor((now - checkedAt) / MINUTE);
  const age = minutes < 1 ? 'just now' : minutes === 1 ? '1 minute ago' : `${minutes} minutes ago`;
  return `Checked ${age}.${running}`;
}

interface SenderDomainsProps {
  readonly domains: readonly DomainView[];
  readonly now: number;
}

export function SenderDomainsCard({ domains, now }: SenderDomainsProps) {
  if (domains.length === 0) return null;
  return (
    <Card
      beside
      id="sender-domains"
      title="Sender domains"
      lead="Gmail and other mailbox providers check the DNS records of your domain. They may reject emails that fail these checks, or treat them as spam."
    >
      {domains.map((view) => (
        <div key={view.domain} class="stack">
          <div>
            <h3>{view.domain}</h3>
            <p class="quiet small">{ageText(view, now)}</p>
          </div>
          <ul class="plain-list">
            {view.findings.map((finding) => (
              <FindingView key={finding.text} finding={finding} />
            ))}
          </ul>
        </div>
      ))}
      <Form action={`${CHANNELS_PATH}/domains`}>
        <Submit label="Check again" kind="subtle" />
      </Form>
    </Card>
  );
}
