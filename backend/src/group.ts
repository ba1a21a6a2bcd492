/** Grouped work: what arrives while one call is in flight goes into the next. No timer, and nothing added when idle. */

/** Largest group: keeps one statement or one call to Redis short. */
const MAX_GROUP = 100;

/** Makes a function of one item out of a function of many; `run` answers one result an item, in order. */
export function createGroup<Item, Result>(
  run: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    busy = true;
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_GROUP);
      waiting = waiting.slice(MAX_GROUP);
      try {
        const results = await run(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => resolve(results[index]!));
      } catch (error) {
        group.forEach(({ reject }) => reject(error));
      }
    }
    busy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!busy) void drain();
    });
}
