/** Explains how attackers could misuse the widget's endpoints, and how strict mode prevents this. */
import type { Application } from '../../modules/applications/application.js';
import { USER_TOKEN_SAMPLES } from '../../modules/twofactor/user-token-samples.js';
import { settingsPath } from '../applications/parts.js';
import { Card } from '../components/card.js';
import { CopyBlock } from '../components/copy.js';

function StrictMode({ settings }: { settings: string }) {
  return (
    <details>
      <summary>Set up strict mode</summary>
      <p>
        In strict mode, every request needs a <code>userToken</code>. Your server signs it for the user who has just
        entered their password. The token identifies the user, but does not replace the second factor when they sign in.
      </p>
      <ol class="stack">
        <li>Copy the code below to your server. It needs the App Secret.</li>
        <li>
          Set <code>data-usertoken</code> of the script tag to the token, and check that the widget still works. A token
          without the part <code>.sign-in</code> also allows turning two-factor off without a code, so never put one
          into a page that the user sees before they have entered their second factor.
        </li>
        <li>
          Turn strict mode on in the <a href={settings}>settings</a>.
        </li>
      </ol>
      {USER_TOKEN_SAMPLES.map(({ language, code }, index) => (
        <details key={language} open={index === 0}>
          <summary>{language}</summary>
          <CopyBlock label={`${language} code`} value={code} language={language} />
        </details>
      ))}
    </details>
  );
}

export function ProtectionCard({ appKey, settings }: Application) {
  return (
    <Card
      beside
      id="protection-title"
      title="Protect your users"
      lead="For your developer: anyone can read the App Key on your page. Strict mode limits what they can do with it."
    >
      {settings.strictTwoFactor ? (
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
      <StrictMode settings={settingsPath({ appKey }, 'two-factor')} />
    </Card>
  );
}
