/** Reads a gateway's delivery reports. */
import { isHexId } from '../../platform/crypto.js';
import type { ReportedState } from '../provider.js';
import type { ChannelName } from '../../platform/contract/channels.js';
import type { CallbackRequest, InboundMessage, ReportedMessage } from '../provider-type.js';
import { DefinitionError, type InboundDefinition, type ReportDefinition } from './definition.js';
import { compilePath, compileValue } from './paths.js';

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
function contentOf({ query, body }: Pick<CallbackRequest, 'query' | 'body'>): unknown {
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

function itemsOf(value: unknown): readonly unknown[] {
  const found = typeof value === 'string' ? parseFormValue(value) : value;
  return Array.isArray(found) ? found.slice(0, MAX_REPORTS) : [found];
}

export type ReadReports = (request: Pick<CallbackRequest, 'messageId' | 'query' | 'body'>) => ReportedMessage[];

/** Throws a {@link DefinitionError} if the definition is not valid. */
export function compileReports(definition: ReportDefinition): ReadReports {
  const { list, states } = definition;
  const readList = list === undefined ? (content: unknown) => content : compileValue(list);
  const [readState, readId, readMessageId] = [definition.state, definition.id, definition.messageId].map((path) =>
    path === undefined || path === '' ? () => undefined : compilePath(path),
  ) as [ReturnType<typeof compilePath>, ReturnType<typeof compilePath>, ReturnType<typeof compilePath>];
  const stateOf = new Map(
    Object.entries(states).flatMap(([state, values]) =>
      values.map((value) => [value, state as ReportedState] as const),
    ),
  );
  if (stateOf.size === 0) throw new DefinitionError('delivery reports need at least one value for a state');

  function readReport(item: unknown, addressed: string | undefined): ReportedMessage[] {
    const reportedState = stateOf.get(readState(item) ?? '');
    const returned = readMessageId(item);
    const messageId = returned !== undefined && isHexId(returned) ? returned : addressed;
    // Reports without the vendor's id use Passbell's message id instead; `replyAndReportsHaveId` in gateway.ts explains
    // why.
    const providerId = readId(item) ?? messageId;
    return reportedState && providerId !== undefined ? [{ messageId, providerId, reportedState }] : [];
  }

  return (request) => itemsOf(readList(contentOf(request))).flatMap((item) => readReport(item, request.messageId));
}

type ReadInbound = (request: Pick<CallbackRequest, 'query' | 'body'>) => InboundMessage[];

/** Throws a {@link DefinitionError} if the definition is not valid. */
export function compileInbound({ list, from, text }: InboundDefinition, channel: ChannelName): ReadInbound {
  const readList = list === undefined ? (content: unknown) => content : compileValue(list);
  const readFrom = compilePath(from);
  const readText = compilePath(text);
  return (request) =>
    itemsOf(readList(contentOf(request))).flatMap((item) => {
      const sender = readFrom(item);
      const body = readText(item);
      return sender === undefined || body === undefined ? [] : [{ channel, from: sender, text: body }];
    });
}
