/**
 * Progressive enhancement of the documentation: search while typing, copy buttons, one language for all examples, the
 * reader's App Key in the examples, and a filter for the error codes. Every page also works without it.
 */
const SEARCH_DELAY_MS = 120;
const COPIED_MS = 2000;

function element(name, properties = {}, ...children) {
  const node = Object.assign(document.createElement(name), properties);
  node.append(...children);
  return node;
}

/** Remembers a choice of the reader. Browsers can forbid storage. */
const remember = (name, value) => {
  try {
    if (value === undefined) return localStorage.getItem(`docs-${name}`);
    localStorage.setItem(`docs-${name}`, value);
  } catch {
    return null;
  }
};

const spoken = element('p', { className: 'unseen' });
spoken.setAttribute('role', 'status');
document.body.append(spoken);

// Wide screens show the lists and examples that are collapsed on phones.

const wide = matchMedia('(min-width: 60rem)');
const openLists = () => {
  for (const list of document.querySelectorAll('nav details, .fold')) list.open = wide.matches;
};
wide.addEventListener('change', openLists);
openLists();

/**
 * Opens the collapsed section that contains the target of the address, or that follows a heading and its summary. If the
 * target has moved to another page, opens that page.
 */
function showTarget() {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.matches('a.moved')) return void location.replace(target.href);
  const next = target?.nextElementSibling;
  const following = next?.matches('p') ? next.nextElementSibling : next;
  const section = target?.closest('details') ?? following;
  if (!section?.matches('details:not([open])')) return;
  section.open = true;
  target.scrollIntoView();
}
addEventListener('hashchange', showTarget);
showTarget();

const currentPage = document.querySelector('.site [aria-current]');
const site = currentPage?.closest('nav');

/** Scrolls the list of pages to the group of the current page, without cutting off the first line that is visible. */
function showCurrentPage() {
  const isVisible = currentPage.offsetTop + currentPage.offsetHeight <= site.clientHeight;
  if (isVisible || !wide.matches) return;
  const heading = currentPage.closest('ul').previousElementSibling;
  const start = Math.max(heading.offsetTop, currentPage.offsetTop - site.clientHeight / 2);
  const wanted = Math.min(start, site.scrollHeight - site.clientHeight);
  const lines = [...site.querySelectorAll('.group, li')];
  // scrollIntoView() could also scroll the window away from the heading in its address.
  site.scrollTop = lines.findLast(({ offsetTop }) => offsetTop <= wanted)?.offsetTop ?? 0;
}
if (site) {
  showCurrentPage();
  let isMoved = false;
  for (const type of ['wheel', 'touchmove', 'pointerdown', 'keydown'])
    site.addEventListener(type, () => (isMoved = true), { once: true, passive: true });
  // Lines can wrap differently in the page's own font, which may start to load only now. The position alone does not show
  // whether the reader scrolled, because the browser changes it when the list becomes shorter.
  const showAgain = () => !isMoved && showCurrentPage();
  document.fonts.ready.then(showAgain);
  document.fonts.addEventListener('loadingdone', showAgain);
}

const heights = new ResizeObserver((entries) => {
  for (const { target } of entries) target.style.setProperty('--height', `${target.offsetHeight}px`);
});
for (const examples of document.querySelectorAll('.examples')) heights.observe(examples);

// Copying

function copyButton(label, read) {
  const button = element('button', { type: 'button', className: 'copy', textContent: label });
  button.addEventListener('click', async () => {
    const done = await Promise.resolve(read())
      .then((text) => navigator.clipboard.writeText(text))
      .then(
        () => true,
        () => false,
      );
    button.textContent = done ? 'Copied' : 'Not copied';
    spoken.textContent = done ? 'Copied' : 'Your browser does not allow copying on this page.';
    setTimeout(() => {
      button.textContent = label;
      spoken.textContent = '';
    }, COPIED_MS);
  });
  return button;
}

if (navigator.clipboard) {
  for (const block of document.querySelectorAll('.code'))
    (block.querySelector('.code-bar') ?? block).append(
      copyButton('Copy', () => block.querySelector('code').textContent),
    );
  const markdown = document.querySelector('.tools a');
  markdown?.before(copyButton('Copy as Markdown', () => fetch(markdown.href).then((reply) => reply.text())));
}

// Languages: all examples show the language that was chosen last.

function showLanguage(language) {
  for (const tab of document.querySelectorAll('.tabs > input')) if (tab.value === language) tab.checked = true;
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('.tabs > input')) return;
  // The page must not jump when examples above change their heights.
  const before = target.getBoundingClientRect().top;
  showLanguage(target.value);
  scrollBy(0, target.getBoundingClientRect().top - before);
  remember('language', target.value);
});
showLanguage(remember('language'));

// App Keys of the account that is signed in to the dashboard

