/** Fields for countries, which people choose by name. The browser suggests names while a person types. */
import { COUNTRY_NAMES } from '../../modules/recipients/country.js';
import { Field, type TextFieldProps } from './form.js';

/** The suggestions for fields with `list={id}`. */
export const CountryNames = ({ id }: { readonly id: string }) => (
  <datalist id={id}>
    {COUNTRY_NAMES.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
);

export function CountryField(props: TextFieldProps) {
  const list = `countries-${props.name}`;
  const field = { ...props, list, autocomplete: 'off', spellcheck: false };
  return (
    <>
      <Field {...field} />
      <CountryNames id={list} />
    </>
  );
}

interface CountriesProps {
  readonly fieldProps: Pick<TextFieldProps, 'form' | 'name' | 'label'>;
  readonly placeholder: string;
  readonly hint: string;
}

/** Each chosen country is a checkbox, shown as ×; clearing it removes the country. The value is a list of names. */
export function CountriesField({ fieldProps, placeholder, hint }: CountriesProps) {
  const { form, name } = fieldProps;
  const entries = (form.typed[name] ?? '').split(', ').filter(Boolean);
  const chosen = entries.filter((entry) => COUNTRY_NAMES.includes(entry));
  const typed = { ...form.typed, [name]: entries.filter((entry) => !chosen.includes(entry)).join(', ') };
  return (
    <div class="countries" data-countries>
      <CountryField {...fieldProps} form={{ ...form, typed }} hint={hint} placeholder={placeholder} />
      <ul>
        {chosen.map((country) => (
          <li key={country}>
            <label>
              <input type="checkbox" name={name} value={country} checked />
              {country}
            </label>
          </li>
        ))}
      </ul>
    </div>
  );
}
