/** Downloads the PDFs that notifications attach to emails. */
import PQueue from 'p-queue';
import { SECOND } from '../../platform/clock.js';
import { ApiError } from '../../platform/contract/errors.js';
import type { AddressRules } from '../../platform/http/checked-address.js';
import { createExchange, ExchangeError, type HttpReply } from '../../platform/http/exchange.js';
import { isWebLink } from '../../platform/http/web-link.js';
import { createNamedQueues } from '../../platform/queue/named-queues.js';
import { parseUrl } from '../../platform/url.js';
import type { Attachment } from '../../providers/provider.js';

/** Mail servers accept at least 10 MB, and Base64 adds a third. */
const MAX_BYTES = 5 * 1024 * 1024;
/** Time limit for the whole download, including redirects. The request waits for it. */
const DOWNLOAD_MS = 5 * SECOND;
const MAX_REDIRECTS = 3;
/** Maximum number of concurrent downloads of an account, so that slow servers of one account do not block the others. */
const DOWNLOADS_PER_ACCOUNT = 2;
/** Maximum number of waiting downloads of an account. Each may take {@link DOWNLOAD_MS}. */
const MAX_WAITING = 4;
/** Maximum number of concurrent downloads of a process, which limits the memory that they need to 80 MB. */
const CONCURRENT_DOWNLOADS = 16;
const OVERLOAD_SECONDS = 5;

/** Content types with which servers send PDFs. The last two are defaults of object stores. */
const PDF_TYPES: readonly string[] = [
  'application/pdf',
  'application/x-pdf',
  'application/octet-stream',
  'binary/octet-stream',
];
const MAGIC_BYTES = Buffer.from('%PDF-');
/** Maximum length of a file name without its extension. */
const MAX_NAME_LENGTH = 64;

const rejected = (text: string): ApiError =>
  new ApiError('ATTACHMENT_REJECTED', { field: 'attachmentUrl', values: { text } });

const TOO_SLOW = `its server did not send it within ${DOWNLOAD_MS / SECOND} seconds`;
/** The same text for all addresses, so that callers cannot scan the internal network. */
const UNREACHABLE = 'its server cannot be reached, or has a private address';

/** `INV/2026 17` → `INV-2026-17.pdf`. The name consists of characters that are safe in a header and in a file system. */
export function pdfName(text: string): string {
  const safe = text.normalize('NFKC').replace(/[^\p{L}\p{N}._-]+/gu, '-');
  const name = [...safe.replace(/^[.-]+/, '')].slice(0, MAX_NAME_LENGTH).join('');
  return `${name || 'document'}.pdf`;
}

function failureOf(error: unknown): unknown {
  if (!(error instanceof ExchangeError)) return error;
  if (error.timedOut) return rejected(TOO_SLOW);
  return rejected(error.failure === 'noReply' ? 'its server closed the connection' : UNREACHABLE);
}

/** Returns the address that a redirect leads to; undefined for other replies. */
function redirectOf({ status, headers }: HttpReply, from: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || headers.location === undefined) return undefined;
  const to = parseUrl(headers.location, from)?.href ?? '';
  const isDowngrade = from.startsWith('https:') && !to.startsWith('https:');
  if (!isWebLink(to) || isDowngrade) throw rejected('its server redirects to an address that is not allowed');
  return to;
}

function pdfOf({ status, headers, bytes, truncated }: HttpReply): Buffer {
  if (status !== 200) throw rejected(`its server replied with status ${status}`);
  const type = (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  if (!PDF_TYPES.includes(type) || !bytes.subarray(0, MAGIC_BYTES.length).equals(MAGIC_BYTES))
    throw rejected('it is not a PDF');
  if (truncated) throw rejected('it is larger than 5 MB');
  return bytes;
}

export type FetchAttachment = (accountId: number, url: string, filename: string) => Promise<Attachment>;

export function createFetchAttachment(rules: AddressRules): FetchAttachment {
  // A reused connection could go to an address that the name no longer resolves to.
  const exchange = createExchange(rules, { reuseConnections: false, replyLimit: MAX_BYTES });
  const accounts = createNamedQueues(DOWNLOADS_PER_ACCOUNT);
  const downloads = new PQueue({ concurrency: CONCURRENT_DOWNLOADS });
  const headers = { 'User-Agent': 'Passbell', Accept: 'application/pdf', 'Accept-Encoding': 'identity' };

  /** Downloads a PDF. Checks the address of each redirect like the first one. */
  async function download(first: string): Promise<Buffer> {
    const endAt = performance.now() + DOWNLOAD_MS;
    let url = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const remaining = Math.ceil(endAt - performance.now());
      if (remaining <= 0) throw rejected(TOO_SLOW);
      const reply = await exchange.send({ method: 'GET', url, headers }, remaining);
      const next = redirectOf(reply, url);
      if (next === undefined) return pdfOf(reply);
      url = next;
    }
    throw rejected('its server redirects too often');
  }

  return async function fetchAttachment(accountId, url, filename) {
    const queue = accounts.queueOf(String(accountId));
    if (queue.size >= MAX_WAITING) throw new ApiError('OVERLOADED', { retryAfterSeconds: OVERLOAD_SECONDS });
    try {
      const content = await queue.add(() => downloads.add(() => download(url)));
      return { filename, contentType: 'application/pdf', content };
    } catch (error) {
      throw failureOf(error);
    }
  };
}
