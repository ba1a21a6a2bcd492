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
import { SENT } from '../../shared/send-reply';
import { type Branding, codePage, endPage, type PageContent } from './page';

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

const readRecipient = (context: IWebhookFunctions): string => String(context.getNodeParameter('to', '') ?? '').trim();

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
export async function firstPage(context: IExecuteFunctions): Promise<string> {
  const to = String(context.getNodeParameter('to', 0, '') ?? '');
  const options = context.getNodeParameter('options', 0, {}) as Options;
  const branding = await loadBranding(context, options);
  const resumeUrl = String(context.evaluateExpression('{{ $execution.resumeUrl }}', 0));
  // n8n finds the webhook of this node by the id, also behind the token at the end of the URL.
  return codePage({ branding, action: `${resumeUrl}/${context.getNode().id}`, to, resend: resendChoices(options) });
}

/** Verifies the code by recipient, so that the node need not store the `maskId` of each new code. */
function verify(context: IWebhookFunctions, code: string): Promise<Outcome> {
  const body = { to: readRecipient(context), otp: code };
  // The key is the same if the person submits the same code twice, so that both submissions have the same result.
  const parts = [
    context.getInstanceId(),
    context.getWorkflow().id,
    context.getNode().id,
    readExecutionId(context),
    code,
  ];
  const key = createHash('sha256').update(parts.join('\n')).digest('hex');
  return callPassbell(context, {
    method: 'POST',
    path: '/auth/verifyotp',
    body,
    headers: { 'Idempotency-Key': key },
    expects: { 'data.token': 'string', 'data.user': 'object' },
  });
}

const readExecutionId = (context: IWebhookFunctions): string =>
  String(context.evaluateExpression('{{ $execution.id }}') ?? '');

function resend(context: IWebhookFunctions, action: string): Promise<Outcome> {
  const { expiry, otpLength, language, clientIp } = readOptions(context);
  const preset = context.getNodeParameter('channel', 'auto') as string;
  const channel = action === 'resend' ? preset : action;
  const authWay = channel === 'auto' ? undefined : channel;
  const values = { to: readRecipient(context), authWay, expiry, otpLength, language, clientIp };
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

function resendNotice(outcome: Outcome): Notice {
  if (outcome.ok) return { key: 'resent' };
  const { retryAfterSeconds } = outcome.failure;
  return retryAfterSeconds === undefined ? { key: 'notSent' } : { key: 'wait', seconds: retryAfterSeconds };
}

function show(context: IWebhookFunctions, html: string): void {
  const response = context.getResponseObject();
  response.setHeader('Content-Type', CODE_PAGE_TYPE);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Frame-Options', 'DENY');
  response.status(200).send(html);
}

/** Shows the page after a correct code. A redirect allows the person to reload the page after the end of the wait. */
function showVerified(context: IWebhookFunctions, branding: Branding, { redirectUrl = '' }: Options): void {
  if (!/^https?:\/\//i.test(redirectUrl)) return show(context, endPage(branding, 'verified'));
  const response = context.getResponseObject();
  response.setHeader('Location', redirectUrl);
  response.status(303).send('');
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
  let notice: Notice | undefined;
  if (form.action === 'cancel') {
    show(this, endPage(branding, 'cancelled'));
    return resume(NOT_VERIFIED, { verified: false, reason: 'CANCELLED', message: 'The person cancelled' });
  }
  if (typeof form.action === 'string' && channels.includes(form.action))
    notice = resendNotice(await resend(this, form.action));
  else if (isPost) {
    const outcome = await verify(this, String(form.code ?? ''));
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
  show(this, codePage({ branding, action: '', to: readRecipient(this), resend: channels, notice }));
  return { noWebhookResponse: true };
}
