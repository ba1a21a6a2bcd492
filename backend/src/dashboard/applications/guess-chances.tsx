import { wrongCodesPerDay } from '../../modules/otp/guess-rules.js';
import { Table } from '../components/table.js';
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
      <Table
        caption="Chance of guessing a code"
        columns={[
          { title: 'Code length', cell: ({ digits }) => `${digits} digits` },
          { title: 'Wrong codes per day', number: true, cell: ({ wrongCodes }) => countText(wrongCodes) },
          { title: 'Chance within a day', number: true, cell: ({ chance }) => percent(chance) },
        ]}
        rows={rows}
        keyOf={({ digits }) => digits}
      />
    </details>
  );
}
