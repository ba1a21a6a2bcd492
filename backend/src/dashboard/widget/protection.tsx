/** Explains how attackers could misuse the widget's endpoints, and how strict mode prevents this. */
import type { Application } from '../../modules/applications/application.js';
import { SAMPLE_EMAIL, USER_TOKEN_SAMPLES } from '../../modules/twofactor/user-token-samples.js';
import { settingsPath } from '../applications/parts.js';
import { Card } from '../components/card.js';
import { CopyBlock } from '../components/copy.js';
import { Step } from '../connect/steps.js';
import { LinkNav } from '../components/link-nav.js';

interface ProtectionProps {
  readonly application: Application;
  readonly path: string;
  /** The selected sample. */
  readonly language: string | undefined;
}

const SAMPLE_ID = 'user-token';

function TokenSample({ path, language }: Omit<ProtectionProps, 'application'>) {
  const selected = USER_TOKEN_SAMPLES.find((sample) => sample.language === language) ?? USER_TOKEN_SAMPLES[0]!;
  const links = USER_TOKEN_SAMPLES.map((sample) => ({
    href: `${path}?language=${sample.language}#${SAMPLE_ID}`,
    label: sample.language,
    current: sample === selected,
  }));
  return (
    <div class="stack" id={SAMPLE_ID}>
      <LinkNav class="tabs" label="Language" links={links} />
      <CopyBlock
        label={`${selected.language} code`}
        value={selected.code}
        language={selected.language}
        marked={[SAMPLE_EMAIL]}
      />
    </div>
  );
}

export function ProtectionCard({ application, path, language }: ProtectionProps) {
  const { strictTwoFactor } = application.settings;
  return (
    <Card
      beside
      id="protection-title"
      title="Protect your users"
      lead="For your developer: anyone can read the App Key on your page. Strict mode limits what they can do with it."
    >
      {strictTwoFactor ? (
        <p>
          Strict mode is on: every request needs a <code>userToken</code> that your server signs.
        </p>
      ) : (
        <p>
          Without a <code>userToken</code>, anyone with the App Key can find out whether the user of an email address
          has a second factor and, if the user has none, can set one up with their own authenticator. They cannot see,
          replace or turn off an existing second factor, and the widget alone never signs anyone in.
        </p>
      )}
      <ol class="steps">
        <Step title="Sign a token on your server">
          <p>
            Replace <code>{SAMPLE_EMAIL}</code> with the email address of the user who has just entered their password.
            The sample reads the App Secret from <code>APP_SECRET</code>. The token identifies the user, but does not
            replace the second factor when they sign in.
          </p>
          <TokenSample path={path} language={language} />
        </Step>
        <Step title="Pass the token to the widget">
          <p>
            Set <code>data-usertoken</code> of the script tag to the token, and check that the widget works. Keep the
            part <code>.sign-in</code>: without it, the token also allows turning two-factor off without a code.
          </p>
        </Step>
        {!strictTwoFactor && (
          <Step title="Turn on strict mode">
            <p>
              Turn it on in the <a href={settingsPath(application, 'two-factor')}>settings</a>. Every request then needs
              a token.
            </p>
          </Step>
        )}
      </ol>
    </Card>
  );
}
