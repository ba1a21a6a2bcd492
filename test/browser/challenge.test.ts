/** `/js/v1/challenge.js`: solves challenges in a real browser, on a site with another origin. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { failure } from '../../backend/src/platform/contract/errors.js';
import type { Schemas } from '../../backend/src/platform/contract/schemas.js';
import { setUpSite } from '../support/site.js';

const fixture = setUpSite();

/** A site without a content security policy: the policy of the other one allows no scripts of vendors. */
const plainSite = {
  url: '',
  server: createServer((_request, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><p>Shop');
  }),
};
beforeAll(async () => {
  await new Promise<void>((resolve) => plainSite.server.listen(0, '127.0.0.1', resolve));
  const { port } = plainSite.server.address() as AddressInfo;
  plainSite.url = `http://127.0.0.1:${port}`;
});
afterAll(() => plainSite.server.close());

const MAX_COMPRESSED_BYTES = 1500;

const scriptUrl = () => `${fixture.passbell.url}/js/v1/challenge.js`;

/** Solves the challenge in the page, like a site's own script. */
const solveIn = (page: Page, challenge: unknown): Promise<string> =>
  page.evaluate(async ([url, given]) => (await import(url as string)).solveChallenge(given), [
    scriptUrl(),
    challenge,
  ] as const);

it('is small, and may be loaded by any origin', async () => {
  const response = await fetch(scriptUrl(), { headers: { 'Accept-Encoding': 'identity' } });
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'access-control-allow-origin': '*',
    'cache-control': 'public, max-age=300',
  });
  expect(gzipSync(Buffer.from(await response.arrayBuffer())).length).toBeLessThanOrEqual(MAX_COMPRESSED_BYTES);
});

it('solves ALTCHA under a strict content security policy', async () => {
  const { passbell, site } = fixture;
  const { appKey } = await passbell.application({ challenge: { kind: 'altcha' } });
  const application = await passbell.core.applications.service.load(appKey);
  const { challenge } = failure(await passbell.core.challenges.challengeRequired(application));
  const { page, console } = await site.open({ body: '' });
  const answer = await solveIn(page, challenge);
  expect(answer.length).toBeLessThan(1024);
  expect(await passbell.core.challenges.verify(application, { challenge: answer })).toBe(true);
  expect(console).toEqual([]);
});

describe.each<[Schemas['Challenge']['kind'], string]>([
  [
    'turnstile',
    'https://challenges.cloudflare.com/turnstile/v0/api.js?render=explicit&onload=passbellLoaded_turnstile',
  ],
  ['hcaptcha', 'https://js.hcaptcha.com/1/api.js?render=explicit&onload=passbellLoaded_hcaptcha'],
])('%s', (kind, vendorScript) => {
  /** Opens a page on which a stand-in for the vendor's widget is a button, whose click has this result. */
  async function open(click: string): Promise<{ page: Page; loads: string[] }> {
    const loads: string[] = [];
    const { page } = await fixture.site.open({
      body: '',
      async before(opened) {
        await opened.route(/cloudflare|hcaptcha/, (route) => {
          loads.push(route.request().url());
          const body = `window.${kind} = { render(place, options) {
            place.innerHTML = '<button>' + options.sitekey + '</button>';
            place.firstChild.onclick = () => { ${click} };
          } };
          window.passbellLoaded_${kind}();`;
          return route.fulfill({ contentType: 'text/javascript', body });
        });
      },
    });
    await page.goto(plainSite.url);
    return { page, loads };
  }

  it("shows the vendor's widget until it is solved, and loads its script once", async () => {
    const { page, loads } = await open("options.callback('token-1')");
    for (let time = 0; time < 2; time++) {
      const answer = solveIn(page, { kind, siteKey: 'site-1' });
      await page.getByRole('button', { name: 'site-1' }).click();
      expect(await answer).toBe('token-1');
      expect(await page.getByRole('button').count()).toBe(0);
    }
    expect(loads).toEqual([vendorScript]);
  });

  it('fails if the widget fails', async () => {
    const { page } = await open("options['error-callback']()");
    const failed = expect(solveIn(page, { kind, siteKey: 'site-1' })).rejects.toThrow('failed');
    await page.getByRole('button', { name: 'site-1' }).click();
    await failed;
    expect(await page.getByRole('button').count()).toBe(0);
  });
});
