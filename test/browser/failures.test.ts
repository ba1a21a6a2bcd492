/** What keeps the widget from working is said to the person, to the page and in the console. */
import { codeAt, userToken } from '../support/authenticator.js';
import { scan } from '../support/qr.js';
import { freshMail } from '../support/service.js';
import { setStage, type Embedding } from '../support/site.js';

const stage = setStage();

const attributes = (changed: Record<string, string> = {}) => ({
  'data-appkey': stage.passbell.keys.appKey,
  'data-emailid': freshMail(),
  ...changed,
});

const API = '**/api/v1/authserviceclient/**';
const NOT_HERE = 'Not available on this page';
const ENROL = 'Set up two-factor authentication';

describe('a page that is not set up', () => {
  const cases: [string, Record<string, string>, { code: string; line: RegExp }][] = [
    ['no App Key', { 'data-appkey': '' }, { code: 'MISSING_PARAMETERS', line: /has no data-appkey$/ }],
    ['no e-mail', { 'data-emailid': ' ' }, { code: 'MISSING_PARAMETERS', line: /has no data-emailid$/ }],
    ['a wrong App Key', { 'data-appkey': 'pk_wrong' }, { code: 'INVALID_CREDENTIALS', line: /INVALID_CREDENTIALS/ }],
    ['no e-mail address', { 'data-emailid': 'ana' }, { code: 'INVALID_PARAMETER', line: /must be an e-mail address/ }],
    ['a forged user token', { 'data-usertoken': 'x' }, { code: 'INVALID_USER_TOKEN', line: /INVALID_USER_TOKEN/ }],
  ];
  it.each(cases)('with %s says so', async (_name, changed, { code, line }) => {
    const widget = await stage.site.open({ attributes: attributes(changed) });
    await widget.shows(NOT_HERE);
    expect(await widget.card.getByRole('button').count()).toBe(0);
    expect(await widget.heard()).toMatchObject([{ success: false, code }]);
    expect(widget.console).toContainEqual(expect.stringMatching(line));
  });

  it('of an inactive application says so', async () => {
    const { appKey } = await stage.passbell.application({ status: 'inactive' });
    const widget = await stage.site.open({ attributes: attributes({ 'data-appkey': appKey }) });
    await widget.shows(NOT_HERE);
    expect(await widget.heard()).toMatchObject([{ success: false, code: 'APPLICATION_INACTIVE' }]);
  });

  it('which the application does not list gets no answer that it can read, and the console says what to check', async () => {
    const { appKey } = await stage.passbell.application({
      settings: { authorizedEndpoints: ['https://shop.example'] },
    });
    const widget = await stage.site.open({ attributes: attributes({ 'data-appkey': appKey }) });
    await widget.card.getByText('The service cannot be reached.').waitFor();
    expect(await widget.heard()).toMatchObject([{ success: false, code: 'UNREACHABLE' }]);
    expect(widget.console.join('\n')).toContain(`allow-list have ${stage.site.url}`);
  });
});

