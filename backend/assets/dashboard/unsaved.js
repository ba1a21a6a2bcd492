/**
 * Keeps the changes of a submitted form until they are saved: if the session has expired, they are on the page again after
 * signing in. A bar names the sections with changes that are not saved yet, and saves or discards them, also those of several forms. The
 * browser warns before they are lost. Only forms that edit stored values have a version, and the confirmation that submits one again.
 */
{
  const SUMMARY = '.notice.bad[data-focus]';
  const UNCONFIRMED = '.confirmation input:not(:checked)';
  const SAVED = 'Your changes were saved.';
  const submitted = new Set();
  const editedForms = () =>
    [...document.forms].filter((form) => form.elements.version && !form.closest('[data-confirms]'));

  /** Removes the separators of a number, as the server does. */
  const withoutSeparators = (text) =>
    /^\d{1,3}([.,'’\s]\d{3})+$/.test(text.trim()) ? text.replace(/\D/g, '') : text.trim();

  const isChanged = (field) => {
    const { type, name, options } = field;
    // Sample values of a preview, and the recipient of a test message, are not stored.
    if (['hidden', 'submit', 'button', 'file', 'tel'].includes(type) || name.startsWith('sample-')) return false;
    // After a rejected save, the default value is the submitted one.
    const hasStored = 'stored' in field.dataset;
    // Choosing a radio button also changes the one that was chosen before.
    if (type === 'radio')
      return field.checked && (hasStored ? field.value !== field.dataset.stored : !field.defaultChecked);
    if (type === 'checkbox') return field.checked !== field.defaultChecked;
    if (!options && hasStored) return withoutSeparators(field.value) !== withoutSeparators(field.dataset.stored);
    if (!options) return field.value !== field.defaultValue;
    const stored = [...options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(0, stored);
  };
  // The server shows submitted values again without storing them, for example after adding rows, or with error messages.
  const isOpen = (form) => 'unsaved' in form.dataset || form.querySelector('.problem, .confirmation') !== null;
  const changesIn = (form) => [...form.elements].filter((field) => field.name && isChanged(field));
  const changedForms = () =>
    editedForms().filter((form) => !submitted.has(form) && (isOpen(form) || changesIn(form).length > 0));

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
  document.documentElement.classList.add('has-save-bar');

  const edited = editedForms();
  const groups = () => edited.flatMap((form) => [...form.querySelectorAll('details')]);

  /** Names the sections with changes. Sections are around forms, or in them. */
  function titlesOf(forms) {
    const places = forms.flatMap((form) => [form, ...changesIn(form)]);
    const titles = places.flatMap(
      (place) => place.closest('section')?.querySelector('h2')?.firstChild.textContent.trim() ?? [],
    );
    return titles.length > 0 ? `: ${[...new Set(titles)].join(', ')}` : '';
  }

  /** `many` has the unit, such as `# people`. The page has its own text for an empty field. */
  function unsavedText(value, { many, ...texts }) {
    if (!/^\d+$/.test(value)) return value;
    return Number(value) < 2 ? texts[Number(value)] : many.replace('#', Number(value).toLocaleString('en'));
  }

  /** Shows unsaved values where the page names the values in effect. */
  function showValues(fields) {
    for (const place of document.querySelectorAll('[data-unsaved-for]')) {
      const field = fields.find(({ id }) => id === place.dataset.unsavedFor);
      if (field) place.textContent = unsavedText(withoutSeparators(field.value), place.dataset);
      place.parentElement.hidden = !field;
    }
  }

  function update() {
    const forms = changedForms();
    showValues(forms.flatMap(changesIn));
    const left = document.querySelectorAll(UNCONFIRMED).length;
    const start = left === 0 ? 'Unsaved changes' : `${left} ${left === 1 ? 'confirmation' : 'confirmations'} left`;
    const line = `${start}${titlesOf(forms)}`;
    const height = bar.offsetHeight;
    bar.hidden = forms.length === 0;
    // Screen readers announce each change of the text.
    if (text.textContent !== line) text.textContent = line;
    document.documentElement.style.setProperty('--bar-height', `${bar.offsetHeight}px`);
    // The bar must not cover the field that a person edits.
    const field = document.activeElement;
    if (bar.offsetHeight > height && field.matches('input, select, textarea'))
      field.scrollIntoView({ block: 'nearest' });
    // Nor the next choice, nor the fields that belong to this one.
    const choice = field.type === 'radio' && field.closest('.presets > label');
    if (!choice) return;
    choice.nextElementSibling?.scrollIntoView({ block: 'nearest' });
    choice.parentElement.querySelector('.vendor-keys')?.scrollIntoView({ block: 'nearest' });
  }

  const mainButton = (form) =>
    [...form.elements].find((element) => element.matches('button.button:not(.subtle, .danger, [name], [formtarget])'));

  // The Enter key presses the hidden button of a form, but there may be nothing to save.
  for (const form of edited)
    form.addEventListener('submit', (event) => {
      if (event.submitter?.matches('.saved-by-bar') && !changedForms().includes(form)) event.preventDefault();
    });

  const pageOf = async (reply) => new DOMParser().parseFromString(await reply.text(), 'text/html');
  const send = (form, headers = {}) =>
    fetch(form.action, { method: 'POST', headers, body: new URLSearchParams(new FormData(form)) });

  /** Returns the notice of a saved form; undefined if it has errors, a conflict, or must be confirmed. */
  async function post(form) {
    const reply = await send(form);
    const notice = reply.redirected && (await pageOf(reply)).querySelector('.notice.result.good')?.textContent;
    return notice && { notice, url: new URL(reply.url) };
  }

  /** Shows the errors of a form at its fields, from the page that the server replied with. */
  function showErrors(form, page) {
    for (const problem of form.querySelectorAll('.problem')) problem.remove();
    for (const field of form.querySelectorAll('[aria-invalid]')) field.removeAttribute('aria-invalid');
    for (const place of form.querySelectorAll('.wrong')) place.classList.remove('wrong');
    const wrong = [...(page?.forms ?? [])].find(({ action }) => action === form.action);
    if (!wrong) return;
    for (const problem of wrong.querySelectorAll('.problem')) {
      const field = document.getElementById(problem.id.replace(/-error$/, ''));
      field.closest('.field')?.classList.add('wrong');
      field.setAttribute('aria-invalid', 'true');
      field.setAttribute(
        'aria-describedby',
        wrong.querySelector(`#${field.id}`).getAttribute('aria-describedby') ?? '',
      );
      if (field.matches('fieldset')) field.append(problem);
      else (field.closest('.with-unit') ?? field).after(problem);
      for (let group = field; (group = group.parentElement.closest('details'));) group.open = true;
    }
    form.querySelector('.confirmation')?.remove();
    const confirmation = wrong.querySelector('.confirmation');
    if (confirmation) mainButton(form).closest('.actions').before(confirmation);
  }

  /** Checks the forms, and shows the errors of all of them at once. Returns whether there are any. Saves nothing. */
  async function haveErrors(forms) {
    const replies = await Promise.all(forms.map((form) => send(form, { 'X-Check-Only': 'yes' })));
    const pages = await Promise.all(replies.map((reply) => (reply.status === 422 ? pageOf(reply) : undefined)));
    forms.forEach((form, n) => showErrors(form, pages[n]));
    for (const notice of document.querySelectorAll(`${SUMMARY}, .notice.result`)) notice.remove();
    const [summary, ...others] = pages.flatMap((page) => page?.querySelector(SUMMARY) ?? []);
    if (summary) {
      summary.querySelector('ul').append(...others.flatMap((other) => [...other.querySelectorAll('li')]));
      const count = summary.querySelectorAll('li').length;
      if (count > 1) summary.querySelector('strong').textContent = `Check ${count} fields.`;
      [...document.querySelectorAll('main > :is(.page-head, .tabs)')].at(-1).after(summary);
    }
    (document.querySelector(SUMMARY) ?? document.querySelector(UNCONFIRMED))?.focus();
    return pages.some(Boolean);
  }

  /** Opens the page of the forms, which can have another URL after an error. */
  const open = (url) => (url.pathname === location.pathname ? location.reload() : location.assign(url));

  async function saveAll() {
    const forms = changedForms();
    if (forms.length > 1 && (await haveErrors(forms))) return update();
    keepPlace(forms[0]);
    const results = [];
    if (forms.length > 1)
      for (const form of forms) {
        const result = await post(form);
        if (!result) continue;
        results.push(result);
        submitted.add(form);
        // Shown on the next page, also if the connection breaks before the last form is saved.
        sessionStorage.setItem('saved', results.map(({ notice }) => notice).join(' '));
      }
    const [unsaved] = changedForms();
    // The page of a form that was not saved says why. The browser does not submit invalid values.
    if (unsaved) unsaved.requestSubmit(mainButton(unsaved));
    else {
      sessionStorage.setItem('saved', SAVED);
      open(results.at(-1).url);
    }
    update();
  }

  // Leaving a field can change the height of the page, which would move the bar away from the pointer before the click.
  bar.addEventListener('mousedown', (event) => event.preventDefault());
  save.addEventListener('click', () => {
    // The field keeps the focus, so its value is taken over now, such as a country that was typed.
    if (document.activeElement.matches('input'))
      document.activeElement.dispatchEvent(new Event('change', { bubbles: true }));
    save.disabled = true;
    saveAll()
      .catch(() => {
        const saved = sessionStorage.getItem('saved') ?? '';
        update();
        text.textContent =
          `${saved} Not saved${titlesOf(changedForms())}. The server cannot be reached. Try again.`.trim();
      })
      .finally(() => (save.disabled = false));
  });
  discard.addEventListener('click', () => {
    const forms = changedForms();
    if (forms.some(isOpen)) {
      for (const form of forms) submitted.add(form);
      location.assign(location.pathname.replace(/\/import$/, ''));
      return;
    }
    for (const form of forms) {
      form.reset();
      // Previews and color pickers follow the fields.
      for (const field of form.elements) if (field.name) field.dispatchEvent(new Event('input', { bubbles: true }));
    }
  });

  const saved = sessionStorage.getItem('saved');
  sessionStorage.removeItem('saved');
  const last = document.querySelector('.notice.result.good p');
  if (saved && last) last.textContent = SAVED;
  else if (saved) {
    const notice = add(document.createElement('div'), 'div', { className: 'notice good result' });
    notice.setAttribute('role', 'status');
    add(notice, 'p', { textContent: saved });
    document.querySelector('main')?.prepend(notice);
  }

  document.addEventListener('input', ({ target }) => {
    submitted.delete(target.form);
    update();
  });
  /** Enter in a field saves the changes of all forms, as the bar does. */
  document.addEventListener(
    'submit',
    (event) => {
      const { target, submitter } = event;
      const isMain = edited.includes(target) && submitter === mainButton(target);
      if (!isMain || save.disabled || changedForms().length < 2) return;
      event.preventDefault();
      event.stopPropagation();
      save.click();
    },
    true,
  );
  document.addEventListener('submit', ({ target, submitter, defaultPrevented }) => {
    // A form that loads a frame saves nothing.
    if (defaultPrevented || submitter?.formTarget) return;
    keepDrafts(target);
    if (edited.includes(target)) keepPlace(target);
    submitted.add(target);
  });

  const isBox = ({ type }) => type === 'checkbox' || type === 'radio';

  /** Stores the changes when a form is submitted, except secrets. */
  function keepDrafts(target) {
    const unsaved = edited.filter((form) => !submitted.has(form));
    const drafts = unsaved.map((form) => ({
      action: form.action,
      isSubmitted: form === target,
      version: form.elements.version.value,
      changes: changesIn(form)
        .filter(({ type }) => type !== 'password')
        .map((field) => ({ name: field.name, value: field.value, isBox: isBox(field), checked: field.checked })),
    }));
    sessionStorage.setItem('drafts', JSON.stringify(drafts));
  }

  function restoreChange(form, { name, value, checked, ...change }) {
    const fields = [...form.elements].filter((field) => field.name === name);
    const box = change.isBox && fields.find((field) => isBox(field) && field.value === value);
    if (box) box.checked = checked;
    else if (fields[0]) {
      fields[0].value = value;
      fields[0].dispatchEvent(new Event('change', { bubbles: true }));
    }
  }

  function restoreDrafts() {
    const drafts = JSON.parse(sessionStorage.getItem('drafts') ?? '[]');
    const isSaved = document.querySelector('.notice.result.good') !== null;
    const places = drafts.flatMap((draft) => {
      const { action, version, isSubmitted } = draft;
      // The version stays the same if the server stores the value that it already had, such as Europe/Zurich for Zurich.
      if (isSubmitted && isSaved) return [];
      const form = edited.find(
        (one) => one.action === action && one.elements.version.value === version && !isOpen(one),
      );
      return form ? [[form, draft]] : [];
    });
    if (places.length > 0 || document.querySelector('.notice')) sessionStorage.removeItem('drafts');
    for (const [form, { changes }] of places) for (const change of changes) restoreChange(form, change);
    update();
  }
  restoreDrafts();
  update();
  // The errors received the focus before the bar appeared, which may now cover them.
  if (!bar.hidden) document.querySelector(`${SUMMARY}, .confirmation`)?.scrollIntoView({ block: 'center' });

  /** Keeps a saved form where it was on the screen, and open groups open. The page after saving has a notice at its top, and another URL. */
  function keepPlace(form) {
    const open = groups().map((details) => details.open);
    const place = { action: form.action, top: form.getBoundingClientRect().top, open };
    sessionStorage.setItem('place', JSON.stringify(place));
  }

  addEventListener('load', () => {
    const place = JSON.parse(sessionStorage.getItem('place') ?? '{}');
    const form = edited.find(({ action }) => action === place.action);
    if (!form || !document.querySelector('.notice.result.good')) return;
    sessionStorage.removeItem('place');
    groups().forEach((details, n) => (details.open ||= place.open[n]));
    scrollBy({ top: form.getBoundingClientRect().top - place.top, behavior: 'instant' });
  });

  addEventListener('beforeunload', (event) => {
    if (changedForms().length > 0) event.preventDefault();
  });
}
