/** Failures of the widget, which are reported to the user, to the page and in the console. */
import { codeAt, userToken } from '../support/authenticator.js';
import { scan } from '../support/qr.js';
import { freshMail } from '../support/service.js';
import { setUpSite, type Embedding } from '../support/site.js';

const fixture = setUpSite();

const attributes = (changed: Record<string, string> = {}) => ({
  'data-appkey': fixture.passbell.keys.appKey,
  'data-emailid': freshMail(),
  ...changed,
});

const API = '**/api/v1/authserviceclient/**';
const NOT_AVAILABLE = 'Not available on this page';
const ENROL_TITLE = 'Set up two-factor authentication';

describe('a misconfigured page', () => {
  const cases: [string, Record<string, string>, { code: string; line: RegExp }][] = [
    ['no App Key', { 'data-appkey': '' }, { code: 'MISSING_PARAMETERS', line: /has no data-appkey$/ }],
    ['no email address', { 'data-emailid': ' ' }, { code: 'MISSING_PARAMETERS', line: /has no data-emailid$/ }],
    ['a wrong App Key', { 'data-appkey': 'pk_wrong' }, { code: 'INVALID_CREDENTIALS', line: /INVALID_CREDENTIALS/ }],
    [
      'an invalid email address',
      { 'data-emailid': 'ana' },
      { code: 'INVALID_PARAMETER', line: /must be an email address/ },
    ],
    ['a forged user token', { 'data-usertoken': 'x' }, { code: 'INVALID_USER_TOKEN', line: /INVALID_USER_TOKEN/ }],
  ];
  it.each(cases)('receives an error: %s', async (_name, changed, { code, line }) => {
    const widget = await fixture.site.open({ attributes: attributes(changed) });
    await widget.waitForView(NOT_AVAILABLE);
    expect(await widget.card.getByRole('button').count()).toBe(0);
    expect(await widget.responses()).toMatchObject([{ success: false, code }]);
    expect(widget.console).toContainEqual(expect.stringMatching(line));
  });

  it('receives an error for an inactive application', async () => {
    const { appKey } = await fixture.passbell.application({ status: 'inactive' });
    const widget = await fixture.site.open({ attributes: attributes({ 'data-appkey': appKey }) });
    await widget.waitForView(NOT_AVAILABLE);
    expect(await widget.responses()).toMatchObject([{ success: false, code: 'APPLICATION_INACTIVE' }]);
  });

  it('receives an error for an application whose widget is turned off', async () => {
    const { appKey } = await fixture.passbell.application({ settings: { twoFactorWidget: false } });
    const widget = await fixture.site.open({ attributes: attributes({ 'data-appkey': appKey }) });
    await widget.waitForView(NOT_AVAILABLE);
    expect(await widget.responses()).toMatchObject([{ success: false, code: 'WIDGET_OFF' }]);
  });

  it('cannot read the reply if it is not on the allow-list, and the console message explains what to check', async () => {
    const { appKey } = await fixture.passbell.application({
      settings: { authorizedEndpoints: ['https://shop.example'] },
    });
    const widget = await fixture.site.open({ attributes: attributes({ 'data-appkey': appKey }) });
    await widget.card.getByText('The service cannot be reached.').waitFor();
    expect(await widget.responses()).toMatchObject([{ success: false, code: 'UNREACHABLE' }]);
    expect(widget.console.join('\n')).toContain(`allow-list contains ${fixture.site.url}`);
  });
});

/** The type of `window.trustedTypes`, which TypeScript's DOM types lack. */
interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): string };
}

describe('the container', () => {
  it('may come after the script tag', async () => {
    const widget = await fixture.site.open({
      attributes: attributes(),
      body: '{widget}<div id="service-2fasdk"></div>',
    });
    await widget.waitForView(ENROL_TITLE);
    expect(widget.console).toEqual([]);
  });

  it('may be created later by a framework', async () => {
    const script = `window.responses = []; addEventListener('load', () => requestAnimationFrame(() => {
      const late = document.createElement('div'); late.id = 'service-2fasdk'; document.body.append(late); }));`;
    const widget = await fixture.site.open({ attributes: attributes(), body: '{widget}', script });
    await widget.waitForView(ENROL_TITLE);
    expect(widget.console).toEqual([]);
  });

  it('is created at the script tag if it is missing, with a console message', async () => {
    const widget = await fixture.site.open({ attributes: attributes(), body: '<p id="before"></p>{widget}' });
    await widget.waitForView(ENROL_TITLE);
    expect(await widget.page.locator('main > #before ~ #service-2fasdk').count()).toBe(1);
    expect(widget.console).toContainEqual(expect.stringContaining('no element with the id "service-2fasdk"'));
  });

  it('is created after an element that cannot contain the widget', async () => {
    const widget = await fixture.site.open({ attributes: attributes(), body: '<input id="service-2fasdk">{widget}' });
    await widget.page.getByRole('heading', { name: ENROL_TITLE }).waitFor();
    expect(widget.console).toContainEqual(expect.stringContaining('Use a <div> instead'));
  });
});

