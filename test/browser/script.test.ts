/** The widget script as it is served, and the demo page. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { WIDGET_TEXTS } from '../../backend/src/platform/contract/generated/widget.js';
import { gzipSync } from 'node:zlib';
import { codeAt } from '../support/authenticator.js';
import { findings } from '../support/axe.js';
import { scan } from '../support/qr.js';
import { setUpSite } from '../support/site.js';

const fixture = setUpSite();

const get = (headers: Record<string, string> = {}, path = 'auth-2fasdk.js') =>
  fetch(`${fixture.passbell.url}/js/v1/${path}`, { headers });

const MAX_COMPRESSED_BYTES = 12_000;

describe('the script', () => {
  it('has at most 12 kB when compressed, together with the texts of any language', async () => {
    const bytes = Buffer.from(await (await get({ 'Accept-Encoding': 'identity' })).arrayBuffer());
    const languages = Object.values(WIDGET_TEXTS).map((texts) => gzipSync(JSON.stringify(texts)).length);
    expect(gzipSync(bytes).length + Math.max(...languages)).toBeLessThanOrEqual(MAX_COMPRESSED_BYTES);
    for (const encoding of ['gzip', 'br']) {
      const reply = await get({ 'Accept-Encoding': encoding });
      expect([reply.headers.get('content-encoding'), reply.headers.get('vary')]).toEqual([encoding, 'Accept-Encoding']);
      expect(Number(reply.headers.get('content-length'))).toBeLessThanOrEqual(MAX_COMPRESSED_BYTES);
      expect(Buffer.from(await reply.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });

  it('may be loaded by any origin, even with an integrity hash, and is cached briefly', async () => {
    const { status, headers } = await get();
    expect(status).toBe(200);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'cache-control': 'public, max-age=300',
    });
    expect(headers.get('access-control-allow-credentials')).toBeNull();
    expect((await get({ 'If-None-Match': headers.get('etag')! })).status).toBe(304);
  });

  it('contains the current version of each language, whose texts any origin may load and cache forever', async () => {
    const source = await (await get()).text();
    for (const [language, texts] of Object.entries(WIDGET_TEXTS)) {
      const [, version] = source.match(new RegExp(`\\b${language}:"([\\w-]{8})"`))!;
      const reply = await get({ 'Accept-Encoding': 'br' }, `auth-2fasdk/${language}.json?v=${version}`);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'content-encoding': 'br',
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(await reply.json()).toEqual(texts);
    }
  });

  it('of another release gets the current texts, which are cached briefly', async () => {
    for (const query of ['', '?v=', '?v=00000000', '?v[]=1']) {
      const reply = await get({}, `auth-2fasdk/de.json${query}`);
      expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    }
    expect((await get({}, 'auth-2fasdk/tlh.json')).status).toBe(404);
  });

  it('works under a strict content security policy, and stores a single secret', async () => {
    const source = await (await get()).text();
    expect(source).toMatch(/^"use strict";\(\(\)=>\{[\s\S]*\}\)\(\);\s*$/);
    expect(source).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|\bimport\(/,
    );
    expect(source).not.toMatch(/sessionStorage|document\.cookie/);
    const stored = source.match(/localStorage\.\w+\((\w+)/g);
    expect(stored).toEqual([expect.stringContaining('getItem('), expect.stringContaining('setItem(')]);
  });
});

describe('the demo page', () => {
  it('embeds the widget under the strictest policy, and shows its responses with shortened tokens', async () => {
    const page = await fixture.browser.newPage({ permissions: ['clipboard-read', 'clipboard-write'] });
    const lines: string[] = [];
    page.on('console', (message) => void lines.push(message.text()));
    const logoUrl = 'https://shop.example/logo.svg';
    await fixture.passbell.core.applications.service.update(OPERATOR, fixture.passbell.keys.appKey, {
      design: { logoUrl },
    });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>';
    await page.route(logoUrl, (route) => route.fulfill({ contentType: 'image/svg+xml', body: svg }));
    const reply = await page.goto(`${fixture.passbell.url}/demo/two-factor?email=eve%40example.com`);
    expect(reply!.headers()['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
    expect(reply!.headers()['x-frame-options']).toBe('DENY');
    const { searchParams, pathname } = await scan(page.locator('#service-2fasdk canvas'));
    expect(decodeURIComponent(pathname)).toContain('eve@example.com');
    await page.locator('#service-2fasdk img.logo').waitFor();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('textbox', { name: 'Six-digit code' }).pressSequentially('000000');
    await page.getByRole('log').getByText('INVALID_OTP').waitFor();
    const code = codeAt(searchParams.get('secret')!, fixture.passbell.clock.now());
    await page.getByRole('textbox', { name: 'Six-digit code' }).pressSequentially(code);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    const log = page.getByRole('log').getByText('"success": true');
    await log.waitFor();
    expect(await log.innerText()).toMatch(/"token": "[^"]{12}…"/);
    await page.getByRole('button', { name: 'Copy token' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const token = await page.evaluate('navigator.clipboard.readText()');
    const { success } = await fixture.passbell.post('/auth/verifytoken', { token, purpose: 'two-factor' });
    expect(success).toBe(true);
    expect(await findings(page)).toEqual([]);
    expect(lines.filter((line) => !line.includes('INVALID_OTP'))).toEqual([]);
    await page.close();
  });

  it('is unavailable without the dev inbox', async () => {
    fixture.passbell = await fixture.passbell.restart({ DEV_INBOX: 'off' });
    expect((await fetch(`${fixture.passbell.url}/demo/two-factor`)).status).toBe(404);
  });
});
