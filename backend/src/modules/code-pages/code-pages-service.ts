/** Creates the pages on which people enter codes, and passes what they do to the program that waits for the code. */
import { SECOND, type Clock } from '../../platform/clock.js';
import { CHANNELS } from '../../platform/contract/channels.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { Schemas } from '../../platform/contract/schemas.js';
import type { Keyring } from '../../platform/crypto.js';
import { type Exchange, ExchangeError } from '../../platform/http/exchange.js';
import { isWebLink } from '../../platform/http/web-link.js';
import { parseJson } from '../../platform/json.js';
import { parseUrl } from '../../platform/url.js';
import type { Application } from '../applications/application.js';
import type { OtpService } from '../otp/index.js';
import { maskRecipient } from '../recipients/recipient.js';
import { type Action, type CallbackReply, type CodePage, type EndPage, PROBLEM, readReply } from './code-page.js';

const CONTEXT = 'code-page';
/** Maximum length of the parameter `page`, which contains the callback URL. */
const MAX_TOKEN_LENGTH = 5000;
/** Time limit for a reply of the program, which may send a new code before it replies. */
const CALLBACK_TIMEOUT_MS = 60_000;

export type CodePagesService = ReturnType<typeof createCodePagesService>;

export function createCodePagesService(
  codeOf: OtpService['find'],
  exchange: Pick<Exchange, 'send'> & { mayCall(url: URL): Promise<boolean> },
  keyring: Keyring,
  clock: Clock,
  serviceUrl: string,
) {
  /** Returns the path of a page. The page is in the query, which is never logged. */
  const pathOf = (page: CodePage | EndPage): string => `/code?page=${keyring.seal(CONTEXT, JSON.stringify(page))}`;

  /** Returns the page of a URL; undefined if the URL is forged. */
  function pageOf(token: unknown): CodePage | EndPage | undefined {
    if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH) return undefined;
    return parseJson(keyring.openIfValid(CONTEXT, token) ?? '') as CodePage | EndPage | undefined;
  }

  async function create(
    application: Application,
    { maskId, callbackUrl, expiresIn, channels = [], language = '' }: Schemas['CodePageRequest'],
  ): Promise<Schemas['CodePageReply']['data']> {
    const code = await codeOf(maskId.toLowerCase());
    if (code?.applicationId !== application.id)
      throw new ApiError('INVALID_PARAMETER', {
        field: 'maskId',
        values: { text: 'this application has not sent a code with this maskId' },
      });
    if (!(await exchange.mayCall(new URL(callbackUrl))))
      throw new ApiError('INVALID_WEBHOOK_URL', { field: 'callbackUrl' });
    const expiresAt = clock.now() + expiresIn * SECOND;
    const page: CodePage = {
      applicationId: application.id,
      language,
      to: maskRecipient(code.recipient),
      channels: CHANNELS.filter(
        (channel) => channels.includes(channel) && (channel === 'EMAIL') === code.recipient.includes('@'),
      ),
      callbackUrl,
      expiresAt,
    };
    return { url: serviceUrl + pathOf(page), expireTime: Math.floor(expiresAt / SECOND) };
  }

  /** Passes what the person did to the program. */
  async function submit({ callbackUrl }: CodePage, action: Action): Promise<CallbackReply> {
    const request = {
      method: 'POST',
      url: callbackUrl,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(action),
    };
    try {
      return readReply(await exchange.send(request, CALLBACK_TIMEOUT_MS));
    } catch (error) {
      if (error instanceof ExchangeError) return PROBLEM;
      throw error;
    }
  }

  /** Returns the page for a new code, whose callback URL may be relative to the old one. */
  function continued(page: CodePage, callbackUrl: string): CodePage {
    const { href = '' } = parseUrl(callbackUrl, page.callbackUrl) ?? {};
    return isWebLink(href) ? { ...page, callbackUrl: href } : page;
  }

  const isExpired = ({ expiresAt }: CodePage): boolean => clock.now() >= expiresAt;

  return { create, pathOf, pageOf, submit, continued, isExpired, now: clock.now };
}
