/**
 * Puts a value of a received event into a field of an automation (data-mapping) without a request, and opens the list of all
 * values below a field. Without this script, the server does it.
 */
{
  for (const values of document.querySelectorAll('[data-field-values]')) values.hidden = false;
  const all = document.getElementById('all-values');
  if (all) all.hidden = true;

  document.addEventListener('focusin', ({ target }) => {
    const into = target.form?.matches('[data-mapping]') && target.form.elements['sample-into'];
    if (into && [...into.options].some(({ value }) => value === target.name)) into.value = target.name;
  });

  // A channel needs a recipient of its kind. Other recipients than those of the shop are not replaced.
  document.addEventListener('change', ({ target: { dataset, form, value } }) => {
    const { phone, email } = dataset;
    const [other, fitting] = value === 'EMAIL' ? [phone, email] : [email, phone];
    const field = form?.elements.to;
    if (value === '' || email === undefined || field.value !== other) return;
    field.value = fitting;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-mapping] :is([data-insert], [data-all-values])');
    if (!button) return;
    const { elements } = button.form;
    const values = button.closest('[data-field-values]');
    if (values) elements['sample-into'].value = values.dataset.fieldValues;
    if ('allValues' in button.dataset) {
      values.after(all);
      all.hidden = false;
      all.open = true;
      all.querySelector('[data-insert]')?.focus();
      return;
    }
    event.preventDefault();
    const field = elements[elements['sample-into'].value];
    field.value = `{{ ${button.dataset.insert} }}`;
    // The preview and the unsaved-changes bar follow the fields.
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.focus();
  });
}
