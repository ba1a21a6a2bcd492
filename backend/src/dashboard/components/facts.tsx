import type { ComponentChildren } from 'preact';

export type FactEntry = readonly [name: string, value: ComponentChildren];

/** A list of labels and values. Omits entries without a value. */
export function Facts({ facts, small = false }: { facts: readonly FactEntry[]; small?: boolean }) {
  return (
    <dl class={small ? 'facts small' : 'facts'}>
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
