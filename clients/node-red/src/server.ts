/** The config node: an application of a Passbell server, and the address of this Node-RED. */
import { Passbell, PassbellError } from '../../node/src/index.js';
import type { FlowNode, NodeConfig, NodeRed } from './node-red.js';

export interface ServerNode extends FlowNode {
  /** Throws if the credentials are missing. */
  client(): Passbell;
  /** Keys the hashes of Idempotency-Keys. */
  secret(): string;
  /** URL of a path of this Node-RED, as the Passbell server calls it. Throws if Node-RED serves no HTTP endpoints. */
  callbackUrl(path: string): string;
}

/** Adds a missing https://. */
const withProtocol = (url: string): string => (/^https?:\/\//i.test(url) ? url : `https://${url}`);

/** The address of HTTP endpoints of a Node-RED that runs on the same computer as Passbell. */
function localAddress({ httpNodeRoot, uiPort = 1880 }: NodeRed['settings']): string {
  return `http://127.0.0.1:${uiPort}${httpNodeRoot || ''}`;
}

export function registerServer(RED: NodeRed): void {
  RED.nodes.registerType(
    'passbell-server',
    function (this: FlowNode, config: NodeConfig) {
      RED.nodes.createNode(this, config);
      const node = this as ServerNode;
      const text = (value: unknown) => String(value ?? '').trim();
      const appKey = text(node.credentials?.appKey);
      const appSecret = text(node.credentials?.appSecret);
      const baseUrl = text(config.baseUrl);
      let client: Passbell | undefined;
      node.client = () => {
        if (!baseUrl || !appKey || !appSecret)
          throw new PassbellError('MISSING_CREDENTIALS', 'Base URL, App Key or App Secret is empty');
        return (client ??= new Passbell({ baseUrl: withProtocol(baseUrl), appKey, appSecret }));
      };
      node.secret = () => appSecret;
      node.callbackUrl = (path) => {
        if (!RED.httpNode) throw new Error('Node-RED serves no HTTP endpoints (httpNodeRoot is false)');
        const own = text(config.nodeRedUrl);
        return `${(own ? withProtocol(own) : localAddress(RED.settings)).replace(/(?<!\/)\/+$/, '')}${path}`;
      };
    },
    { credentials: { appKey: { type: 'text' }, appSecret: { type: 'password' } } },
  );
}
