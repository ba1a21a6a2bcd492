/** Pauses the refresh of the message list (data-live) while it is hidden or in use. */
{
  /** Whether a refresh would disturb the person or go unseen. */
  const shouldPause = (list) =>
    document.hidden || list.matches(':hover, :focus-within') || document.querySelector('.search:focus-within') !== null;

  document.addEventListener('htmx:beforeRequest', (event) => {
    const { elt } = event.detail;
    if (elt.matches('[data-live]') && shouldPause(elt)) event.preventDefault();
  });

  for (const part of document.querySelectorAll('[data-needs-script]')) part.hidden = false;
}