/** Expressions that stand for the App Key. Those of programming languages become string literals. */
const APP_KEY =
  /\$APP_KEY\b|(?<=\bAPP_KEY=|['"])pk_…|process\.env\.APP_KEY\b|os\.environ\["APP_KEY"\]|(?:get|os\.Get)env\((['"])APP_KEY\1\)/g;

/** Returns the position in the text nodes of `code` as arguments of Range.setStart(). */
function positionIn(code, offset) {
  const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  let rest = offset;
  while (walker.nextNode()) {
    if (rest <= walker.currentNode.length) return [walker.currentNode, rest];
    rest -= walker.currentNode.length;
  }
}

/** `isSet`: whether the block is at or after a command that sets the shell variable, so that only this command changes. */
function markAppKeys(code, isSet) {
  const found = [...code.textContent.matchAll(APP_KEY)].reverse();
  const places = found.filter(([text]) => !isSet || text !== '$APP_KEY');
  return places.map(({ 0: text, index }) => {
    const isShell = /^(?:\$|pk_)/.test(text);
    const quote = text.includes('"') ? '"' : "'";
    const range = document.createRange();
    range.setStart(...positionIn(code, index));
    range.setEnd(...positionIn(code, index + text.length));
    range.deleteContents();
    const mark = element('span', { className: 'app-key' });
    mark.dataset.quote = isShell ? '' : quote;
    range.insertNode(mark);
    // A value that is filled in need not be replaced.
    code.querySelector('mark:empty')?.remove();
    return mark;
  });
}

async function showAppKeys() {
  const blocks = [...document.querySelectorAll('.code code')];
  if (!blocks.some(({ textContent }) => textContent.search(APP_KEY) >= 0)) return;
  // Redirects to the sign-in page if nobody is signed in.
  const reply = await fetch('/dashboard/app-keys.json', { redirect: 'manual' });
  const applications = reply.ok ? await reply.json() : [];
  if (applications.length === 0) return;
  let isSet = false;
  const marks = blocks.flatMap((block) => {
    isSet ||= /\bAPP_KEY=pk_…/.test(block.textContent);
    return markAppKeys(block, isSet);
  });
  const show = (key) => {
    for (const mark of marks) mark.textContent = `${mark.dataset.quote}${key}${mark.dataset.quote}`;
  };
  const choice = element('select', { id: 'app-key' });
  for (const { name, appKey } of applications) choice.append(element('option', { value: appKey, textContent: name }));
  const earlier = remember('app-key');
  if (applications.some(({ appKey }) => appKey === earlier)) choice.value = earlier;
  choice.addEventListener('change', () => {
    show(choice.value);
    remember('app-key', choice.value);
  });
  const label = element('label', { htmlFor: 'app-key', textContent: 'App Key in examples ' });
  document.querySelector('.tools')?.append(element('span', {}, label, choice));
  show(choice.value);
}
showAppKeys().catch(() => undefined);

// Search

function enhanceSearch(form) {
  const field = form.elements.q;
  const panel = element('div', { className: 'panel', hidden: true });
  form.append(panel);
  let timer;
  let shown = '';
  async function show() {
    const query = field.value.trim();
    if (query === shown) return void (panel.hidden = query === '');
    shown = query;
    if (query === '') return void (panel.hidden = true);
    const reply = await fetch(`${form.action}?${new URLSearchParams({ q: query })}`);
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    // The reader may have typed more since then.
    if (query !== shown) return;
    panel.replaceChildren(...page.getElementById('results').childNodes);
    panel.hidden = false;
  }
  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(() => show().catch(() => undefined), SEARCH_DELAY_MS);
  });
  field.addEventListener('focus', () => {
    // The server creates the index for its first search.
    if (shown === '') fetch(form.action).catch(() => undefined);
    panel.hidden = shown === '' || field.value.trim() === '';
  });
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) panel.hidden = true;
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      panel.hidden = true;
      return field.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || panel.hidden) return;
    const stops = [field, ...panel.querySelectorAll('a')];
    event.preventDefault();
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
  });
}

const search = document.querySelector('header .search');
if (search) {
  enhanceSearch(search);
  // Enter submits the form.
  search.querySelector('button').hidden = true;
  if (wide.matches && matchMedia('(pointer: fine)').matches) search.elements.q.placeholder = 'Search (press /)';
}

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select');
  const isShortcut = (event.key === 'k' && (event.metaKey || event.ctrlKey)) || (event.key === '/' && !isTyping);
  const field = document.querySelector('.search input');
  if (!isShortcut || !field) return;
  event.preventDefault();
  field.focus();
  field.select();
});

// The heading that the reader has reached is marked in the list of headings.

const links = new Map([...document.querySelectorAll('.contents a')].map((link) => [link.hash.slice(1), link]));
const headings = [...links.keys()].map((id) => document.getElementById(id));
const mark = () => {
  const current = headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? headings[0];
  for (const [id, link] of links) link.toggleAttribute('aria-current', id === current.id);
};
if (headings.length > 0) {
  addEventListener('scroll', () => requestAnimationFrame(mark), { passive: true });
  mark();
}

// Error codes

if (location.pathname === '/docs/errors') {
  const topics = headings.map((topic) => ({ topic, link: links.get(topic.id).parentElement }));
  const codes = [...document.querySelectorAll('.errors > h3')].map((heading) => {
    const message = heading.nextElementSibling;
    const parts = [heading, message, message.nextElementSibling];
    const text = parts.map(({ textContent }) => textContent).join(' ');
    // The last topic before the code.
    const { topic } = topics.findLast(
      (one) => one.topic.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING,
    );
    return { parts, topic, text: text.toLowerCase() };
  });
  const field = element('input', {
    type: 'search',
    id: 'filter',
    autocomplete: 'off',
    placeholder: 'OTP_LOCKED, or a word from the message',
  });
  const count = element('p', { className: 'quiet' });
  count.setAttribute('role', 'status');
  count.textContent = `${codes.length} codes`;
  field.addEventListener('input', () => {
    const words = field.value.toLowerCase().split(/\s+/);
    const found = codes.filter(({ text }) => words.every((word) => text.includes(word)));
    for (const code of codes) for (const part of code.parts) part.hidden = !found.includes(code);
    for (const { topic, link } of topics) topic.hidden = link.hidden = !found.some((code) => code.topic === topic);
    count.textContent = field.value === '' ? `${found.length} codes` : `${found.length} of ${codes.length} codes`;
  });
  const label = element('label', { htmlFor: 'filter', textContent: 'Filter the codes' });
  headings[0].before(element('div', { className: 'filter' }, label, field, count));
}
