/** Compiles the React and Vue components in docs/widget.md as printed, and runs them in sites with these frameworks. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileScript, parse } from 'vue/compiler-sfc';
import { codeAt, userToken } from '../support/authenticator.js';
import { root } from '../support/process.js';
import { scan } from '../support/qr.js';
import { freshMail } from '../support/service.js';
import { setUpSite, type WidgetPage } from '../support/site.js';

const fixture = setUpSite();
const page = readFileSync(join(root, 'docs/widget.md'), 'utf8');
const sample = (language: string): string =>
  page
    .match(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``))![1]!
    .replaceAll('https://otp.example', fixture.passbell.url);

/** The source of a site that renders the component with the props from `window.show()`, and records its results. */
const SITES: Record<string, () => string> = {
  // Strict mode runs every effect twice.
  React: () => `${sample('jsx')}
    import { StrictMode, useState } from 'react';
    import { createRoot } from 'react-dom/client';
    function Site() {
      const [shown, show] = useState(first);
      window.show = show;
      return shown && <TwoFactor {...shown} onResult={(result) => window.responses.push(result)} />;
    }
    const start = () => createRoot(document.getElementById('app')).render(<StrictMode><Site /></StrictMode>);
    addEventListener('DOMContentLoaded', start);`,

  Vue: () => {
    const { descriptor, errors } = parse(sample('vue'));
    expect(errors).toEqual([]);
    const component = compileScript(descriptor, { id: 'sample', inlineTemplate: true, genDefaultAs: 'TwoFactor' });
    return `${component.content}
      import * as Vue from 'vue';
      const shown = Vue.shallowRef(first);
      window.show = (next) => (shown.value = next);
      const onResult = (result) => window.responses.push(result);
      const render = () => shown.value && Vue.h(TwoFactor, { ...shown.value, key: shown.value.email, onResult });
      addEventListener('DOMContentLoaded', () => Vue.createApp({ render }).mount('#app'));`;
  },
};

const DEFINES = ['process.env.NODE_ENV="development"', '__VUE_OPTIONS_API__=false', '__VUE_PROD_DEVTOOLS__=false'];
DEFINES.push('__VUE_PROD_HYDRATION_MISMATCH_DETAILS__=false');

function bundle(source: string): string {
  const options = ['--bundle', '--loader=jsx', '--jsx=automatic', ...DEFINES.map((define) => `--define:${define}`)];
  const input = { input: source, cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 } as const;
  return execFileSync(join(root, 'node_modules/.bin/esbuild'), options, input);
}

interface ComponentProps {
  readonly appKey: string;
  readonly email: string;
  readonly userToken?: string;
}

/** Opens the site with the props of the first user. */
async function open(framework: string, first: ComponentProps): Promise<WidgetPage> {
  // Sites with Trusted Types need this policy for frameworks that set the URL of a script.
  const policy = `trustedTypes.createPolicy('default', { createScriptURL: (url) => url });`;
  const script = `${policy} window.responses = []; const first = ${JSON.stringify(first)};\n${bundle(SITES[framework]!())}`;
  return fixture.site.open({ body: '<div id="app"></div>', script });
}

const show = ({ page: tab }: WidgetPage, shown: ComponentProps | undefined) =>
  tab.evaluate((next) => (window as unknown as { show(shown: unknown): void }).show(next), shown);

const qrCode = ({ card }: WidgetPage) => card.getByRole('img', { name: /^QR code/ });

describe.each(Object.keys(SITES))('the sample in %s', (framework) => {
  it('shows the widget, reports its results, and shows a new widget for another user', async () => {
    const { appKey } = fixture.passbell.keys;
    const ana = freshMail();
    const bob = freshMail();
    const widget = await open(framework, { appKey, email: ana });
    const { pathname, searchParams } = await scan(qrCode(widget));
    expect(decodeURIComponent(pathname)).toContain(ana);
    await widget.press('Continue');
    await widget.type(codeAt(searchParams.get('secret')!, fixture.passbell.clock.now()));
    await widget.press('I have saved them');
    await widget.waitForView('Two-factor authentication is on');
    expect(await widget.responses()).toMatchObject([{ success: true, data: { IsTOtpVerified: true } }]);

    await show(widget, { appKey, email: bob });
    await qrCode(widget).waitFor();
    expect(decodeURIComponent((await scan(qrCode(widget))).pathname)).toContain(bob);

    await show(widget, undefined);
    await widget.card.waitFor({ state: 'detached' });
    expect(await widget.page.locator('#service-2fasdk, script[data-appkey]').count()).toBe(0);
    expect(widget.console.filter((line) => /^(error|uncaught)/.test(line))).toEqual([]);
  });

  it('passes the userToken to the widget', async () => {
    const { appKey, appSecret } = await fixture.passbell.application({ settings: { strictTwoFactor: true } });
    const email = freshMail();
    const token = userToken(appSecret, email, Math.floor(fixture.passbell.clock.now() / 1000) + 600);
    const widget = await open(framework, { appKey, email, userToken: token });
    await widget.waitForView('Set up two-factor authentication');
  });
});
