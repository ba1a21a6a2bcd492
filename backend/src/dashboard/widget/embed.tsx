/** How a site embeds the widget, with this application's values. */
import { CopyBlock } from '../components/copy.js';

interface EmbedProps {
  readonly serviceUrl: string;
  readonly appKey: string;
}

/** What goes into the site's page. */
const embedSnippet = ({ serviceUrl, appKey }: EmbedProps): string => `<div id="service-2fasdk"></div>
<script
  src="${serviceUrl}/js/v1/auth-2fasdk.js"
  data-appkey="${appKey}"
  data-emailid="ana@example.com"
></script>`;

/** What the site's Content-Security-Policy has to allow. */
const embedPolicy = ({ serviceUrl }: Pick<EmbedProps, 'serviceUrl'>): string =>
  `script-src ${new URL(serviceUrl).origin}; connect-src ${new URL(serviceUrl).origin}`;

export function Embed(props: EmbedProps) {
  return (
    <section class="card" aria-labelledby="embed-title">
      <h2 id="embed-title">Put it on your site</h2>
      <p>
        Paste this where the widget belongs, and let your server write the address of the user who is signed in into{' '}
        <code>data-emailid</code>.
      </p>
      <CopyBlock label="the embed snippet" value={embedSnippet(props)} />
      <p>A site with a Content-Security-Policy adds:</p>
      <CopyBlock label="the policy" value={embedPolicy(props)} />
      <p class="quiet">
        The site's origin belongs on the <a href={`/dashboard/applications/${props.appKey}/allow-list`}>allow-list</a>,
        once there is one.
      </p>
    </section>
  );
}
