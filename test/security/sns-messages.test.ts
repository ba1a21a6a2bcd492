/** Messages of Amazon SNS: only Amazon's certificates are fetched, and only the topic of the provider is confirmed. */
import { readSnsMessage } from '../../backend/src/providers/email-api/sns.js';
import { createTestClock } from '../support/clock.js';
import { emailContext } from '../support/email-example.js';
import type { SnsMessage } from '../support/sns.js';
import {
  confirmation,
  notification,
  plainNotification,
  signed,
  SNS,
  SNS_CERTIFICATE,
  snsCallback,
  SUBSCRIBE_URL,
  TOPIC_ARN,
} from '../support/sns.js';

let number = 0;
/** Returns the URL of a certificate that has not been fetched yet. */
const freshCertificate = (): string => `${SNS}/SimpleNotificationService-${String(++number).padStart(32, '0')}.pem`;

/** Reads a message. Returns the result, and the URLs that were fetched. */
async function read(message: SnsMessage, topicArn = TOPIC_ARN) {
  const fetched: string[] = [];
  const fetchText = async (url: string) => {
    fetched.push(url);
    return SNS_CERTIFICATE;
  };
  const text = await readSnsMessage(snsCallback(message).body, topicArn, emailContext(), fetchText);
  return { text, fetched };
}

it.each(['1', '2'])(
  'a notification with a signature of version %s is read, and its certificate cached',
  async (version) => {
    const message = { ...notification('{"eventType":"Delivery"}'), SignatureVersion: version };
    const fresh = signed({ ...message, SigningCertURL: freshCertificate() });
    expect(await read(fresh)).toEqual({ text: '{"eventType":"Delivery"}', fetched: [fresh.SigningCertURL] });
    expect(await read(fresh)).toEqual({ text: '{"eventType":"Delivery"}', fetched: [] });
  },
);

it('a notification without a subject is read', async () => {
  expect((await read(signed(plainNotification('x')))).text).toBe('x');
});

it.each([
  'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
  'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
  'https://sns.eu-west-1.amazonaws.com.evil.example/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
  'https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
  'https://evil@sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
  'https://sns.s3-eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
  'https://sns.eu-west-1.amazonaws.com/evil/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
  'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem?x',
  'https://127.0.0.1/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
  'file:///etc/passwd',
  '',
])('no certificate is fetched from %j', async (SigningCertURL) => {
  expect(await read(signed({ ...notification('x'), SigningCertURL }))).toEqual({ text: undefined, fetched: [] });
});

it.each([
  ['Type', '__proto__'],
  ['Type', 'constructor'],
  ['SignatureVersion', 'constructor'],
])('a message whose %s is the name %s of an object is rejected without an error', async (field, name) => {
  const message = { ...notification('x'), [field]: name };
  expect(await read(message)).toEqual({ text: undefined, fetched: [] });
});

it('a subscription of the topic is confirmed once its signature is verified', async () => {
  await read(signed(notification('x')));
  expect(await read(signed(confirmation()))).toEqual({ text: '', fetched: [SUBSCRIBE_URL] });
  expect(await read({ ...confirmation(), Signature: 'AAAA' })).toEqual({ text: undefined, fetched: [] });
});

it.each([
  ['another host', SUBSCRIBE_URL.replace('sns.eu-west-1.amazonaws.com', 'evil.example')],
  ['http', SUBSCRIBE_URL.replace('https', 'http')],
  ['another action', SUBSCRIBE_URL.replace('ConfirmSubscription', 'DeleteTopic')],
  ['another topic', SUBSCRIBE_URL.replace(TOPIC_ARN, `${TOPIC_ARN}-2`)],
])('a subscription is not confirmed at a URL with %s', async (_name, url) => {
  await read(signed(notification('x')));
  expect(await read(signed(confirmation(url)))).toEqual({ text: undefined, fetched: [] });
});

it("another account's topic is rejected before anything is fetched", async () => {
  const message = { ...notification('x'), TopicArn: TOPIC_ARN.replace('123456789012', '210987654321') };
  const fresh = signed({ ...message, SigningCertURL: freshCertificate() });
  expect(await read(fresh)).toEqual({ text: undefined, fetched: [] });
});

it('an unsubscription and unknown types change nothing', async () => {
  expect((await read(signed({ ...confirmation(), Type: 'UnsubscribeConfirmation' }))).text).toBe('');
  expect((await read(signed({ ...notification('x'), Type: 'Other' }))).text).toBeUndefined();
});

it.each(['{"toString":1}', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, '1', 'null'])(
  'a message whose type is not a text is rejected: %.20s',
  async (type) => {
    const reading = readSnsMessage(Buffer.from(`{"Type":${type}}`), TOPIC_ARN, emailContext());
    await expect(reading).resolves.toBeUndefined();
  },
);

it('a certificate that cannot be fetched is an error, so that Amazon SNS repeats the request', async () => {
  const { body } = snsCallback(signed({ ...notification('x'), SigningCertURL: freshCertificate() }));
  const failing = async () => Promise.reject(new Error('no reply'));
  await expect(readSnsMessage(body, TOPIC_ARN, emailContext(), failing)).rejects.toThrow('no reply');
});

it('the certificate of a provider that is not the operator is not fetched from a private address', async () => {
  const addresses = { allowPrivate: false, resolve: async () => [{ address: '127.0.0.1', family: 4 }] };
  const { body } = snsCallback(signed({ ...notification('x'), SigningCertURL: freshCertificate() }));
  const fetching = readSnsMessage(body, TOPIC_ARN, emailContext({ addresses, clock: createTestClock() }));
  await expect(fetching).rejects.toMatchObject({ failure: 'rejectedAddress' });
});
