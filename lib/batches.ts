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
