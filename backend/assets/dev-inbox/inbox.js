/** The dev inbox: polls for messages while the page is visible. Text is only inserted as text nodes. */

const POLL_MS = 1000;
const KINDS = { SMS: 'SMS', WHATSAPP: 'WhatsApp', VOICE: 'Voice call' };

/** The address of the page may contain a key, which its other addresses need, too. */
const addressOf = (path) => new URL(path + location.search, location.href);

const $ = (id) => document.getElementById(id);
const shown = { tag: '', messages: [], selected: undefined };

function element(name, className, ...children) {
  const node = document.createElement(name);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

/**
 * Shows a text from right to left if most of its letters are Arabic. `dir="auto"` would go by the first letter, which is
 * often in the application's name.
 */
function withDirection(node) {
  const letters = node.textContent.replace(/https?:\S+/g, '').match(/\p{L}/gu) ?? [];
  const rightToLeft = letters.filter((letter) => /\p{Script=Arabic}/u.test(letter));
  node.dir = 2 * rightToLeft.length > letters.length ? 'rtl' : 'ltr';
  return node;
}

const clockTime = (seconds) =>
  new Date(seconds * 1000).toLocaleTimeString([], { timeStyle: 'short', hourCycle: 'h23' });

function timeElement(message) {
  const time = element('time', '', clockTime(message.createdTime));
  time.dateTime = new Date(message.createdTime * 1000).toISOString();
  time.title = new Date(message.createdTime * 1000).toLocaleString();
  return time;
}

function copyButton({ code }) {
  if (!code) return '';
  const label = element('span', 'copy-label', 'Copy');
  const button = element('button', 'copy', element('span', 'code', code), label);
  button.type = 'button';
  button.setAttribute('aria-label', `Copy code ${[...code].join(' ')}`);
  button.addEventListener('click', () => copy(code, label));
  return button;
}

async function copy(code, label) {
  const done = await navigator.clipboard.writeText(code).then(
    () => true,
    () => false,
  );
  label.textContent = done ? 'Copied' : 'Not copied';
  $('spoken').textContent = done
    ? 'Code copied'
    : 'Your browser does not allow copying on this page. Select the code and copy it with the keyboard.';
  setTimeout(() => {
    label.textContent = 'Copy';
    $('spoken').textContent = '';
  }, 1500);
}

function bubble(message) {
  const isCall = message.channel === 'VOICE';
  const lines = isCall ? message.text.split('\n').map((line) => element('p', 'said', line)) : [message.text];
  const body = element(isCall ? 'div' : 'p', 'body', ...lines);
  (isCall ? lines : [body]).forEach(withDirection);
  const head = element(
    'header',
    'meta',
    element('span', 'kind', KINDS[message.channel] ?? message.channel),
    element('span', 'to', message.to),
    timeElement(message),
  );
  return element('article', `bubble ${message.channel.toLowerCase()}`, head, body, copyButton(message));
}

function mailEntry(message) {
  const button = element(
    'button',
    'mail',
    withDirection(element('span', 'mail-subject', message.subject || '(no subject)')),
    timeElement(message),
    element('span', 'mail-address', message.to),
  );
  button.type = 'button';
  button.addEventListener('click', () => select(message.id));
  return element('li', '', button);
}

/** Adds, removes and reorders the children of `parent` to match `messages`. Reuses existing nodes. */
function reconcile(parent, messages, create) {
  const present = new Map([...parent.children].map((node) => [node.dataset.id, node]));
  const wanted = new Set(messages.map(({ id }) => id));
  for (const [id, node] of present) if (!wanted.has(id)) node.remove();
  messages.forEach((message, index) => {
    let node = present.get(message.id);
    if (!node) {
      node = create(message);
      node.dataset.id = message.id;
    }
    if (parent.children[index] !== node) parent.insertBefore(node, parent.children[index] ?? null);
  });
}

function showPhone(messages) {
  const thread = $('thread');
  const atEnd = thread.scrollHeight - thread.scrollTop - thread.clientHeight < 40;
  reconcile(thread, messages.toReversed(), bubble);
  if (atEnd) thread.scrollTop = thread.scrollHeight;
  thread.hidden = messages.length === 0;
  $('phone-empty').hidden = messages.length > 0;
  $('phone-count').textContent = messages.length || '';
}

function showMails(messages, newestBefore) {
  reconcile($('mails'), messages, mailEntry);
  $('mail-body').hidden = messages.length === 0;
  $('mail-empty').hidden = messages.length > 0;
  $('mail-count').textContent = messages.length || '';
  // Selects a new email unless an older one was selected.
  const gone = !messages.some(({ id }) => id === shown.selected);
  if (messages.length > 0 && (gone || shown.selected === newestBefore)) select(messages[0].id);
}

function select(id) {
  for (const item of $('mails').children)
    item.firstElementChild.setAttribute('aria-current', String(item.dataset.id === id));
  if (shown.selected === id) return;
  shown.selected = id;
  const message = shown.messages.find((candidate) => candidate.id === id);
  $('subject').textContent = message.subject || '(no subject)';
  withDirection($('subject'));
  $('mail-to').textContent = `to ${message.to}`;
  $('mail-time').replaceWith(Object.assign(timeElement(message), { id: 'mail-time' }));
  $('mail-code').replaceChildren(copyButton(message));
  $('mail-text').textContent = message.text;
  withDirection($('mail-text'));
  $('mail-html').hidden = !message.html;
  // Replaces the history entry, so that the back button leaves the page.
  $('mail-html').contentWindow.location.replace(addressOf(`inbox/message/${encodeURIComponent(id)}.html`));
}

const normalized = (text) => (text.includes('@') ? text.toLowerCase() : text.toLowerCase().replace(/[\s()+./-]/g, ''));

function show() {
  $('clear').disabled = shown.messages.length === 0;
  const wanted = normalized($('filter').value.trim());
  const visible = shown.messages.filter(({ to }) => normalized(to).includes(wanted));
  for (const [id, none] of Object.entries({ 'phone-empty': 'messages', 'mail-empty': 'emails' }))
    $(id).firstElementChild.textContent = wanted ? `No ${none} for this recipient` : `No ${none} yet`;
  const newestBefore = $('mails').firstElementChild?.dataset.id;
  showPhone(visible.filter(({ channel }) => channel !== 'EMAIL'));
  showMails(
    visible.filter(({ channel }) => channel === 'EMAIL'),
    newestBefore,
  );
}

function showRecipients() {
  const recipients = [...new Set(shown.messages.map(({ to }) => to))].map((to) => ({ id: to }));
  reconcile($('recipients'), recipients, ({ id }) => Object.assign(element('option'), { value: id }));
}

function showState(state, text) {
  const node = $('state');
  if (node.dataset.state === state) return;
  node.dataset.state = state;
  node.textContent = text;
}

async function poll() {
  const response = await fetch(addressOf('inbox.json'), { headers: { 'If-None-Match': shown.tag } });
  showState('live', 'Live');
  if (response.status === 304) return;
  if (!response.ok) throw new Error(`status ${response.status}`);
  shown.messages = await response.json();
  shown.tag = response.headers.get('ETag') ?? '';
  showRecipients();
  show();
}

async function pollForever() {
  $('phone-time').textContent = clockTime(Date.now() / 1000);
  if (!document.hidden) await poll().catch(() => showState('away', 'Disconnected'));
  setTimeout(pollForever, POLL_MS);
}

/** Arrow keys move through the emails. */
function moveByKey(event) {
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
  const next = step && event.target.closest('li')?.[step];
  if (!next) return;
  event.preventDefault();
  next.firstElementChild.focus();
  select(next.dataset.id);
}

async function clear() {
  await fetch(addressOf('inbox.json'), { method: 'DELETE' });
  await poll();
  $('spoken').textContent = 'All messages deleted';
}

$('clear').addEventListener('click', () => clear().catch(() => showState('away', 'Disconnected')));
$('filter').addEventListener('input', show);
$('mails').addEventListener('keydown', moveByKey);
$('keyless').hidden = new URLSearchParams(location.search).has('key');
document.addEventListener('visibilitychange', () => document.hidden || poll().catch(() => {}));
pollForever();
