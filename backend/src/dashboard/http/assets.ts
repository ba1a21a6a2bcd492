/**
 * Style sheets and scripts for the dashboard. Their URLs contain a content hash, so browsers can cache them for a long
 * time.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { BACKEND_FOLDER } from '../../platform/folders.js';

const ASSETS_FOLDER = new URL('assets/dashboard/', BACKEND_FOLDER);
const HTMX_FILE = createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js');

const ownFile = (name: string): string => readFileSync(fileURLToPath(new URL(name, ASSETS_FOLDER)), 'utf8');

/** Names of the style sheets, which are combined into one file in this order. Later rules override earlier ones. */
const STYLES = [
  'tokens',
  'base',
  'layout',
  'sidebar',
  'buttons',
  'forms',
  'countries',
  'save-bar',
  'settings',
  'presets',
  'test-rows',
  'tables',
  'compact-lists',
  'audit-log',
  'webhook-log',
  'user-list',
  'application-list',
  'notices',
  'facts',
  'tiles',
  'details',
  'pages',
  'brand',
  'error-page',
  'code',
  'entrance',
  'list-tools',
  'message-filters',
  'message-list',
  'message-page',
  'message-reasons',
  'charts',
  'figures',
  'usage',
  'templates',
  'template-editor',
  'template-preview',
  'arrangement',
  'widget',
  'connect',
  'alerts',
  'protection',
  'guard-limits',
  'channels',
  'channel-routes',
  'providers',
  'prices',
  'home',
  'automations',
];
const SCRIPTS = ['dashboard', 'unsaved', 'colors', 'messages', 'passkeys', 'automations', 'templates', 'charts'];

export interface Asset {
  readonly path: string;
  readonly type: string;
  readonly body: string;
  /** Whether sandboxed frames, which have no origin, may load the asset. */
  readonly inFrames: boolean;
}

function asset(name: string, type: string, body: string, { inFrames = false } = {}): Asset {
  const hash = createHash('sha256').update(body).digest('base64url').slice(0, 12);
  return { path: `/assets/${name.replace('.', `.${hash}.`)}`, type, body, inFrames };
}

export const ASSETS = {
  style: asset('dashboard.css', 'text/css', STYLES.map((name) => ownFile(`${name}.css`)).join('\n')),
  htmx: asset('htmx.js', 'text/javascript', readFileSync(HTMX_FILE, 'utf8')),
  script: asset('dashboard.js', 'text/javascript', SCRIPTS.map((name) => ownFile(`${name}.js`)).join('\n')),
  widgetScript: asset('widget.js', 'text/javascript', ownFile('widget.js')),
  previewScript: asset('widget-preview.js', 'text/javascript', ownFile('widget-preview.js'), { inFrames: true }),
  previewStyle: asset('widget-preview.css', 'text/css', ownFile('widget-preview.css'), { inFrames: true }),
  icon: asset('icon.svg', 'image/svg+xml', ownFile('icon.svg')),
} as const;
