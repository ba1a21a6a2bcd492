/**
 * What makes the pages pleasant; all of them work without it. Behaviour is asked for by attributes:
 * data-copy="text" copies, data-focus takes the focus, data-confirm="question" asks before a form is sent,
 * data-press is a button that presses itself, such as one that fills a frame.
 */
const TIMES = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** Says something to who cannot see what changed. */
const say = (() => {
  const line = document.createElement('div');
  line.className = 'unseen';
  line.setAttribute('role', 'status');
  document.body.append(line);
  return (text) => (line.textContent = text);
})();

/** Prepares what has just come onto the page. */
function enhance(root) {
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = !navigator.clipboard;
  for (const time of root.querySelectorAll('time[datetime]')) {
    time.title = time.textContent;
    time.textContent = TIMES.format(new Date(time.dateTime));
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
  say('Copied');
  setTimeout(() => {
    button.textContent = textContent;
    button.classList.remove('done');
  }, 2000);
}

document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]');
  if (button) copy(button).catch(() => say('Copying is not allowed here'));
});

/** A form is sent once, and its button says that it is on its way. */
document.addEventListener('submit', (event) => {
  const form = event.target;
  // What is shown in a frame leaves the page as it is.
  if (event.submitter?.formTarget) return;
  const question = event.submitter?.dataset.confirm ?? form.dataset.confirm;
  if (form.dataset.sent || (question && !confirm(question))) return event.preventDefault();
  if (form.hasAttribute('hx-post')) return;
  form.dataset.sent = 'yes';
  event.submitter?.setAttribute('aria-busy', 'true');
  event.submitter?.classList.add('busy');
});

/** A page that comes back from the browser's memory may be sent again. */
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
  for (const button of document.querySelectorAll('.busy')) {
    button.classList.remove('busy');
    button.removeAttribute('aria-busy');
  }
});

// The event is at what has come; the target that it names may be what has gone.
document.addEventListener('htmx:afterSwap', (event) => enhance(event.target));
enhance(document);
