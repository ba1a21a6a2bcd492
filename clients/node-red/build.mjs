/**
 * Builds the nodes: dist/passbell.js, which contains the Node client, and dist/passbell.html, the forms of the editor. The
 * labels and help texts come from the description that all no-code hosts share.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Returns the exports of a TypeScript file. */
async function load(path) {
  const { outputFiles } = await build({ entryPoints: [at(path)], bundle: true, write: false, format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`);
}

const { CHOICES, EVENTS, FIELDS, OPERATIONS } = await load('../connectors/generated/connectors.ts');
const { TEMPLATES, VARIABLES } = await load('../connectors/generated/templates.ts');
const { PREVIEWS } = await load('../connectors/generated/previews.ts');

const escape = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The nodes of the palette. `outputs`: labels, without the one for failures. */
const NODES = {
  'passbell-send': { name: 'send code', operations: ['send'], outputs: ['Sent'] },
  'passbell-verify': { name: 'verify code', operations: ['verify'], outputs: ['Verified', 'Not Verified'] },
  'passbell-wait': {
    name: 'send and wait',
    operations: ['wait'],
    outputs: ['Page', 'Verified', 'Not Verified', 'Timed Out'],
  },
  'passbell-notify': { name: 'notify', operations: ['notifyOrder', 'notifyInvoice'], outputs: ['Sent'] },
};

/** Values of a new node, as value and type of a field. */
const PRESETS = {
  to: ['payload', 'msg'],
  recipient: ['payload.to', 'msg'],
  code: ['payload.code', 'msg'],
  templateType: ['order_shipped', 'str'],
};

/** Help of a field in the words of Node-RED. */
const helpOf = (name) =>
  name === 'idempotencyKey'
    ? `${FIELDS[name].help} If empty, a message that enters this node again is sent only once.`
    : FIELDS[name].help;

const row = (name, label, control) =>
  `<div class="form-row"><label for="node-input-${name}">${escape(label)}</label>${control}</div>`;
const typedRow = (name, label, sample = '') =>
  row(
    name,
    label,
    `<input type="text" id="node-input-${name}" placeholder="${escape(sample)}" style="width:70%"><input type="hidden" id="node-input-${name}Type">`,
  );
const select = (name, options) =>
  `<select id="node-input-${name}" style="width:70%">${options.map(([value, label]) => `<option value="${value}">${label}</option>`).join('')}</select>`;
const NAME = row('name', 'Name', '<input type="text" id="node-input-name">');
const SERVER = row('server', 'Server', '<input type="text" id="node-input-server">');
const FAILURES = row(
  'failures',
  'Failures',
  select('failures', [
    ['catch', 'Go to Catch nodes'],
    ['output', 'Go to the last output'],
  ]),
);

const fieldsOf = ({ operations: [operation] }) => [
  ...OPERATIONS[operation].required,
  ...OPERATIONS[operation].optional,
];

function form(type, node) {
  const isNotify = type === 'passbell-notify';
  const rows = fieldsOf(node).map((name) => typedRow(name, FIELDS[name].label, FIELDS[name].sample));
  const kind = row(
    'kind',
    'About',
    select('kind', [
      ['order', 'An order'],
      ['invoice', 'An invoice'],
    ]),
  );
  return [
    SERVER,
    ...(isNotify ? [kind] : []),
    ...rows,
    ...(isNotify ? ['<div class="form-tips" id="passbell-preview"></div><div id="passbell-variables"></div>'] : []),
    FAILURES,
    '<input type="hidden" id="node-input-outputs">',
    NAME,
  ].join('\n');
}

function help(node) {
  const details = fieldsOf(node).map(
    (name) => `<dt>${escape(FIELDS[name].label)}</dt><dd>${escape(helpOf(name))}</dd>`,
  );
  const outputs = [...node.outputs, 'Failed, if Failures go to the last output'].map((label) => `<li>${label}</li>`);
  return `<p>${node.operations.map((operation) => escape(OPERATIONS[operation].help)).join(' ')}</p>
<h3>Fields</h3><dl class="message-properties">${details.join('\n')}</dl>
<h3>Outputs</h3><ol class="node-ports">${outputs.join('')}</ol>
<p>The result is in <code>msg.payload</code>; other properties of the message are kept. A failure has a
<code>code</code>, an <code>error</code> (what happened) and a <code>message</code> (what to do). At the last output, they are in
<code>msg.payload</code>; at a Catch node, in <code>msg.error.cause</code>.</p>`;
}

/** The definition is written out, because Node-RED's linter reads it without running it. */
function definition(type, node) {
  const { outputs } = node;
  const fields = fieldsOf(node).flatMap((name) => {
    const [value, kind] = PRESETS[name] ?? ['', 'str'];
    return [`${name}: { value: '${value}' }`, `${name}Type: { value: '${kind}' }`];
  });
  const notify = type === 'passbell-notify' ? [`kind: { value: 'order' }`, 'variables: { value: {} }'] : [];
  return `RED.nodes.registerType('${type}', {
  category: 'Passbell',
  color: '#CFE5DE',
  icon: 'passbell.svg',
  defaults: { name: { value: '' }, server: { value: '', type: 'passbell-server', required: true },
    failures: { value: 'catch' }, outputs: { value: ${outputs.length} }, ${[...notify, ...fields].join(', ')} },
  inputs: 1,
  outputs: ${outputs.length},
  paletteLabel: '${node.name}',
  label() { return this.name || '${node.name}'; },
  outputLabels: ${JSON.stringify([...outputs, 'Failed'])},
  oneditprepare() { passbellEditor.prepare(this, '${node.operations[0]}', ${outputs.length}); },
  oneditsave() { return ${notify.length > 0 ? 'passbellEditor.saveVariables(this)' : 'false'}; },
});`;
}

const template = (type, content) => `<script type="text/html" data-template-name="${type}">\n${content}\n</script>`;
const helpText = (type, content) => `<script type="text/html" data-help-name="${type}">\n${content}\n</script>`;

const configRow = (name, label, attributes) =>
  `<div class="form-row"><label for="node-config-input-${name}">${label}</label><input id="node-config-input-${name}" ${attributes}></div>`;
const server = [
  configRow('name', 'Name', 'type="text"'),
  configRow('baseUrl', 'Base URL', 'type="text" placeholder="https://otp.example.com"'),
  configRow('appKey', 'App Key', 'type="text" placeholder="pk_…"'),
  configRow('appSecret', 'App Secret', 'type="password" placeholder="sk_…"'),
  configRow('nodeRedUrl', 'Node-RED URL', 'type="text" placeholder="https://flows.example.com"'),
];
const serverHelp = `<p>An application of your Passbell server. The Base URL, the App Key and the App Secret are on its <b>Connect</b> page in the dashboard.</p>
<dl class="message-properties"><dt>Base URL</dt><dd>Address of your Passbell server. Node-RED must be able to reach it: in a container,
<code>127.0.0.1</code> is the container itself.</dd>
<dt>Node-RED URL</dt><dd>Address of Node-RED's HTTP endpoints, which your Passbell server calls for <i>send and wait</i> and <i>events</i>. If
empty, Passbell calls <code>http://127.0.0.1</code> with the port of Node-RED. For an address in a private network, set
<code>WEBHOOKS_ALLOW_PRIVATE=true</code> on the Passbell server.</dd></dl>`;
const others = `RED.nodes.registerType('passbell-server', {
  category: 'config',
  defaults: { name: { value: '' }, baseUrl: { value: '', required: true }, nodeRedUrl: { value: '' } },
  credentials: { appKey: { type: 'text' }, appSecret: { type: 'password' } },
  label() { return this.name || this.baseUrl || 'Passbell server'; },
});
RED.nodes.registerType('passbell-events', {
  category: 'Passbell',
  color: '#CFE5DE',
  icon: 'passbell.svg',
  defaults: { name: { value: '' }, server: { value: '', type: 'passbell-server', required: true }, events: { value: {} } },
  inputs: 0,
  outputs: 1,
  paletteLabel: 'events',
  label() { return this.name || 'events'; },
  oneditprepare() { passbellEditor.prepareEvents(this); },
  oneditsave() { return passbellEditor.saveEvents(this); },
});`;
const eventsHelp = `<p>Sends a message for each selected event of the application. <code>msg.topic</code> is the name of the event, and
<code>msg.payload</code> contains its data. Deploying the node creates a webhook on the Passbell server, and deleting the node deletes the webhook.</p>
<dl class="message-properties">${Object.entries(EVENTS)
  .map(([name, event]) => `<dt>${name}</dt><dd>${escape(event.help)}</dd>`)
  .join('\n')}</dl>`;

const description = {
  fields: FIELDS,
  choices: CHOICES,
  operations: OPERATIONS,
  templates: TEMPLATES,
  variables: VARIABLES,
  previews: PREVIEWS,
  events: EVENTS,
};
const html = [
  `<script>\nglobalThis.passbellDescription = ${JSON.stringify(description).replaceAll('<', '\\u003c')};\n${readFileSync(at('src/editor.js'), 'utf8')}</script>`,
  ...Object.entries(NODES).flatMap(([type, node]) => [template(type, form(type, node)), helpText(type, help(node))]),
  template('passbell-server', server.join('\n')),
  helpText('passbell-server', serverHelp),
  template('passbell-events', [SERVER, '<div id="passbell-events"></div>', NAME].join('\n')),
  helpText('passbell-events', eventsHelp),
  `<script type="text/javascript">\n${[...Object.entries(NODES).map(([type, node]) => definition(type, node)), others].join('\n')}\n</script>`,
].join('\n');

rmSync(at('dist'), { recursive: true, force: true });
mkdirSync(at('dist/icons'), { recursive: true });
await build({
  entryPoints: [at('src/passbell.ts')],
  outfile: at('dist/passbell.js'),
  bundle: true,
  // Only needed to verify session tokens without a call, which the nodes do not.
  external: ['jose'],
  format: 'cjs',
  platform: 'node',
  target: 'node20',
  charset: 'utf8',
  // Node-RED expects a function.
  footer: { js: 'module.exports = module.exports.default;' },
  logLevel: 'warning',
});
writeFileSync(at('dist/passbell.html'), html);
// The sources are ES modules.
writeFileSync(at('dist/package.json'), '{ "type": "commonjs" }\n');
copyFileSync(at('icons/passbell.svg'), at('dist/icons/passbell.svg'));
