/** Updates the preview of the widget with the values of the form. */
/* global colorOf */
const form = document.getElementById('design');
const frame = document.getElementById('preview-frame');
const state = document.getElementById('preview-state');
const system = document.getElementById('preview-theme');

/** The design in the form, without invalid values. */
function designOf(fields) {
  const entries = [...fields].map(([name, value]) => [name, String(value)]);
  const texts = entries.filter(([name, value]) => name.startsWith('text-') && value !== '');
  const { title, logoUrl, theme, language, radius, ...rest } = Object.fromEntries(entries);
  return {
    title: title.trim(),
    logoUrl: /^https:\/\/[^\s"<>\\.]+\.[^\s"<>\\]+$/.test(logoUrl.trim()) ? logoUrl.trim() : '',
    theme: theme === 'auto' ? system.value : theme,
    accentColor: colorOf(rest.accentColor) || form.dataset.accent,
    backgroundColor: colorOf(rest.backgroundColor),
    textColor: colorOf(rest.textColor),
    radius: Math.min(32, Math.max(0, Number.parseInt(radius, 10) || 0)),
    language,
    texts: Object.fromEntries(texts.map(([name, value]) => [name.slice('text-'.length), value])),
  };
}

/** Includes disabled fields, which `FormData` leaves out. */
function formFields() {
  const data = new FormData(form);
  for (const select of form.querySelectorAll('select:disabled')) data.set(select.name, select.value);
  return data;
}

let ready = false;

function show() {
  const design = designOf(formFields());
  // The pickers of empty fields show the default colors of the theme in the preview.
  for (const picker of form.querySelectorAll('[data-color]')) {
    picker.dataset.ownLight ??= picker.dataset.own;
    picker.dataset.own = design.theme === 'dark' ? picker.dataset.ownDark : picker.dataset.ownLight;
    if (document.getElementById(picker.dataset.color).value === '') picker.value = picker.dataset.own;
  }
  if (ready) frame.contentWindow.postMessage({ design, state: state.value }, '*');
}

addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  if (data?.ready) {
    ready = true;
    show();
  }
  if (!Number.isFinite(data?.height)) return;
  frame.height = Math.ceil(Math.min(1200, data.height));
  document.documentElement.style.setProperty('--preview-height', `${frame.height}px`);
});

let timer;
form.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(show, 120);
});
// Opening a group of texts shows the state of the widget that contains them.
form.addEventListener('click', ({ target }) => {
  const group = target.closest('summary')?.parentElement;
  if (!group || group.open) return;
  state.value = group.dataset.state;
  show();
});
for (const choice of [state, system]) choice.addEventListener('change', show);

if (matchMedia('(prefers-color-scheme: dark)').matches) system.value = 'dark';
const preview = document.getElementById('preview');
// On narrow screens, the preview is closed until a person opens it. It is small, and has no room for the QR code.
if (matchMedia('(max-width: 61.9rem)').matches) {
  state.value = 'enter';
  preview.open = false;
}
// The widget has no height while the preview is closed.
preview.addEventListener('toggle', show);
preview.hidden = false;
// After the listener is added, so that no message is missed.
frame.src = frame.dataset.src;
