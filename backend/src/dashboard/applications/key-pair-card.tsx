import type { Application } from '../../modules/applications/application.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Copy } from '../components/copy.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { Form, Select, type Choice } from '../components/form.js';
import { Time } from '../components/time.js';
import { filledIn } from '../form.js';
import { pathOf } from './parts.js';

/** Validity of the old secret, in hours. */
const GRACE_CHOICES: readonly Choice[] = [
  { value: '24', label: 'for one more day' },
  { value: '168', label: 'for one more week' },
  { value: '744', label: 'for one more month' },
  { value: '1', label: 'for one more hour' },
  { value: '0', label: 'not at all: it ends now' },
];

interface KeyPairProps {
  readonly application: Application;
  readonly appSecret: string | undefined;
  readonly now: number;
}

function Rotation({ application, old }: { application: Application; old: readonly number[] }) {
  const secretPath = `${pathOf(application)}/secret`;
  return (
    <details>
      <summary>New App Secret</summary>
      <div class="stack">
        <p class="quiet">
          When the secret may have been seen by somebody, or when your rules ask for it. Programs go on with the old one
          for as long as you say.
        </p>
        <Form action={secretPath} class="line">
          <Select
            form={filledIn({ graceHours: '24' })}
            name="graceHours"
            label="The old secret stays valid"
            choices={GRACE_CHOICES}
          />
          <button class="button">Make a new secret</button>
        </Form>
        {old.length > 0 && (
          <Form action={`${secretPath}/end-old`}>
            <div class="actions">
              <button
                class="button danger"
                data-confirm="Programs that still use the old secret are refused from now on. End it?"
              >
                End the old secret now
              </button>
            </div>
          </Form>
        )}
      </div>
    </details>
  );
}

export function KeyPairCard({ application, appSecret, now }: KeyPairProps) {
  const { may } = useVisit();
  const old = application.secrets.flatMap(({ expiresAt }) =>
    expiresAt !== null && expiresAt > now ? [expiresAt] : [],
  );
  const secret = appSecret ? (
    <>
      <Copy label="App Secret" value={appSecret} />
      <p class="hint">Shown only now: keep it where your program keeps its secrets.</p>
    </>
  ) : (
    <span class="quiet">shown once, when it was made</span>
  );
  const oldSecrets = old.map((until): FactEntry => [
    'Old secret',
    <>
      valid until <Time ms={until} />
    </>,
  ]);
  return (
    <Card id="key-pair" class={appSecret ? 'card highlight' : 'card'} title="Key pair">
      <Facts
        facts={[
          ['App Key', <Copy label="App Key" value={application.appKey} />],
          ['App Secret', secret],
          ...oldSecrets,
        ]}
      />
      {may('own') && <Rotation application={application} old={old} />}
    </Card>
  );
}
