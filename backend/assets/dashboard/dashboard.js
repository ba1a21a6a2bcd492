/**
 * Progressive enhancement: every page also works without it. Attributes add behavior:
 * - data-copy="text": copies the text.
 * - data-focus: receives the focus.
 * - data-confirm="question": asks before the form is submitted; on an option, only while it is selected.
 * - data-file-for="id": copies a chosen file into the text area with this id; an image as a data URL. A file
 *   of more than data-max-bytes shows an error instead. With data-submits, the form is submitted then.
 * - data-countries: a country that is chosen in its field becomes a checkbox.
 * - data-all: selects all checkboxes of its data-group.
 * - data-time-zone: a field that proposes the browser's time zone.
 * - data-empties="id": empties the field with this id.
 * - data-press: presses the button automatically, for example to load a frame.
 */
/** Announces a change to screen readers. */
const announce = (() => {
  const line = document.createElement('div');
  line.className = 'unseen';
  line.setAttribute('role', 'status');
  document.body.append(line);
  return (text) => (line.textContent = text);
})();

/** Shows in the checkbox of a group whether all or some of its other checkboxes are selected. */
function updateGroup(target) {
  const group = target.closest('[data-group]');
  if (!group) return;
  const all = group.querySelector('[data-all]');
  const boxes = [...group.querySelectorAll('[type=checkbox]')].filter((box) => box !== all);
  const selected = boxes.filter(({ checked }) => checked).length;
  all.checked = selected === boxes.length;
  all.indeterminate = selected > 0 && !all.checked;
}

document.addEventListener('change', ({ target }) => {
  if (target.matches('[data-all]'))
    for (const box of target.closest('[data-group]').querySelectorAll('[type=checkbox]')) box.checked = target.checked;
  updateGroup(target);
});

/** Enhances the page, or a fragment that was added to it. */
function enhance(root) {
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard;
  for (const element of root.querySelectorAll('[data-file], [data-empties]')) element.hidden = false;
  for (const all of root.querySelectorAll('[data-all]')) {
    all.parentElement.hidden = false;
    updateGroup(all);
  }
  for (const field of root.querySelectorAll('[data-time-zone]')) {
    const own = Intl.DateTimeFormat().resolvedOptions().timeZone.replaceAll('_', ' ');
    if (field.value === '' && [...field.list.options].some(({ value }) => value === own)) field.value = own;
  }
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

document.addEventListener('click', ({ target }) => {
  const field = document.getElementById(target.closest('[data-empties]')?.dataset.empties);
  if (!field) return;
  field.value = '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  // The style sheet hides the button of an empty field, which would lose the focus.
  field.focus();
});

document.addEventListener('change', async ({ target }) => {
  const [file] = target.files ?? [];
  const area = file && document.getElementById(target.dataset.fileFor);
  if (!area) return;
  // Problems of an earlier file.
  document.querySelector(`.notice.bad:has([href="#${area.id}"])`)?.remove();
  document.getElementById(`${area.id}-error`)?.remove();
  const isTooLarge = file.size > Number(target.dataset.maxBytes ?? Infinity);
  const problem = target.closest('.card')?.querySelector('[data-file-problem]');
  if (problem) problem.hidden = !isTooLarge;
  if (isTooLarge) {
    const [kB, limit] = [file.size, target.dataset.maxBytes].map((bytes) => Math.ceil(bytes / 1000));
    problem.textContent = `This file has ${kB} kB. Choose one of at most ${limit} kB.`;
    area.value = '';
    target.value = '';
    return;
  }
  if (!file.type.startsWith('image/')) area.value = await file.text();
  else {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      area.value = reader.result;
      if ('submits' in target.dataset) area.form.requestSubmit();
    });
    reader.readAsDataURL(file);
  }
});

function addCountry(field) {
  const place = field.closest('[data-countries]');
  const name = [...(field.list?.options ?? [])].find(
    ({ value }) => value.toLowerCase() === field.value.trim().toLowerCase(),
  );
  if (!place || !name) return;
  const box = Object.assign(document.createElement('input'), { type: 'checkbox', name: field.name, value: name.value });
  const earlier = [...place.querySelectorAll('[type=checkbox]')].find(({ value }) => value === box.value);
  if (!earlier) {
    const label = document.createElement('label');
    label.append(box, name.value);
    place.querySelector('ul').appendChild(document.createElement('li')).append(label);
  }
  (earlier ?? box).checked = true;
  field.value = '';
  field.dispatchEvent(new Event('input', { bubbles: true }));
  announce(`Added: ${name.value}`);
}

