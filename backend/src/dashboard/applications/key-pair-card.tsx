import type { Application } from '../../modules/applications/application.js';
import { Card } from '../components/card.js';
import { useVisit } from '../components/context.js';
import { Copy } from '../components/copy.js';
import { Facts, type FactEntry } from '../components/facts.js';
import { Form, Select, type Choice } from '../components/form.js';
import { LocalTime } from '../components/time.js';
import { Submit } from '../components/submit.js';
import { filledForm } from '../form.js';
import { pathOf } from './parts.js';

/** Choices for how long the old secret stays valid. The values are hours. */
const GRACE_CHOICES: readonly Choice[] = [
  { value: '24', label: 'Stays valid for 1 day' },
  { value: '168', label: 'Stays valid for 1 week' },
  { value: '744', label: 'Stays valid for 1 month' },
  { value: '1', label: 'Stays valid for 1 hour' },
  { value: '0', label: 'Revoke now' },
];

/** A link to this id opens the form for a new secret. */
const NEW_SECRET_ID = 'new-secret';

export const newSecretPath = (application: Pick<Application, 'appKey'>): string =>
  `${pathOf(application)}#${NEW_SECRET_ID}`;

interface KeyPairProps {
  readonly application: Application;
  readonly baseUrl: string;
  readonly appSecret: string | undefined;
  readonly now: number;
}

function Rotation({ application, old }: { application: Application; old: readonly number[] }) {
  const secretPath = `${pathOf(application)}/secret`;
  return (
    <details>
      <summary>New App Secret</summary>
      <div class="stack" id={NEW_SECRET_ID}>
        <p class="quiet">
          Create a new secret if you don't have the old one, or if someone else may have seen it. Programs can use the
          old secret for the time that you choose.
        </p>
        <Form action={secretPath} class="line">
          <Select
            form={filledForm({ graceHours: '24' })}
            name="graceHours"
            label="Old secret"
            choices={GRACE_CHOICES}
          />
          <button class="button">Create new secret</button>
        </Form>
        {old.length > 0 && (
          <Form action={`${secretPath}/end-old`}>
            <Submit
              label="Revoke the old secret now"
              kind="danger"
              confirm="Revoke the old secret? Programs that still use it will be rejected."
            />
          </Form>
        )}
      </div>
    </details>
  );
}

export function KeyPairCard({ application, baseUrl, appSecret, now }: KeyPairProps) {
  const { may } = useVisit();
  const { lastUsedAt, timeZone } = application;
  const old = application.secrets.flatMap(({ expiresAt }) =>
    expiresAt !== null && expiresAt > now ? [expiresAt] : [],
  );
  const secret = appSecret ? (
    <>
      <Copy label="App Secret" value={appSecret} />
      <p class="hint">
        Copy it now. It won't be shown again. Then{' '}
        <a href={`${pathOf(application)}/connect`}>connect your server or tool</a>.
      </p>
    </>
  ) : (
    <span class="quiet">Shown only when it is created</span>
  );
  const oldSecrets = old.map((until): FactEntry => [
    'Old secret',
    <>
      valid until <LocalTime ms={until} zone={timeZone} />
    </>,
  ]);
  return (
    <Card id="key-pair" class={appSecret ? 'card highlight' : 'card'} title="API credentials">
      <Facts
        facts={[
          ['App Key', <Copy oneLine label="App Key" value={application.appKey} />],
          ['App Secret', secret],
          ...oldSecrets,
          ['API URL', <Copy label="API URL" value={baseUrl} />],
          [
            'Last used',
            lastUsedAt === null ? <span class="quiet">Never</span> : <LocalTime ms={lastUsedAt} zone={timeZone} />,
          ],
        ]}
      />
      {may('own') && application.deleteAt === null && <Rotation application={application} old={old} />}
    </Card>
  );
}
