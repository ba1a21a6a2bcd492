/** Reads a gateway's delivery reports. */
import { isHexId } from '../../platform/crypto.js';
import type { ReportedState } from '../provider.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { CallbackRequest, InboundMessage, ReportedMessage } from '../provider-type.js';
import type { InboundDefinition, ReportDefinition } from './definition.js';
import { compilePath, compileValue, type ReadPath } from './paths.js';

/** Maximum number of reports in a request. Vendors send up to a few hundred. */
const MAX_REPORTS = 1000;

/** Parses JSON in form fields, which some vendors send. */
function parseFormValue(value: string): unknown {
  if (!/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const fromEntries = (entries: Iterable<readonly [string, string]>): Record<string, unknown> =>
  Object.fromEntries([...entries].map(([name, value]) => [name, parseFormValue(value)]));

/**
 * Returns the query parameters merged with the body, which is JSON or a form. A JSON list in the body is returned
 * unchanged.
 */
function contentOf({ query, body }: Content): unknown {
  const text = body.toString('utf8').trim();
  const parameters = fromEntries(Object.entries(query));
  if (text === '') return parameters;
  try {
    const json: unknown = JSON.parse(text);
    return Array.isArray(json) || typeof json !== 'object' ? json : { ...parameters, ...json };
  } catch {
    return { ...parameters, ...fromEntries(new URLSearchParams(text)) };
  }
}

type Content = Pick<CallbackRequest, 'query' | 'body'>;

/** Returns a function that reads the list at a path in the content of a request, or all of the content as one item. */
function compileItems(list: string | undefined): (request: Content) => readonly unknown[] {
  const readList = list ? compileValue(list) : (content: unknown) => content;
  return (request) => {
    const value = readList(contentOf(request));
    const found = typeof value === 'string' ? parseFormValue(value) : value;
    return Array.isArray(found) ? found.slice(0, MAX_REPORTS) : [found];
  };
}

const compileOptional = (path: string | undefined): ReadPath => (path ? compilePath(path) : () => undefined);

export type ReadReports = (request: Content & Pick<CallbackRequest, 'messageId'>) => ReportedMessage[];

/** Throws a {@link DefinitionError} if the definition is not valid. */
export function compileReports(definition: ReportDefinition): ReadReports {
  const readItems = compileItems(definition.list);
  const readState = compilePath(definition.state);
  const readId = compileOptional(definition.id);
  const readMessageId = compileOptional(definition.messageId);
  const stateOf = new Map(
    Object.entries(definition.states).flatMap(([state, values]) =>
      values.map((value) => [value, state as ReportedState] as const),
    ),
  );

  function readReport(item: unknown, addressed: string | undefined): ReportedMessage[] {
    const reportedState = stateOf.get(readState(item) ?? '');
    const returned = readMessageId(item);
    const messageId = returned !== undefined && isHexId(returned) ? returned : addressed;
    // Reports without the vendor's id use Passbell's message id instead; `replyAndReportsHaveId` in gateway.ts explains
    // why.
    const providerId = readId(item) ?? messageId;
    return reportedState && providerId !== undefined ? [{ messageId, providerId, reportedState }] : [];
  }

  return (request) => readItems(request).flatMap((item) => readReport(item, request.messageId));
}

type ReadInbound = (request: Content) => InboundMessage[];

/** Throws a {@link DefinitionError} if the definition is not valid. */
export function compileInbound({ list, from, text }: InboundDefinition, channel: ChannelName): ReadInbound {
  const readItems = compileItems(list);
  const readFrom = from.map(compilePath);
  const readText = compilePath(text);
  return (request) =>
    readItems(request).flatMap((item) => {
      const sender = readFrom.map((read) => read(item)).find((value) => value !== undefined);
      const body = readText(item);
      return sender === undefined || body === undefined ? [] : [{ channel, from: sender, text: body }];
    });
}