document.addEventListener('change', ({ target }) => addCountry(target));
// Discarding removes the added countries.
document.addEventListener('reset', ({ target }) => {
  for (const box of target.querySelectorAll('[data-countries] [type=checkbox]'))
    if (!box.defaultChecked) box.closest('li').remove();
});
// The browser's suggestions insert whole names.
document.addEventListener('input', ({ target, inputType }) => {
  if (inputType === 'insertReplacementText') addCountry(target);
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

/** In the search, the arrow keys move through the results. */
document.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const form = event.target.closest('.search-form');
  if (!step || !form) return;
  const stops = [...form.querySelectorAll('input[type=search], li a')];
  event.preventDefault();
  stops[stops.indexOf(event.target) + step]?.focus();
});

/** Enter in the search opens the first result, as soon as the results of the whole text are shown. */
document.addEventListener('htmx:afterSwap', ({ target, detail }) => {
  if (detail.requestConfig.triggeringEvent?.type === 'submit') target.querySelector('.search-form li a')?.click();
});

/** New results keep the position of the focus. */
document.addEventListener('htmx:beforeSwap', ({ target }) => {
  const links = () => [...target.querySelectorAll('.search-form li a')];
  const position = links().indexOf(document.activeElement);
  if (position < 0) return;
  const focus = () => (links()[position] ?? target.closest('.search-form').querySelector('input[type=search]')).focus();
  target.addEventListener('htmx:afterSwap', focus, { once: true });
});

/** Asks before a form is submitted. Escape and the first button, which has the focus, leave the page unchanged. */
function ask(question, form, submitter) {
  const create = (name, properties) => Object.assign(document.createElement(name), properties);
  const sentences = question.split(/(?<=[.?]) /);
  const title = sentences.find((sentence) => sentence.endsWith('?'));
  const details = sentences.filter((sentence) => sentence !== title).join(' ');
  const dialog = create('dialog', { className: 'question' });
  const cancel = create('button', { className: 'button subtle', textContent: 'Cancel' });
  const accept = create('button', { className: 'button', textContent: submitter.textContent });
  if (submitter.matches('.danger')) accept.classList.add('danger');
  cancel.addEventListener('click', () => dialog.close());
  accept.addEventListener('click', () => {
    dialog.close();
    form.dataset.answered = 'yes';
    form.requestSubmit(submitter);
  });
  dialog.addEventListener('close', () => dialog.remove());
  dialog.setAttribute('aria-labelledby', 'question');
  const actions = create('div', { className: 'actions' });
  actions.append(cancel, accept);
  dialog.append(create('h2', { id: 'question', textContent: title }), create('p', { textContent: details }), actions);
  document.body.append(dialog);
  dialog.showModal();
}

/** Prevents a form from being submitted twice, and shows that it is being submitted. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  // A form that loads a frame can be submitted again.
  if (event.submitter?.formTarget) return;
  const choice = form.querySelector('option[data-confirm]:checked');
  const question = (choice ?? event.submitter)?.dataset.confirm ?? form.dataset.confirm;
  if (form.dataset.sent) return event.preventDefault();
  // The server rejects a form without a required value.
  const isIncomplete = [...form.elements].some(
    (element) => element.validity?.valueMissing && element.checkVisibility(),
  );
  if (question && !form.dataset.answered && !isIncomplete) {
    event.preventDefault();
    return ask(question, form, event.submitter);
  }
  delete form.dataset.answered;
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

/** Shows the result of a change in a toast if its notice is out of view, until the person clicks, types or scrolls. */
addEventListener('load', () => {
  const result = document.querySelector('.notice.result');
  if (!result) return;
  const toast = document.createElement('div');
  new IntersectionObserver(([entry], observer) => {
    if (entry.isIntersecting) {
      observer.disconnect();
      return toast.remove();
    }
    toast.className = 'toast';
    toast.dataset.text = result.querySelector('p').textContent;
    const undo = result.querySelector('form');
    if (undo) toast.append(undo.cloneNode(true));
    document.body.append(toast);
    for (const type of ['pointerdown', 'keydown', 'wheel'])
      addEventListener(type, ({ target }) => toast.contains(target) || toast.remove());
  }).observe(result);
});
