import { TIME_ZONES } from '../../modules/applications/account-profile.js';
import { Field, type TextFieldProps } from './form.js';

const shownName = (zone: string): string => zone.replaceAll('_', ' ');

/** A field for a time zone. The browser suggests names while a person types. */
export function TimeZoneField({ form, ...props }: TextFieldProps) {
  const typed = { ...form.typed, [props.name]: shownName(form.typed[props.name] ?? '') };
  const field = { ...props, form: { ...form, typed }, list: 'time-zones', autocomplete: 'off', spellcheck: false };
  return (
    <>
      <Field {...field} placeholder="Europe/Zurich" />
      <datalist id="time-zones">
        {TIME_ZONES.map((zone) => (
          <option key={zone} value={shownName(zone)} />
        ))}
      </datalist>
    </>
  );
}
