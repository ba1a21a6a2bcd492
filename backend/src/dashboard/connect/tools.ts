/** The tools that people connect. */
import { activepiecesSteps, n8nSteps, nodeRedSteps, shopSteps, zapierSteps } from './no-code-steps.js';
import { curlSteps, nodeSteps, phpSteps, pythonSteps } from './program-steps.js';
import type { Steps } from './steps.js';

export interface Tool {
  readonly label: string;
  readonly steps: Steps;
  /** Describes its purpose. Languages have none: they share one choice. */
  readonly about?: string;
  /** Whether it calls the API from the internet, so that it requires a public URL. */
  readonly isRemote?: boolean;
}

export const SHOP = 'shop';

/** Tools by the last path segment of their page. */
export const TOOLS: Readonly<Record<string, Tool>> = {
  [SHOP]: {
    label: 'Shopify or WooCommerce',
    about: 'Send customers messages about their orders.',
    steps: shopSteps,
    isRemote: true,
  },
  n8n: { label: 'n8n', about: 'Send messages from workflows in your own n8n.', steps: n8nSteps },
  zapier: { label: 'Zapier', about: 'Send messages from your Zaps.', steps: zapierSteps, isRemote: true },
  'node-red': { label: 'Node-RED', about: 'Send messages from your flows.', steps: nodeRedSteps },
  activepieces: { label: 'Activepieces', about: 'Send messages from your flows.', steps: activepiecesSteps },
  node: { label: 'Node.js', steps: nodeSteps },
  python: { label: 'Python', steps: pythonSteps },
  php: { label: 'PHP', steps: phpSteps },
  curl: { label: 'curl', steps: curlSteps },
};

/** The tools below the choice “Your own code”. */
export const LANGUAGES = Object.keys(TOOLS).filter((name) => TOOLS[name]!.about === undefined);
