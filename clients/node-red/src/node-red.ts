/** The parts of Node-RED's API that the nodes use. */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A message of a flow. Nodes keep the properties that they do not set. */
export interface Message {
  _msgid?: string;
  payload?: unknown;
  [property: string]: unknown;
}

/** One message or nothing for each output. */
export type Outputs = (Message | null)[];

export interface NodeStatus {
  fill?: 'red' | 'green' | 'yellow' | 'blue';
  shape?: 'dot' | 'ring';
  text?: string;
}

export interface FlowNode {
  readonly id: string;
  credentials?: Record<string, string>;
  status(status: NodeStatus): void;
  warn(text: string): void;
  error(error: string | Error, message?: Message): void;
  send(outputs: Outputs): void;
  on(
    event: 'input',
    listener: (message: Message, send: (outputs: Outputs) => void, done: (error?: Error) => void) => void,
  ): void;
  on(event: 'close', listener: (removed: boolean, done: () => void) => void): void;
}

/** The settings of a node, as the editor stores them. */
export interface NodeConfig {
  readonly id: string;
  readonly [property: string]: unknown;
}

type Handler = (request: IncomingMessage & { params: Record<string, string> }, response: ServerResponse) => void;

export interface NodeRed {
  readonly nodes: {
    createNode(node: FlowNode, config: NodeConfig): void;
    registerType(type: string, constructor: (this: FlowNode, config: NodeConfig) => void, options?: object): void;
    getNode(id: string): FlowNode | null;
  };
  readonly util: {
    cloneMessage(message: Message): Message;
    evaluateNodeProperty(
      value: unknown,
      type: string,
      node: FlowNode,
      message: Message,
      callback: (error: Error | null, result: unknown) => void,
    ): void;
  };
  readonly settings: { readonly httpNodeRoot?: string | false; readonly uiPort?: number };
  /** Serves the HTTP endpoints of flows. Missing if they are turned off. */
  readonly httpNode?: { post(path: string, handler: Handler): void };
}
