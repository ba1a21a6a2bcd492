/** Color pickers next to text fields for colors, and previews that have the color or the text of a field. */
const COLOR = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;

/** `#abc` → `#aabbcc`; "" for an incomplete color. */
function colorOf(text) {
  const digits = text.trim().replace(/^#/, '').toLowerCase();
  if (!COLOR.test(digits)) return '';
  return `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
}

/** The color of a field; the default one if it is empty, and "" while the color is incomplete. */
const shownColor = ({ value }, { dataset }) => (value.trim() === '' ? dataset.own : colorOf(value));

/** Connects the color pickers, which cannot be empty, to the text fields, which can. */
for (const picker of document.querySelectorAll('[data-color]')) {
  const field = document.getElementById(picker.dataset.color);
  const updatePicker = () => (picker.value = shownColor(field, picker) || picker.value);
  picker.hidden = false;
  updatePicker();
  field.addEventListener('input', updatePicker);
  picker.addEventListener('input', () => {
    field.value = picker.value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  });
}

for (const shape of document.querySelectorAll('[data-color-of]')) {
  const field = document.getElementById(shape.dataset.colorOf);
  const updateShape = () => shape.setAttribute('fill', shownColor(field, shape) || shape.getAttribute('fill'));
  // The server shows a rejected color again in the field only.
  updateShape();
  field.addEventListener('input', updateShape);
}

for (const place of document.querySelectorAll('[data-text-of]'))
  document
    .getElementById(place.dataset.textOf)
    .addEventListener('input', ({ target }) => (place.textContent = target.value));
