/** Cuts a list into batches, in order: an item joins the last one if it fits there, and else begins the next. */
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

/** Cuts a list into batches, in order, each of which weighs no more than `most`, or is a single item. */
export const batchesByWeight = <Item>(
  items: readonly Item[],
  most: number,
  weightOf: (item: Item) => number,
): readonly (readonly Item[])[] => {
  const all: Item[][] = [];
  let weight = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const own = weightOf(item);
    weight += own;
    if (weight <= most) {
      all.at(-1)?.push(item);
      continue;
    }
    all.push([item]);
    weight = own;
  }
  return all;
};
