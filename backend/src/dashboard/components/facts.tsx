import type { ComponentChildren } from 'preact';

export type FactEntry = readonly [name: string, value: ComponentChildren];

interface FactsProps {
  readonly facts: readonly FactEntry[];
  readonly small?: boolean;
  /** Whether the facts are side by side, each value below its label. */
  readonly strip?: boolean;
}

/** A list of labels and values. Omits entries without a value. */
export function Facts({ facts, small = false, strip = false }: FactsProps) {
  return (
    <dl class={`facts${small ? ' small' : ''}${strip ? ' strip' : ''}`}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