/** Part of what TypeScript's types of the browser do not have yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): string };
}

describe('the container', () => {
  it('may come after the script tag', async () => {
    const widget = await stage.site.open({ attributes: attributes(), body: '{widget}<div id="service-2fasdk"></div>' });
    await widget.shows(ENROL);
    expect(widget.console).toEqual([]);
  });

  it('may be made by a framework later', async () => {
    const script = `window.heard = []; addEventListener('load', () => requestAnimationFrame(() => {
      const late = document.createElement('div'); late.id = 'service-2fasdk'; document.body.append(late); }));`;
    const widget = await stage.site.open({ attributes: attributes(), body: '{widget}', script });
    await widget.shows(ENROL);
    expect(widget.console).toEqual([]);
  });

  it('is made where the tag stands when there is none, and the console says so', async () => {
    const widget = await stage.site.open({ attributes: attributes(), body: '<p id="before"></p>{widget}' });
    await widget.shows(ENROL);
    expect(await widget.page.locator('main > #before ~ #service-2fasdk').count()).toBe(1);
    expect(widget.console).toContainEqual(expect.stringContaining('no element with the id "service-2fasdk"'));
  });

  it('that cannot hold the widget is followed by one that can', async () => {
    const widget = await stage.site.open({ attributes: attributes(), body: '<input id="service-2fasdk">{widget}' });
    await widget.page.getByRole('heading', { name: ENROL }).waitFor();
    expect(widget.console).toContainEqual(expect.stringContaining('make it a <div>'));
  });
});

it('makes a new widget in a new container, as pages do that change without loading', async () => {
  const widget = await stage.site.open({ attributes: attributes() });
  await widget.shows(ENROL);
  await widget.press('Continue');
  await widget.page.evaluate(() => {
    const container = document.getElementById('service-2fasdk')!;
    const tag = document.querySelector<HTMLScriptElement>('script[data-appkey]')!;
    container.replaceWith(container.cloneNode());
    const again = document.createElement('script');
    Object.assign(again.dataset, tag.dataset, { language: 'de' });
    const { trustedTypes } = window as unknown as { trustedTypes: TrustedTypes };
    const policy = trustedTypes.createPolicy('site', { createScriptURL: (url: string) => url });
    again.src = policy.createScriptURL(tag.src);
    tag.replaceWith(again);
  });
  await widget.shows('Zwei-Faktor-Anmeldung einrichten');
  expect(widget.console).toEqual([]);
});

it('makes one widget of two script tags', async () => {
  const widget = await stage.site.open({
    attributes: attributes(),
    body: '<div id="service-2fasdk"></div>{widget}{widget}',
  });
  await widget.shows(ENROL);
  expect(await widget.page.getByRole('heading', { name: ENROL }).count()).toBe(1);
  expect(widget.console).toContainEqual(expect.stringContaining('on this page twice'));
});

describe('the page’s function', () => {
  /** Through an enrolment to its end. */
  async function enrol(embedding: Embedding) {
    const widget = await stage.site.open({ attributes: attributes(), ...embedding });
    const { searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
    await widget.press('Continue');
    await widget.type(codeAt(searchParams.get('secret')!, stage.passbell.clock.now()));
    await widget.press('I have saved them');
    await widget.shows('Two-factor authentication is on');
    return widget;
  }

  it.each(['', 'window.serviceResponse = 1;'])('that is none (%j) is told to the developer', async (script) => {
    const widget = await enrol({ script });
    expect(widget.console).toContainEqual(expect.stringContaining('window.serviceResponse is not a function'));
  });

  it('that throws is told to the developer, and the person goes on', async () => {
    const widget = await enrol({ script: 'window.serviceResponse = () => { throw new Error("mine"); };' });
    expect(widget.console).toContainEqual(expect.stringMatching(/window\.serviceResponse threw.*mine/));
    await widget.press('Turn off');
    await widget.shows('Turn off two-factor authentication?');
  });
});

describe('a network that drops', () => {
  it('at the start can be tried again', async () => {
    const widget = await stage.site.open({
      attributes: attributes(),
      before: (page) => page.route(API, (r) => r.abort()),
    });
    await widget.card.getByText('The service cannot be reached.').waitFor();
    expect(await widget.heard()).toMatchObject([{ success: false, code: 'UNREACHABLE' }]);
    await widget.page.unroute(API);
    await widget.press('Try again');
    await widget.shows(ENROL);
  });

  it('while a code is judged leads back to the code', async () => {
    const widget = await stage.site.open({ attributes: attributes() });
    const { searchParams } = await scan(widget.card.getByRole('img', { name: /^QR code/ }));
    const code = codeAt(searchParams.get('secret')!, stage.passbell.clock.now());
    await widget.press('Continue');
    await widget.page.route(API, (route) => route.abort());
    await widget.type(code);
    await widget.card.getByText('The service cannot be reached.').waitFor();
    await widget.page.unroute(API);
    await widget.press('Try again');
    await widget.type(code);
    await widget.shows('Save your recovery codes');
  });

  it.each([
    ['something else than this service', 'text/html', '<!doctype html><title>Sign in to the hotel</title>'],
    ['something that is no reply', 'application/json', '{"answer": 42}'],
  ])('to which %s answers is the same', async (_name, contentType, body) => {
    const headers = { 'Access-Control-Allow-Origin': '*' };
    const widget = await stage.site.open({
      attributes: attributes(),
      before: (page) => page.route(API, (route) => route.fulfill({ contentType, body, headers })),
    });
    await widget.card.getByText('The service cannot be reached.').waitFor();
  });
});

it('says that it is not the person’s fault when the service fails', async () => {
  const body = JSON.stringify({ success: false, message: 'internal error', code: 'INTERNAL_ERROR' });
  const widget = await stage.site.open({
    attributes: attributes(),
    before: (page) =>
      page.route(API, (route) => route.fulfill({ body, headers: { 'Access-Control-Allow-Origin': '*' } })),
  });
  await widget.card.getByText('Something is wrong on our side.').waitFor();
  await widget.page.unroute(API);
  await widget.press('Try again');
  await widget.shows(ENROL);
});

it('asks to sign in again when the user token is too old', async () => {
  const identity = freshMail();
  const old = userToken(stage.passbell.keys.appSecret, identity, Math.floor(stage.passbell.clock.now() / 1000) - 1);
  const widget = await stage.site.open({ attributes: attributes({ 'data-emailid': identity, 'data-usertoken': old }) });
  await widget.card.getByText('Reload it or sign in again.').waitFor();
  expect(await widget.heard()).toMatchObject([{ success: false, code: 'USER_TOKEN_EXPIRED' }]);
});
