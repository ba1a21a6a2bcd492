/** Messages of an Amazon SNS topic, signed with a certificate of the test. */
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { createCertificate } from './certificate.js';
import { clock, jsonCallback } from './email-example.js';

const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
export const SNS_CERTIFICATE = createCertificate(keys);

export const TOPIC_ARN = 'arn:aws:sns:eu-west-1:123456789012:emails';
export const SNS = 'https://sns.eu-west-1.amazonaws.com';
export const CERTIFICATE_URL = `${SNS}/SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem`;
export const SUBSCRIBE_URL = `${SNS}/?Action=ConfirmSubscription&TopicArn=${TOPIC_ARN}&Token=2336412f`;

export type SnsMessage = Readonly<Record<string, string>>;

/** Returns the message with a signature of the fields that its type signs. */
export function signed(message: SnsMessage, privateKey: KeyObject = keys.privateKey): SnsMessage {
  const names = ['Message', 'MessageId', 'Subject', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names.filter((name) => name in message).map((name) => `${name}\n${message[name]}\n`);
  const hash = message.SignatureVersion === '2' ? 'sha256' : 'sha1';
  return { ...message, Signature: sign(hash, Buffer.from(text.join('')), privateKey).toString('base64') };
}

/** Without the optional subject. */
export const plainNotification = (message: string): SnsMessage => ({
  Type: 'Notification',
  MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
  TopicArn: TOPIC_ARN,
  Message: message,
  Timestamp: new Date(clock.now()).toISOString(),
  SignatureVersion: '1',
  SigningCertURL: CERTIFICATE_URL,
});

export const notification = (message: string): SnsMessage => ({
  ...plainNotification(message),
  Subject: 'Amazon SES Email Event Notification',
});

export const confirmation = (SubscribeURL = SUBSCRIBE_URL): SnsMessage => ({
  ...plainNotification('You have chosen to subscribe to the topic.'),
  Type: 'SubscriptionConfirmation',
  Token: '2336412f',
  SubscribeURL,
});

export const snsCallback = (message: SnsMessage) =>
  jsonCallback(message, { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': message.Type! });
