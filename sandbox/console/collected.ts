/** Items that are told together. */
export interface Collected<Item> {
  add(items: readonly Item[]): void;
  /** Tells what there is, now. */
  flush(): void;
}

/** Collects items for so long after the first of them, and then tells all at once. */
export const collected = <Item>(milliseconds: number, tell: (items: readonly Item[]) => void): Collected<Item> => {
  let waiting: readonly Item[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    const items = waiting;
    waiting = [];
    if (items.length > 0) tell(items);
  };

  return {
    flush,
    add(items) {
      if (waiting.length === 0 && items.length > 0) timer = setTimeout(flush, milliseconds);
      waiting = [...waiting, ...items];
    },
  };
};
