/**
 * The code that the page verifies. It is always one that this execution sent, regardless of the page's URL or form
 * fields.
 */
import { timingSafeEqual } from 'node:crypto';
import type { IDataObject, IExecuteFunctions, IWebhookFunctions } from 'n8n-workflow';

export interface SentCode {
  maskId: string;
  /** The recipient, as the workflow spells it. */
  to: string;
  /** The recipient, as Passbell returned it: `+1415*****23` or `an***@example.com`. */
  maskedTo: string;
  /** URL of the page. */
  pageUrl: string;
  /** The fields Channel and Options. Their expressions cannot be evaluated anymore while the node waits. */
  channel: string;
  options: WaitOptions;
}

export interface WaitOptions {
  expiry?: number;
  otpLength?: number;
  language?: string;
  clientIp?: string;
  resendChannels?: string[];
  includeToken?: boolean;
  redirectUrl?: string;
  limitWaitTime?: { values?: { resumeAmount?: unknown; resumeUnit?: unknown } };
  /** In versions below 1.2. */
  waitMinutes?: unknown;
}

/** Query parameter with the `maskId` of a code that was requested on the page, and its signature. */
const PARAMETER = 'code';

/** Stores the first code with the execution. n8n discards the changes that a webhook makes, so newer codes are signed. */
export function storeSentCode(context: IExecuteFunctions, code: SentCode): void {
  context.getContext('node').sentCode = JSON.stringify(code);
}

function firstCode(context: IWebhookFunctions): SentCode {
  // A name that contains braces would end the expression.
  const name = JSON.stringify(context.getNode().name).replace(/[{}]/g, (brace) => (brace === '{' ? '\\x7b' : '\\x7d'));
  // n8n provides the node's context to webhooks in expressions only.
  const stored = context.evaluateExpression(`{{ $(${name}).context.sentCode }}`) as unknown;
  if (typeof stored !== 'string') throw new Error('The execution was started by an earlier version of this node');
  return JSON.parse(stored) as SentCode;
}

/**
 * n8n's signature for resume URLs, which covers the execution and the node. It also covers the first code, because a loop
 * can send several codes in one execution.
 */
function sign(context: IWebhookFunctions, first: SentCode, maskId: string): string {
  const url = new URL(context.getSignedResumeUrl({ first: first.maskId, maskId }));
  const signature = url.searchParams.get('signature');
  if (!signature) throw new Error('This version of n8n does not sign URLs');
  return signature;
}

function isEqual(one: string, other: string): boolean {
  const a = Buffer.from(one);
  const b = Buffer.from(other);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Returns the newest code that the page knows of. `isNew`: whether it was requested on the page. */
export function readSentCode(context: IWebhookFunctions): SentCode & { isNew: boolean } {
  const first = firstCode(context);
  const { [PARAMETER]: value } = context.getQueryData() as IDataObject;
  const [maskId = '', signature = ''] = String(value ?? '').split('.');
  const isNew = maskId !== '' && isEqual(signature, sign(context, first, maskId));
  return isNew ? { ...first, maskId, isNew } : { ...first, isNew };
}

/** Returns the URL that the page of a new code calls, relative to the current one. */
export function urlForCode(context: IWebhookFunctions, maskId: string): string {
  const query = context.getQueryData() as Record<string, string>;
  const value = `${maskId}.${sign(context, firstCode(context), maskId)}`;
  return `?${new URLSearchParams({ ...query, [PARAMETER]: value }).toString()}`;
}

/** The part of an address that Passbell never changes: the name of a mailbox, or the last digits of a number. */
const coreOf = (address: string): string =>
  address.includes('@') ? address.slice(0, address.lastIndexOf('@')) : address.replace(/\D/g, '').slice(-6);

/** Whether the verified user is the recipient of the code. Passbell may have changed the prefix of a number or a domain. */
export function isRecipient({ email, phone }: IDataObject, { to, maskedTo }: SentCode): boolean {
  const [verified = '', entered = '', masked = ''] = [email || phone, to, maskedTo].map((address) =>
    String(address).trim().toLowerCase(),
  );
  const [start = '', end = ''] = masked.split(/\*+/);
  return verified.startsWith(start) && verified.endsWith(end) && coreOf(verified) === coreOf(entered);
}
