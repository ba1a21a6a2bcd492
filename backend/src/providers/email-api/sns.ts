/** Receives messages of Amazon SNS topics: verifies their signatures, and confirms the subscription. */
import { verify, X509Certificate, type KeyObject } from 'node:crypto';
import { parseJsonObject } from '../../platform/json.js';
import { createExchange } from '../../platform/http/exchange.js';
import { parseUrl } from '../../platform/url.js';
import { matching, optional } from '../provider-field.js';
import type { ProviderContext, ProviderField } from '../provider-type.js';
import { isRecent } from './preset.js';

/** The groups are the partition and the region. */
const TOPIC_ARN = /^arn:(aws|aws-cn|aws-us-gov):sns:([a-z]{2}(?:-[a-z]+)+-\d):\d{12}:[\w.-]{1,256}$/;

export const TOPIC: ProviderField = matching(
  optional('topicArn', 'ARN of the SNS topic', 'Without it, delivery reports are rejected.'),
  TOPIC_ARN,
  'must be an ARN, such as arn:aws:sns:eu-west-1:123456789012:emails',
);

/** The signed fields by type of message, in the order in which they are signed. `Subject` is optional. */
const CONFIRMATION = ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
const SIGNED_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Notification', ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']],
  ['SubscriptionConfirmation', CONFIRMATION],
  ['UnsubscribeConfirmation', CONFIRMATION],
]);
/** By the version of the signature. Version 1 is the default of a topic. */
const HASHES: ReadonlyMap<string, string> = new Map([
  ['1', 'sha1'],
  ['2', 'sha256'],
]);

/** Public keys by the URL of their certificate, which changes about once a year. */
const publicKeys = new Map<string, KeyObject>();

type FetchText = (url: string) => Promise<string>;

/** Throws if there is no reply with the status 200. SNS then repeats its request. */
const fetchWith =
  ({ publicOnly, addresses, timeoutMs }: ProviderContext): FetchText =>
  async (url) => {
    const exchange = createExchange(addresses ?? { allowPrivate: !publicOnly });
    try {
      const { status, text } = await exchange.send({ method: 'GET', url, headers: {} }, timeoutMs);
      if (status !== 200) throw new Error(`Amazon SNS replied with the status ${status}`);
      return text;
    } finally {
      exchange.close();
    }
  };

/**
 * Whether the URL belongs to Amazon SNS in the region of the topic. Other hosts below amazonaws.com can serve files of
 * customers.
 */
function isOfSns(url: URL | undefined, topicArn: string): url is URL {
  const [, partition, region] = TOPIC_ARN.exec(topicArn) ?? [];
  const host = `sns.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`;
  return url?.protocol === 'https:' && url.host === host && url.username === '' && region !== undefined;
}

/** Returns the key of the certificate at the URL; undefined unless it is a URL of a signing certificate. */
async function publicKeyAt(address: string, topicArn: string, fetchText: FetchText): Promise<KeyObject | undefined> {
  const url = parseUrl(address);
  if (!isOfSns(url, topicArn) || !/^\/SimpleNotificationService-[\da-f]{32}\.pem$/.test(url.pathname) || url.search)
    return undefined;
  const key = publicKeys.get(url.href) ?? new X509Certificate(await fetchText(url.href)).publicKey;
  publicKeys.set(url.href, key);
  return key;
}

/** Confirms the subscription of this address to the topic. */
async function confirm(address: string, topicArn: string, fetchText: FetchText): Promise<boolean> {
  const url = parseUrl(address);
  const isConfirmation =
    isOfSns(url, topicArn) &&
    url.searchParams.get('Action') === 'ConfirmSubscription' &&
    url.searchParams.get('TopicArn') === topicArn;
  if (isConfirmation) await fetchText(url.href);
  return isConfirmation;
}

/**
 * Returns the text of a notification, and "" for messages about the subscription, which is confirmed. Returns undefined
 * for requests that Amazon SNS did not sign, and for messages of other topics, because anyone can create a topic.
 */
export async function readSnsMessage(
  body: Buffer,
  topicArn: string,
  context: ProviderContext,
  fetchText = fetchWith(context),
): Promise<string | undefined> {
  const json = parseJsonObject(body.toString('utf8')) ?? {};
  const isText = (field: [string, unknown]): field is [string, string] => typeof field[1] === 'string';
  const message = Object.fromEntries(Object.entries(json).filter(isText));
  const { Type = '', TopicArn, SignatureVersion = '', Signature = '', SigningCertURL = '', Timestamp = '' } = message;
  const signedFields = SIGNED_FIELDS.get(Type);
  const hash = HASHES.get(SignatureVersion);
  if (!signedFields || !hash || TopicArn !== topicArn) return undefined;
  const key = await publicKeyAt(SigningCertURL, topicArn, fetchText);
  if (!key) return undefined;
  const signed = signedFields.filter((name) => name in message).map((name) => `${name}\n${message[name]}\n`);
  if (!verify(hash, Buffer.from(signed.join('')), key, Buffer.from(Signature, 'base64'))) return undefined;
  if (!isRecent(String(Date.parse(Timestamp) / 1000), context.clock.now())) return undefined;
  if (Type === 'SubscriptionConfirmation')
    return (await confirm(message.SubscribeURL ?? '', topicArn, fetchText)) ? '' : undefined;
  return Type === 'Notification' ? message.Message : '';
}
