/** Flows for the tests: an HTTP endpoint, the node under test, and nodes that record its outputs. */
import type { Body } from '../../support/service.js';

export interface Connection {
  readonly appKey?: string;
  readonly appSecret?: string;
  readonly baseUrl: string;
}

/** Each flow has a tab and a context of its own. */
let tabs = 0;

/** Labels of the outputs of each node, without the one for failures. */
const OUTPUTS: Record<string, string[]> = {
  'passbell-send': ['Sent'],
  'passbell-verify': ['Verified', 'Not Verified'],
  'passbell-wait': ['Page', 'Verified', 'Not Verified', 'Timed Out'],
  'passbell-notify': ['Sent'],
  'passbell-events': ['Event'],
};

/** A field that takes a property of the message. */
export const from = (name: string, property: string) => ({ [name]: property, [`${name}Type`]: 'msg' });

export const SEND = { type: 'passbell-send', ...from('to', 'payload.to') };
export const VERIFY = { type: 'passbell-verify', ...from('recipient', 'payload.to'), ...from('code', 'payload.code') };
export const NOTIFY = {
  type: 'passbell-notify',
  kind: 'order',
  templateType: 'order_shipped',
  ...from('to', 'payload.to'),
  variables: { orderId: { value: 'payload.orderId', type: 'msg' } },
};
export const WAIT = { type: 'passbell-wait', ...from('to', 'payload.to') };

/** Replies with the output, and records it for `/results`. */
const recorder = (tab: string, id: string, output: string, replies: boolean): object => ({
  id,
  z: tab,
  type: 'function',
  outputs: 1,
  func: `const result = { output: ${JSON.stringify(output)}, payload: msg.payload, error: msg.error, kept: msg.kept, topic: msg.topic };
    flow.set('results', [...(flow.get('results') ?? []), result]);
    ${replies ? 'msg.payload = result; return msg;' : 'return null;'}`,
  wires: [['response']],
});

/**
 * Returns a flow that passes the body of `POST /in` to `under`, and replies with the output that it used. `POST /results`
 * returns all outputs so far. A failure goes to a Catch node, or with `failures: 'output'` to the last output.
 */
export function flowWith(connection: Connection | undefined, under: Body, more: object[] = []): object[] {
  const tab = `tab${++tabs}`;
  const labels = [...OUTPUTS[under.type]!, ...(under.failures === 'output' ? ['Failed'] : [])];
  const node = { id: 'under', z: tab, server: connection ? 'server' : '', outputs: labels.length, ...under };
  const { appKey, appSecret, baseUrl } = connection ?? {};
  const server = { id: 'server', type: 'passbell-server', baseUrl, nodeRedUrl: '', credentials: { appKey, appSecret } };
  // As in a real flow, only the page or a failure is a reply of the node that waits.
  const replies = (label: string) =>
    under.type === 'passbell-wait' ? ['Page', 'Failed'].includes(label) : under.type !== 'passbell-events';
  const nodes: object[] = [
    { id: tab, type: 'tab', label: 'Test' },
    ...(connection ? [server] : []),
    { ...node, wires: labels.map((_label, index) => [`output${index}`]) },
    ...labels.map((label, index) => recorder(tab, `output${index}`, label, replies(label))),
    { id: 'catch', z: tab, type: 'catch', scope: ['under'], wires: [['caught']] },
    recorder(tab, 'caught', 'Catch', true),
    { id: 'in', z: tab, type: 'http in', url: '/in', method: 'post', wires: [['keep']] },
    { id: 'keep', z: tab, type: 'function', outputs: 1, func: `msg.kept = 'yes'; return msg;`, wires: [['under']] },
    { id: 'response', z: tab, type: 'http response', wires: [] },
    { id: 'list', z: tab, type: 'http in', url: '/results', method: 'post', wires: [['read']] },
    {
      id: 'read',
      z: tab,
      type: 'function',
      outputs: 1,
      func: `msg.payload = flow.get('results') ?? []; return msg;`,
      wires: [['response']],
    },
    ...more,
  ];
  // Node-RED takes nodes without a position for config nodes.
  return nodes.map((each) => ('z' in each ? { ...each, x: 100, y: 100 } : each));
}
