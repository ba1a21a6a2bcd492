/** Turns the variables below the text of a message into buttons that insert them at the cursor, and removes old errors. */
{
  let field = document.querySelector('.editor .words');
  if (field) field.selectionStart = field.value.length;

  document.addEventListener('focusin', ({ target }) => {
    if (target.matches('.editor :is([name=subject], .words)')) field = target;
  });

  document.addEventListener('input', ({ target }) => {
    if (!target.matches('.editor .words')) return;
    target.removeAttribute('aria-invalid');
    target.closest('.field').querySelector('.problem')?.remove();
  });

  document.addEventListener('htmx:afterSettle', ({ detail }) => {
    const isCorrect = detail.target.id === 'preview' && !document.querySelector('.editor #check .bad');
    if (isCorrect) document.querySelector('main > .notice.bad')?.remove();
  });

  for (const variable of document.querySelectorAll('.editor [data-insert]')) {
    const { insert, label } = variable.dataset;
    const button = Object.assign(document.createElement('button'), { type: 'button', textContent: label });
    button.className = 'button subtle small';
    button.addEventListener('click', () => {
      field.setRangeText(insert, field.selectionStart, field.selectionEnd, 'end');
      field.focus();
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    variable.replaceWith(button);
  }
}
