/**
 * Puts a value of a received event into a field of an automation (data-mapping) without a request. Without this script, the
 * server does it.
 */
{
  document.addEventListener('focusin', ({ target }) => {
    const into = target.form?.matches('[data-mapping]') && target.form.elements.into;
    if (into && [...into.options].some(({ value }) => value === target.name)) into.value = target.name;
  });

  document.addEventListener('click', (event) => {
    const button = event.target.closest('[data-mapping] [data-insert]');
    const { into } = button?.form.elements ?? {};
    const field = into && button.form.elements[into.value];
    if (!field) return;
    event.preventDefault();
    field.value = `{{ ${button.dataset.insert} }}`;
    field.focus();
  });
}