it('a new container gets a new widget, as in single-page applications', async () => {
  const widget = await fixture.site.open({ attributes: attributes() });
  await widget.waitForView(ENROL_TITLE);
  await widget.press('Continue');
  await widget.page.evaluate(() => {
    const container = document.getElementById('service-2fasdk')!;
    const tag = document.querySelector<HTMLScriptElement>('script[data-appkey]')!;
    container.replaceWith(container.cloneNode());
    const again = document.createElement('script');
    Object.assign(again.dataset, tag.dataset, { language: 'de' });
    const { trustedTypes } = window as unknown as { trustedTypes: TrustedTypes };
    const policy = trustedTypes.createPolicy('site', { createScriptURL: String });
    again.src = policy.createScriptURL(tag.src);
    tag.replaceWith(again);
  });
  await widget.waitForView('Zwei-Faktor-Authentifizierung einrichten');
  expect(widget.console).toEqual([]);
});

it('two script tags create one widget', async () => {
  const widget = await fixture.site.open({
    attributes: attributes(),
    body: '<div id="service-2fasdk"></div>{widget}{widget}',
  });
  await widget.waitForView(ENROL_TITLE);
  expect(await widget.page.getByRole('heading', { name: ENROL_TITLE }).count()).toBe(1);
  expect(widget.console).toContainEqual(expect.stringContaining('includes the script twice'));
});

describe('window.serviceResponse', () => {
  /** Completes an enrollment. */
  async function enroll(embedding: Embedding) {
    const widget = await fixture.site.open({ attributes: attributes(), ...embedding });
    const { searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
    await widget.press('Continue');
    await widget.type(codeAt(searchParams.get('secret')!, fixture.passbell.clock.now()));
    await widget.press('I have saved them');
    await widget.waitForView('Two-factor authentication is on');
    return widget;
  }

  it.each(['', 'window.serviceResponse = 1;'])(
    'is reported in the console if it is not a function (%j)',
    async (script) => {
      const widget = await enroll({ script });
      expect(widget.console).toContainEqual(expect.stringContaining('window.serviceResponse is not a function'));
    },
  );

  it('is reported in the console if it throws, and the widget continues', async () => {
    const widget = await enroll({ script: 'window.serviceResponse = () => { throw new Error("mine"); };' });
    expect(widget.console).toContainEqual(expect.stringMatching(/window\.serviceResponse threw.*mine/));
    await widget.press('Turn off');
    await widget.waitForView('Turn off two-factor authentication?');
  });
});

describe('a network failure', () => {
  it('while the widget loads can be retried', async () => {
    const widget = await fixture.site.open({
      attributes: attributes(),
      before: (page) => page.route(API, (r) => r.abort()),
    });
    await widget.card.getByText('The service cannot be reached.').waitFor();
    expect(await widget.responses()).toMatchObject([{ success: false, code: 'UNREACHABLE' }]);
    await widget.page.unroute(API);
    await widget.press('Try again');
    await widget.waitForView(ENROL_TITLE);
  });

  it('while a code is checked returns the user to the code field', async () => {
    const widget = await fixture.site.open({ attributes: attributes() });
    const { searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
    const code = codeAt(searchParams.get('secret')!, fixture.passbell.clock.now());
    await widget.press('Continue');
    await widget.page.route(API, (route) => route.abort());
    await widget.type(code);
    await widget.card.getByText('The service cannot be reached.').waitFor();
    await widget.page.unroute(API);
    await widget.press('Try again');
    await widget.type(code);
    await widget.waitForView('Save your recovery codes');
  });

  it.each([
    [
      'a reply of another server, such as a captive portal',
      'text/html',
      '<!doctype html><title>Sign in to the hotel</title>',
    ],
    ['a reply with unknown JSON', 'application/json', '{"answer": 42}'],
  ])('is also reported for %s', async (_name, contentType, body) => {
    const headers = { 'Access-Control-Allow-Origin': '*' };
    const widget = await fixture.site.open({
      attributes: attributes(),
      before: (page) => page.route(API, (route) => route.fulfill({ contentType, body, headers })),
    });
    await widget.card.getByText('The service cannot be reached.').waitFor();
  });
});

it('an internal error of the service can be retried', async () => {
  const body = JSON.stringify({ success: false, message: 'internal error', code: 'INTERNAL_ERROR' });
  const widget = await fixture.site.open({
    attributes: attributes(),
    before: (page) =>
      page.route(API, (route) => route.fulfill({ body, headers: { 'Access-Control-Allow-Origin': '*' } })),
  });
  await widget.card.getByText('There is a problem on our side.').waitFor();
  await widget.page.unroute(API);
  await widget.press('Try again');
  await widget.waitForView(ENROL_TITLE);
});

it('an expired userToken makes the widget ask the user to sign in again', async () => {
  const identity = freshMail();
  const old = userToken(fixture.passbell.keys.appSecret, identity, Math.floor(fixture.passbell.clock.now() / 1000) - 1);
  const widget = await fixture.site.open({
    attributes: attributes({ 'data-emailid': identity, 'data-usertoken': old }),
  });
  await widget.card.getByText('Reload it or sign in again.').waitFor();
  expect(await widget.responses()).toMatchObject([{ success: false, code: 'USER_TOKEN_EXPIRED' }]);
});
