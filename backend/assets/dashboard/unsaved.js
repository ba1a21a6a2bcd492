/**
 * A bar that counts the changes that are not saved yet, and saves or discards them, also those of several forms. The browser
 * warns before they are lost. Only forms that edit stored values have a version.
 */
{
  const submitted = new Set();

  const isChanged = (field) => {
    const { type, name, options } = field;
    // Sample values of a preview are not stored.
    if (['hidden', 'submit', 'button', 'file'].includes(type) || name.startsWith('sample-')) return false;
    if (type === 'checkbox' || type === 'radio') return field.checked !== field.defaultChecked;
    if (!options) return field.value !== field.defaultValue;
    const stored = [...options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(0, stored);
  };
  const changesIn = (form) => [...form.elements].filter((field) => field.name && isChanged(field));
  const changedForms = () =>
    [...document.forms].filter((form) => form.elements.version && !submitted.has(form) && changesIn(form).length > 0);

  const add = (parent, tag, properties) => parent.appendChild(Object.assign(document.createElement(tag), properties));
  const bar = document.createElement('div');
  bar.className = 'save-bar';
  bar.setAttribute('role', 'region');
  bar.setAttribute('aria-label', 'Unsaved changes');
  const text = add(bar, 'p', {});
  text.setAttribute('role', 'status');
  const save = add(bar, 'button', { type: 'button', className: 'button', textContent: 'Save changes' });
  const discard = add(bar, 'button', { type: 'button', className: 'button subtle', textContent: 'Discard' });
  bar.hidden = true;
  document.querySelector('main')?.append(bar);

  function update() {
    const forms = changedForms();
    const count = forms.flatMap(changesIn).length;
    const titles = forms.flatMap((form) => form.closest('section')?.querySelector('h2')?.textContent ?? []);
    const places = titles.length > 0 ? `: ${titles.join(', ')}` : '';
    text.textContent = `${count} unsaved ${count === 1 ? 'change' : 'changes'}${places}`;
    bar.hidden = count === 0;
  }

  const mainButton = (form) =>
    [...form.elements].find((element) => element.matches('button.button:not(.subtle, .danger, [name], [formtarget])'));

  /** Returns the notice of a saved form; undefined if it has errors, a conflict, or must be confirmed. */
  async function post(form) {
    const reply = await fetch(form.action, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    const page = new DOMParser().parseFromString(await reply.text(), 'text/html');
    const notice = reply.redirected ? page.querySelector('.notice.result.good')?.textContent : undefined;
    return notice && { notice, url: new URL(reply.url) };
  }

  /** Opens the page of the forms, which can have another URL after an error. */
  const open = (url) => (url.pathname === location.pathname ? location.reload() : location.assign(url));

  async function saveAll() {
    const forms = changedForms();
    const results = [];
    if (forms.length > 1)
      for (const form of forms) {
        const result = await post(form);
        if (!result) continue;
        results.push(result);
        submitted.add(form);
      }
    sessionStorage.setItem('saved', results.map(({ notice }) => notice).join(' '));
    const [unsaved] = changedForms();
    // The page of a form that was not saved says why. The browser does not submit invalid values.
    if (unsaved) unsaved.requestSubmit(mainButton(unsaved));
    else open(results.at(-1).url);
    update();
  }

  save.addEventListener('click', () => {
    save.disabled = true;
    saveAll()
      .catch(() => (text.textContent = 'Not saved: the server cannot be reached. Try again.'))
      .finally(() => (save.disabled = false));
  });
  discard.addEventListener('click', () => {
    for (const form of changedForms()) {
      form.reset();
      // Previews and color pickers follow the fields.
      for (const field of form.elements) if (field.name) field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });

  const saved = sessionStorage.getItem('saved');
  sessionStorage.removeItem('saved');
  if (saved) {
    const notice = add(document.createElement('div'), 'div', { className: 'notice good result' });
    notice.setAttribute('role', 'status');
    add(notice, 'p', { textContent: saved });
    document.querySelector('main')?.prepend(notice);
  }

  document.addEventListener('input', ({ target }) => {
    submitted.delete(target.form);
    update();
  });
  document.addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    // A form that loads a frame saves nothing.
    if (!defaultPrevented && !submitter?.formTarget) submitted.add(target);
  });
  addEventListener('beforeunload', (event) => {
    if (changedForms().length > 0) event.preventDefault();
  });
}
