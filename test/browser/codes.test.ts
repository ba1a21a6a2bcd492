/** Entering correct and wrong codes into the built widget in a real browser. */
import { codeAt, createPage, newWrongCode, STEP } from '../support/authenticator.js';
import { scan } from '../support/qr.js';
import { freshMail, wrongCode } from '../support/service.js';
import { setUpSite, type Embedding, type WidgetPage } from '../support/site.js';
import { until } from '../support/wait.js';

const fixture = setUpSite();

const WRONG =
  'This code is incorrect or was already used. Enter the code that your app shows now, or wait for the next one.';

interface ReturningUser {
  readonly widget: WidgetPage;
  readonly identity: string;
  readonly recoveryCodes: string[];
  readonly code: () => string;
}

/** Enrolls a user, and then opens the widget again, which now asks for a code. */
async function openAsReturningUser(embedding: Embedding = {}): Promise<ReturningUser> {
  const identity = freshMail();
  const attributes = { 'data-appkey': fixture.passbell.keys.appKey, 'data-emailid': identity };
  const first = await fixture.site.open({ attributes });
  const secret = (await scan(first.card.getByRole('img', { name: /^QR code/ }))).searchParams.get('secret')!;
  const code = () => codeAt(secret, fixture.passbell.clock.now());
  await first.press('Continue');
  await first.type(code());
  await first.waitForView('Save your recovery codes');
  const recoveryCodes = await first.card.getByRole('listitem').allInnerTexts();
  fixture.passbell.clock.advance(STEP);
  const widget = await fixture.site.open({ attributes, ...embedding });
  return { widget, identity, recoveryCodes, code };
}

const codeField = ({ card }: WidgetPage) => card.getByRole('textbox');

async function paste({ page, card }: WidgetPage, text: string): Promise<void> {
  await page.evaluate((value) => navigator.clipboard.writeText(value), text);
  await card.getByRole('textbox').press('ControlOrMeta+v');
}

const CLIPBOARD_ACCESS = { context: { permissions: ['clipboard-read', 'clipboard-write'] } };

it('requests the numeric keyboard and one-time-code autofill on phones', async () => {
  const { widget } = await openAsReturningUser();
  const attributes = await codeField(widget).evaluate((input: HTMLInputElement) => [
    input.autocomplete,
    input.inputMode,
  ]);
  expect(attributes).toEqual(['one-time-code', 'numeric']);
});

it.each(['{3} {3}', ' {2}-{2}-{2}\n', 'code: {6}.'])('accepts a pasted code in the format %j', async (form) => {
  const { widget, code } = await openAsReturningUser(CLIPBOARD_ACCESS);
  let at = 0;
  const digits = code();
  await paste(
    widget,
    form.replace(/\{(\d)\}/g, (_all, count: string) => digits.slice(at, (at += Number(count)))),
  );
  await widget.waitForView('Two-factor authentication is on');
});

it('accepts digits from Arabic and Persian keyboards', async () => {
  const { widget, code } = await openAsReturningUser();
  const digits = [...code()].map((digit, index) => String.fromCharCode((index % 2 ? 0x660 : 0x6f0) + Number(digit)));
  await widget.type(digits.join(''));
  await widget.waitForView('Two-factor authentication is on');
});

it('shows that a code is wrong, notifies the page, and accepts the next code immediately', async () => {
  const { widget, code } = await openAsReturningUser();
  await widget.type(wrongCode(code()));
  await widget.card.getByRole('alert').getByText(WRONG).waitFor();
  expect(await widget.responses()).toEqual([{ success: false, message: 'Invalid OTP', code: 'INVALID_OTP' }]);
  expect(await codeField(widget).getAttribute('aria-invalid')).toBe('true');
  await widget.page.keyboard.type(code());
  await widget.waitForView('Two-factor authentication is on');
});

/** Counts the codes that the widget sends from now on. */
function countSentCodes({ page }: WidgetPage): () => number {
  let sent = 0;
  page.on('request', (request) => void (sent += Number(/\/verifyotp$/.test(request.url()))));
  return () => sent;
}

