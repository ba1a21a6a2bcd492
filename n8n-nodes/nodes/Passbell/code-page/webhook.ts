import { createHash } from 'node:crypto';
import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { adviceFor, type Failure } from '../../shared/failure';
import { compact } from '../../shared/operation';
import { callPassbell, type Outcome } from '../../shared/transport';
import { SENT, simplifySend } from '../../shared/send-reply';
import { isRecipient, readSentCode, type SentCode, urlForCode, type WaitOptions } from './sent-code';

export const CODE_PAGE_TYPE = 'text/html; charset=utf-8';

/** Outputs by version of the node. In versions below 1.2, the input always went to the first output when the time was over. */
export const WAIT_OUTPUTS = ['Verified', 'Not Verified', 'Timed Out'] as const;
export const OLD_WAIT_OUTPUTS = ['Timed Out', 'Verified', 'Not Verified'] as const;

type WaitOutput = (typeof WAIT_OUTPUTS)[number];

const DEFAULT_WAIT_MINUTES = 15;
const MINUTES_OF: Readonly<Record<string, number>> = { minutes: 1, hours: 60, days: 1440 };
/** The longest time for which Passbell offers a page. */
const MAX_WAIT_SECONDS = 30 * 86_400;

/** Returns data for the outputs of the node. */
export function toOutput(
  context: IExecuteFunctions | IWebhookFunctions,
  output: WaitOutput,
  items: INodeExecutionData[],
): INodeExecutionData[][] {
  const outputs: readonly string[] = context.getNode().typeVersion < 1.2 ? OLD_WAIT_OUTPUTS : WAIT_OUTPUTS;
  return outputs.map((name) => (name === output ? items : []));
}

/**
 * Prepares the end of the wait: n8n then passes the stored input of the node to its first output, or, if all outputs are
 * forwarded, to each output that the input contains.
 */
export function prepareTimeOut(context: IExecuteFunctions, items: INodeExecutionData[]): void {
  if (context.getNode().typeVersion < 1.2) return;
  const execution = context.getExecuteData();
  execution.data = { main: toOutput(context, 'Timed Out', items) };
  execution.metadata = { ...execution.metadata, forwardAllOutputs: true };
}

/** Returns the number of seconds that the node waits. */
export function waitSeconds(context: IExecuteFunctions): number {
  const { limitWaitTime, waitMinutes } = context.getNodeParameter('options', 0, {}) as WaitOptions;
  const { resumeAmount = waitMinutes, resumeUnit = 'minutes' } = limitWaitTime?.values ?? {};
  const minutes = Number(resumeAmount ?? DEFAULT_WAIT_MINUTES) * (MINUTES_OF[String(resumeUnit)] ?? 1);
  const seconds = Math.round((minutes > 0 ? minutes : DEFAULT_WAIT_MINUTES) * 60);
  return Math.min(Math.max(seconds, 1), MAX_WAIT_SECONDS);
}

/** Creates the page of a code that was sent. Passbell passes what the person does there to this node's webhook. */
export async function createPage(context: IExecuteFunctions, maskId: string): Promise<Outcome> {
  const { resendChannels = [], language } = context.getNodeParameter('options', 0, {}) as WaitOptions;
  const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
  return callPassbell(context, {
    method: 'POST',
    path: '/auth/codepages',
    body: compact({
      maskId,
      // n8n finds the webhook of this node by the id, also behind the token at the end of the URL.
      callbackUrl: `${resumeUrl}/${context.getNode().id}`,
      expiresIn: waitSeconds(context),
      channels: resendChannels,
      language: language === 'auto' ? '' : language,
    }),
    expects: { 'data.url': 'string' },
  });
}

/** Returns a page that opens another page, for a trigger that waits for the workflow's response. */
export function redirectPage(url: string): string {
  const address = url.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  return `<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url=${address}"><title>Code</title><a href="${address}">Enter your code</a>`;
}

/**
 * Verifies the entered code by `maskId`, so that no other code for the same person is accepted. A reply about another
 * recipient is a failure.
 */
async function verify(context: IWebhookFunctions, sent: SentCode, entered: string): Promise<Outcome> {
  const outcome = await callPassbell(context, {
    method: 'POST',
    path: '/auth/verifyotp',
    body: { maskId: sent.maskId, otp: entered },
    // The key is the same if the person submits the same code twice, so that both submissions have the same result.
    headers: { 'Idempotency-Key': createHash('sha256').update(`${sent.maskId}\n${entered}`).digest('hex') },
    expects: { 'data.token': 'string', 'data.user': 'object' },
  });
  if (!outcome.ok) return outcome;
  const { user } = outcome.body.data as { user: IDataObject };
  if (isRecipient(user, sent)) return outcome;
  return {
    ok: false,
    failure: { code: 'WRONG_RECIPIENT', message: 'The verified code belongs to a different recipient' },
  };
}

