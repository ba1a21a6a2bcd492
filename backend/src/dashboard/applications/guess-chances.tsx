import { wrongCodesPerDay } from '../../modules/otp/guess-rules.js';
import { countText } from '../usage/figures.js';

const CODE_LENGTHS = [4, 5, 6, 8] as const;

const percent = (chance: number): string => `${(chance * 100).toLocaleString('en', { maximumSignificantDigits: 2 })}%`;

/** Shows the number of wrong codes allowed per day and the chance of guessing a code, for several code lengths. */
export function GuessChances({ wrongCodesPerHour }: { readonly wrongCodesPerHour: number }) {
  const rows = CODE_LENGTHS.map((digits) => {
    const wrongCodes = wrongCodesPerDay(10 ** digits, { wrongCodesPerHour });
    return { digits, wrongCodes, chance: wrongCodes / 10 ** digits };
  });
  return (
    <details>
      <summary>Chance of guessing a code</summary>
      <p class="hint">With the limit above, for all codes of one recipient together:</p>
      <table class="chances">
        <caption class="unseen">Chance of guessing a code</caption>
        <thead>
          <tr>
            <th scope="col">Digits</th>
            <th scope="col">Wrong codes a day</th>
            <th scope="col">Chance in a day</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ digits, wrongCodes, chance }) => (
            <tr key={digits}>
              <th scope="row">{digits}</th>
              <td>{countText(wrongCodes)}</td>
              <td>{percent(chance)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
