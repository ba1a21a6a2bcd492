/** docs/zapier.md matches the fields of the Zapier app. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/process.js';
import { App } from '../support/zapier.js';

const read = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const page = read('zapier.md');

type Field = { label: string; helpText: string };
function fieldsOf(fields: readonly unknown[], templateType?: string): Field[] {
  const all = fields.flatMap((field) =>
    typeof field === 'function' ? (field({}, { inputData: { templateType } }) as Field[]) : [field as Field],
  );
  // The preview is a text, not a field.
  return all.filter(({ label }) => label !== 'Preview');
}
const { order_notification: order, verify_otp: verify } = App.creates;

it.each([
  ['zapier-connect.svg', fieldsOf(App.authentication!.fields!)],
  ['zapier-order-shipped.svg', fieldsOf(order!.operation.inputFields!, 'order_shipped')],
  ['zapier-verify.svg', fieldsOf(verify!.operation.inputFields!)],
])('%s shows all fields with their help texts', (name, fields) => {
  // Joins lines, because the image wraps long texts.
  const picture = read(name).replace(/<\/text>\s*<text[^>]*class="help">/g, ' ');
  for (const { label, helpText } of fields) {
    expect(picture).toContain(`>${label}<`);
    expect(picture).toContain(helpText.replaceAll('`', ''));
    expect(page.match(new RegExp(`!\\[([^\\]]*)\\]\\(${name}\\)`))![1]).toContain(label);
  }
});

it('the page names every trigger, the documented actions and the choices for wrong codes', () => {
  for (const { display } of Object.values(App.triggers)) expect(page).toContain(`**${display.label}**`);
  for (const { display } of Object.values(App.creates))
    if (display.label !== 'Send Invoice Notification') expect(page).toContain(`**${display.label}**`);
  const choices = verify!.operation.inputFields!.find((field) => 'choices' in field) as unknown as { choices: Field[] };
  for (const { label } of choices.choices) expect(page).toContain(`*${label}*`);
});