/** Waits until no code is being checked. */
const checked = ({ card }: WidgetPage) =>
  until('the end of the check', async () => (await card.locator('input[readonly]').count()) === 0);

/** Ways in which people and browsers send the code that is still in the field. */
const AGAIN: Record<string, (widget: WidgetPage, code: string) => Promise<unknown>> = {
  'presses Enter': (widget) => codeField(widget).press('Enter'),
  'double-clicks the button': ({ card }) => card.getByRole('button', { name: 'Check the code' }).dblclick(),
  'pastes it again, with a digit too many': (widget, code) => paste(widget, `${code}7`),
  // Password managers set the value, dispatch both events, and may submit the form.
  'lets a password manager fill it in': (widget, code) =>
    codeField(widget).evaluate((input: HTMLInputElement, value) => {
      input.value = value;
      for (const type of ['input', 'change']) input.dispatchEvent(new Event(type, { bubbles: true }));
      input.form!.requestSubmit();
    }, code),
};

it.each(Object.keys(AGAIN))('sends a wrong code only once if the user also %s', async (way) => {
  const { widget, code } = await openAsReturningUser(CLIPBOARD_ACCESS);
  const sent = countSentCodes(widget);
  const wrong = wrongCode(code());
  await widget.type(wrong);
  await widget.card.getByText(WRONG).waitFor();
  await AGAIN[way]!(widget, wrong);
  await checked(widget);
  await widget.card.getByText(WRONG).waitFor();
  expect(await codeField(widget).inputValue()).toBe(wrong);
  await widget.type(code());
  await widget.waitForView('Two-factor authentication is on');
  expect(sent()).toBe(2);
  expect((await widget.responses()).map(({ success }) => success)).toEqual([false, true]);
});

it('sends a code only once if the user presses Enter or clicks while it is checked', async () => {
  const { widget, code } = await openAsReturningUser();
  const sent = countSentCodes(widget);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await widget.page.route('**/verifyotp', async (route) => released.then(() => route.continue()));
  await widget.type(wrongCode(code()));
  await codeField(widget).press('Enter');
  await widget.card.getByRole('button', { name: 'Check the code' }).dblclick({ force: true });
  release();
  await widget.card.getByText(WRONG).waitFor();
  await widget.type(code());
  await widget.waitForView('Two-factor authentication is on');
  expect(sent()).toBe(2);
});

it('is not locked by four wrong codes that the user confirms with Enter', async () => {
  const { widget, code } = await openAsReturningUser();
  const sent = countSentCodes(widget);
  for (let step = 1; step <= 4; step++) {
    await codeField(widget).pressSequentially(wrongCode(code(), step));
    await codeField(widget).press('Enter');
    await until(`response ${step}`, async () => (await widget.responses()).length >= step);
    await checked(widget);
    await codeField(widget).press('Enter');
    await checked(widget);
  }
  await widget.type(code());
  await widget.waitForView('Two-factor authentication is on');
  expect(sent()).toBe(5);
});

it('sends a wrong recovery code only once', async () => {
  const { widget, recoveryCodes } = await openAsReturningUser();
  const sent = countSentCodes(widget);
  await widget.press('Use a recovery code');
  await codeField(widget).fill('AAAAA-AAAAA');
  await codeField(widget).press('Enter');
  await widget.card.getByText('This recovery code is incorrect or was already used.').waitFor();
  await codeField(widget).press('Enter');
  await checked(widget);
  await codeField(widget).fill(recoveryCodes[0]!);
  await codeField(widget).press('Enter');
  await widget.waitForView('Two-factor authentication is on');
  expect(sent()).toBe(2);
});

it('does not send an incomplete code', async () => {
  const { widget, code } = await openAsReturningUser();
  await widget.type(code().slice(0, 4));
  await codeField(widget).press('Enter');
  await widget.card.getByRole('alert').getByText('Enter the whole code.').waitFor();
  expect(await widget.responses()).toEqual([]);
});

