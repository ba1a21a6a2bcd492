/**
 * Progressive enhancement: every page also works without it. Attributes add behavior:
 * - data-copy="text": copies the text.
 * - data-focus: receives the focus.
 * - data-confirm="question": asks before the form is submitted; on an option, only while it is selected.
 * - data-file-for="id": copies a chosen file into the text area with this id; an image as a data URL.
 * - data-press: presses the button automatically, for example to load a frame.
 */
const TIMES = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Announces a change to screen readers. */
const announce = (() => {
  const line = document.createElement('div');
  line.className = 'unseen';
  line.setAttribute('role', 'status');
  document.body.append(line);
  return (text) => (line.textContent = text);
})();

/** Enhances the page, or a fragment that was added to it. */
function enhance(root) {
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard;
  for (const time of root.querySelectorAll('time[datetime]')) {
    time.title = time.textContent;
    time.textContent = TIMES.format(new Date(time.dateTime));
  }
  for (const field of root.querySelectorAll('[data-file]')) field.hidden = false;
  root.querySelector('[data-focus]')?.focus();
  for (const button of root.querySelectorAll('[data-press]')) {
    button.hidden = true;
    button.form.requestSubmit(button);
  }
}

async function copy(button) {
  await navigator.clipboard.writeText(button.dataset.copy);
  const { textContent } = button;
  button.textContent = 'Copied';
  button.classList.add('done');
  announce('Copied');
  setTimeout(() => {
    button.textContent = textContent;
    button.classList.remove('done');
  }, 2000);
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (button) copy(button).catch(() => announce('Your browser does not allow copying'));
});

document.addEventListener('change', async ({ target }) => {
  const [file] = target.files ?? [];
  const area = file && document.getElementById(target.dataset.fileFor);
  if (!area) return;
  if (!file.type.startsWith('image/')) area.value = await file.text();
  else {
    const reader = new FileReader();
    reader.addEventListener('load', () => (area.value = reader.result));
    reader.readAsDataURL(file);
  }
});

/** ⌘K, Ctrl+K and / open the search. */
document.addEventListener('keydown', (event) => {
  const { key, metaKey, ctrlKey, target } = event;
  const isTyping = target.closest('input, textarea, select, [contenteditable]') !== null;
  if (!((key === 'k' && (metaKey || ctrlKey)) || (key === '/' && !isTyping))) return;
  const panel = document.getElementById('search');
  if (!panel) return;
  event.preventDefault();
  panel.showPopover();
});

/** Prevents a form from being submitted twice, and shows that it is being submitted. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  // A form that loads a frame can be submitted again.
  if (event.submitter?.formTarget) return;
  const choice = form.querySelector('option[data-confirm]:checked');
  const question = (choice ?? event.submitter)?.dataset.confirm ?? form.dataset.confirm;
  if (form.dataset.sent || (question && !confirm(question))) return event.preventDefault();
  if (form.matches('[hx-get], [hx-post]')) return;
  form.dataset.sent = 'yes';
  event.submitter?.setAttribute('aria-busy', 'true');
  event.submitter?.classList.add('busy');
});

/** Forms of a page that the browser restores from its cache can be submitted again. */
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  for (const button of document.querySelectorAll('.busy')) {
    button.classList.remove('busy');
    button.removeAttribute('aria-busy');
  }
});

// The event is dispatched on the new content; `event.detail.target` may already be removed.
document.addEventListener('htmx:afterSwap', (event) => enhance(event.target));
enhance(document);
