/** The provider's page shows the address for replies such as STOP, to owners, and only if the provider passes them on. */
import { OPERATOR } from '../../backend/src/modules/access/actor.js';
import { signIn } from '../support/dashboard.js';
import { accountOf, VERIFIED } from '../support/providers.js';
import { PRESET_EXAMPLES } from '../support/preset-examples.js';
import { freshMail, startService, type TestService } from '../support/service.js';

let passbell: TestService;
beforeAll(async () => {
  passbell = await startService({ BASE_URL: 'http://otp.example', DEV_INBOX: 'force' });
});
afterAll(() => passbell.stop());

it.each([
  [
    'plivo',
    'You have nothing to set up: Plivo gets the address for delivery reports with each message.',
    'In Plivo, open the application of your number, and enter this address',
  ],
  [
    'bird',
    'In Bird, add this address as a webhook, and select the events of sent SMS',
    'In Bird, add this address as a webhook, and select the event sms.received.',
  ],
  ['msg91', 'In MSG91, ', undefined],
])('the page of %s', async (type, reportsHelp, repliesHelp) => {
  const owner = await signIn(passbell, 'owner', { email: freshMail() });
  const request = { type, name: type, settings: PRESET_EXAMPLES[type]!.settings };
  const { id } = await passbell.core.providers.service.add(OPERATOR, await accountOf(passbell), request, VERIFIED);
  const { html } = await owner.get(`/channels/providers/${id}`);
  expect(html).toContain(reportsHelp);
  const isShown = repliesHelp !== undefined;
  expect(html.includes('Replies such as STOP')).toBe(isShown);
  expect(html.includes(`http://otp.example/callbacks/provider/${id}/-/inbound?key=`)).toBe(isShown);
  if (isShown) expect(html).toContain(repliesHelp);
});
