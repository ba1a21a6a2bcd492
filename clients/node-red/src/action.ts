/** Shared code of the nodes that call Passbell: evaluates fields, builds outputs, and routes failures. */
import {
  callOperation as call,
  keyFor,
  notVerified,
  operationOf,
  requestOf,
  variableNames,
  type Inputs,
  type OperationName,
} from '../../connectors/operations.js';
import { failureOf } from './failure.js';
import type { FlowNode, Message, NodeConfig, NodeRed, Outputs } from './node-red.js';
import type { ServerNode } from './server.js';

/** A field as the editor stores it: a value, and the type of its TypedInput, such as `msg` or `str`. */
interface TypedValue {
  readonly value: unknown;
  readonly type: string;
}

/** The input and the dependencies for handling one message. */
export interface Context {
  readonly node: FlowNode;
  readonly config: NodeConfig;
  readonly server: ServerNode;
  readonly message: Message;
  readonly inputs: Inputs;
  /** The operation: `notify` nodes choose it with a field. */
  readonly name: OperationName;
  readonly request: Record<string, unknown>;
  readonly idempotencyKey: string;
  readonly send: (outputs: Outputs) => void;
}

/** Whether failures go to an additional, last output instead of to Catch nodes. */
export const failsToOutput = (config: NodeConfig): boolean => config.failures === 'output';

/** Returns a message for one of a node's outputs. */
export function toOutput(count: number, index: number, message: Message): Outputs {
  return Array.from({ length: count }, (_, output) => (output === index ? message : null));
}

const evaluate = (RED: NodeRed, node: FlowNode, message: Message, { value, type }: TypedValue) =>
  new Promise<unknown>((resolve, reject) =>
    RED.util.evaluateNodeProperty(value, type, node, message, (error, result) =>
      error ? reject(error) : resolve(result),
    ),
  );

async function evaluateFields(RED: NodeRed, context: Pick<Context, 'node' | 'config' | 'message' | 'name'>) {
  const { node, config, message, name } = context;
  const { required, optional } = operationOf(name);
  const valueOf = async (field: string): Promise<unknown> => {
    const value = config[field];
    const type = String(config[`${field}Type`] ?? 'str');
    // A missing property of the message is empty, as in other nodes.
    return value === '' || value === undefined ? '' : evaluate(RED, node, message, { value, type });
  };
  const inputs = Object.fromEntries(
    await Promise.all([...required, ...optional].map(async (field) => [field, await valueOf(field)] as const)),
  );
  if (!required.includes('templateType')) return inputs;
  const stored = (config.variables ?? {}) as Record<string, TypedValue>;
  // Fields of a template that was selected before are left out.
  const variables = await Promise.all(
    variableNames(inputs.templateType)
      .filter((variable) => stored[variable] && stored[variable].value !== '')
      .map(async (variable) => [variable, await evaluate(RED, node, message, stored[variable]!)] as const),
  );
  return { ...inputs, variables: Object.fromEntries(variables) };
}

export const callOperation = ({ server, name, request, idempotencyKey }: Context) =>
  call(server.client(), name, request, idempotencyKey);

export interface Action {
  readonly type: string;
  /** Names the operation of a node. */
  operation(config: NodeConfig): OperationName;
  /** Number of outputs, without the one for failures. */
  readonly outputs: number;
  run(context: Context): Promise<void>;
  /** Called when the node is stopped. */
  close?(node: FlowNode): void;
}

export function registerAction(RED: NodeRed, action: Action): void {
  RED.nodes.registerType(action.type, function (this: FlowNode, config: NodeConfig) {
    RED.nodes.createNode(this, config);
    const name = action.operation(config);
    this.on('input', async (message, send, done) => {
      try {
        const server = RED.nodes.getNode(String(config.server)) as ServerNode | null;
        if (!server) throw new Error('Choose a Passbell server in this node');
        const inputs: Inputs = await evaluateFields(RED, { node: this, config, message, name });
        const request = requestOf(name, inputs, inputs.variables as Inputs | undefined);
        const idempotencyKey = keyFor(inputs, server.secret(), this.id, message._msgid, request);
        await action.run({ node: this, config, server, message, inputs, name, request, idempotencyKey, send });
        this.status({});
        done();
      } catch (error) {
        fail(error, message, send, done);
      }
    });
    this.on('close', (_removed, done) => {
      action.close?.(this);
      done();
    });

    /** Passes a failure to the last output, or to the Catch nodes of the flow. */
    const fail = (error: unknown, message: Message, send: Context['send'], done: (error?: Error) => void) => {
      const failure = failureOf(name, error);
      this.status({ fill: 'red', shape: 'ring', text: failure.error });
      const payload = name === 'verify' ? notVerified(failure) : undefined;
      if (payload) {
        send(toOutput(action.outputs, 1, { ...message, payload }));
        return done();
      }
      if (failsToOutput(config)) {
        send(toOutput(action.outputs + 1, action.outputs, { ...message, payload: failure }));
        return done();
      }
      // Catch nodes pass `code` and `cause` on. The cause contains neither a stack nor the request, which has the App Secret.
      done(
        Object.assign(new Error(`${failure.error}. ${failure.message}`.trim()), { code: failure.code, cause: failure }),
      );
    };
  });
}
