/**
 * What the list of messages does by itself: it renews itself while somebody can see it and is not busy with it, and it takes
 * times as they are on the reader's clock. data-live marks what renews itself, data-zone the field for the time zone.
 */
{
  const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

  function prepare(root) {
    for (const part of root.querySelectorAll('[data-needs-script]')) part.hidden = false;
    // Times that are there already stay in the zone that they were entered in.
    for (const field of root.querySelectorAll('[data-zone]')) {
      if (field.value) continue;
      field.value = ZONE;
      for (const name of root.querySelectorAll('[data-zone-name]')) name.textContent = ZONE;
    }
  }

  /** Nothing moves under the pointer or the focus, nor behind a hidden tab, nor while somebody fills in a search. */
  const isBusy = (list) =>
    document.hidden || list.matches(':hover, :focus-within') || document.querySelector('.search:focus-within') !== null;

  document.addEventListener('htmx:beforeRequest', (event) => {
    const { elt } = event.detail;
    if (elt.matches('[data-live]') && isBusy(elt)) event.preventDefault();
  });

  prepare(document);
}