it('rejects a used code', async () => {
  const { widget, code } = await openAsReturningUser();
  await widget.type(code());
  await widget.waitForView('Two-factor authentication is on');
  await widget.page.reload();
  await widget.type(code());
  await widget.card.getByText(WRONG).waitFor();
});

it('shows a countdown after five wrong codes, and accepts codes again when it ends', async () => {
  const { widget, code } = await openAsReturningUser({ before: (page) => page.clock.install() });
  for (let step = 1; step <= 5; step++) {
    await widget.type(wrongCode(code(), step));
    if (step < 5) await widget.card.getByText(WRONG).waitFor();
    const isReported = async () => (await widget.responses()).length >= step;
    await until(`response ${step}`, isReported, () => widget.page.clock.runFor(1));
  }
  await widget.type(code());
  await widget.waitForView('Too many attempts');
  const [last] = (await widget.responses()).slice(-1);
  expect(last).toMatchObject({ success: false, code: 'OTP_LOCKED', retryAfterSeconds: 900 });
  const timer = widget.card.getByRole('timer');
  expect(await timer.innerText()).toBe('15:00');
  await widget.page.clock.runFor(1000);
  expect(await timer.innerText()).toBe('14:59');

  fixture.passbell.clock.advance(900_000);
  await widget.page.clock.fastForward(899_000);
  await widget.waitForView('Two-factor authentication');
  await widget.type(code());
  await widget.waitForView('Two-factor authentication is on');
});

it('accepts a recovery code during a lock', async () => {
  const { widget, recoveryCodes, code } = await openAsReturningUser();
  for (let step = 1; step <= 5; step++) {
    await widget.type(wrongCode(code(), step));
    await until(`response ${step}`, async () => (await widget.responses()).length >= step);
  }
  await widget.type(code());
  await widget.waitForView('Too many attempts');
  await widget.press('Use a recovery code');
  await codeField(widget).fill(recoveryCodes[0]!);
  await widget.press('Check the code');
  await widget.waitForView('Two-factor authentication is on');
});

it('asks for a recovery code when other people have used up all attempts', async () => {
  const { widget, identity, recoveryCodes, code } = await openAsReturningUser();
  const anonymousCaller = createPage(fixture.passbell, identity, { browser: null });
  for (let tries = 0; tries < 100; tries++) {
    const reply = await anonymousCaller.verify(newWrongCode());
    if (reply.code === 'TWO_FACTOR_BLOCKED') break;
    if (reply.code === 'OTP_LOCKED') fixture.passbell.clock.advance(reply.retryAfterSeconds * 1000);
  }
  await widget.type(code());
  await widget.card.getByText('Too many attempts. Enter one of your saved recovery codes.').waitFor();
  expect(await widget.responses()).toMatchObject([{ success: false, code: 'TWO_FACTOR_BLOCKED' }]);
  await widget.press('Use a recovery code');
  await codeField(widget).fill(recoveryCodes[0]!);
  await widget.press('Check the code');
  await widget.waitForView('Two-factor authentication is on');
});

it('accepts a recovery code once, in any format', async () => {
  const { widget, recoveryCodes } = await openAsReturningUser();
  const spelled = recoveryCodes[3]!.toLowerCase().replace('-', ' ');
  await widget.press('Use a recovery code');
  await codeField(widget).fill(` ${spelled} `);
  await widget.press('Check the code');
  await widget.waitForView('Two-factor authentication is on');
  await widget.card.getByText('Recovery codes left: 9').waitFor();
  await widget.press('Turn off');
  await widget.press('Keep it on');
  await widget.card.getByText('Recovery codes left: 9').waitFor();
  expect(await widget.responses()).toMatchObject([{ success: true, data: { recoveryCodesLeft: 9 } }]);

  await widget.page.reload();
  await widget.press('Use a recovery code');
  await widget.press('Check the code');
  await widget.card.getByText('Enter the whole code.').waitFor();
  await widget.press('Back');
  await widget.press('Use a recovery code');
  await codeField(widget).fill(recoveryCodes[3]!);
  await codeField(widget).press('Enter');
  await widget.card.getByText('This recovery code is incorrect or was already used.').waitFor();
});
