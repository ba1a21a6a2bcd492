/** What differs between two texts, word by word. */

export interface Piece {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Words with the space behind them; more than this are compared as a whole. */
const MAX_WORDS = 1200;

const wordsOf = (text: string): string[] => text.match(/\S+\s*|\s+/g) ?? [];

/** Length of the longest common subsequence of what is left of both, for every place. */
function common(before: readonly string[], after: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      lengths[i]![j] =
        before[i] === after[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!);
  return lengths;
}

/** From one text to the other; neighbours of one kind are one piece. */
export function diffWords(before: string, after: string): Piece[] {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const pieces: { kind: Piece['kind']; text: string }[] = [];
  const put = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else if (text !== '') pieces.push({ kind, text });
  };
  if (old.length > MAX_WORDS || now.length > MAX_WORDS) {
    put('removed', before);
    put('added', after);
    return pieces;
  }
  const lengths = common(old, now);
  let [i, j] = [0, 0];
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      put('same', now[j]!);
      i++;
      j++;
    } else if (j >= now.length || (i < old.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!))
      put('removed', old[i++]!);
    else put('added', now[j++]!);
  }
  return pieces;
}
