import { createHash } from 'node:crypto';
import type {
  IDataObject,
  IExecuteFunctions,
  INodeExecutionData,
  IWebhookFunctions,
  IWebhookResponseData,
} from 'n8n-workflow';
import { adviceFor, type Failure } from '../../shared/failure';
import { callPassbell, type Outcome } from '../../shared/transport';
import { SENT, simplifySend } from '../../shared/send-reply';
import { type Branding, codePage, endPage, type PageContent } from './page';
import { isRecipient, readSentCode, type SentCode, urlForCode } from './sent-code';

export const CODE_PAGE_TYPE = 'text/html; charset=utf-8';

/** Timed Out is the first output, because n8n passes the input to the first output when the wait time is over. */
export const WAIT_OUTPUTS = ['Timed Out', 'Verified', 'Not Verified'] as const;

const VERIFIED = 1;
const NOT_VERIFIED = 2;

interface Options {
  expiry?: number;
  otpLength?: number;
  language?: string;
  clientIp?: string;
  resendChannels?: string[];
  includeToken?: boolean;
  redirectUrl?: string;
  waitMinutes?: number;
}

const DEFAULT_WAIT_MINUTES = 15;

const readOptions = (context: IWebhookFunctions): Options => context.getNodeParameter('options', {}) as Options;

/** The application's name, language and colors. The page also works if they cannot be loaded. */
async function loadBranding(context: IExecuteFunctions | IWebhookFunctions, { language }: Options): Promise<Branding> {
  const outcome = await callPassbell(context, {
    method: 'GET',
    path: '/application',
    expects: { 'data.appKey': 'string', 'data.name': 'string' },
  });
  const { name = '', design = {}, ...data } = (outcome.ok ? outcome.body.data : {}) as Partial<Branding>;
  return { name, language: language || (data.language ?? ''), design };
}

/** The channels for a new code. `resend`: the channel of the first code. */
const resendChoices = ({ resendChannels = [] }: Options): string[] =>
  resendChannels.length > 0 ? resendChannels : ['resend'];

/** Returns the time when the wait ends. */
export function waitTill(context: IExecuteFunctions, now: number): Date {
  const { waitMinutes } = context.getNodeParameter('options', 0, {}) as Options;
  const minutes = Number(waitMinutes ?? DEFAULT_WAIT_MINUTES);
  return new Date(now + (Number.isFinite(minutes) && minutes > 0 ? minutes : DEFAULT_WAIT_MINUTES) * 60_000);
}

/** Returns the first page, for a trigger that waits for the workflow's response. */
export async function firstPage(context: IExecuteFunctions, to: string): Promise<string> {
  const options = context.getNodeParameter('options', 0, {}) as Options;
  const branding = await loadBranding(context, options);
  const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
  // n8n finds the webhook of this node by the id, also behind the token at the end of the URL.
  return codePage({ branding, action: `${resumeUrl}/${context.getNode().id}`, to, resend: resendChoices(options) });
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

function resend(context: IWebhookFunctions, { to }: SentCode, action: string): Promise<Outcome> {
  const { expiry, otpLength, language, clientIp } = readOptions(context);
  const preset = context.getNodeParameter('channel', 'auto') as string;
  const channel = action === 'resend' ? preset : action;
  const authWay = channel === 'auto' ? undefined : channel;
  const values = { to, authWay, expiry, otpLength, language, clientIp };
  const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
  return callPassbell(context, { method: 'POST', path: '/auth/sendotp', body, expects: SENT });
}

type Notice = NonNullable<PageContent['notice']>;

function verifyNotice({ code, retryAfterSeconds, attemptsLeft }: Failure): Notice {
  if (code === 'OTP_LOCKED') return { key: 'locked', seconds: retryAfterSeconds };
  return {
    key: ['INVALID_OTP', 'OTP_EXPIRED', 'MISSING_PARAMETERS'].includes(code) ? 'wrong' : 'problem',
    attemptsLeft,
  };
}

function notSentNotice({ retryAfterSeconds }: Failure): Notice {
  return retryAfterSeconds === undefined ? { key: 'notSent' } : { key: 'wait', seconds: retryAfterSeconds };
}

function show(context: IWebhookFunctions, html: string): void {
  const response = context.getResponseObject();
  response.setHeader('Content-Type', CODE_PAGE_TYPE);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Frame-Options', 'DENY');
  response.status(200).send(html);
}

function redirect(context: IWebhookFunctions, url: string): void {
  const response = context.getResponseObject();
  response.setHeader('Location', url);
  response.status(303).send('');
}

/** Shows the page after a correct code. A redirect allows the person to reload the page after the end of the wait. */
function showVerified(context: IWebhookFunctions, branding: Branding, { redirectUrl = '' }: Options): void {
  if (/^https?:\/\//i.test(redirectUrl)) redirect(context, redirectUrl);
  else show(context, endPage(branding, 'verified'));
}

/** Ends the wait, and passes `json` to one of the node's outputs. */
function resume(output: number, json: IDataObject): IWebhookResponseData {
  const outputs: INodeExecutionData[][] = WAIT_OUTPUTS.map(() => []);
  outputs[output]!.push({ json, pairedItem: { item: 0 } });
  return { noWebhookResponse: true, workflowData: outputs };
}

/** Shows the page, and handles its forms. The execution waits until the code is verified or the person cancels. */
export async function codePageWebhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
  const options = readOptions(this);
  const branding = await loadBranding(this, options);
  const isPost = this.getRequestObject().method === 'POST';
  const form = (isPost ? this.getBodyData() : {}) as { action?: unknown; code?: unknown };
  const channels = resendChoices(options);
  const sent = readSentCode(this);
  let notice: Notice | undefined = sent.isNew ? { key: 'resent' } : undefined;
  if (form.action === 'cancel') {
    show(this, endPage(branding, 'cancelled'));
    return resume(NOT_VERIFIED, { verified: false, reason: 'CANCELLED', message: 'The person canceled' });
  }
  if (typeof form.action === 'string' && channels.includes(form.action)) {
    const outcome = await resend(this, sent, form.action);
    if (outcome.ok) {
      // The address contains the new code, so that the page can be reloaded without sending another one.
      redirect(this, urlForCode(this, String(simplifySend(outcome.body).maskId)));
      return { noWebhookResponse: true };
    }
    notice = notSentNotice(outcome.failure);
  } else if (isPost) {
    const outcome = await verify(this, sent, String(form.code ?? ''));
    if (outcome.ok) {
      const { token, tokenType, expiresIn, user } = outcome.body.data as IDataObject;
      showVerified(this, branding, options);
      const withToken = options.includeToken === false ? {} : { token };
      return resume(VERIFIED, { verified: true, ...withToken, tokenType, expiresIn, user });
    }
    notice = verifyNotice(outcome.failure);
    if (notice.key === 'problem')
      this.logger.warn(`Passbell: ${outcome.failure.message}. ${adviceFor(outcome.failure)}`);
  }
  show(this, codePage({ branding, action: '', to: sent.to, resend: channels, notice }));
  return { noWebhookResponse: true };
}