/** Sends a new code, on the channel that the person chose or on the channel of the first code. */
function resend(
  context: IWebhookFunctions,
  { to, channel: preset, options }: SentCode,
  chosen: unknown,
): Promise<Outcome> {
  const { expiry, otpLength, language, clientIp, resendChannels = [] } = options;
  const isOffered = typeof chosen === 'string' && resendChannels.includes(chosen);
  const channel = isOffered ? chosen : preset;
  const authWay = channel === 'auto' ? undefined : channel;
  const body = compact({ to, authWay, expiry, otpLength, language, clientIp });
  return callPassbell(context, { method: 'POST', path: '/auth/sendotp', body, expects: SENT });
}

/** The notice above the page's form. */
interface Notice {
  notice?: 'wrong' | 'locked' | 'resent' | 'wait' | 'problem';
  seconds?: number | undefined;
  attemptsLeft?: number | undefined;
}

function verifyNotice({ code, retryAfterSeconds, lockedForSeconds, attemptsLeft }: Failure): Notice {
  const seconds = code === 'OTP_LOCKED' ? retryAfterSeconds : lockedForSeconds;
  if (seconds !== undefined) return { notice: 'locked', seconds };
  const isWrong = ['INVALID_OTP', 'OTP_EXPIRED', 'MISSING_PARAMETERS'].includes(code);
  return isWrong ? { notice: 'wrong', attemptsLeft } : { notice: 'problem' };
}

const notSentNotice = ({ retryAfterSeconds: seconds }: Failure): Notice =>
  seconds === undefined ? { notice: 'problem' } : { notice: 'wait', seconds };

/** Replies to the page. */
function send(context: IWebhookFunctions, reply: object): void {
  const response = context.getResponseObject();
  response.setHeader('Content-Type', 'application/json');
  response.setHeader('Cache-Control', 'no-store');
  response.status(200).send(JSON.stringify(reply));
}

/** Ends the wait, and passes `json` to one of the node's outputs. */
function resume(context: IWebhookFunctions, output: WaitOutput, json: IDataObject): IWebhookResponseData {
  const item = { json, pairedItem: { item: 0 } };
  return { noWebhookResponse: true, workflowData: toOutput(context, output, [item]) };
}

/** Handles what the person does on the page. The execution waits until the code is verified or the person cancels. */
export async function codePageWebhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
  const sent = readSentCode(this);
  const { options } = sent;
  const wait = (notice: Notice & { callbackUrl?: string }) => {
    send(this, { state: 'waiting', ...notice });
    return { noWebhookResponse: true };
  };
  if (this.getRequestObject().method === 'GET') {
    const response = this.getResponseObject();
    response.setHeader('Location', sent.pageUrl);
    response.status(303).send('');
    return { noWebhookResponse: true };
  }
  const { action, code, channel } = this.getBodyData();
  if (action === 'cancel') {
    send(this, { state: 'canceled' });
    return resume(this, 'Not Verified', { verified: false, reason: 'CANCELLED', message: 'The person canceled' });
  }
  if (action === 'resend') {
    const outcome = await resend(this, sent, channel);
    if (!outcome.ok) return wait(notSentNotice(outcome.failure));
    // The URL of the page contains the new code, so that it can be reloaded without sending another one.
    return wait({ callbackUrl: urlForCode(this, String(simplifySend(outcome.body).maskId)) });
  }
  if (action !== 'verify') return wait(sent.isNew ? { notice: 'resent' } : {});
  const outcome = await verify(this, sent, String(code ?? ''));
  if (outcome.ok) {
    const { token, tokenType, expiresIn, user } = outcome.body.data as IDataObject;
    send(this, { state: 'verified', ...(options.redirectUrl && { redirectUrl: options.redirectUrl }) });
    const withToken = options.includeToken === false ? {} : { token };
    return resume(this, 'Verified', { verified: true, ...withToken, tokenType, expiresIn, user });
  }
  const notice = verifyNotice(outcome.failure);
  if (notice.notice === 'problem')
    this.logger.warn(`Passbell: ${outcome.failure.message}. ${adviceFor(outcome.failure)}`);
  return wait(notice);
}
