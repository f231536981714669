/**
 * Splits a list into batches, in order. An item joins the last batch if it fits there; otherwise it starts a new one.
 */
export const batches = <Item>(
  items: readonly Item[],
  fits: (batch: readonly Item[], next: Item) => boolean,
): readonly (readonly Item[])[] => {
  const all: Item[][] = [];
  for (const item of items) {
    const last = all.at(-1);
    if (last !== undefined && fits(last, item)) last.push(item);
    else all.push([item]);
  }
  return all;
};

/** Splits a list into batches of at most `maxWeight`, in order. An item that is heavier is a batch by itself. */
export const batchesByWeight = <Item>(
  items: readonly Item[],
  maxWeight: number,
  weightOf: (item: Item) => number,
): readonly (readonly Item[])[] => {
  const all: Item[][] = [];
  let batchWeight = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const weight = weightOf(item);
    batchWeight += weight;
    if (batchWeight <= maxWeight) {
      all.at(-1)?.push(item);
      continue;
    }
    all.push([item]);
    batchWeight = weight;
  }
  return all;
};
