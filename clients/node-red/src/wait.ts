/** Sends a code, and waits until the person enters it on a page of the Passbell server. */
import { createHash, randomBytes } from 'node:crypto';
import { PassbellError } from '../../node/src/errors.js';
import { callOperation, registerAction, toOutput, type Context } from './action.js';
import type { FlowNode, Message, NodeRed } from './node-red.js';
import { outputOf } from '../../connectors/operations.js';
import { failureOf } from './failure.js';
import { listen, type Reply } from './routes.js';

/** Outputs of the node. */
const OUTPUTS = ['Page', 'Verified', 'Not Verified', 'Timed Out'] as const;
type Output = (typeof OUTPUTS)[number];

const DEFAULT_MINUTES = 15;
/** The longest delay of a JavaScript timer, about 24 days. */
const MAX_MINUTES = 35_000;

interface Wait {
  readonly context: Context;
  /** Ends the listeners of all codes. */
  readonly stops: (() => void)[];
  timer?: NodeJS.Timeout;
  ending?: Output | 'Stopped';
}

const waitsByNode = new Map<FlowNode, Set<Wait>>();

/**
 * Ends a wait, and sends its message to an output. Does nothing if it has ended already. Returns whether the message was sent
 * to this output, now or before.
 */
function end(wait: Wait, output: Output, payload?: object): boolean {
  if (!wait.ending) {
    stop(wait, output);
    const { message, send } = wait.context;
    send(toOutput(OUTPUTS.length, OUTPUTS.indexOf(output), payload ? { ...message, payload } : message));
  }
  return wait.ending === output;
}

function stop(wait: Wait, ending: Wait['ending'] = 'Stopped'): void {
  wait.ending = ending;
  clearTimeout(wait.timer);
  wait.stops.forEach((stopListening) => stopListening());
  waitsByNode.get(wait.context.node)?.delete(wait);
}

/** The page then says that the time has passed, or that it is no longer needed. */
const ENDED: Reply = { status: 410 };

const waiting = (notice: object = {}): Reply => ({ status: 200, json: { state: 'waiting', ...notice } });

/** Verifies a code that was entered on the page. Failures become notices on the page. */
async function verify(wait: Wait, maskId: string, code: string): Promise<Reply> {
  const { server, config, node, name } = wait.context;
  // The same if the person submits a code twice, so that both submissions have the same result.
  const idempotencyKey = createHash('sha256').update(`${maskId}\n${code}`).digest('hex');
  try {
    const reply = await server.client().verifyOtp({ maskId, otp: code }, { idempotencyKey });
    if (!end(wait, 'Verified', outputOf('verify', { ...reply }))) return ENDED;
    const redirectUrl = String(wait.context.inputs.redirectUrl || '') || undefined;
    return { status: 200, json: { state: 'verified', redirectUrl } };
  } catch (error) {
    if (!(error instanceof PassbellError)) throw error;
    const { code: reason, retryAfterSeconds, attemptsLeft } = error;
    if (reason === 'OTP_LOCKED') return waiting({ notice: 'locked', seconds: retryAfterSeconds });
    if (['INVALID_OTP', 'OTP_EXPIRED', 'MISSING_PARAMETERS'].includes(reason))
      return waiting({ notice: 'wrong', attemptsLeft });
    const failure = failureOf(name, error);
    node.warn(`${failure.error}. ${failure.message} (${String(config.name || config.id)})`);
    return waiting({ notice: 'problem' });
  }
}

/** Sends a new code, which gets a callback URL of its own, so that the page can be reloaded without sending another. */
async function resend(wait: Wait): Promise<Reply> {
  try {
    const idempotencyKey = randomBytes(16).toString('hex');
    const { maskId } = await callOperation({ ...wait.context, idempotencyKey });
    if (wait.ending) return ENDED;
    return waiting({ callbackUrl: listenFor(wait, String(maskId), { notice: 'resent' }) });
  } catch (error) {
    if (!(error instanceof PassbellError)) throw error;
    const { retryAfterSeconds: seconds } = error;
    return waiting(seconds === undefined ? { notice: 'problem' } : { notice: 'wait', seconds });
  }
}

/** Handles what the person does on the page of a code. Returns the callback URL, which nobody can guess. */
function listenFor(wait: Wait, maskId: string, notice: object = {}): string {
  const token = randomBytes(24).toString('hex');
  const stopListening = listen(token, async ({ body }) => {
    const { action, code } = JSON.parse(body) as { action?: string; code?: unknown };
    if (action === 'verify') return verify(wait, maskId, String(code ?? ''));
    if (action === 'resend') return resend(wait);
    if (action !== 'cancel') return waiting(notice);
    const payload = { verified: false, reason: 'CANCELLED', message: 'The person canceled' };
    return end(wait, 'Not Verified', payload) ? { status: 200, json: { state: 'canceled' } } : ENDED;
  });
  wait.stops.push(stopListening);
  return wait.context.server.callbackUrl(`/passbell/${token}`);
}

function minutesOf(value: unknown): number {
  const minutes = Number(value || DEFAULT_MINUTES);
  return minutes > 0 ? Math.min(minutes, MAX_MINUTES) : DEFAULT_MINUTES;
}

/** The page offers the languages of Passbell. */
const pageLanguage = (language: unknown): string | undefined =>
  typeof language === 'string' && language !== 'auto' && language !== '' ? language : undefined;

async function run(context: Context): Promise<void> {
  const { node, inputs, server, send } = context;
  const message: Message = context.message;
  // Throws before a code is sent if Node-RED serves no HTTP endpoints.
  server.callbackUrl('');
  const sent = await callOperation(context);
  const seconds = Math.max(1, Math.round(minutesOf(inputs.waitMinutes) * 60));
  const wait: Wait = { context, stops: [] };
  const waits = waitsByNode.get(node) ?? new Set();
  waitsByNode.set(node, waits.add(wait));
  try {
    const callbackUrl = listenFor(wait, String(sent.maskId));
    const language = pageLanguage(inputs.language);
    const page = { maskId: String(sent.maskId), callbackUrl, expiresIn: seconds, language };
    const { url, expireTime } = await server.client().createCodePage(page);
    if (wait.ending) return;
    // Starts after Passbell has created the page, so that the page expires first.
    wait.timer = setTimeout(() => end(wait, 'Timed Out'), seconds * 1000);
    const payload = { url, expiresAt: new Date(expireTime * 1000).toISOString(), maskId: sent.maskId, to: sent.to };
    send(toOutput(OUTPUTS.length, 0, { ...message, payload }));
  } catch (error) {
    stop(wait);
    throw error;
  }
}

export const registerWait = (RED: NodeRed): void =>
  registerAction(RED, {
    type: 'passbell-wait',
    operation: () => 'wait',
    outputs: OUTPUTS.length,
    run,
    close: (node) => {
      [...(waitsByNode.get(node) ?? [])].forEach((wait) => stop(wait));
      waitsByNode.delete(node);
    },
  });
