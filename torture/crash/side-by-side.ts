/** Does something with every item, so many at a time, and answers the results in the items' order. */
export const sideBySide = async <In, Out>(
  lanes: number,
  items: readonly In[],
  act: (item: In) => Promise<Out>,
): Promise<readonly Out[]> => {
  const results: Out[] = new Array(items.length);
  const left = items.entries();
  const lane = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await act(item);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return results;
};
