/**
 * Pauses the refresh of the message list (data-live) while it is hidden or in use, and sets the browser's time zone for the time
 * filters (data-zone), if the account has none.
 */
{
  const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

  function prepare(root) {
    for (const part of root.querySelectorAll('[data-needs-script]')) part.hidden = false;
    // Filters keep the time zone in which they were entered.
    for (const field of root.querySelectorAll('input[data-zone]')) {
      if (field.value) continue;
      field.value = ZONE;
      for (const name of root.querySelectorAll('[data-zone-name]')) name.textContent = ZONE;
    }
  }

  /** Whether a refresh would disturb the person or go unseen. */
  const shouldPause = (list) =>
    document.hidden || list.matches(':hover, :focus-within') || document.querySelector('.search:focus-within') !== null;

  document.addEventListener('htmx:beforeRequest', (event) => {
    const { elt } = event.detail;
    if (elt.matches('[data-live]') && shouldPause(elt)) event.preventDefault();
  });

  prepare(document);
}
